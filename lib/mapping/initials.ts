/** Reads letters and beginnings that stand for words, such as `G` and `R` next to `goed` and `redelijk`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { isAbbreviation } from './abbreviations.ts'
import { listSenses } from './lexicon/lexicon.ts'
import { createOptionIndex, SMALL_WORDS } from './option-index.ts'
import { isMisspelledWord, splitWords } from './tokenize.ts'
import { findEntry } from './vocabulary.ts'

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
  return readEach(letters, (text) => byInitials.get(normalize(text)))
}

function readEach(
  texts: readonly string[],
  find: (text: string) => ReadonlySet<EnumValue> | undefined,
): Map<string, EnumValue> {
  return new Map(
    texts.flatMap((text) => {
      const [value, ...others] = find(text) ?? []
      return value === undefined || others.length > 0 ? [] : [[text, value] as const]
    }),
  )
}

const listValues = (named: readonly { value: EnumValue }[]): ReadonlySet<EnumValue> =>
  new Set(named.map(({ value }) => value))

const isHeavy = (word: string): boolean => word.length > 1 && !SMALL_WORDS.has(word)

function listInitials(name: string): string[] {
  const words = splitWords(name)
  const toInitials = (some: readonly string[]): string => some.map((word) => [...word][0] ?? '').join('')
  const own = words.filter(isHeavy)
  const joined = own.length > 1 ? [toInitials(words), toInitials(own)] : words.length > 1 ? [toInitials(words)] : []
  return [...new Set([toInitials(words.slice(0, 1)), ...joined])]
}

/** `Mov. terra` is `Movimento terra` of another row, unless it can be short for another option. */
export function readBeginnings(
  texts: readonly string[],
  mates: readonly NamedValue[],
  options: readonly NamedValue[],
): ReadonlyMap<string, EnumValue> {
  const wholes = [...mates, ...options].map(({ name, value }) => ({ words: splitWords(name), value }))
  return readEach(texts, (text) => {
    if (!text.includes('.')) return undefined
    const words = splitWords(text)
    const longer = wholes.filter((whole) =>
      [whole.words, whole.words.filter(isHeavy)].some((one) => areBeginnings(words, one)),
    )
    return listValues(longer)
  })
}

const areBeginnings = (words: readonly string[], wholes: readonly string[]): boolean =>
  words.length === wholes.length && words.every((word, at) => wholes[at]!.startsWith(word))

const CUT_TO_LETTER = /^\s*\p{L}\. ?\p{L}/u

interface Named {
  names: readonly { words: readonly string[] }[]
}

/** `V. satisfied` is `Very satisfied`, and no item of a list. */
export function isCutToLetter(text: string, options: readonly Named[]): boolean {
  if (!CUT_TO_LETTER.test(text)) return false
  const words = splitWords(text)
  return options.some(({ names }) => names.some((name) => areBeginnings(words, name.words)))
}

/** `ref` is another row's `Ref.`, which its dot marks as cut. */
export function readRespelled(texts: readonly string[], mates: readonly NamedValue[]): ReadonlyMap<string, EnumValue> {
  const byLetters = new Map<string, Set<EnumValue>>()
  for (const { name, value } of mates) {
    const letters = normalize(name)
    if (letters.length >= MIN_RESPELLED_LETTERS)
      byLetters.set(letters, (byLetters.get(letters) ?? new Set()).add(value))
  }
  return readEach(texts, (text) => (LETTERS.test(text) ? byLetters.get(normalize(text)) : undefined))
}

const LETTERS = /^[\p{L}\p{M}\s.-]+$/u
const MIN_RESPELLED_LETTERS = 3

/** `straatverlichitng` is another row's `Straatverlichting`, if no other text is as near and no word is known. */
export function readMisspelled(texts: readonly string[], mates: readonly NamedValue[]): ReadonlyMap<string, EnumValue> {
  const named = mates.map(({ name, value }) => ({ names: [{ compact: '', words: splitWords(name) }], value }))
  const index = createOptionIndex(named, MIN_BEGINNING_LETTERS)
  return readEach(texts, (text) => {
    const words = splitWords(text)
    return listValues(index.misspelled(words).filter(({ names: [name] }) => isMisspelling(words, name!.words)))
  })
}

function isMisspelling(words: readonly string[], others: readonly string[]): boolean {
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [at]))
  const [at, ...more] = different
  if (words.length !== others.length || at === undefined || more.length > 0) return false
  return isMisspelledWord(others[at]!, words[at]!) && listSenses(words[at]!).size === 0 && !findEntry(words[at]!)
}

const CONTRACTION = /^\p{L}{3,5}$/u

export const readContractions = (
  texts: readonly string[],
  mates: readonly NamedValue[],
): ReadonlyMap<string, EnumValue> =>
  readEach(texts, (text) => {
    const short = normalize(text)
    if (!CONTRACTION.test(short) || listSenses(short).size > 0) return undefined
    return listValues(mates.filter(({ name }) => isAbbreviation(short, normalize(name))))
  })

const MIN_BEGINNING_LETTERS = 4
const LAST_CONSONANTS = /[^aeiouy]{1,3}$/

/** `exceptn` for `exception`: a beginning and some of the consonants behind it, with the last letter. */
export function isClipped(short: string, long: string): boolean {
  if (long.length - short.length < 2 || short.at(-1) !== long.at(-1)) return false
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared++
  const rest = short.slice(shared)
  if (shared < MIN_BEGINNING_LETTERS || LAST_CONSONANTS.exec(short)?.[0].endsWith(rest) !== true) return false
  let at = shared
  for (const letter of rest) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return rest !== ''
}
