/** Collects evidence from all texts of a column, decides a reading, and reads each text that has one meaning. Pure. */
import {
  DATE_MARKS,
  DATE_ORDERS,
  type DateOrder,
  type DateReading,
  type Reading,
} from '../../schemas/programs/readings.ts'
import { gatherBooleans, readBooleanIn } from './booleans.ts'
import { gatherDates, readDateIn } from './date-columns.ts'
import type { DateProblem } from './dates.ts'
import type { Decision } from './decision.ts'
import {
  findFormat,
  gatherPhones,
  gatherTimes,
  gatherUrls,
  readEmail,
  readPhone,
  readTime,
  readUrl,
} from './formats.ts'
import { isDash, isMissingWord } from './missing.ts'
import { findFieldUnit, gatherNumbers, type NumberProblem, readNumberIn } from './numbers.ts'
import { cleanText } from './texts.ts'

export interface ReadableField {
  type: string
  key?: string
  label?: string | null | undefined
  config?: unknown
  metadata?: unknown
}

export type ReadProblem = DateProblem | NumberProblem

export type ReadValue = { value: string | number | boolean | null } | { problem: ReadProblem }

export interface ColumnEvidence {
  add(text: string | null): unknown
  decide(thisYear: number): Decision
  canDashMeanFalse?(): boolean
}

const MAX_EMPTY_TEXTS = 50
const TYPES_WITH_EMPTY_TEXTS = new Set(['number', 'date', 'boolean', 'enum'])

export const getReadingType = (field: ReadableField): string => findFormat(field) ?? field.type

const skipEmpty = ({ add, decide }: { add(text: string): void; decide(): Decision }): ColumnEvidence => ({
  add: (text) => text === null || cleanText(text) === '' || add(text),
  decide,
})

export function gatherColumn(field: ReadableField): ColumnEvidence | undefined {
  const evidence = gatherByType(field)
  if (!evidence || !TYPES_WITH_EMPTY_TEXTS.has(field.type)) return evidence
  const emptyTexts = new Set<string>()
  const optionNames = listOptionNames(field)
  const { canDashMeanFalse } = evidence
  return {
    add(text) {
      const isMissing = text !== null && isMissingWord(text) && !optionNames.has(cleanText(text).toLowerCase())
      if (isMissing && emptyTexts.size < MAX_EMPTY_TEXTS) emptyTexts.add(cleanText(text))
      if (!isMissing || (canDashMeanFalse && isDash(text))) evidence.add(text)
    },
    decide(thisYear) {
      const { reading, question } = evidence.decide(thisYear)
      const empty = [...emptyTexts].filter((text) => !(canDashMeanFalse?.() && isDash(text)))
      const addEmpty = (one: Reading): Reading =>
        empty.length === 0 ? one : ({ ...one, emptyTexts: empty } as Reading)
      const alternatives = question?.alternatives.map(addEmpty)
      return { reading: addEmpty(reading), question: question && { ...question, alternatives: alternatives! } }
    },
  }
}

function listOptionNames({ type, config }: ReadableField): ReadonlySet<string> {
  if (type !== 'enum') return new Set()
  const { options = [] } = (config ?? {}) as { options?: { value: unknown; label?: unknown }[] }
  return new Set(options.flatMap(({ value, label }) => [value, label]).map((name) => String(name).toLowerCase()))
}

function gatherByType(field: ReadableField): ColumnEvidence | undefined {
  switch (getReadingType(field)) {
    case 'email':
      return { add() {}, decide: () => ({ reading: { type: 'email' } }) }
    case 'phone':
      return skipEmpty(gatherPhones())
    case 'url':
      return skipEmpty(gatherUrls())
    case 'time':
      return skipEmpty(gatherTimes())
    case 'string':
      return { add() {}, decide: () => ({ reading: { type: 'string' } }) }
    case 'number': {
      const numbers = gatherNumbers()
      const unit = findFieldUnit(field.label ?? '') ?? findFieldUnit(field.key ?? '')
      return { add: (text) => text === null || numbers.add(text), decide: () => numbers.decide(unit) }
    }
    case 'date': {
      const dates = gatherDates()
      return { add: (text) => text === null || dates.add(text), decide: (thisYear) => dates.decide(thisYear) }
    }
    case 'boolean': {
      const booleans = gatherBooleans()
      let hasEmpty = false
      const allowsIndeterminate = (field.config as { allowIndeterminate?: unknown } | null)?.allowIndeterminate === true
      return {
        add(text) {
          if (text === null || cleanText(text) === '') hasEmpty = true
          else booleans.add(text)
        },
        decide: () => booleans.decide(hasEmpty, allowsIndeterminate),
        canDashMeanFalse: booleans.canDashMeanFalse,
      }
    }
    case 'enum':
      return { add() {}, decide: () => ({ reading: { type: 'enum' } }) }
    default:
      return undefined
  }
}

export function readValue(reading: Reading, text: string, rowRegion?: string): ReadValue {
  if ('emptyTexts' in reading && reading.emptyTexts?.includes(cleanText(text))) return { value: null }
  switch (reading.type) {
    case 'enum':
      return { value: text }
    case 'email':
      return readEmail(text)
    case 'phone':
      return readPhone(reading, text, rowRegion)
    case 'url':
      return readUrl(reading, text)
    case 'time':
      return readTime(reading, text)
    case 'string':
      return { value: cleanText(text) }
    case 'number':
      return readNumberIn(reading, text)
    case 'boolean':
      return readBooleanIn(reading, text)
    case 'date': {
      const read = readDateIn(reading, text)
      return 'date' in read ? { value: read.date } : read
    }
  }
}

export function listReadings(reading: Reading): Reading[] {
  switch (reading.type) {
    case 'number':
      return reading.decimalMark ? [] : (['.', ','] as const).map((decimalMark) => ({ ...reading, decimalMark }))
    case 'date':
      return DATE_ORDERS.map((order) => ({ ...reading, orders: fillOrders(reading.orders, order) }))
    case 'url':
      return reading.addScheme ? [] : [{ ...reading, addScheme: true }]
    case 'time':
      return reading.bareHours ? [] : (['24h', 'pm'] as const).map((bareHours) => ({ ...reading, bareHours }))
    default:
      return []
  }
}

const fillOrders = (orders: DateReading['orders'], order: DateOrder): DateReading['orders'] => ({
  ...Object.fromEntries(DATE_MARKS.map((mark) => [mark, order])),
  ...orders,
})

export function listMeanings(readings: readonly Reading[], text: string): (string | number | boolean)[] {
  const reads = readings.map((reading) => readValue(reading, text))
  return [...new Set(reads.flatMap((read) => ('value' in read && read.value !== null ? [read.value] : [])))]
}
