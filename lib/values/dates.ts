/** Parses written dates. A time must be midnight in any zone, because any other time would be lost. */
import type { DateMark } from '../../schemas/programs/readings.ts'
import { type DateNames, getEnglishNames } from './languages.ts'

export type DateProblem = 'unreadable' | 'ambiguous' | 'impossible' | 'time' | 'short-year'

export type ReadDate = { date: string } | { problem: DateProblem }

export interface Day {
  year: number
  month: number
  day: number
}

export type WrittenDay =
  | { day: Day }
  | { mark: DateMark; numbers: readonly [number, number, number]; hasShortYear: boolean }

export interface WrittenDate {
  written: WrittenDay
  weekdays?: ReadonlySet<number> | undefined
  hasTime: boolean
}

const MAX_DATE_LENGTH = 100

export function readDate(text: string): ReadDate {
  if (text.length > MAX_DATE_LENGTH) return unreadable
  const parsed = parseWrittenDate(text.trim().toLowerCase(), getEnglishNames())
  if ('problem' in parsed) return parsed
  const { written } = parsed
  if ('day' in written) return finishDate(written.day, parsed)
  if (written.mark === 'digits') return unreadable
  if (written.hasShortYear) return { problem: 'short-year' }
  const [first, second, year] = written.numbers
  return finishDate(readOnlyOrder(first, second, year), parsed)
}

export function finishDate(found: Day | { problem: DateProblem }, { weekdays, hasTime }: WrittenDate): ReadDate {
  if ('problem' in found) return found
  if (weekdays && !hasWeekday(found, weekdays)) return { problem: 'impossible' }
  return hasTime ? { problem: 'time' } : { date: formatIsoDate(found) }
}

const unreadable = { problem: 'unreadable' } as const

const TIME =
  /(?:t|,?\s+(?:(?:at|um|om|as|alle|ore|a las|alle ore|(?:o )?g(?:odz)?\.?|h|kl\.?|klo)\s)?)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:z|(?:utc|gmt)?[+-]\d{2}:?\d{2}|utc|gmt|[ecmp][sd]t|ak[sd]t|hst|bst|west|wet|cest?|eest|eet|mesz?|msk|ist|jst|ae[sd]t|uhr|u(?:ur)?|hs?|hrs))?(?:\s\([^()]*\))?$/

/** Behind a year only: `3.2.2025 8.15` and `03/02/2025 8h15`. */
const DOTTED_TIME =
  /(?<=\d{4})(?:,?\s+(?:(?:klo|kl\.?|(?:alle )?ore|alle|a|as|at|um|om|(?:o )?g(?:odz)?\.?)\s)?)([01]?\d|2[0-3])(?:[.hu]([0-5]\d)(?:\.([0-5]\d))?(?:\s?(?:uhr|u(?:ur)?|h))?|\s?(?:h|uhr|u(?:ur)?))$/

function splitTime(text: string): { day: string; time?: RegExpExecArray } {
  const time = text.includes(':') ? TIME.exec(text) : DOTTED_TIME.exec(text)
  return time ? { day: text.slice(0, time.index), time } : { day: text }
}

function isMidnight([, hour, minute = '0', second = '0', fraction = '0', meridiem]: RegExpExecArray): boolean {
  const isHour = meridiem === undefined ? Number(hour) === 0 : meridiem === 'a' && Number(hour) === 12
  return isHour && [minute, second, fraction].every((part) => Number(part) === 0)
}

const WEEKDAY = /^([a-z][a-z-]{1,13})(?:\.?,\s?|\.?\s)(?=\S)/
const WEEKDAY_BEHIND = /(?<=\d),?\s\(?([a-z-]{2,14})\.?\)?$/

export function parseWrittenDate(text: string, names: DateNames): WrittenDate | { problem: DateProblem } {
  const { day, time } = splitTime(text)
  const hasTime = time !== undefined && !isMidnight(time)
  const whole = parseDay(day, names)
  if (!('problem' in whole)) return { written: whole, hasTime }
  const [all = '', name = ''] = WEEKDAY.exec(day) ?? WEEKDAY_BEHIND.exec(day) ?? []
  const weekdays = names.weekdays.get(name)
  if (!weekdays) return whole
  const written = parseDay(day.replace(all, ''), names)
  return 'problem' in written ? written : { written, weekdays, hasTime }
}

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
/** Within these years the digits cannot also be day, month and year: there is no month 18 to 21. */
const COMPACT = /^((?:1[89]|2[01])\d{2})(\d{2})(\d{2})$/
/** A spreadsheet drops the 0 of `01032024`. */
const COMPACT_YEAR_LAST = /^(\d{1,2})(\d{2})((?:1[89]|2[01])\d{2})$/
const THREE_NUMBERS = /^(\d{1,2})([-/]|\.\s?)(\d{1,2})\2(\d{4}|\d{2})$/
const DAY_MONTH_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th)?[-/.\s]\s?([a-z]{3,14})(?:[-/,\s]|\.[-/]?\s?|,\s)(?:(\d{4})|'?(\d{2}))$/
const MONTH_DAY_YEAR = /^([a-z]{3,14})(?:[-/\s]|\.\s?)(\d{1,2})(?:st|nd|rd|th)?(?:[-/\s]|,\s?)(\d{4})$/
const YEAR_MONTH_DAY = /^(\d{4})[-/.\s]([a-z]{3,14})[-/.\s](\d{1,2})$/

function parseDay(text: string, { months }: DateNames): WrittenDay | { problem: DateProblem } {
  let found = YEAR_FIRST.exec(text)
  if (found) return toWritten(toExistingDay(Number(found[1]), Number(found[3]), Number(found[4])))
  found = THREE_NUMBERS.exec(text)
  if (found) {
    const numbers = [Number(found[1]), Number(found[3]), Number(found[4])] as const
    return { mark: found[2]![0] as DateMark, numbers, hasShortYear: found[4]!.length === 2 }
  }
  found = COMPACT_YEAR_LAST.exec(text)
  if (found)
    return {
      ...{ mark: 'digits', numbers: [Number(found[1]), Number(found[2]), Number(found[3])], hasShortYear: false },
    }
  found = COMPACT.exec(text)
  if (found) return toWritten(toExistingDay(Number(found[1]), Number(found[2]), Number(found[3])))
  found = DAY_MONTH_YEAR.exec(text)
  if (found?.[3] !== undefined) return toNamed(months.get(found[2]!), found[3], found[1]!)
  if (found) {
    const month = months.get(found[2]!)
    if (month === undefined) return unreadable
    return { mark: 'name', numbers: [Number(found[1]), month, Number(found[4])], hasShortYear: true }
  }
  found = MONTH_DAY_YEAR.exec(text)
  if (found) return toNamed(months.get(found[1]!), found[3]!, found[2]!)
  found = YEAR_MONTH_DAY.exec(text)
  return found ? toNamed(months.get(found[2]!), found[1]!, found[3]!) : unreadable
}

const toNamed = (month: number | undefined, year: string, day: string) =>
  month === undefined ? unreadable : toWritten(toExistingDay(Number(year), month, Number(day)))

const toWritten = (found: Day | { problem: DateProblem }): WrittenDay | { problem: DateProblem } =>
  'problem' in found ? found : { day: found }

export function toExistingDay(year: number, month: number, day: number): Day | { problem: DateProblem } {
  const date = { year, month, day }
  return isExistingDay(date) ? date : { problem: 'impossible' }
}

export function readOnlyOrder(first: number, second: number, year: number): Day | { problem: DateProblem } {
  const dayFirst = toExistingDay(year, second, first)
  const monthFirst = toExistingDay(year, first, second)
  if ('problem' in dayFirst) return monthFirst
  if ('problem' in monthFirst || dayFirst.day === monthFirst.day) return dayFirst
  return { problem: 'ambiguous' }
}

const DAYS_PER_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isExistingDay({ year, month, day }: Day): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS_PER_MONTH[month - 1] ?? 0))
}

const padDigits = (value: number, length: number): string => String(value).padStart(length, '0')
export const hasWeekday = (date: Day, weekdays: ReadonlySet<number>): boolean => weekdays.has(getWeekday(date))

export const formatIsoDate = ({ year, month, day }: Day): string =>
  `${padDigits(year, 4)}-${padDigits(month, 2)}-${padDigits(day, 2)}`
const getWeekday = (date: Day): number => new Date(`${formatIsoDate(date)}T00:00:00Z`).getUTCDay()
