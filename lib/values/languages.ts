import { withoutAccents } from './texts.ts'

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const

export interface DateNames {
  months: ReadonlyMap<string, number>
  weekdays: ReadonlyMap<string, ReadonlySet<number>>
}

export const normalizeName = (name: string): string => withoutAccents(name.toLowerCase()).replace(/\.$/, '')

const WIDTHS = ['long', 'short'] as const
const WEEK = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day))
const YEAR = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 15))

type Part = 'month' | 'weekday'

function listNames(language: string, part: Part, times: readonly number[]): [name: string, index: number][] {
  const dayParts = [{}, { day: 'numeric', year: 'numeric' }] as const
  return WIDTHS.flatMap((width) =>
    dayParts.flatMap((day) => {
      const format = new Intl.DateTimeFormat(language, { ...day, [part]: width, timeZone: 'UTC' })
      const findPart = (time: number) => format.formatToParts(time).find(({ type }) => type === part)?.value ?? ''
      return times.map((time, index): [string, number] => [normalizeName(findPart(time)), index])
    }),
  )
}

const PREFIX_LENGTH = 3

function buildNames(languages: readonly string[]): DateNames {
  const months = new Map<string, number>()
  const conflicts = new Set<string>()
  const weekdays = new Map<string, Set<number>>()
  const prefixes = new Map<string, Set<number>>()
  const addMonth = (name: string, month: number) => {
    if ((months.get(name) ?? month) !== month) conflicts.add(name)
    months.set(name, month)
  }
  for (const language of languages) {
    for (const [name, index] of listNames(language, 'month', YEAR)) {
      addMonth(name, index + 1)
      const prefix = name.slice(0, PREFIX_LENGTH)
      prefixes.set(prefix, (prefixes.get(prefix) ?? new Set()).add(index + 1))
    }
    for (const [name, index] of listNames(language, 'weekday', WEEK)) {
      const spellings = language === 'en' ? [name, name.slice(0, 3)] : [name]
      for (const spelling of spellings) weekdays.set(spelling, (weekdays.get(spelling) ?? new Set()).add(index))
    }
  }
  for (const [prefix, [month, ...others]] of prefixes)
    if (month !== undefined && others.length === 0 && !months.has(prefix)) addMonth(prefix, month)
  addMonth('sept', 9)
  if (languages.includes('de')) addMonth('mrz', 3)
  for (const [name, index] of [
    ['tues', 2],
    ['weds', 3],
    ['thur', 4],
    ['thurs', 4],
  ] as const)
    weekdays.set(name, new Set([index]))
  for (const name of [...conflicts, '']) months.delete(name)
  return { months, weekdays }
}

let english: DateNames | undefined
let all: DateNames | undefined

export function getEnglishNames(): DateNames {
  english ??= buildNames(['en'])
  return english
}

export function getDateNames(): DateNames {
  all ??= buildNames([...LANGUAGES, 'de-AT'])
  return all
}
