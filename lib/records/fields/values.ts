/**
 * Converts and checks the values of each field type.
 * Texts in the canonical form of their type are stored typed: `"42"` as 42, `"true"` as true, an unambiguous date as
 * YYYY-MM-DD. Other texts stay, with an `is-artifact` error, for hooks and mappings to read. Empty texts and lists are
 * stored as null.
 */
import { message } from '../../../schemas/messages/index.ts'
import { type DateProblem, readDate } from '../../values/dates.ts'
import { getValue } from '../../values/read-cell.ts'
import { parseBoolean, parseNumber } from '../../values/scalars.ts'
import type { Field } from '../sheet.ts'

export const MAX_VALUES_PER_LIST = 100
const MAX_TEXT_BYTES: { [size: string]: number } = {
  tiny: 255,
  normal: 65_535,
  medium: 16_777_215,
  long: 4_294_967_295,
}

export interface ValueProblem {
  source: 'is-artifact' | 'invalid-option'
  message: string
}
export type ValueCheck = (value: unknown) => ValueProblem | undefined

export function toStoredValue(type: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return PARSERS[type]?.(value) ?? value
  if (Array.isArray(value)) return value.length ? toTypedList(type, value) : null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return getValue(value)
}

const PARSERS: { readonly [type: string]: ((text: string) => unknown) | undefined } = {
  number: parseNumber,
  boolean: parseBoolean,
  date: parseDate,
}

export const isTyped = (type: string): boolean => PARSERS[type] !== undefined

function toTypedList(type: string, list: readonly unknown[]): readonly unknown[] {
  const parse = PARSERS[type]
  return parse ? list.map((value) => (typeof value === 'string' ? (parse(value) ?? value) : value)) : list
}

/** A text of the form YYYY-MM-DD is returned unparsed; the check verifies that the day exists. */
function parseDate(text: string): string | undefined {
  if (text.length === 10 && text[4] === '-' && text[7] === '-') return text
  const parsed = readDate(text)
  return 'date' in parsed ? parsed.date : undefined
}

/** Equal texts are equal values: 5 and "5" match. */
export const valueToText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const createArtifactProblem = (text: string): ValueProblem => ({ source: 'is-artifact', message: text })

const LONG_NUMBER = /^-?\d{16,}(?:\.\d+)?$|^-?\d+\.\d{10,}$/
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 10 || !DATE.test(value)) return false
  const day = Number(value.slice(8))
  if (day <= 28) return true
  return day <= new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate()
}

const notNumber = createArtifactProblem(message('records.notNumber'))
const longNumber = createArtifactProblem(message('records.numberTooLong'))
const notBoolean = createArtifactProblem(message('records.notBoolean'))
const notDate = createArtifactProblem(message('records.notDate'))
const DATE_PROBLEMS: { readonly [problem in DateProblem]: ValueProblem } = {
  unreadable: notDate,
  ambiguous: createArtifactProblem(message('records.ambiguousDate')),
  impossible: createArtifactProblem(message('records.impossibleDate')),
  time: createArtifactProblem(message('records.dateWithTime')),
  'short-year': createArtifactProblem(message('records.shortYear')),
}
const notText = createArtifactProblem(message('records.notText'))
const notList = createArtifactProblem(message('records.notList'))
const notElement = createArtifactProblem(message('records.invalidListEntry'))
const longList = createArtifactProblem(message('records.listTooLong', { count: MAX_VALUES_PER_LIST }))
const notOption: ValueProblem = { source: 'invalid-option', message: message('records.notOption') }

// Values stored before the field had its type may still be canonical texts, and count as typed values.
const checkNumber: ValueCheck = (value) => {
  if (typeof value === 'number') return undefined
  if (typeof value !== 'string') return notNumber
  if (parseNumber(value) !== undefined) return undefined
  return LONG_NUMBER.test(value) ? longNumber : notNumber
}
const checkBoolean: ValueCheck = (value) =>
  typeof value === 'boolean' || value === 'true' || value === 'false' ? undefined : notBoolean
const checkDate: ValueCheck = (value) => (isDate(value) ? undefined : findDateProblem(value))

function findDateProblem(value: unknown): ValueProblem {
  if (typeof value !== 'string') return notDate
  const parsed = readDate(value)
  return 'problem' in parsed ? DATE_PROBLEMS[parsed.problem] : notDate
}
const checkScalar: ValueCheck = (value) => (isScalar(value) ? undefined : notText)

const checkList =
  (checkElement: ValueCheck): ValueCheck =>
  (value) => {
    if (!Array.isArray(value)) return notList
    if (value.length > MAX_VALUES_PER_LIST) return longList
    for (const element of value) {
      const problem = isScalar(element) ? checkElement(element) : notElement
      if (problem) return problem
    }
    return undefined
  }

function checkText(field: Field): ValueCheck {
  const limit = MAX_TEXT_BYTES[String(toConfigObject(field).size)]
  if (!limit) return checkScalar
  const tooLong = createArtifactProblem(message('records.textTooLong', { count: limit }))
  return (value) => {
    if (!isScalar(value)) return notText
    // A UTF-16 unit takes at most three UTF-8 bytes, so most texts need no counting.
    return typeof value === 'string' && value.length * 3 > limit && Buffer.byteLength(value) > limit
      ? tooLong
      : undefined
  }
}

function checkOption(field: Field): ValueCheck {
  const config = toConfigObject(field)
  if (config.allowCustom === true || !Array.isArray(config.options)) return checkScalar
  const options = new Set(config.options.map((option: { value?: unknown } | null) => valueToText(option?.value)))
  return (value) => (isScalar(value) ? (options.has(valueToText(value)) ? undefined : notOption) : notText)
}

const checkers: { [type: string]: (field: Field) => ValueCheck } = {
  string: checkText,
  number: () => checkNumber,
  boolean: () => checkBoolean,
  date: () => checkDate,
  enum: checkOption,
  reference: () => checkScalar,
  'enum-list': (field) => checkList(checkOption(field)),
  'string-list': () => checkList(checkScalar),
  'reference-list': () => checkList(checkScalar),
}

export function createValueCheck(field: Field): ValueCheck {
  const check = checkers[field.type]?.(field) ?? (() => undefined)
  if (field.isArray !== true && field.multi !== true) return check
  const list = checkList(check)
  return (value) => (Array.isArray(value) ? list(value) : check(value))
}

export const acceptsAnyText = (field: Field): boolean =>
  field.type === 'reference' || (field.type === 'string' && !MAX_TEXT_BYTES[String(toConfigObject(field).size)])

export const toConfigObject = (owner: { config?: unknown }): { readonly [key: string]: unknown } =>
  typeof owner.config === 'object' && owner.config !== null ? { ...owner.config } : {}
