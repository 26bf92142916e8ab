/** Scores how similar two field names are, from 0 to 1. Pure; ignores values. */
import { getLongForm, getMeanings, splitCompound } from './synonyms.ts'
import { compact, type Effort, getSpellingSimilarity, meaningfulWords, type Spelling, toSpelling } from './tokenize.ts'

export interface Name {
  raw: string
  compact: string
  spelling: Spelling
  words: Word[]
  weight: number
  sorted: string
  kinds: number
  contrasts: number[]
  meanings: readonly number[]
  /** For an unknown name: the meanings of its last words (`work e-mail`, `phone 2`). */
  partialMeanings: readonly number[]
  /** The known part is not at the end (`e-mail 1 label`), or it is not the first of its kind (`phone 2`). */
  isWeak: boolean
}

interface Word {
  spelling: Spelling
  weight: number
}

const MAX_COMPARED_WORDS = 31

export function parseName(raw: string): Name {
  const words = meaningfulWords(raw)
  const expanded = expandWords(words)
  const exactMeanings = getMeanings(words)
  const meanings = exactMeanings.length > 0 ? exactMeanings : getMeanings(expanded)
  const { partialMeanings, isWeak } =
    meanings.length > 0 ? { partialMeanings: meanings.slice(0, 0), isWeak: false } : findPartialMeaning(words)
  const letters = compact(raw)
  const compared = expanded.length > MAX_COMPARED_WORDS ? [] : expanded.map(toWord)
  return {
    raw: raw.trim(),
    compact: letters,
    spelling: toSpelling(letters),
    words: compared,
    weight: compared.reduce((sum, { weight }) => sum + weight, 0),
    sorted: [...expanded].sort().join(' '),
    kinds: buildBitMask(KIND_NAMES, (kind) => expanded.some((word) => KIND_BY_WORD.get(word) === kind)),
    contrasts: CONTRASTS.map((contrast) => buildBitMask(contrast, (word) => expanded.includes(word))),
    meanings,
    partialMeanings,
    isWeak,
  }
}

const toWord = (word: string): Word => ({
  spelling: toSpelling(word),
  weight: KIND_BY_WORD.has(word) || word === 'line' || word === 'primary' || word === 'new' ? 0.4 : 1,
})

const buildBitMask = (words: readonly string[], matches: (word: string) => boolean): number =>
  words.reduce((bits, word, at) => (matches(word) ? bits | (1 << at) : bits), 0)

function expandWords(words: readonly string[]): string[] {
  const expanded = words.flatMap(splitCompound)
  if (expanded.length > 1 && ['at', 'on', 'am'].includes(expanded.at(-1)!)) expanded[expanded.length - 1] = 'date'
  return expanded
}

const MAX_KNOWN_NAME_WORDS = 20

function findPartialMeaning(words: readonly string[]): Pick<Name, 'partialMeanings' | 'isWeak'> {
  const nameWords = words.slice(0, words.findLastIndex((word) => !/^\d+$/.test(word)) + 1)
  const isRepeated = words.slice(nameWords.length).some((number) => Number(number) > 1)
  const ends = nameWords.slice(-MAX_KNOWN_NAME_WORDS).map((_, first, { length }) => ({
    part: nameWords.slice(nameWords.length - length + first),
    isWeak: isRepeated,
  }))
  const beginnings = nameWords.slice(0, MAX_KNOWN_NAME_WORDS).map((_, index, { length }) => ({
    part: nameWords.slice(0, length - index),
    isWeak: true,
  }))
  for (const { part, isWeak } of [...ends, ...beginnings]) {
    // "Order date" is a date and "category id" an id, but these words are too common to match on.
    if (part.length === 1 && nameWords.length > 1 && VAGUE_KINDS.has(KIND_BY_WORD.get(getLongForm(part[0]!)) ?? ''))
      continue
    const partialMeanings = getMeanings(part)
    if (partialMeanings.length > 0) return { partialMeanings, isWeak }
  }
  return { partialMeanings: [], isWeak: false }
}

/** Scores by reason. The gaps keep the order: a better reason always wins. */
export const SIMILARITY_SCORES = {
  same: 1,
  sameLetters: 0.98,
  alternative: 0.96,
  sameWords: 0.92,
  sameMeaning: 0.88,
  oneOfMeanings: 0.76,
  kindOf: 0.72,
  kindAside: 0.62,
  similar: 0.84,
} as const

/** Without effort left, names are only compared as a whole. */
export function getSimilarity(a: Name, b: Name, effort: Effort = { left: Number.POSITIVE_INFINITY }): number {
  if (a.raw === b.raw) return SIMILARITY_SCORES.same
  if (a.compact === '' || b.compact === '') return 0
  if (a.compact === b.compact) return SIMILARITY_SCORES.sameLetters
  if (a.sorted === b.sorted) return SIMILARITY_SCORES.sameWords
  const known = getKnownSimilarity(a, b)
  if (effort.left <= 0) return known
  const similar =
    Math.max(getSharedWordRatio(a, b, effort), getSpellingSimilarity(a.spelling, b.spelling, 0.75, effort)) *
    SIMILARITY_SCORES.similar
  if (known > 0) return Math.max(known, similar)
  return differsInKind(a, b) ? similar * 0.5 : similar
}

function getKnownSimilarity(a: Name, b: Name): number {
  if (hasOverlap(a.meanings, b.meanings))
    return a.meanings.length > 1 || b.meanings.length > 1
      ? SIMILARITY_SCORES.oneOfMeanings
      : SIMILARITY_SCORES.sameMeaning
  if (isContrasting(a, b)) return 0
  if (hasOverlap(a.partialMeanings, b.meanings))
    return a.isWeak ? SIMILARITY_SCORES.kindAside : SIMILARITY_SCORES.kindOf
  if (hasOverlap(a.meanings, b.partialMeanings))
    return b.isWeak ? SIMILARITY_SCORES.kindAside : SIMILARITY_SCORES.kindOf
  return 0
}

const hasOverlap = (a: readonly number[], b: readonly number[]): boolean => a.some((meaning) => b.includes(meaning))

const KIND_WORDS = {
  id: ['id', 'number', 'code', 'key'],
  date: ['date', 'time', 'day', 'year', 'month'],
  name: ['name', 'label'],
  address: ['address'],
  type: ['type', 'category', 'kind'],
  status: ['status'],
  amount: ['amount', 'value', 'price', 'total', 'cost', 'quantity'],
  text: ['description', 'note', 'comment'],
  flag: ['is', 'has'],
}
const KIND_NAMES = Object.keys(KIND_WORDS)
const KIND_BY_WORD = new Map(
  Object.entries(KIND_WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
)

const VAGUE_KINDS = new Set(['id', 'date', 'name', 'type', 'flag'])

const CONTRASTS = [
  ['billing', 'shipping', 'delivery', 'mailing', 'invoice'],
  ['home', 'work', 'business', 'private', 'mobile', 'fax'],
  ['first', 'last', 'middle'],
  ['begin', 'end'],
  ['from', 'to'],
  ['min', 'max', 'average'],
  ['minimum', 'maximum'],
  ['gross', 'net'],
  ['created', 'updated', 'modified', 'deleted'],
  ['latitude', 'longitude'],
]

/**
 * Names that look similar but have different meanings: birth date and hire date, order date and order id, billing city
 * and shipping city.
 */
function differsInKind(a: Name, b: Name): boolean {
  if (a.meanings.length > 0 && b.meanings.length > 0) return true
  if (isContrasting(a, b)) return true
  return a.kinds !== 0 && b.kinds !== 0 && (a.kinds & b.kinds) === 0
}

function isContrasting(a: Name, b: Name): boolean {
  for (let at = 0; at < CONTRASTS.length; at++) {
    const [ownBits, otherBits] = [a.contrasts[at]!, b.contrasts[at]!]
    if (ownBits !== 0 && otherBits !== 0 && (ownBits & otherBits) === 0) return true
  }
  return false
}

const MIN_WORD_SIMILARITY = 0.8
const WORD_EFFORT = 4

function getSharedWordRatio(a: Name, b: Name, effort: Effort): number {
  const totalWeight = b.words.reduce((sum, { weight }) => sum + weight, a.weight)
  if (totalWeight === 0) return 0
  effort.left -= a.words.length * b.words.length * WORD_EFFORT
  let usedMask = 0
  let shared = 0
  for (const word of a.words) {
    const index = b.words.findIndex(
      (other, at) =>
        (usedMask & (1 << at)) === 0 &&
        getSpellingSimilarity(other.spelling, word.spelling, MIN_WORD_SIMILARITY, effort) > 0,
    )
    if (index < 0) continue
    shared += word.weight + b.words[index]!.weight
    usedMask |= 1 << index
  }
  return shared / totalWeight
}
