/** Finds the words of the vocabulary that an unknown word stands for: shortened, compounded or inflected. Pure. */
import { findEntry, isKnownWord, listKnownWords } from './vocabulary.ts'

const MIN_PREFIX_LETTERS = 3
const VOWELS = /[aeiouy]/g

/** `dept` and `department`: a beginning, the consonants, or letters in order with the first and the last. */
export function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (short.length >= MIN_PREFIX_LETTERS && long.length - short.length >= 2 && long.startsWith(short)) return true
  if (short === long[0] + withoutVowels(long.slice(1))) return true
  return short.at(-1) === long.at(-1) && short.length <= long.length / 2 + 1 && isSubsequence(short, long)
}

const MIN_SHORTENED_LETTERS = 4
const MAX_SHORTENED_LETTERS = 16
const MAX_SHORTENED_WORDS = 6

export const withoutVowels = (text: string): string => text.replace(VOWELS, '')

export interface SpelledName {
  compact: string
  consonants: string
  rawWords: readonly string[]
}

/** `OrdRegNam` for `order region name`: the beginning of each word, or the whole name without its vowels. */
export function isShortenedName({ compact: short }: SpelledName, long: SpelledName): boolean {
  if (short.length < MIN_SHORTENED_LETTERS || short.length > MAX_SHORTENED_LETTERS) return false
  if (short.length >= long.compact.length) return false
  if (short === long.consonants) return true
  const words = long.rawWords
  return words.length > 1 && words.length <= MAX_SHORTENED_WORDS && isMadeOfBeginnings(short, words)
}

function isMadeOfBeginnings(letters: string, words: readonly string[]): boolean {
  const [word, ...others] = words
  if (word === undefined) return letters === ''
  for (let length = 1; length <= word.length && letters[length - 1] === word[length - 1]; length++)
    if (isMadeOfBeginnings(letters.slice(length), others)) return true
  return false
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0
  for (let index = 0; index < long.length && at < short.length; index++) if (long[index] === short[at]) at++
  return at === short.length
}

const MAX_ABBREVIATION_LETTERS = 9

let wordsByLetter: Map<string, string[]> | undefined

const getWords = (letter: string): readonly string[] => {
  wordsByLetter ??= groupBy(listKnownWords(), (word) => word[0]!)
  return wordsByLetter.get(letter) ?? []
}

function groupBy(words: readonly string[], getKey: (word: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const word of words) {
    const group = groups.get(getKey(word))
    if (group) group.push(word)
    else groups.set(getKey(word), [word])
  }
  return groups
}

/** A dotted word is known to be the beginning of another. */
export const findAbbreviated = (word: string, isDotted = false): string[] =>
  word.length > MAX_ABBREVIATION_LETTERS
    ? []
    : getWords(word[0]!).filter(
        (known) => isAbbreviation(word, known) || (isDotted && word.length > 1 && known.startsWith(word)),
      )

const SHORT_ENDINGS = new Set(['id', 'no', 'nr'])
const LINKS = ['es', 'en', 's', 'n', 'e', '']
const MIN_PART_LETTERS = 3
const MAX_COMPOUND_LETTERS = 40

function shareLanguage(a: string, b: string): boolean {
  const languages = findEntry(b)!.languages
  return [...findEntry(a)!.languages].some((language) => languages.has(language))
}

const isPart = (word: string): boolean => word.length >= MIN_PART_LETTERS && findEntry(word) !== undefined

/** The parts of a compound such as `Rechnungsdatum`; a known or unknown word is its only part. */
export function splitCompound(word: string): string[] {
  if (word.length > MAX_COMPOUND_LETTERS || isKnownWord(word)) return [word]
  for (let end = word.length - 2; end >= MIN_PART_LETTERS; end--) {
    const [head, tail] = [word.slice(0, end), word.slice(end)]
    if (!SHORT_ENDINGS.has(tail) && !isPart(tail)) continue
    const first = LINKS.map((link) => (head.endsWith(link) ? head.slice(0, head.length - link.length) : '')).find(
      isPart,
    )
    if (first && (SHORT_ENDINGS.has(tail) || shareLanguage(first, tail))) return [first, tail]
  }
  return [word]
}

const MIN_STEM_LETTERS = 4
const MAX_ENDING_LETTERS = 2

let inflectedByStem: Map<string, string[]> | undefined

/** Polish has an ending for each case: `klienta` is a `klient`. */
export function findInflected(word: string): string | undefined {
  inflectedByStem ??= groupBy(
    listKnownWords().filter((known) => findEntry(known)?.languages.has('pl')),
    getStem,
  )
  return inflectedByStem.get(getStem(word))?.find((known) => hasSameStem(word, known))
}

const getStem = (word: string): string => word.slice(0, MIN_STEM_LETTERS)

function hasSameStem(a: string, b: string): boolean {
  const stem = Math.max(MIN_STEM_LETTERS, Math.max(a.length, b.length) - MAX_ENDING_LETTERS)
  return Math.min(a.length, b.length) >= stem && a.slice(0, stem) === b.slice(0, stem)
}
