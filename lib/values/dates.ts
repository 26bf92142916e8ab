/**
 * Reads a text as a calendar date where it can mean only one day. Pure.
 *
 * Read: the year first (`2020-1-2`, `2020/01/02`, `2020.01.02`, `20200102`), a month by its English name (`2 Jan 2020`,
 * `January 2nd, 2020`, `2020-Jan-02`), and day and month as numbers where only one order exists (`25/12/2020`, `13.02.2020`).
 * A weekday in front must be the right one. A time after the date must be midnight, in whatever zone: `Thu, 02 Jan 2020
 * 00:00:00 GMT` and `2020-01-02T00:00:00.000Z` are what programs make of a date; any other time would be lost.
 */

/** Why a text is not read as a date. */
export type DateProblem = 'unreadable' | 'ambiguous' | 'impossible' | 'time' | 'short-year'

export type ReadDate = { date: string } | { problem: DateProblem }

/** Longer texts are not dates; the longest that programs write has about 80 characters. */
const LONGEST = 100

/** @returns the date as YYYY-MM-DD, or why the text is not one */
export function readDate(text: string): ReadDate {
  if (text.length > LONGEST) return unreadable
  const { day, time } = withoutTime(text.trim().toLowerCase())
  const { rest, weekday } = withoutWeekday(day)
  const found = readDay(rest)
  if ('problem' in found) return found
  if (weekday !== undefined && weekdayOf(found) !== weekday) return { problem: 'impossible' }
  return time && !isMidnight(time) ? { problem: 'time' } : { date: isoOf(found) }
}

interface Day {
  year: number
  month: number
  day: number
}

const unreadable = { problem: 'unreadable' } as const

const TIME =
  /(?:t|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:z|(?:utc|gmt)?[+-]\d{2}:?\d{2}|utc|gmt))?(?:\s\([^()]*\))?$/

function withoutTime(text: string): { day: string; time?: RegExpExecArray } {
  // Most texts have no colon: only then is the end looked at.
  const time = text.includes(':') ? TIME.exec(text) : null
  return time ? { day: text.slice(0, time.index), time } : { day: text }
}

function isMidnight([, hour, minute, second = '0', fraction = '0', half]: RegExpExecArray): boolean {
  const isHour = half === undefined ? Number(hour) === 0 : half === 'a' && Number(hour) === 12
  return isHour && [minute, second, fraction].every((part) => Number(part) === 0)
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const WEEKDAY = /^([a-z]{3,9})(?:\.?,\s?|\.?\s)(?=\S)/

function withoutWeekday(text: string): { rest: string; weekday?: number } {
  const found = WEEKDAY.exec(text)
  const weekday = found ? indexByName(WEEKDAYS, found[1]!) : -1
  return weekday < 0 ? { rest: text } : { rest: text.slice(found![0].length), weekday }
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

/** A name in full, by its first three letters, or by the four that some abbreviate to. */
const indexByName = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name === text || (/^(?:...|sept|tues|thur|thurs)$/.test(text) && name.startsWith(text)))

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
/** Between these years the digits cannot also be day, month and year: there is no month 18 to 21. */
const COMPACT = /^((?:1[89]|2[01])\d{2})(\d{2})(\d{2})$/
const NUMBERS = /^(\d{1,2})([-/]|\.\s?)(\d{1,2})\2(\d{4})$/
const DAY_MONTH_YEAR = /^(\d{1,2})(?:st|nd|rd|th)?[-/.\s]\s?([a-z]{3,9})(?:[-/,\s]|\.\s?|,\s)(\d{4})$/
const MONTH_DAY_YEAR = /^([a-z]{3,9})(?:[-/\s]|\.\s?)(\d{1,2})(?:st|nd|rd|th)?(?:[-/\s]|,\s?)(\d{4})$/
const YEAR_MONTH_DAY = /^(\d{4})[-/.\s]([a-z]{3,9})[-/.\s](\d{1,2})$/
const SHORT_YEAR = /^\d{1,2}([-/.])\d{1,2}\1\d{2}$|^\d{1,2}[-/.\s][a-z]{3,9}[-/.,\s]\s?'?\d{2}$/

function readDay(text: string): Day | { problem: DateProblem } {
  let found = YEAR_FIRST.exec(text)
  if (found) return existing(found[1]!, Number(found[3]), found[4]!)
  found = NUMBERS.exec(text)
  if (found) return inOnlyOrder(found[1]!, found[3]!, found[4]!)
  found = COMPACT.exec(text)
  if (found) return existing(found[1]!, Number(found[2]), found[3]!)
  found = DAY_MONTH_YEAR.exec(text)
  if (found) return named(found[3]!, found[2]!, found[1]!)
  found = MONTH_DAY_YEAR.exec(text)
  if (found) return named(found[3]!, found[1]!, found[2]!)
  found = YEAR_MONTH_DAY.exec(text)
  if (found) return named(found[1]!, found[2]!, found[3]!)
  return SHORT_YEAR.test(text) ? { problem: 'short-year' } : unreadable
}

function named(year: string, month: string, day: string): Day | { problem: DateProblem } {
  const index = indexByName(MONTHS, month)
  return index < 0 ? unreadable : existing(year, index + 1, day)
}

function existing(year: string, month: number, day: string): Day | { problem: DateProblem } {
  const date = { year: Number(year), month, day: Number(day) }
  return exists(date) ? date : { problem: 'impossible' }
}

/** Two numbers before the year: a day and a month, in the one order that makes a date. */
function inOnlyOrder(first: string, second: string, year: string): Day | { problem: DateProblem } {
  const dayFirst = existing(year, Number(second), first)
  const monthFirst = existing(year, Number(first), second)
  if ('problem' in dayFirst) return monthFirst
  if ('problem' in monthFirst || dayFirst.day === monthFirst.day) return dayFirst
  return { problem: 'ambiguous' }
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function exists({ year, month, day }: Day): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0))
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')
const isoOf = ({ year, month, day }: Day): string => `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
const weekdayOf = (date: Day): number => new Date(`${isoOf(date)}T00:00:00Z`).getUTCDay()
