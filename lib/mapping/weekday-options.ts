/** Reads shortened weekdays where options are weekdays, if all texts are weekdays in one language: `pon.`, `wt.`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { LANGUAGES } from '../values/languages.ts'
import { isMissingWord } from '../values/missing.ts'
import type { NamedValue } from './initials.ts'
import { compact } from './tokenize.ts'

const MIN_LETTERS = 2
const MIN_DAYS = 3
const WEEK = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)))
/** Polish shortens three days to letters that are not the first ones. */
const SHORT_DAYS: Readonly<Record<string, number>> = { nd: 6, ndz: 6, pn: 0, pt: 4, sb: 5 }

const daysByLanguage = LANGUAGES.map((language) => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return { names: WEEK.map((date) => compact(format.format(date))), short: language === 'pl' ? SHORT_DAYS : {} }
})

export function readWeekdays(texts: readonly string[], options: readonly NamedValue[]): Map<string, EnumValue> {
  const letters = [...new Set(texts.filter((text) => !isMissingWord(text)).map(compact))]
  const [days, ...others] = letters.length < MIN_DAYS ? [] : listReadings(letters)
  const names = options.map(({ name }) => compact(name))
  const [meant] = days === undefined || others.length > 0 ? [] : listReadings(names)
  if (meant === undefined) return new Map()
  return new Map(
    letters.flatMap((text, at) => {
      const option = options[meant.indexOf(days![at]!)]
      return option === undefined ? [] : [[text, option.value] as const]
    }),
  )
}

function listReadings(letters: readonly string[]): number[][] {
  const readings = daysByLanguage
    .map(({ names, short }) => letters.map((text) => short[text] ?? findOnlyDay(names, text)))
    .filter((days) => days.every((day) => day >= 0) && new Set(days).size >= MIN_DAYS)
  return [...new Map(readings.map((days) => [days.join(), days])).values()]
}

function findOnlyDay(names: readonly string[], start: string): number {
  const found = start.length < MIN_LETTERS ? [] : names.flatMap((name, day) => (name.startsWith(start) ? [day] : []))
  return found.length === 1 ? found[0]! : -1
}
