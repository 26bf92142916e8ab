/** Collects evidence from all texts of a column, decides a reading, and reads each text that has one meaning. Pure. */
import {
  DATE_MARKS,
  DATE_ORDERS,
  type DateOrder,
  type DateReading,
  type Reading,
} from '../../schemas/programs/readings.ts'
import { gatherBooleans, gatherDashes, readBooleanIn } from './booleans.ts'
import { gatherDates, readDateIn } from './date-columns.ts'
import type { DateProblem } from './dates.ts'
import type { Decision } from './decision.ts'
import { isDash, isMissingWord } from './missing.ts'
import { findFieldUnit, gatherNumbers, type NumberProblem, readNumberIn } from './numbers.ts'
import { cleanText } from './texts.ts'

export interface ReadableField {
  type: string
  key?: string
  label?: string | null | undefined
  config?: unknown
}

export type ReadProblem = DateProblem | NumberProblem

export type ReadValue = { value: string | number | boolean | null } | { problem: ReadProblem }

export interface ColumnEvidence {
  add(text: string | null): void
  decide(thisYear: number): Decision
}

const MAX_EMPTY_TEXTS = 50

export function gatherColumn(field: ReadableField): ColumnEvidence | undefined {
  const evidence = gatherByType(field)
  if (!evidence || field.type === 'string') return evidence
  const emptyTexts = new Set<string>()
  const optionNames = listOptionNames(field)
  const dashes = field.type === 'boolean' ? gatherDashes() : undefined
  return {
    add(text) {
      const isMissing = text !== null && isMissingWord(text) && !optionNames.has(cleanText(text).toLowerCase())
      if (isMissing && emptyTexts.size < MAX_EMPTY_TEXTS) emptyTexts.add(cleanText(text))
      if (isMissing && !(dashes && isDash(text))) return
      if (text !== null && !isMissing) dashes?.add(text)
      evidence.add(text)
    },
    decide(thisYear) {
      const { reading, question } = evidence.decide(thisYear)
      const empty = [...emptyTexts].filter((text) => !(dashes?.canMeanFalse() && isDash(text)))
      const addEmpty = (one: Reading): Reading =>
        empty.length === 0 || one.type === 'string' ? one : { ...one, emptyTexts: empty }
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
  switch (field.type) {
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
      }
    }
    case 'enum':
      return { add() {}, decide: () => ({ reading: { type: 'enum' } }) }
    default:
      return undefined
  }
}

export function readValue(reading: Reading, text: string): ReadValue {
  if (reading.type !== 'string' && reading.emptyTexts?.includes(cleanText(text))) return { value: null }
  switch (reading.type) {
    case 'enum':
      return { value: text }
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

/** The readings that an undecided column leaves open. */
export function listReadings(reading: Reading): Reading[] {
  switch (reading.type) {
    case 'number':
      return reading.decimalMark ? [] : (['.', ','] as const).map((decimalMark) => ({ ...reading, decimalMark }))
    case 'date':
      return DATE_ORDERS.map((order) => ({ ...reading, orders: fillOrders(reading.orders, order) }))
    default:
      return []
  }
}

const fillOrders = (orders: DateReading['orders'], order: DateOrder): DateReading['orders'] => ({
  ...Object.fromEntries(DATE_MARKS.map((mark) => [mark, order])),
  ...orders,
})

/** The different values that readings give a text. */
export function listMeanings(readings: readonly Reading[], text: string): (string | number | boolean)[] {
  const reads = readings.map((reading) => readValue(reading, text))
  return [...new Set(reads.flatMap((read) => ('value' in read && read.value !== null ? [read.value] : [])))]
}
