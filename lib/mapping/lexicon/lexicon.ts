/** Finds words of eight languages that mean the same. README.md says where the words come from. */
import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { memoizeText } from '../../core/memo.ts'
import { toSingular } from '../tokenize.ts'

const FOLDER = 'lib/mapping/lexicon'
export const LEXICON_PATHS = [`${FOLDER}/words.br`, `${FOLDER}/words-french.br`]

const [TAB, NEWLINE] = ['\t', '\n'].map((letter) => letter.charCodeAt(0)) as [number, number]

/** A bundle is one or two folders below the root, this file three. */
const ROOTS = ['../', '../../', '../../../']

function readWords(path: string): Buffer {
  const found = ROOTS.map((root) => new URL(root + path, import.meta.url)).find((url) => existsSync(url))
  if (!found) throw new Error(`${path} is missing.`)
  return brotliDecompressSync(readFileSync(found))
}

let lists: readonly Buffer[] | undefined

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

function findSenses(phrase: string): string[] {
  lists ??= LEXICON_PATHS.map(readWords)
  const word = Buffer.from(phrase)
  return lists.flatMap((lines) => findLine(lines, word)?.split(',') ?? [])
}

const MIN_STEM_LETTERS = 4
const INFLECTED_ENDING = /[aeiouy]{1,2}[mnrs]?$/
const BASIC_ENDINGS = ['', 'o', 'a', 'e', 'y', 'i']

/**
 * The meanings of a word or phrase, which `splitWords` has written: of itself, or else of its singular, or of the words
 * it can be an inflection of.
 */
export const listSenses = memoizeText((phrase: string): ReadonlySet<string> => {
  const words = phrase.split(' ')
  const written = findSenses(phrase)
  if (written.length > 0) return new Set(written)
  const singular = findSenses(words.map(toSingular).join(' '))
  const stem = phrase.replace(INFLECTED_ENDING, '')
  if (singular.length > 0 || words.length > 1 || stem === phrase || stem.length < MIN_STEM_LETTERS)
    return new Set(singular)
  return new Set(BASIC_ENDINGS.flatMap((ending) => findSenses(stem + ending)))
})

/** The meanings are numbered in the order of WordNet, which lists persons together and by the alphabet. */
const [FIRST_PERSON, LAST_PERSON] = ['abbess', 'zoologist']
const toNumber = (sense: string): number => Number.parseInt(sense, 36)

/** `Atleta` and `guest` are persons, but not `company`, which seldom is. */
export const meansPerson = memoizeText((word: string): boolean => {
  const [first, last] = [FIRST_PERSON, LAST_PERSON].map((one) => toNumber(findSenses(one)[0]!)) as [number, number]
  const senses = [...listSenses(word)].map(toNumber)
  const persons = senses.filter((sense) => sense >= first && sense <= last)
  return persons.length > 0 && persons.length * 2 >= senses.length
})
