/** Decides from all texts of a column how its dates are written, and reads them that way. Pure. */
import type { DateMark, DateOrder, DateReading, ReadingQuestion } from '../../schemas/programs/readings.ts'
import { unwrapDate } from './additions.ts'
import {
  type DateProblem,
  type Day,
  finishDate,
  hasWeekday,
  parseWrittenDate,
  type ReadDate,
  readOnlyOrder,
  toExistingDay,
  type WrittenDate,
  type WrittenDay,
} from './dates.ts'
import { type DateHabits, type Decision, EXAMPLES, pushExample } from './decision.ts'
import { getDateNames } from './languages.ts'
import { decideSerials, parseSerial, readSerial } from './serials.ts'
import { cleanText, isAscii, withoutAccents } from './texts.ts'
import { parseTimestamp } from './timestamps.ts'

const MAX_DATE_LENGTH = 100

const ONLY_NUMBERS = /^[\d./-]+$/

function simplify(text: string): string {
  const clean = cleanText(text)
  if (ONLY_NUMBERS.test(clean)) return clean
  const plain = isAscii(clean) ? clean.toLowerCase() : withoutAccents(clean.replace(/[º°ª]/g, '').toLowerCase())
  const short = (MAY_HAVE_WORDS.test(plain) ? withoutWords(plain) : plain).replace(/\b(\d{1,2})(?:er|e|o)\b/, '$1')
  return short.includes('/') ? short.replace(/ ?\/ ?/g, '/') : short
}

const MAY_HAVE_WORDS = / [deilor]/

const withoutWords = (text: string): string =>
  text
    .replace(/^(\p{L}+[.,]*) (?:den|le|el|il) (?=\d)/u, '$1 ')
    .replace(/ (?:de|del|of|do) /g, ' ')
    .replace(/ (?:r\.?|roku)$/, '')

type Parsed = WrittenDate | { problem: DateProblem }

function parse(text: string): Parsed {
  if (text.length > MAX_DATE_LENGTH) return { problem: 'unreadable' }
  const simple = simplify(text)
  const parsed = parseWrittenDate(simple, getDateNames())
  if (!isUnreadable(parsed) || !/\d/.test(simple)) return parsed
  const unwrapped = unwrapDate(simple)
  return unwrapped === simple ? parsed : parseWrittenDate(unwrapped, getDateNames())
}

const isUnreadable = (parsed: Parsed): boolean => 'problem' in parsed && parsed.problem === 'unreadable'

type Numbers = Extract<WrittenDay, { mark: DateMark }>

const ORDERS_BY_MARK: { readonly [mark in DateMark]: readonly DateOrder[] } = {
  '/': ['dmy', 'mdy', 'ymd'],
  '-': ['dmy', 'mdy', 'ymd'],
  '.': ['dmy', 'mdy', 'ymd'],
  name: ['dmy', 'ymd'],
  digits: ['dmy', 'mdy'],
}

function arrange({ numbers: [first, second, third], mark }: Numbers, order: DateOrder): [number, number, number] {
  if (order === 'ymd') return [first, second, third]
  return order === 'dmy' || mark === 'name' ? [third, second, first] : [third, first, second]
}

const LEAP_CENTURY = 2000

function isPossible(written: Numbers, order: DateOrder, weekdays?: ReadonlySet<number>): boolean {
  const { hasShortYear } = written
  if (order === 'ymd' && !hasShortYear) return false
  const [year, month, day] = arrange(written, order)
  const found = toExistingDay(hasShortYear ? LEAP_CENTURY + year : year, month, day)
  return !('problem' in found) && (!weekdays || hasShortYear || hasWeekday(found, weekdays))
}

interface MarkEvidence {
  orders: Set<DateOrder>
  hasShortYear: boolean
  firsts: Map<number, string>
  lasts: Map<number, string>
  ambiguous: string[]
}

export interface DateEvidence {
  add(text: string): void
  decide(thisYear: number, file?: DateHabits): Decision<DateReading>
}

/** @param isPast no day is in the future: of birth, for example */
export function gatherDates(isPast = false): DateEvidence {
  const marks = new Map<DateMark, MarkEvidence>()
  const [serials, writtenYears] = [new Set<number>(), new Set<number>()]
  let writtenDates = 0
  let [hasOther, hasTimestamp, hasTime] = [false, false, false]

  function addYear(year: number): void {
    writtenYears.add(year)
    writtenDates++
  }
  function addNumbers(written: Numbers, text: string, weekdays?: ReadonlySet<number>): void {
    const possible = ORDERS_BY_MARK[written.mark].filter((order) => isPossible(written, order, weekdays))
    if (possible.length === 0) return
    const known = marks.get(written.mark)
    const [first, , last] = written.numbers
    const evidence = known ?? {
      ...{ orders: new Set(ORDERS_BY_MARK[written.mark]), hasShortYear: false },
      ...{ firsts: new Map<number, string>(), lasts: new Map<number, string>(), ambiguous: [] },
    }
    for (const order of evidence.orders) if (!possible.includes(order)) evidence.orders.delete(order)
    if (possible.length > 1 && !isSameInAll(written, possible)) pushExample(evidence.ambiguous, text)
    if (written.hasShortYear) {
      evidence.hasShortYear = true
      evidence.firsts.set(first, text)
      evidence.lasts.set(last, text)
    } else addYear(last)
    if (!known) marks.set(written.mark, evidence)
  }

  return {
    add(text) {
      const serial = parseSerial(text)
      if (serial) {
        serials.add(serial.day)
        hasTime ||= serial.hasTime
        return
      }
      const timestamp = parseTimestamp(text)
      if (timestamp) {
        hasTimestamp = true
        hasTime ||= timestamp.hasTime
        return
      }
      const parsed = parse(text)
      hasOther = true
      if ('problem' in parsed) return
      hasTime ||= parsed.hasTime
      if ('day' in parsed.written) addYear(parsed.written.day.year)
      else addNumbers(parsed.written, text, parsed.weekdays)
    },
    decide(thisYear, { orders: fileOrders = {}, nativeOrders = {} } = {}) {
      const withoutTime = hasTime ? { withoutTime: true } : {}
      if (!hasOther && serials.size > 0 !== hasTimestamp) {
        const counted = hasTimestamp ? { timestamps: true } : { serials: true }
        return { reading: { type: 'date', ...counted, ...withoutTime } }
      }
      const orders: Partial<Record<DateMark, DateOrder>> = {}
      const open: [DateMark, MarkEvidence][] = []
      for (const [mark, evidence] of marks) {
        const order =
          decideOrder(mark, evidence, thisYear) ??
          [...evidence.orders].find((one) => one === (fileOrders[mark] ?? findNative(mark, evidence, nativeOrders)))
        if (order) orders[mark] = order
        else if (evidence.ambiguous.length > 0) open.push([mark, evidence])
      }
      const others = new Set(Object.values(orders))
      const asked = open.filter(([mark, evidence]) => {
        const isDayFirst = writtenDates >= MIN_WRITTEN_DATES && areDaysFirst(evidence, others, writtenYears)
        if (isDayFirst) orders[mark] = 'dmy'
        return !isDayFirst
      })
      const short = [...marks].flatMap(([mark, { firsts, lasts }]) => [...(orders[mark] === 'ymd' ? firsts : lasts)])
      const years: ShortYears = isPast
        ? { window: createCentury(thisYear) }
        : decideShortYears(short, orders, Math.min(...writtenYears), thisYear)
      const shortYears = years.question ? [] : short.flatMap(([year]) => toFullYear(year, years.window) ?? [])
      const reading: DateReading = {
        type: 'date',
        ...(Object.keys(orders).length > 0 ? { orders } : {}),
        ...(short.length > 0 ? years.window : {}),
        ...withoutTime,
        ...decideSerials(serials, [...writtenYears, ...shortYears]),
      }
      if (asked.length > 0) return { reading, question: askForOrder(reading, asked) }
      if (!years.question) return { reading }
      const alternatives = years.question.alternatives.map((window) => ({ ...reading, ...window }))
      return { reading, question: { ...years.question, alternatives } }
    },
  }
}

const MIN_WRITTEN_DATES = 3

/** `11-02-22` does not start with the year next to `23/04/2022`, `02/05/2022` and `14/05/2023`. */
function areDaysFirst(
  { hasShortYear, orders, firsts, lasts }: MarkEvidence,
  others: ReadonlySet<DateOrder>,
  writtenYears: ReadonlySet<number>,
): boolean {
  if (!hasShortYear || orders.has('mdy') || !orders.has('dmy') || others.size !== 1 || !others.has('dmy')) return false
  const [first, last] = [Math.min(...writtenYears), Math.max(...writtenYears)]
  const isWithin = (short: number, years: number): boolean =>
    [1900, 2000].some((century) => century + short >= first - years && century + short <= last + years)
  return (
    [...lasts.keys()].every((short) => isWithin(short, 0)) && ![...firsts.keys()].some((short) => isWithin(short, 1))
  )
}

/** `08-02-11` can start with the year in any language. */
const findNative = (
  mark: DateMark,
  { hasShortYear }: MarkEvidence,
  orders: NonNullable<DateHabits['nativeOrders']>,
): DateOrder | undefined => (hasShortYear && mark === '-' ? undefined : orders[mark])

function isSameInAll(written: Numbers, [first, ...others]: readonly DateOrder[]): boolean {
  const expected = arrange(written, first!)
  return others.every((order) => arrange(written, order).every((part, index) => part === expected[index]))
}

function decideOrder(mark: DateMark, evidence: MarkEvidence, thisYear: number): DateOrder | undefined {
  const { firsts, lasts } = evidence
  const orders = new Set(evidence.orders)
  if (areYears(lasts, firsts, thisYear)) orders.delete('ymd')
  if (areYears(firsts, lasts, thisYear)) for (const order of ['dmy', 'mdy'] as const) orders.delete(order)
  const mayStartWithYear = mark === '-' || (mark !== '.' && firsts.size < lasts.size)
  if (orders.size > 1 && !mayStartWithYear) orders.delete('ymd')
  if (mark === '.' && orders.has('dmy')) return 'dmy'
  return orders.size === 1 ? [...orders][0] : undefined
}

const MAX_YEARS = 3
const MIN_DAYS = 5

/** `03-02-24`, `16-06-24`, `31-03-24`, ...: few years next to many days, some of which cannot be years of the past. */
function areYears(years: ReadonlyMap<number, string>, days: ReadonlyMap<number, string>, thisYear: number): boolean {
  const last = (thisYear % 100) + 1
  return (
    years.size > 0 &&
    years.size <= MAX_YEARS &&
    days.size >= Math.max(MIN_DAYS, 2 * years.size) &&
    Math.max(...years.keys()) <= last &&
    Math.max(...days.keys()) > last
  )
}

function askForOrder(reading: DateReading, open: readonly [DateMark, MarkEvidence][]) {
  const candidates = new Set(
    open.flatMap(([mark, { orders }]) => [...(orders.size > 0 ? orders : ORDERS_BY_MARK[mark])]),
  )
  const choose = (order: DateOrder): DateReading => ({
    ...reading,
    orders: { ...reading.orders, ...Object.fromEntries(open.map(([mark]) => [mark, order])) },
  })
  const hasShortYear = open.some(([, evidence]) => evidence.hasShortYear)
  return {
    about: 'day-month-order' as const,
    examples: open.flatMap(([, { ambiguous }]) => ambiguous).slice(0, EXAMPLES),
    alternatives: [...candidates].filter((order) => order !== 'ymd' || hasShortYear).map(choose),
  }
}

const YEARS_BACK = 79
const YEARS_AHEAD = 20
const MAX_YEARS_BACK_WITH_FUTURE = 30

interface ShortYears {
  window: Window
  question?: Omit<ReadingQuestion, 'alternatives'> & { alternatives: DateReading[] }
}

const createCentury = (last: number): Window => ({
  ...{ firstShortYear: last - YEARS_BACK - YEARS_AHEAD, lastShortYear: last },
})

function decideShortYears(
  found: readonly (readonly [shortYear: number, text: string])[],
  orders: Partial<Record<DateMark, DateOrder>>,
  oldestYear: number,
  thisYear: number,
) {
  const window = { firstShortYear: thisYear - YEARS_BACK, lastShortYear: thisYear + YEARS_AHEAD }
  let oldest = oldestYear
  const future: string[] = []
  for (const [shortYear, text] of found) {
    const year = toFullYear(shortYear, window)!
    oldest = Math.min(oldest, year)
    if (year > thisYear) pushExample(future, text)
  }
  if (future.length === 0 || oldest >= thisYear - MAX_YEARS_BACK_WITH_FUTURE) return { window }
  const reading = (last: number): DateReading => ({
    ...{ type: 'date', orders, ...createCentury(last) },
  })
  return {
    window: { ...window, lastShortYear: thisYear },
    question: {
      about: 'century' as const,
      examples: future,
      alternatives: [reading(thisYear), reading(thisYear + YEARS_AHEAD)],
    },
  }
}

type Window = Pick<DateReading, 'firstShortYear' | 'lastShortYear'>

function toFullYear(shortYear: number, { firstShortYear, lastShortYear }: Window): number | undefined {
  if (firstShortYear === undefined || lastShortYear === undefined) return undefined
  const year = lastShortYear - ((((lastShortYear - shortYear) % 100) + 100) % 100)
  return year >= firstShortYear ? year : undefined
}

export function readDateIn(reading: DateReading, text: string): ReadDate {
  const counted = (reading.serials && readSerial(reading, text)) || (reading.timestamps && parseTimestamp(text))
  if (counted) return counted.hasTime && !reading.withoutTime ? { problem: 'time' } : { date: counted.date }
  const parsed = parse(text)
  if ('problem' in parsed) return parsed
  const { written } = parsed
  const day = 'day' in written ? written.day : readNumbers(written, reading)
  return finishDate(day, reading.withoutTime ? { ...parsed, hasTime: false } : parsed)
}

function readNumbers(written: Numbers, reading: DateReading): Day | { problem: DateProblem } {
  const order = reading.orders?.[written.mark]
  const { numbers, hasShortYear } = written
  if (!hasShortYear && (order === undefined || order === 'ymd')) return readOnlyOrder(...numbers)
  const chosen = order ?? findOnlyOrder(written)
  if (chosen === undefined) return { problem: 'ambiguous' }
  const [year, month, day] = arrange(written, chosen)
  const fullYear = hasShortYear ? toFullYear(year, reading) : year
  return fullYear === undefined ? { problem: 'short-year' } : toExistingDay(fullYear, month, day)
}

function findOnlyOrder(written: Numbers): DateOrder | undefined {
  const possible = ORDERS_BY_MARK[written.mark].filter((order) => isPossible(written, order))
  return possible.length > 0 && isSameInAll(written, possible) ? possible[0] : undefined
}
