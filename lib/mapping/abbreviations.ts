/** Finds the words of the vocabulary that an unknown word stands for: shortened, compounded or inflected. Pure. */
import { findEntry, isKnownWord, listKnownWords } from './vocabulary.ts'

const MIN_PREFIX_LETTERS = 3
const VOWELS = /[aeiouy]/g

/** `dept` and `department`: a beginning, the consonants, or letters in order with the first and the last. */
export function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (short.length >= MIN_PREFIX_LETTERS && long.length - short.length >= 2 && long.startsWith(short)) return true
  if (short === long[0] + long.slice(1).replace(VOWELS, '')) return true
  return short.at(-1) === long.at(-1) && short.length <= long.length / 2 + 1 && isSubsequence(short, long)
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0
  for (let index = 0; index < long.length && at < short.length; index++) if (long[index] === short[at]) at++
  return at === short.length
}

const MAX_ABBREVIATION_LETTERS = 9

let wordsByLetter: Map<string, string[]> | undefined

function getWords(letter: string): readonly string[] {
  if (!wordsByLetter) {
    wordsByLetter = new Map()
    for (const word of listKnownWords()) wordsByLetter.set(word[0]!, [...(wordsByLetter.get(word[0]!) ?? []), word])
  }
  return wordsByLetter.get(letter) ?? []
}

export const findAbbreviated = (word: string): string[] =>
  word.length > MAX_ABBREVIATION_LETTERS ? [] : getWords(word[0]!).filter((known) => isAbbreviation(word, known))

const SHORT_ENDINGS = new Set(['id', 'no', 'nr'])
const LINKS = ['es', 'en', 's', 'n', 'e', '']
const MIN_PART_LETTERS = 3
const MAX_COMPOUND_LETTERS = 40

function shareLanguage(a: string, b: string): boolean {
  if (!isPart(b)) return false
  const languages = findEntry(b)!.languages
  return [...findEntry(a)!.languages].some((language) => languages.has(language))
}

const isPart = (word: string): boolean => word.length >= MIN_PART_LETTERS && findEntry(word) !== undefined

/** The parts of a compound such as `Rechnungsdatum`; a known or unknown word is its only part. */
export function splitCompound(word: string): string[] {
  if (word.length > MAX_COMPOUND_LETTERS || isKnownWord(word)) return [word]
  for (let end = word.length - 2; end >= MIN_PART_LETTERS; end--) {
    const [head, tail] = [word.slice(0, end), word.slice(end)]
    const first = LINKS.map((link) => (head.endsWith(link) ? head.slice(0, head.length - link.length) : '')).find(
      isPart,
    )
    if (first && (SHORT_ENDINGS.has(tail) || shareLanguage(first, tail))) return [first, tail]
  }
  return [word]
}

const MIN_STEM_LETTERS = 4
const MAX_ENDING_LETTERS = 2

/** Polish has an ending for each case: `klienta` is a `klient`. */
export function findInflected(word: string): string | undefined {
  if (word.length < MIN_STEM_LETTERS) return undefined
  return getWords(word[0]!).find((known) => findEntry(known)?.languages.has('pl') && hasSameStem(word, known))
}

function hasSameStem(a: string, b: string): boolean {
  const stem = Math.max(MIN_STEM_LETTERS, Math.max(a.length, b.length) - MAX_ENDING_LETTERS)
  return Math.min(a.length, b.length) >= stem && a.slice(0, stem) === b.slice(0, stem)
}
