/** Finds the words of the vocabulary that an unknown word stands for: shortened, compounded or inflected. Pure. */
import { memoize, memoizeText } from '../core/memo.ts'
import { findEntry, isKnownWord, type Language, listKnownWords } from './vocabulary.ts'

const MIN_PREFIX_LETTERS = 3
const VOWELS = /[aeiouy]/g

/** `dept` and `department`: a beginning, the consonants, or letters in order with the first and the last. */
export function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (short.length >= MIN_PREFIX_LETTERS && long.length - short.length >= 2 && long.startsWith(short)) return true
  if (short === long[0] + withoutVowels(long.slice(1))) return true
  const isShort = short.length <= long.length / 2 + 1
  return short.at(-1) === long.at(-1) && (isShort || isContraction(short, long)) && isSubsequence(short, long)
}

const isContraction = (short: string, long: string): boolean =>
  long.length - short.length >= MIN_OMITTED_LETTERS &&
  short.slice(0, MIN_SHARED_BEGINNING) === long.slice(0, MIN_SHARED_BEGINNING)

const MIN_OMITTED_LETTERS = 3
const MIN_SHARED_BEGINNING = 5
const MIN_SHORTENED_LETTERS = 4
const MIN_LETTERS_OF_WORDS = 3
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

/** `OrgaID` for `organisation ID`, and `b_frmt` for `bao format`: word by word. */
export function isShortenedByWord({ compact, rawWords: short }: SpelledName, { rawWords: long }: SpelledName): boolean {
  if (compact.length < MIN_LETTERS_OF_WORDS || short.length < 2 || short.length !== long.length) return false
  return short.every((word, at) => isShortenedWord(word, long[at]!))
}

const isShortenedWord = (short: string, long: string): boolean =>
  long.startsWith(short) || short === withoutVowels(long) || isAbbreviation(short, long)

function isMadeOfBeginnings(letters: string, words: readonly string[]): boolean {
  const [word, ...others] = words
  if (word === undefined) return letters === ''
  for (let length = 1; length <= word.length && letters[length - 1] === word[length - 1]; length++)
    if (isMadeOfBeginnings(letters.slice(length), others)) return true
  return false
}

export function areItsConsonants(short: string, word: string): boolean {
  const consonants = withoutVowels(word)
  return short[0] === word[0] && short.at(-1) === consonants.at(-1) && isSubsequence(short, consonants)
}

export function isSubsequence(short: string, long: string): boolean {
  let at = 0
  for (let index = 0; index < long.length && at < short.length; index++) if (long[index] === short[at]) at++
  return at === short.length
}

const INITIALS = /^\p{L}{2,5}$/u
const CAPITALS = /(?<!\p{L})(?:\p{Lu}{2,5}|(?:\p{Lu}\.){2,5}|(?:\p{Lu}\/){1,4}\p{Lu})(?!\p{L})/u

export interface AbbreviatedName extends SpelledName {
  raw: string
  isUnknown: boolean
  /** A light word such as `number` says little about a name. */
  words: readonly { text: string; weight: number }[]
}

/** The share of the words of `long` whose initials are a word of `short`, next to light words only; 0 if there is none. */
export function getShareOfInitials(short: AbbreviatedName, long: AbbreviatedName): number {
  if (!(short.isUnknown || CAPITALS.test(short.raw)) || long.rawWords.length < 2) return 0
  const initials = listInitials(long)
  let most = 0
  for (const word of listShortWords(short))
    if (word.length > most && initials.some((one) => one.includes(word))) most = word.length
  if (most < 2) return 0
  const heavy = long.words.filter(({ weight }) => weight === 1).length
  return Math.min(1, most / Math.max(2, heavy))
}

const listShortWords = memoize(({ rawWords }: AbbreviatedName) => rawWords.filter((word) => INITIALS.test(word)))

/** Without those of words such as `of`, and with them. */
const listInitials = memoize(({ rawWords }: AbbreviatedName) =>
  [rawWords.filter((word) => word.length > MAX_LINK_LETTERS), rawWords].map((words) =>
    words.map((word) => word[0]).join(''),
  ),
)

const MAX_LINK_LETTERS = 2
const MAX_ABBREVIATION_LETTERS = 9

let wordsByLetter: Map<string, string[]> | undefined

const getWords = (letter: string): readonly string[] => {
  wordsByLetter ??= groupBy(
    listKnownWords().filter((word) => word.length >= MIN_SHORTENED_LETTERS),
    (word) => word[0]!,
  )
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
export const findAbbreviated = (word: string, isDotted = false): readonly string[] =>
  word.length > MAX_ABBREVIATION_LETTERS ? [] : isDotted ? findDotted(word) : findShortened(word)

const findShortened = memoizeText((word: string) => getWords(word[0]!).filter((known) => isAbbreviation(word, known)))

const findDotted = memoizeText((word: string) =>
  getWords(word[0]!).filter((known) => isAbbreviation(word, known) || (word.length > 1 && known.startsWith(word))),
)

const SHORT_ENDINGS = new Set(['id', 'no', 'nr'])
const LINKS = ['es', 'en', 's', 'n', 'e', '']
const MIN_PART_LETTERS = 3
const MAX_COMPOUND_LETTERS = 40

const MIN_FOREIGN_LETTERS = 4

/** English words are in compounds of other languages, too: `Kampagnenstatus`. */
function shareLanguage(a: string, b: string): boolean {
  const [own, other] = [findEntry(a)!.languages, findEntry(b)!.languages]
  if ([...own].some((language) => other.has(language))) return true
  return Math.min(a.length, b.length) >= MIN_FOREIGN_LETTERS && [own, other].some((languages) => languages.has('en'))
}

const isPart = (word: string): boolean => word.length >= MIN_PART_LETTERS && findEntry(word) !== undefined

const PART_ENDINGS = ['', 'e', 'en', 'n', 'er']

/** The last part may be a plural: `Gutteile`. */
const findLastPart = (tail: string): string | undefined =>
  PART_ENDINGS.map((ending) => (tail.endsWith(ending) ? tail.slice(0, tail.length - ending.length) : '')).find(
    (word) => isPart(word) && (word === tail || word.length >= MIN_STEM_LETTERS),
  )

/** The parts of a compound such as `Rechnungsdatum`; a known or unknown word is its only part. */
export function splitCompound(word: string): string[] {
  if (word.length > MAX_COMPOUND_LETTERS || isKnownWord(word)) return [word]
  for (let end = word.length - 2; end >= MIN_PART_LETTERS; end--) {
    const [head, tail] = [word.slice(0, end), word.slice(end)]
    const last = SHORT_ENDINGS.has(tail) ? tail : findLastPart(tail)
    if (!last) continue
    const first = LINKS.map((link) => (head.endsWith(link) ? head.slice(0, head.length - link.length) : '')).find(
      isPart,
    )
    if (first && (SHORT_ENDINGS.has(tail) || shareLanguage(first, last))) return [first, last]
  }
  const [, unknown, number] = NUMBERED.exec(word) ?? []
  return unknown && number ? [unknown, number] : [word]
}

const NUMBERED = /^(\p{L}{4,})(nr|nummer|nummern)$/u

const MIN_STEM_LETTERS = 4
const MAX_ENDING_LETTERS = 2
const MAX_BOTH_ENDINGS = 3

let inflectedByStem: Map<string, string[]> | undefined

/** Polish has an ending for each case: `klienta` is a `klient`. Others have few: `gemeldete`, `pagata`, `Kampagnen`. */
export function findInflected(word: string): string | undefined {
  inflectedByStem ??= groupBy(
    listKnownWords().filter((known) => findEntry(known)?.languages.has('pl')),
    getStem,
  )
  return inflectedByStem.get(getStem(word))?.find((known) => hasSameStem(word, known)) ?? findBasicForm(word)
}

const MIN_INFLECTED_LETTERS = 5

const INFLECTIONS: readonly { languages: readonly Language[]; ending: RegExp; basic: readonly string[] }[] = [
  { languages: ['de', 'nl'], ending: /(?:e[nrsm]?|n)$/, basic: [''] },
  { languages: ['de', 'nl'], ending: /n$/, basic: [''] },
  { languages: ['fr'], ending: /ee?$/, basic: ['', 'e'] },
  { languages: ['es', 'it', 'pt'], ending: /[aeio]$/, basic: ['o', 'a', 'e'] },
]

function findBasicForm(word: string): string | undefined {
  if (word.length < MIN_INFLECTED_LETTERS) return undefined
  for (const { languages, ending, basic } of INFLECTIONS)
    for (const form of basic.map((own) => word.replace(ending, own))) {
      const entry = form.length >= MIN_STEM_LETTERS && form !== word ? findEntry(form) : undefined
      if (entry && languages.some((language) => entry.languages.has(language))) return form
    }
  return undefined
}

const getStem = (word: string): string => word.slice(0, MIN_STEM_LETTERS)

const POLISH_ENDING = /(?:^|[aeiouyhjmw])$/

function hasSameStem(a: string, b: string): boolean {
  const stem = Math.max(MIN_STEM_LETTERS, Math.max(a.length, b.length) - MAX_ENDING_LETTERS)
  if (Math.min(a.length, b.length) < stem || a.slice(0, stem) !== b.slice(0, stem)) return false
  if (!POLISH_ENDING.test(a.slice(stem))) return false
  const shared = a[stem] === b[stem] && stem < Math.min(a.length, b.length) ? stem + 1 : stem
  return a.length + b.length - 2 * shared <= MAX_BOTH_ENDINGS
}
