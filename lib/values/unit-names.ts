/** Decides whether units are the same, and which unit a name such as `Weight (kg)` has. Pure. */
import { withoutAccents } from './texts.ts'
import { findCurrencies, findNamedMoney, findUnits, normalizeUnit } from './units.ts'

type Meanings = ReadonlySet<string> | undefined

/** Next to 12 %, 0.12 can mean the same, and 12 cannot mean 1,200 %. */
export function areSameUnit(names: readonly string[], hasBareFraction = false): boolean {
  if (names.includes('%') && hasBareFraction) return false
  if (names.length <= 1) return true
  if (haveShared(names.map(findCurrencies)) || haveShared(names.map(findUnits))) return true
  return names.every((name) => findUnits(name).size === 0 && isSameWord(name, names[0]!))
}

function haveShared([first, ...others]: readonly Meanings[]): boolean {
  return [...(first ?? [])].some((meaning) => others.every((other) => other?.has(meaning)))
}

export const isKnownUnit = (name: string): boolean => findUnits(name).size > 0 || findCurrencies(name) !== undefined

const MIN_STEM_LETTERS = 3
const ENDINGS = ['s', 'es', 'e', 'en', 'n', 'er', 'a', 'i', 'o', 'u', 'y', 'ow', 'ach']
const CHANGED_ENDINGS: readonly (readonly [ending: string, singular: string])[] = [
  ['ces', 'z'],
  ['oes', 'ao'],
  ['ies', 'y'],
]

/** `hr` and `hrs`, `Kind` and `Kinder`, `vez` and `veces`, `sin.` and `sinistres`. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (a.length < MIN_STEM_LETTERS || b.length < MIN_STEM_LETTERS) return `${a}s` === b || a === `${b}s`
  if (a.startsWith(b) || b.startsWith(a)) return true
  const stems = listStems(a)
  return [...listStems(b)].some((stem) => stems.has(stem))
}

function listStems(unit: string): Set<string> {
  const word = withoutAccents(unit)
  const stems = [
    word,
    ...ENDINGS.flatMap((ending) => (word.endsWith(ending) ? [word.slice(0, -ending.length)] : [])),
    ...CHANGED_ENDINGS.flatMap(([ending, singular]) =>
      word.endsWith(ending) ? [word.slice(0, -ending.length) + singular] : [],
    ),
  ]
  return new Set(stems.filter(({ length }) => length >= MIN_STEM_LETTERS))
}

const BRACKETED = /[([]([^()[\]]{1,12})[)\]]/
/** The unit of a name is looked for in its end only, because the patterns take quadratic time for long words. */
export const MAX_NAME_END_LENGTH = 100
export const WHOLE_UNIT =
  /^(?:miles|hours|minutes|days|weeks|months|years|stunden|tage|wochen|monate|heures|jours|semaines|horas|dias|días|ore|giorni|mesi|uren|dagen|weken|maanden|godziny|dni)$/i
const LAST_WORD = /\p{L}{3,}[\s_.-]+(in[\s_]+)?(\p{L}{2,10}[23²³]?|[%\p{Sc}])$/u
/** Words that also mean something else at the end of a name: `checked in`, `price min`, `sales week`. */
const PERIODS = new Set(['year', 'month', 'week', 'day', 'hour', 'minute', 'second'])
const OTHER_WORDS = new Set(
  'in min st pt to mo pc ea each un ud do da mes item items unit units piece pieces meter'.split(' '),
)
const SHORT_HOURS = /^(?:std|hrs)$/i
/** `Hours per week` are hours, and a `Price per kg` is not in kg. */
const COUNTED_PER =
  /(?:^|[\s_.-])(\p{L}{2,})[\s_]+(per|pro|par|por|al|alla|je|za|na)[\s_]+(?:\p{L}{1,12}[23²³]?|\d{1,4}\s?\p{L}{1,3})$/iu
const CURRENCY = /^(?:[A-Z]{3}|\p{Sc}|eur|usd|gbp|chf|pln)$/u

export function findFieldUnit(name: string): string | undefined {
  const money = findNamedMoney(name)
  if (money !== undefined) return money
  const end = name.trim().replace(/\.$/, '').slice(-MAX_NAME_END_LENGTH)
  const [, counted, per] = COUNTED_PER.exec(end) ?? []
  if (per !== undefined) return findUnits(counted!).size > 0 ? normalizeUnit(counted!) : undefined
  const bracketed = BRACKETED.exec(name)?.[1]
  const unit = bracketed?.split('/')[0]?.trim() ?? ''
  if (unit !== '' && unit !== 'each' && (unit === bracketed ? isKnownUnit(unit) : findCurrencies(unit)))
    return normalizeUnit(unit)
  if (WHOLE_UNIT.test(name.trim())) return normalizeUnit(name)
  const [, preposition, last] = LAST_WORD.exec(end) ?? []
  if (last === undefined || OTHER_WORDS.has(last.toLowerCase())) return undefined
  const isPeriod = [...findUnits(last)].some((unit) => PERIODS.has(unit)) && !SHORT_HOURS.test(last)
  if (preposition === undefined && isPeriod) return undefined
  const isUnit = findUnits(last).size > 0 || (CURRENCY.test(last) && findCurrencies(last) !== undefined)
  return isUnit ? normalizeUnit(last) : undefined
}
