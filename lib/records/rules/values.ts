/**
 * What a value of each field type is. Pure: one value in, at most one problem out.
 *
 * A value is kept as it came. Listeners cast, not the server: text in a number or boolean field stays text, so that a
 * hook sees what the file said. It gets an `is-artifact` error only when it could not be read as the field's type:
 * `"12.5"` in a number field is fine, `"n/a"` is not; in a boolean field only true and false (as text in any case) are
 * booleans, 1 and 0 are not. Numbers and booleans in text fields can be read as text and are fine.
 * An empty text and an empty list are an empty cell and are stored as null. A time at midnight UTC in a date field is what
 * becomes of a JavaScript Date on its way through JSON, and is stored as its date.
 */
import type { Field } from '../sheet.ts'

export const LIST_LIMIT = 100
/** Bytes of text by `config.size`, where a size is named. */
const TEXT_LIMITS: { [size: string]: number } = { tiny: 255, normal: 65_535, medium: 16_777_215, long: 4_294_967_295 }

export interface ValueProblem {
  source: 'is-artifact' | 'invalid-option'
  message: string
}
/** Judges a value that is not null. */
export type ValueCheck = (value: unknown) => ValueProblem | undefined

/** The value as stored: null for what counts as empty. */
export function storedValue(type: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return value.length ? value : null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  if (type === 'date' && typeof value === 'string' && value.length > 10) return dateOfMidnight(value)
  return value
}

const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0+)?Z$/
const dateOfMidnight = (value: string): string => MIDNIGHT.exec(value)?.[1] ?? value

/** A value as text, for uniqueness, options and search. Equal texts are equal values: 5 and "5" are. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const artifact = (message: string): ValueProblem => ({ source: 'is-artifact', message })

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/
const BOOLEAN = /^\s*(?:true|false)\s*$/i
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 10 || !DATE.test(value)) return false
  const day = Number(value.slice(8))
  if (day <= 28) return true
  return day <= new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate()
}

const notNumber = artifact('This value is not a number')
const notBoolean = artifact('This value is not true or false')
const notDate = artifact('This value is not a date of the form YYYY-MM-DD')
const notText = artifact('This value is not a text')
const notList = artifact('This value is not a list')
const notElement = artifact('A list can hold texts, numbers and true or false only')
const longList = artifact(`A list can hold at most ${LIST_LIMIT} values`)
const notOption: ValueProblem = { source: 'invalid-option', message: 'This value is not one of the options' }

const checkNumber: ValueCheck = (value) =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value)) ? undefined : notNumber
const checkBoolean: ValueCheck = (value) =>
  value === 'true' ||
  value === 'false' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && BOOLEAN.test(value))
    ? undefined
    : notBoolean
const checkDate: ValueCheck = (value) => (isDate(value) ? undefined : notDate)
const checkScalar: ValueCheck = (value) => (isScalar(value) ? undefined : notText)

const checkList =
  (checkElement: ValueCheck): ValueCheck =>
  (value) => {
    if (!Array.isArray(value)) return notList
    if (value.length > LIST_LIMIT) return longList
    for (const element of value) {
      const problem = isScalar(element) ? checkElement(element) : notElement
      if (problem) return problem
    }
    return undefined
  }

function checkText(field: Field): ValueCheck {
  const limit = TEXT_LIMITS[String(configOf(field).size)]
  if (!limit) return checkScalar
  const tooLong = artifact(`This text is longer than ${limit} bytes`)
  return (value) => {
    if (!isScalar(value)) return notText
    // A UTF-16 unit is at most three bytes: most texts need no count.
    return typeof value === 'string' && value.length * 3 > limit && Buffer.byteLength(value) > limit
      ? tooLong
      : undefined
  }
}

function checkOption(field: Field): ValueCheck {
  const config = configOf(field)
  if (config.allowCustom === true || !Array.isArray(config.options)) return checkScalar
  const options = new Set(config.options.map((option: { value?: unknown } | null) => textOf(option?.value)))
  return (value) => (isScalar(value) ? (options.has(textOf(value)) ? undefined : notOption) : notText)
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

/** The check of a field's values; undefined when no text can fail it (then only non-scalars are checked). */
export function checkOf(field: Field): ValueCheck {
  const check = checkers[field.type]?.(field) ?? (() => undefined)
  if (field.isArray !== true && field.multi !== true) return check
  const list = checkList(check)
  return (value) => (Array.isArray(value) ? list(value) : check(value))
}

/** True when any text passes, so that the check of a text can be skipped. */
export const takesAnyText = (field: Field): boolean =>
  field.type === 'reference' || (field.type === 'string' && !TEXT_LIMITS[String(configOf(field).size)])

/** A field's or constraint's `config` as an object of unknown values. */
export const configOf = (of: { config?: unknown }): { readonly [key: string]: unknown } =>
  typeof of.config === 'object' && of.config !== null ? { ...of.config } : {}
