/** Reads letters and beginnings that stand for words, such as `G` and `R` next to `goed` and `redelijk`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { isAbbreviation } from './abbreviations.ts'
import { listSenses } from './lexicon/lexicon.ts'
import { splitWords } from './tokenize.ts'

export interface NamedValue {
  name: string
  value: EnumValue
}

const INITIALS = /^\p{L}{1,3}$/u

/** @param mates the other texts of the column with their options: they are in the language of the letters */
export function readInitials(
  texts: readonly string[],
  mates: readonly NamedValue[],
  options: readonly NamedValue[],
): ReadonlyMap<string, EnumValue> {
  const letters = texts.filter((text) => INITIALS.test(text.trim()))
  const named = new Set(options.map(({ name }) => normalize(name)))
  const words = mates.filter(({ name }) => !INITIALS.test(name.trim()))
  const isSameLanguage = words.some(({ name }) => named.has(normalize(name)))
  const found = resolve(letters, isSameLanguage ? [...words, ...options] : words)
  if (found.size > 0 || mates.length > 0) return found
  const alone = resolve(letters, options)
  const isComplete = alone.size === letters.length && new Set(alone.values()).size === countValues(options)
  return isComplete ? alone : found
}

const normalize = (text: string): string => splitWords(text).join(' ')
const countValues = (options: readonly NamedValue[]): number => new Set(options.map(({ value }) => value)).size

function resolve(letters: readonly string[], names: readonly NamedValue[]): Map<string, EnumValue> {
  const byInitials = new Map<string, Set<EnumValue>>()
  for (const { name, value } of names)
    for (const initials of listInitials(name)) {
      const values = byInitials.get(initials) ?? new Set()
      byInitials.set(initials, values.add(value))
    }
  return new Map(
    letters.flatMap((text) => {
      const [value, ...others] = byInitials.get(normalize(text)) ?? []
      return value === undefined || others.length > 0 ? [] : [[text, value] as const]
    }),
  )
}

function listInitials(name: string): string[] {
  const firsts = splitWords(name).map((word) => [...word][0] ?? '')
  return firsts.length > 1 ? [firsts[0]!, firsts.join('')] : firsts
}

/** `Mov. terra` is `Movimento terra` of another row, unless it can be short for another option. */
export function readBeginnings(
  texts: readonly string[],
  mates: readonly NamedValue[],
  options: readonly NamedValue[],
): ReadonlyMap<string, EnumValue> {
  const wholes = [...mates, ...options].map(({ name, value }) => ({ words: splitWords(name), value }))
  return new Map(
    texts.flatMap((text) => {
      if (!text.includes('.')) return []
      const words = splitWords(text)
      const longer = wholes.filter((whole) => areBeginnings(words, whole.words))
      const [value, ...others] = new Set(longer.map((whole) => whole.value))
      return value === undefined || others.length > 0 ? [] : [[text, value] as const]
    }),
  )
}

const areBeginnings = (words: readonly string[], wholes: readonly string[]): boolean =>
  words.length === wholes.length && words.every((word, at) => wholes[at]!.startsWith(word))

const CONTRACTION = /^\p{L}{3,5}$/u

export const readContractions = (
  texts: readonly string[],
  mates: readonly NamedValue[],
): ReadonlyMap<string, EnumValue> =>
  new Map(
    texts.flatMap((text) => {
      const short = normalize(text)
      if (!CONTRACTION.test(short) || listSenses(short).size > 0) return []
      const longer = mates.filter(({ name }) => isAbbreviation(short, normalize(name)))
      const [value, ...others] = new Set(longer.map((mate) => mate.value))
      return value === undefined || others.length > 0 ? [] : [[text, value] as const]
    }),
  )
