/**
 * The values of each field type. Pure: one value in, at most one problem out.
 *
 * A text in the canonical form of its field's type is stored typed: `"42"` in a number field as 42, `"true"` in a boolean
 * field as true, a date that can mean one day only as YYYY-MM-DD. So hooks see numbers, booleans and dates, whatever a file
 * or a client wrote. Any other text stays as it came and gets an `is-artifact` error: hooks and mappings may read it.
 * 1 and 0 are not booleans. Numbers and booleans in text fields can be read as text and are fine.
 * An empty text and an empty list are an empty cell and are stored as null.
 */
import { type DateProblem, readDate } from '../../values/dates.ts'
import { booleanOf, numberOf } from '../../values/scalars.ts'
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

/** The value as stored: null for what counts as empty, typed where its text is canonical. */
export function storedValue(type: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return READERS[type]?.(value) ?? value
  if (Array.isArray(value)) return value.length ? typedList(type, value) : null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return value
}

/** By field type, what a text is stored as; undefined for a text that stays. */
const READERS: { readonly [type: string]: ((text: string) => unknown) | undefined } = {
  number: numberOf,
  boolean: booleanOf,
  date: dateOf,
}

/** True for types some of whose texts are stored as something else. */
export const isTyped = (type: string): boolean => READERS[type] !== undefined

function typedList(type: string, list: readonly unknown[]): readonly unknown[] {
  const read = READERS[type]
  return read ? list.map((value) => (typeof value === 'string' ? (read(value) ?? value) : value)) : list
}

/** Of the form YYYY-MM-DD nothing is read: whether the day exists is the check's to say. */
function dateOf(text: string): string | undefined {
  if (text.length === 10 && text[4] === '-' && text[7] === '-') return text
  const read = readDate(text)
  return 'date' in read ? read.date : undefined
}

/** A value as text, for uniqueness, options and search. Equal texts are equal values: 5 and "5" are. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const artifact = (message: string): ValueProblem => ({ source: 'is-artifact', message })

const LONG_NUMBER = /^-?\d{16,}(?:\.\d+)?$|^-?\d+\.\d{10,}$/
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 10 || !DATE.test(value)) return false
  const day = Number(value.slice(8))
  if (day <= 28) return true
  return day <= new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate()
}

const notNumber = artifact('This value is not a number: write digits only, with a point and a minus, such as -1234.5')
const longNumber = artifact('This number has more digits than a number keeps: a text field keeps them all')
const notBoolean = artifact('This value is not true or false')
const notDate = artifact('This value is not a date: write it as YYYY-MM-DD')
const DATE_PROBLEMS: { readonly [problem in DateProblem]: ValueProblem } = {
  unreadable: notDate,
  ambiguous: artifact('This date is ambiguous, day and month could be either way round: write it as YYYY-MM-DD'),
  impossible: artifact('This date does not exist: write one that does as YYYY-MM-DD'),
  time: artifact('This value has a time of day, and a date field holds a date only: write it as YYYY-MM-DD'),
  'short-year': artifact('This date is ambiguous, its year needs four digits: write it as YYYY-MM-DD'),
}
const notText = artifact('This value is not a text')
const notList = artifact('This value is not a list')
const notElement = artifact('A list can hold texts, numbers and true or false only')
const longList = artifact(`A list can hold at most ${LIST_LIMIT} values`)
const notOption: ValueProblem = { source: 'invalid-option', message: 'This value is not one of the options' }

// Values stored before their field had its type may be canonical texts: they are read as what they are.
const checkNumber: ValueCheck = (value) => {
  if (typeof value === 'number') return undefined
  if (typeof value !== 'string') return notNumber
  if (numberOf(value) !== undefined) return undefined
  return LONG_NUMBER.test(value) ? longNumber : notNumber
}
const checkBoolean: ValueCheck = (value) =>
  typeof value === 'boolean' || value === 'true' || value === 'false' ? undefined : notBoolean
const checkDate: ValueCheck = (value) => (isDate(value) ? undefined : dateProblem(value))

function dateProblem(value: unknown): ValueProblem {
  if (typeof value !== 'string') return notDate
  const read = readDate(value)
  return 'problem' in read ? DATE_PROBLEMS[read.problem] : notDate
}
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
