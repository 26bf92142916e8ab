/** Reads the order of dates such as `03/02/2025` from the language of the file's headers. Pure. */
import type { DateMark, DateOrder, DateReading } from '../../schemas/programs/readings.ts'
import { findEntry, getMeaningfulWords, type Language } from './vocabulary.ts'

type Orders = NonNullable<DateReading['orders']>

const SLASH = ['/', '-', 'digits'] as const
const DASH = ['-', 'digits'] as const

const MARKS: Readonly<Partial<Record<Language, readonly DateMark[]>>> = {
  ...{ fr: SLASH, es: SLASH, it: SLASH, pt: SLASH, nl: SLASH },
  // With slashes, dates of these are rather from a program in English.
  ...{ de: DASH, pl: DASH },
}
const MIN_WORDS = 3
const MIN_LEAD = 2

/** Empty if the headers are English, of no known language, or if a column of the file has months first. */
export function findNativeOrders(headers: readonly string[], found: readonly (Orders | undefined)[]): Orders {
  if (found.some((orders) => Object.values(orders ?? {}).includes('mdy'))) return {}
  const marks = findLanguages(headers).map((language) => MARKS[language] ?? [])
  const [first = [], ...others] = marks
  const shared = first.filter((mark) => others.every((other) => other.includes(mark)))
  return Object.fromEntries(shared.map((mark): [DateMark, DateOrder] => [mark, 'dmy']))
}

function findLanguages(headers: readonly string[]): Language[] {
  const counts = new Map<Language, number>()
  for (const word of new Set(headers.flatMap(getMeaningfulWords)))
    for (const language of findEntry(word)?.languages ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const isClear = most >= MIN_WORDS && most >= (counts.get('en') ?? 0) * MIN_LEAD
  return isClear ? [...counts].flatMap(([language, count]) => (count === most ? [language] : [])) : []
}
