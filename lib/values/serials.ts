/** Reads the day numbers of spreadsheets, which are left where a cell has lost its format: 45302 is 2024-01-11. Pure. */
import type { DateReading } from '../../schemas/programs/readings.ts'
import { cleanText } from './texts.ts'

interface Serial {
  day: number
  hasTime: boolean
}

const SERIAL = /^([2-5]\d{4})(?:[.,](\d{1,15}))?$/
const EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
const DAYS_TO_1904 = 1462

const toIsoDate = (day: number): string => new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10)
const getYear = (day: number): number => Number(toIsoDate(day).slice(0, 4))

export function parseSerial(text: string): Serial | undefined {
  const [, day, fraction = ''] = SERIAL.exec(cleanText(text)) ?? []
  return day === undefined ? undefined : { day: Number(day), hasTime: Number(fraction) > 0 }
}

export function readSerial(
  { firstSerialYear, lastSerialYear }: DateReading,
  text: string,
): { date: string; hasTime: boolean } | undefined {
  const serial = parseSerial(text)
  if (!serial) return undefined
  const year = getYear(serial.day)
  const isNear = year >= (firstSerialYear ?? year) && year <= (lastSerialYear ?? year)
  return isNear ? { date: toIsoDate(serial.day), hasTime: serial.hasTime } : undefined
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 2100]
const NEAR_YEARS = 2

/** A number is a day only near the written dates; none is if all could be days that an old Mac counts from 1904. */
export function decideSerials(days: ReadonlySet<number>, writtenYears: Iterable<number>): Partial<DateReading> {
  const years = [...writtenYears].filter((year) => year >= FIRST_YEAR && year <= LAST_YEAR)
  if (years.length === 0 || days.size === 0) return {}
  const [oldest, newest] = [Math.min(...years), Math.max(...years)]
  const areBetween = (shift: number): boolean =>
    [...days].map((day) => getYear(day + shift)).every((year) => year >= oldest && year <= newest)
  if (!areBetween(0) && areBetween(DAYS_TO_1904)) return {}
  return { serials: true, firstSerialYear: oldest - NEAR_YEARS, lastSerialYear: newest + NEAR_YEARS }
}
