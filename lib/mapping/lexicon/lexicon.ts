/** Finds words of eight languages that mean the same. README.md says where the words come from. */
import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { memoizeText } from '../../core/memo.ts'
import { splitWords, toSingular } from '../tokenize.ts'

const toPath = (name: string): string => `lib/mapping/lexicon/${name}.br`
const WORDNETS = ['words', 'words-french'].map(toPath)
const WIKTIONARY = toPath('words-wiktionary')
const PARTICIPLES = toPath('participles')
const KINDS = toPath('kinds')
export const LEXICON_PATHS = [...WORDNETS, WIKTIONARY, PARTICIPLES, KINDS]

const [TAB, NEWLINE] = ['\t', '\n'].map((letter) => letter.charCodeAt(0)) as [number, number]

/** A bundle is one or two folders below the root, this file three. */
const ROOTS = ['../', '../../', '../../../']

function readWords(path: string): Buffer {
  const found = ROOTS.map((root) => new URL(root + path, import.meta.url)).find((url) => existsSync(url))
  if (!found) throw new Error(`${path} is missing.`)
  return brotliDecompressSync(readFileSync(found))
}

const readOnce = memoizeText(readWords)

/** Lines are sorted by their bytes. */
function findLine(lines: Buffer, word: Buffer): string | undefined {
  let [start, end] = [0, lines.length]
  while (start < end) {
    const middle = (start + end) >> 1
    const lineStart = lines.lastIndexOf(NEWLINE, middle - 1) + 1
    const tab = lines.indexOf(TAB, lineStart)
    const lineEnd = lines.indexOf(NEWLINE, tab)
    const order = word.compare(lines, lineStart, tab)
    if (order === 0) return lines.toString('latin1', tab + 1, lineEnd)
    if (order < 0) end = lineStart
    else start = lineEnd + 1
  }
  return undefined
}

function findStart(lines: Buffer, word: Buffer): number {
  let [start, end] = [0, lines.length]
  while (start < end) {
    const middle = (start + end) >> 1
    const lineStart = lines.lastIndexOf(NEWLINE, middle - 1) + 1
    const lineEnd = lines.indexOf(NEWLINE, lineStart) + 1
    if (word.compare(lines, lineStart, lines.indexOf(TAB, lineStart)) > 0) start = lineEnd
    else end = lineStart
  }
  return start
}

const findSenses = (paths: readonly string[], phrase: string): string[] =>
  paths.flatMap((path) => findLine(readOnce(path), Buffer.from(phrase))?.split(',') ?? [])

const MIN_STEM_LETTERS = 4
const INFLECTED_ENDING = /[aeiouy]{1,2}[mnrs]?$|(?<=e[lr])n$/
/** Italian writes an `h` only before some endings: `formiche` are each a `formica`. */
const HARD_STEM = /[cg]h$/
const BASIC_ENDINGS = ['', 'o', 'a', 'e', 'y', 'i']

/**
 * The meanings of a word or phrase, which `splitWords` has written: of itself, or else of its singular, or of the words
 * it can be an inflection of.
 */
function listSensesIn(paths: readonly string[], phrase: string): readonly string[] {
  const words = phrase.split(' ')
  const written = findSenses(paths, phrase)
  if (written.length > 0) return written
  const singular = findSenses(paths, words.map(toSingular).join(' '))
  const stem = phrase.replace(INFLECTED_ENDING, '')
  if (singular.length > 0 || words.length > 1 || stem === phrase || stem.length < MIN_STEM_LETTERS) return singular
  const stems = HARD_STEM.test(stem) ? [stem, stem.slice(0, -1)] : [stem]
  return stems.flatMap((one) => BASIC_ENDINGS.flatMap((ending) => findSenses(paths, one + ending)))
}

/** `Bomen` are each a `boom`, and `brieven` a `brief`; undefined for other words. */
export function toDutchSingular(word: string): string | undefined {
  const stem = word.replace(/en$/, '')
  const singular = stem
    .replace(/(?<![aeiou])([aeou])([^aeiouy])$/, '$1$1$2')
    .replace(/v$/, 'f')
    .replace(/z$/, 's')
  const isKnown = stem === word || stem === singular || findSenses([...WORDNETS, WIKTIONARY], word).length > 0
  return isKnown ? undefined : singular
}

function listSensesOfDutchPlural(word: string): readonly string[] {
  const singular = toDutchSingular(word)
  return singular === undefined ? [] : findSenses([...WORDNETS, WIKTIONARY], singular)
}

export const listSenses = memoizeText(
  (phrase: string): ReadonlySet<string> =>
    new Set([
      ...listSensesIn(WORDNETS, phrase),
      ...listSensesIn([WIKTIONARY], phrase),
      ...listSensesOfDutchPlural(phrase),
    ]),
)

export const isListed = memoizeText((word: string): boolean => findSenses([...WORDNETS, WIKTIONARY], word).length > 0)

/** Cosines of the meanings of two words: words with many meanings share one by chance, such as story and history. */
const MIN_SHARED_MEANING = 0.07
const MIN_CLEARLY_SHARED_MEANING = 0.21
const MIN_PART_LETTERS = 3
const MIN_ADDED_LETTERS = 3

/** `Editorial` is not the editor, nor a cable car a car: a longer text must mean more or nothing else than its part. */
export function haveSameMeaning(text: string, other: string): boolean {
  const isLonger = text.length - other.length >= MIN_ADDED_LETTERS && other.length >= MIN_PART_LETTERS
  if (!isLonger || !text.includes(other)) return getSharedMeaning(text, other) >= MIN_SHARED_MEANING
  const senses = listSenses(text)
  const isOnlyMeaning = senses.size > 0 && countShared(senses, listSenses(other)) === senses.size
  return isOnlyMeaning || haveClearlySameMeaning(text, other)
}

export const haveAnyMeaning = (a: string, b: string): boolean => getSharedMeaning(a, b) > 0

export const haveClearlySameMeaning = (a: string, b: string): boolean =>
  getSharedMeaning(a, b) >= MIN_CLEARLY_SHARED_MEANING

function getSharedMeaning(a: string, b: string): number {
  const [own, other] = [listSenses(a), listSenses(b)]
  return countShared(own, other) / Math.sqrt(Math.max(1, own.size * other.size))
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const sense of a) if (b.has(sense)) shared++
  return shared
}

export const areOtherWords = (a: string, b: string): boolean =>
  a !== b && listSenses(a).size > 0 && listSenses(b).size > 0 && countShared(listSenses(a), listSenses(b)) === 0

const findParticiple = memoizeText((word: string): ReadonlySet<string> => {
  const written = findSenses([PARTICIPLES], word)
  return new Set(written.length > 0 ? written : findSenses([PARTICIPLES], toSingular(word)))
})

const NONE: ReadonlySet<string> = new Set()

/** A noun such as `facture` is not a participle, unless it is written with an accent: `facturé`. */
export function listParticipleSenses(word: string, text: string): ReadonlySet<string> {
  if (hasAcute(word, text)) return findParticiple(/[^e]es?$/.test(word) ? `${word.replace(/s$/, '')} acute` : word)
  return isNoun(word) ? NONE : findParticiple(word)
}

export const hasAcute = (word: string, text: string): boolean =>
  /es?$/.test(word) &&
  (text.normalize('NFC').match(/\p{L}+ée?s?(?!\p{L})/giu) ?? []).some((one) => splitWords(one).join('') === word)

const MAX_LONGER_WORDS = 3000

/** The meanings of the single words that start with `beginning`. */
export const listSensesOfLonger = memoizeText((beginning: string): ReadonlySet<string> => {
  const found = [...WORDNETS, WIKTIONARY].flatMap((path) => {
    const lines = readOnce(path)
    const start = findStart(lines, Buffer.from(beginning))
    const end = findStart(lines, Buffer.from(`${beginning}{`))
    return lines.toString('latin1', start, end).split('\n')
  })
  if (found.length > MAX_LONGER_WORDS) return new Set()
  const senses = found.map((line) => line.split('\t')).filter(([word]) => !word!.includes(' '))
  return new Set(senses.flatMap(([, numbers = '']) => numbers.split(',')))
})

/** The meanings are numbered in the order of WordNet, which lists persons together and by the alphabet. */
const [FIRST_PERSON, LAST_PERSON] = ['abbess', 'zoologist']
const toNumber = (sense: string): number => Number.parseInt(sense, 36)

/** `Atleta` and `guest` are persons, but not `company`, which seldom is. */
export const meansPerson = memoizeText((word: string): boolean => {
  const [first, last] = [FIRST_PERSON, LAST_PERSON].map((one) => toNumber(findSenses(WORDNETS, one)[0]!))
  const senses = [...new Set(listSensesIn(WORDNETS, word))].map(toNumber)
  const persons = senses.filter((sense) => sense >= first! && sense <= last!)
  return persons.length > 0 && persons.length * 2 >= senses.length
})

/** WordNet lists nouns before adjectives. */
const FIRST_ADJECTIVE = 'able'

const listKinds = memoizeText((word: string): { nouns: number; adjectives: number } => {
  const first = toNumber(findSenses(WORDNETS, FIRST_ADJECTIVE)[0]!)
  const senses = [...new Set(listSensesIn(WORDNETS, word))].map(toNumber)
  const nouns = senses.filter((sense) => sense < first).length
  return { nouns, adjectives: senses.length - nouns }
})

const MIN_NOUNS_FOR_ADJECTIVE = 4

/** `Milk` and `lead` are nouns, but not `open`; participles such as `paid` are not in the wordnets. */
export function isNoun(word: string): boolean {
  const { nouns, adjectives } = listKinds(word)
  return nouns > 0 && adjectives * MIN_NOUNS_FOR_ADJECTIVE <= nouns
}

export interface Noun {
  sense: string
  count: number
  /** Has the sense itself if it is a kind. */
  kinds: ReadonlySet<string>
}

const findNoun = memoizeText((sense: string): Noun | undefined => {
  const [count, ...kinds] = findSenses([KINDS], sense)
  return count === undefined ? undefined : { sense, count: toNumber(count), kinds: new Set(kinds) }
})

export const listNouns = (phrase: string): Noun[] => [...listSenses(phrase)].flatMap((sense) => findNoun(sense) ?? [])
