/**
 * Reads a text as a calendar date if it can mean only one day, such as `2020/01/02`, `January 2nd, 2020` or
 * `25/12/2020`. A time must be midnight in any zone, because any other time would be lost.
 */

export type DateProblem = 'unreadable' | 'ambiguous' | 'impossible' | 'time' | 'short-year'

export type ReadDate = { date: string } | { problem: DateProblem }

const MAX_DATE_LENGTH = 100

export function readDate(text: string): ReadDate {
  if (text.length > MAX_DATE_LENGTH) return unreadable
  const { day, time } = splitTime(text.trim().toLowerCase())
  const { remaining, weekday } = splitWeekday(day)
  const found = readDay(remaining)
  if ('problem' in found) return found
  if (weekday !== undefined && getWeekday(found) !== weekday) return { problem: 'impossible' }
  return time && !isMidnight(time) ? { problem: 'time' } : { date: formatIsoDate(found) }
}

interface Day {
  year: number
  month: number
  day: number
}

const unreadable = { problem: 'unreadable' } as const

const TIME =
  /(?:t|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:z|(?:utc|gmt)?[+-]\d{2}:?\d{2}|utc|gmt))?(?:\s\([^()]*\))?$/

function splitTime(text: string): { day: string; time?: RegExpExecArray } {
  const time = text.includes(':') ? TIME.exec(text) : null
  return time ? { day: text.slice(0, time.index), time } : { day: text }
}

function isMidnight([, hour, minute, second = '0', fraction = '0', meridiem]: RegExpExecArray): boolean {
  const isHour = meridiem === undefined ? Number(hour) === 0 : meridiem === 'a' && Number(hour) === 12
  return isHour && [minute, second, fraction].every((part) => Number(part) === 0)
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const WEEKDAY = /^([a-z]{3,9})(?:\.?,\s?|\.?\s)(?=\S)/

function splitWeekday(text: string): { remaining: string; weekday?: number } {
  const found = WEEKDAY.exec(text)
  const weekday = found ? findNameIndex(WEEKDAYS, found[1]!) : -1
  return weekday < 0 ? { remaining: text } : { remaining: text.slice(found![0].length), weekday }
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const findNameIndex = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name === text || (/^(?:...|sept|tues|thur|thurs)$/.test(text) && name.startsWith(text)))

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
/** Within these years the digits cannot also be day, month and year: there is no month 18 to 21. */
const COMPACT = /^((?:1[89]|2[01])\d{2})(\d{2})(\d{2})$/
const TWO_NUMBERS_YEAR = /^(\d{1,2})([-/]|\.\s?)(\d{1,2})\2(\d{4})$/
const DAY_MONTH_YEAR = /^(\d{1,2})(?:st|nd|rd|th)?[-/.\s]\s?([a-z]{3,9})(?:[-/,\s]|\.\s?|,\s)(\d{4})$/
const MONTH_DAY_YEAR = /^([a-z]{3,9})(?:[-/\s]|\.\s?)(\d{1,2})(?:st|nd|rd|th)?(?:[-/\s]|,\s?)(\d{4})$/
const YEAR_MONTH_DAY = /^(\d{4})[-/.\s]([a-z]{3,9})[-/.\s](\d{1,2})$/
const SHORT_YEAR = /^\d{1,2}([-/.])\d{1,2}\1\d{2}$|^\d{1,2}[-/.\s][a-z]{3,9}[-/.,\s]\s?'?\d{2}$/

function readDay(text: string): Day | { problem: DateProblem } {
  let found = YEAR_FIRST.exec(text)
  if (found) return toExistingDay(found[1]!, Number(found[3]), found[4]!)
  found = TWO_NUMBERS_YEAR.exec(text)
  if (found) return parseOnlyOrder(found[1]!, found[3]!, found[4]!)
  found = COMPACT.exec(text)
  if (found) return toExistingDay(found[1]!, Number(found[2]), found[3]!)
  found = DAY_MONTH_YEAR.exec(text)
  if (found) return parseNamedMonth(found[3]!, found[2]!, found[1]!)
  found = MONTH_DAY_YEAR.exec(text)
  if (found) return parseNamedMonth(found[3]!, found[1]!, found[2]!)
  found = YEAR_MONTH_DAY.exec(text)
  if (found) return parseNamedMonth(found[1]!, found[2]!, found[3]!)
  return SHORT_YEAR.test(text) ? { problem: 'short-year' } : unreadable
}

function parseNamedMonth(year: string, month: string, day: string): Day | { problem: DateProblem } {
  const index = findNameIndex(MONTHS, month)
  return index < 0 ? unreadable : toExistingDay(year, index + 1, day)
}

function toExistingDay(year: string, month: number, day: string): Day | { problem: DateProblem } {
  const date = { year: Number(year), month, day: Number(day) }
  return isExistingDay(date) ? date : { problem: 'impossible' }
}

/** Two numbers before the year are read as day and month if only one order is a valid date. */
function parseOnlyOrder(first: string, second: string, year: string): Day | { problem: DateProblem } {
  const dayFirst = toExistingDay(year, Number(second), first)
  const monthFirst = toExistingDay(year, Number(first), second)
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
const formatIsoDate = ({ year, month, day }: Day): string =>
  `${padDigits(year, 4)}-${padDigits(month, 2)}-${padDigits(day, 2)}`
const getWeekday = (date: Day): number => new Date(`${formatIsoDate(date)}T00:00:00Z`).getUTCDay()
