/** Collects evidence from all texts of a column, decides a reading, and reads each text that has one meaning. Pure. */

import { decodeHTMLStrict } from 'entities/decode'
import {
  DATE_MARKS,
  DATE_ORDERS,
  type DateOrder,
  type DateReading,
  DEBITS,
  type NumberReading,
  type PhoneReading,
  type Reading,
  type StringReading,
} from '../../schemas/programs/readings.ts'
import { gatherBooleans, readBooleanIn } from './booleans.ts'
import { gatherDates, readDateIn } from './date-columns.ts'
import type { DateProblem } from './dates.ts'
import type { Decision, FileHabits } from './decision.ts'
import {
  FORMATS,
  findFormat,
  gatherPhones,
  gatherTimes,
  gatherUrls,
  isEmailAddress,
  readEmail,
  readEmailIn,
  readPhone,
  readTime,
  readUrl,
} from './formats.ts'
import { FRACTION, isFractionField } from './fractions.ts'
import {
  isDash,
  isFreeWord,
  isMissingText,
  isMissingWord,
  isNoDateWord,
  isTextDash,
  isUndecidedWord,
  isUnknownWord,
  isZeroDate,
  namesMoney,
  namesState,
  startsWithNone,
} from './missing.ts'
import { gatherNumbers, type NumberProblem, readNumberIn } from './numbers.ts'
import { cleanText } from './texts.ts'
import { findFieldUnit } from './unit-names.ts'
import { findCurrencies } from './units.ts'

export interface ReadableField {
  type: string
  key?: string
  label?: string | null | undefined
  description?: string | null | undefined
  config?: unknown
  metadata?: unknown
  constraints?: unknown
}

export type ReadProblem = DateProblem | NumberProblem

export type ReadValue = { value: string | number | boolean | null } | { problem: ReadProblem }

export interface ColumnEvidence {
  add(text: string | null): unknown
  decide(thisYear: number, file?: FileHabits): Decision
  canDashMeanFalse?(): boolean
}

const MAX_EMPTY_TEXTS = 50
const MAX_ZERO_TEXTS = 20
const TYPES_WITH_EMPTY_TEXTS = new Set<string>(['number', 'date', 'boolean', 'enum', ...FORMATS])

export const getReadingType = (field: ReadableField): string => findFormat(field) ?? field.type

const skipEmpty = ({ add, decide }: { add(text: string): void; decide(): Decision }): ColumnEvidence => ({
  add: (text) => text === null || cleanText(text) === '' || add(text),
  decide,
})

export interface ColumnSource {
  /** The name of the column in its file, which can say more than its texts. */
  columnName?: string | undefined
  isMostlyEmpty?: boolean | undefined
}

export function gatherColumn(field: ReadableField, source: ColumnSource = {}): ColumnEvidence | undefined {
  const evidence = gatherByType(field, source)
  if (!evidence || !TYPES_WITH_EMPTY_TEXTS.has(getReadingType(field))) return evidence
  const emptyTexts = new Set<string>()
  const optionNames = listOptionNames(field)
  const hasNone = [...optionNames].some(startsWithNone)
  const isOption = (text: string): boolean =>
    optionNames.has(cleanText(text).toLowerCase()) || (hasNone && startsWithNone(text))
  const { canDashMeanFalse } = evidence
  return {
    add(text) {
      const isMissing = text !== null && isMissingIn(field, text) && !isOption(text)
      if (isMissing && emptyTexts.size < MAX_EMPTY_TEXTS) emptyTexts.add(cleanText(text))
      if (!isMissing || (canDashMeanFalse && isDash(text))) evidence.add(text)
    },
    decide(thisYear, file) {
      const decision = evidence.decide(thisYear, file)
      const empty = [...emptyTexts].filter((text) => !(canDashMeanFalse?.() && isDash(text)))
      return addTexts(decision, 'emptyTexts', empty)
    },
  }
}

function addTexts(decision: Decision, key: 'emptyTexts' | 'zeroTexts', texts: readonly string[]): Decision {
  const { reading, question } = decision
  const add = (one: Reading) => (texts.length === 0 ? one : ({ ...one, [key]: texts } as Reading))
  return { reading: add(reading), question: question && { ...question, alternatives: question.alternatives.map(add) } }
}

function gatherFreeTexts(
  { add, decide }: { add(text: string): void; decide: ColumnEvidence['decide'] },
  names: readonly string[],
  unit: string | undefined,
): ColumnEvidence {
  const isMoney = names.some(namesMoney) || findCurrencies(unit ?? '') !== undefined
  const zeroTexts = new Set<string>()
  return {
    add(text) {
      if (text === null) return
      if (!isMoney || !isFreeWord(text)) add(text)
      else if (zeroTexts.size < MAX_ZERO_TEXTS) zeroTexts.add(cleanText(text))
    },
    decide: (thisYear, file) => addTexts(decide(thisYear, file), 'zeroTexts', [...zeroTexts]),
  }
}

const isMissingIn = ({ type }: ReadableField, text: string): boolean =>
  isMissingWord(text) ||
  (type === 'date' && (isZeroDate(text) || isNoDateWord(text))) ||
  (type !== 'enum' && isUnknownWord(text))

const APOSTROPHE = /^'(?=[+-]?\d)(?!.*'$)/
const LONE_SYMBOL = /^[^\p{L}\d\s]$/u

const ENTITY = /&(?:#\d{2,7}|#x[\da-f]{2,6}|[a-z][a-z\d]{1,30});/i
const TAG = /<\/?[a-z][^<>]{0,200}>/i

const CODE = /[\d@]/
const MIN_CODES = 3
const MIN_CODE_SHARE = 0.8

/** A dash is empty between words, but not between symbols such as `+`. `none` is, between codes and phone numbers. */
function gatherTexts({ constraints, label, key }: ReadableField, columnName: string | undefined): ColumnEvidence {
  const missing = new Set<string>()
  const missingBetweenCodes = new Set<string>()
  let [texts, codes] = [0, 0]
  let [hasTexts, hasSymbols, hasApostrophes, hasOthers] = [false, false, false, false]
  let [hasEntities, hasTags] = [false, false]
  let [addresses, wrappedAddresses] = [0, 0]
  const isKept = hasConstraint(constraints, 'required', 'oneOf')
  const isOfState = [columnName, label, key].some((name) => namesState(name ?? ''))
  return {
    add(text) {
      const clean = text === null ? '' : cleanText(text)
      if (clean === '') return
      if (isKept || !isMissingText(clean)) {
        hasTexts = true
        if (isMissingWord(clean) || isUnknownWord(clean)) {
          if (!isKept && missingBetweenCodes.size < MAX_EMPTY_TEXTS) missingBetweenCodes.add(clean)
        } else texts++
        if (CODE.test(clean)) codes++
        hasSymbols ||= LONE_SYMBOL.test(clean)
        hasEntities ||= clean.includes('&') && ENTITY.test(clean) && decodeHTMLStrict(clean) !== clean
        hasTags ||= clean.includes('<') && TAG.test(clean)
        if (APOSTROPHE.test(clean)) hasApostrophes = true
        else hasOthers = true
        if (clean.includes('@') && isEmailAddress(clean)) addresses++
        else if (clean.includes('@') && 'value' in readEmail(clean)) wrappedAddresses++
      } else if (missing.size < MAX_EMPTY_TEXTS) missing.add(clean)
    },
    decide(_, file) {
      const areCodes = codes >= MIN_CODES && codes >= texts * MIN_CODE_SHARE
      const missingTexts = [...missing].filter((text) => areCodes || !(hasSymbols && isTextDash(text)))
      const missingWords = [...missingBetweenCodes].filter(
        (text) => areCodes || (isUndecidedWord(text) && !isOfState) || file?.missingWords.has(text.toLowerCase()),
      )
      const emptyTexts = hasTexts ? [...missingTexts, ...missingWords] : []
      const apostrophe = hasApostrophes && !hasOthers ? { withoutApostrophe: true } : {}
      const entities = hasEntities && !hasTags ? { htmlEntities: true } : {}
      const areEmails =
        addresses > wrappedAddresses && addresses + wrappedAddresses >= Math.max(MIN_CODES, texts * MIN_CODE_SHARE)
      const emails = wrappedAddresses > 0 && areEmails ? { emails: true } : {}
      const empty = emptyTexts.length > 0 ? { emptyTexts } : {}
      return { reading: { type: 'string', ...apostrophe, ...entities, ...emails, ...empty } }
    },
  }
}

function listOptionNames({ type, config }: ReadableField): ReadonlySet<string> {
  if (type !== 'enum') return new Set()
  const { options = [] } = (config ?? {}) as { options?: { value: unknown; label?: unknown }[] }
  return new Set(options.flatMap(({ value, label }) => [value, label]).map((name) => String(name).toLowerCase()))
}

const hasConstraint = (constraints: unknown, ...types: readonly string[]): boolean =>
  Array.isArray(constraints) && constraints.some(({ type }) => types.includes(type))

function findPhoneCountry({ constraints }: ReadableField): Pick<PhoneReading, 'region' | 'regionField'> {
  const rule = Array.isArray(constraints) ? constraints.find(({ type }) => type === 'phone') : undefined
  const { country, countryField } = rule?.config ?? {}
  return { ...(country ? { region: country } : {}), ...(countryField ? { regionField: countryField } : {}) }
}

function gatherByType(field: ReadableField, { columnName, isMostlyEmpty }: ColumnSource): ColumnEvidence | undefined {
  switch (getReadingType(field)) {
    case 'email':
      return {
        add() {},
        decide: () => ({
          reading: { type: 'email', ...(hasConstraint(field.constraints, 'unique') && { hasLowerDomain: true }) },
        }),
      }
    case 'phone':
      return skipEmpty(gatherPhones(findPhoneCountry(field)))
    case 'url':
      return skipEmpty(gatherUrls())
    case 'time':
      return skipEmpty(gatherTimes())
    case 'string':
      return gatherTexts(field, columnName)
    case 'number': {
      const fieldNames = [field.label ?? '', field.key ?? '']
      const isFraction = isFractionField([...fieldNames, field.description])
      const fieldUnit = isFraction ? FRACTION : (findFieldUnit(fieldNames[0]!) ?? findFieldUnit(fieldNames[1]!))
      const { add, decide } = gatherNumbers()
      const numbers = {
        add,
        decide: (_: number, file?: FileHabits) => decide({ fieldUnit, columnName, fieldNames, ...file }),
      }
      return gatherFreeTexts(numbers, [columnName ?? '', ...fieldNames], fieldUnit)
    }
    case 'date': {
      const dates = gatherDates([columnName, field.label, field.key].some((name) => BIRTH.test(name ?? '')))
      return {
        add: (text) => text === null || dates.add(text),
        decide: (thisYear, file) => dates.decide(thisYear, file),
      }
    }
    case 'boolean': {
      const booleans = gatherBooleans([columnName, field.label])
      let hasEmpty = false
      const allowsIndeterminate = (field.config as { allowIndeterminate?: unknown } | null)?.allowIndeterminate === true
      return {
        add(text) {
          if (text === null || cleanText(text) === '') hasEmpty = true
          else booleans.add(text)
        },
        decide: () => booleans.decide(hasEmpty, allowsIndeterminate, isMostlyEmpty),
        canDashMeanFalse: booleans.canDashMeanFalse,
      }
    }
    case 'enum':
      return { add() {}, decide: () => ({ reading: { type: 'enum' } }) }
    default:
      return undefined
  }
}

const BIRTH = /birth|dob\b|geburt|\bgeb\b|naissance|nacimiento|nascita|nascimento|nasc\b|geboorte|urodz/i

export function readValue(reading: Reading, text: string, rowRegion?: string): ReadValue {
  if ('emptyTexts' in reading && reading.emptyTexts?.includes(cleanText(text))) return { value: null }
  switch (reading.type) {
    case 'enum':
      return { value: text }
    case 'email':
      return readEmailIn(reading, text)
    case 'phone':
      return readPhone(reading, text, rowRegion)
    case 'url':
      return readUrl(reading, text)
    case 'time':
      return readTime(reading, text)
    case 'string':
      return { value: readPlainText(reading, text) }
    case 'number':
      return reading.zeroTexts?.includes(cleanText(text)) ? { value: 0 } : readNumberIn(reading, text)
    case 'boolean':
      return readBooleanIn(reading, text)
    case 'date': {
      const read = readDateIn(reading, text)
      return 'date' in read ? { value: read.date } : read
    }
  }
}

function readPlainText({ withoutApostrophe, htmlEntities, emails }: StringReading, text: string): string {
  const bare = withoutApostrophe ? cleanText(text).replace(APOSTROPHE, '') : text
  const plain = cleanText(htmlEntities ? decodeHTMLStrict(bare) : bare)
  return emails ? unwrapAddress(plain) : plain
}

/** `<ada@example.com>;` is an address. */
function unwrapAddress(text: string): string {
  const read = !text.includes('@') || isEmailAddress(text) ? undefined : readEmail(text)
  return read && 'value' in read ? String(read.value) : text
}

export function listReadings(reading: Reading): Reading[] {
  switch (reading.type) {
    case 'number':
      return listNumberReadings(reading)
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

function listNumberReadings(reading: NumberReading): NumberReading[] {
  const marks = (['.', ','] as const).filter(
    (mark) => reading.decimalMark === undefined || reading.decimalMark === mark,
  )
  const debits = reading.debits === 'unclear' ? DEBITS : [reading.debits]
  const readings = marks.flatMap((decimalMark) => debits.map((one) => ({ ...reading, decimalMark, debits: one })))
  return readings.length > 1 ? readings : []
}

const fillOrders = (orders: DateReading['orders'], order: DateOrder): DateReading['orders'] => ({
  ...Object.fromEntries(DATE_MARKS.map((mark) => [mark, order])),
  ...orders,
})

export function listMeanings(readings: readonly Reading[], text: string): (string | number | boolean)[] {
  const reads = readings.map((reading) => readValue(reading, text))
  return [...new Set(reads.flatMap((read) => ('value' in read && read.value !== null ? [read.value] : [])))]
}
