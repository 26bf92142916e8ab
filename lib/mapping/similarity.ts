/** Scores how similar two field names are, from 0 to 1. Pure; ignores values. */
import { getShareOfInitials, isShortenedByWord, isShortenedName } from './abbreviations.ts'
import { haveSameKind, type Name } from './names.ts'
import { getSpellingSimilarity } from './tokenize.ts'
import { findEntry } from './vocabulary.ts'
import { createWordIndex, type WordIndex } from './word-index.ts'

/** Scores by reason. The gaps keep the order: a better reason always wins. */
export const SIMILARITY_SCORES = {
  same: 1,
  sameLetters: 0.98,
  alternative: 0.96,
  sameWords: 0.92,
  sameMeaning: 0.88,
  similar: 0.84,
  sameMeanings: 0.8,
  abbreviation: 0.78,
  oneOfMeanings: 0.76,
  kindOf: 0.72,
  abbreviationOfOne: 0.66,
  kindAside: 0.62,
  sameSense: 0.6,
} as const

const MIN_SPELLING_SIMILARITY = 0.75

export type NameComparer = (a: Name, b: Name) => number

/** All names that will be compared must be given, because their words are compared once. */
export function createNameComparer(names: readonly Name[]): NameComparer {
  const index = createWordIndex(names)
  return (a, b) => compareNames(a, b, index)
}

const OTHER_VALUE_FACTOR = 0.55

function compareNames(a: Name, b: Name, index: WordIndex): number {
  const score = comparePair(a, b, index)
  const isClear = score > SIMILARITY_SCORES.similar || hasOverlap(a.meanings, b.meanings) || isEitherShortened(a, b)
  return !isClear && score > 0 && isOtherValue(a, b, index) ? score * OTHER_VALUE_FACTOR : score
}

const isEitherShortened = (a: Name, b: Name): boolean =>
  [[a, b] as const, [b, a] as const].some(
    ([short, long]) => isShortenedByWord(short, long) || isShortened(short, long) || scoreInitials(short, long) > 0,
  )

const isOtherValue = (a: Name, b: Name, index: WordIndex): boolean =>
  (a.marks & ~b.marks) !== 0 || hasOtherHead(a, b, index)

/** `Price date` is not a price. */
const hasOtherHead = (a: Name, b: Name, index: WordIndex): boolean =>
  a.heads.length > 0 &&
  b.heads.length > 0 &&
  !a.heads.some((at) => index.hasWord(b, a, at)) &&
  !hasMainPart(a, b) &&
  !haveSameKind(a.words[a.heads.at(-1)!]!.text, b.words[b.heads.at(-1)!]!.text)

const hasMainPart = (a: Name, b: Name): boolean =>
  (!a.isWeak && hasOverlap(a.partialMeanings, b.meanings)) || hasOverlap(a.meanings, b.partialMeanings)

function comparePair(a: Name, b: Name, index: WordIndex): number {
  if (a.raw === b.raw) return SIMILARITY_SCORES.same
  if (a.compact === '' || b.compact === '') return 0
  if (a.compact === b.compact) return SIMILARITY_SCORES.sameLetters
  if (a.sorted === b.sorted) return SIMILARITY_SCORES.sameWords
  const known = getKnownSimilarity(a, b)
  if (known > SIMILARITY_SCORES.similar) return known
  const similar =
    Math.max(index.getSharedWordRatio(a, b), getSpellingSimilarity(a.spelling, b.spelling, MIN_SPELLING_SIMILARITY)) *
    SIMILARITY_SCORES.similar
  const initials = Math.max(scoreInitials(a, b), scoreInitials(b, a))
  if (!differsInKind(a, b) && (isShortenedByWord(a, b) || isShortenedByWord(b, a)))
    return Math.max(known, similar, SIMILARITY_SCORES.abbreviation)
  if (endsCompound(a, b) || endsCompound(b, a)) return Math.max(known, SIMILARITY_SCORES.kindAside)
  const same = haveSameSense(a, b) ? SIMILARITY_SCORES.sameSense : 0
  if (known > 0 || initials > 0 || same > 0) return Math.max(known, similar, initials, same)
  if (a.isQuestion && !differsInKind(a, b)) return Math.max(similar, scoreQuestion(a, b, index))
  if (isShortened(a, b) || isShortened(b, a)) return Math.max(SIMILARITY_SCORES.abbreviationOfOne, similar)
  return differsInKind(a, b) ? similar * 0.5 : similar
}

const INITIALS_OF_HALF = 0.55

/** `WO nr` for `work order`, or for half of a longer name. */
function scoreInitials(short: Name, long: Name): number {
  const share = getShareOfInitials(short, long)
  if (share === 1) return SIMILARITY_SCORES.abbreviationOfOne
  return share >= 0.5 ? INITIALS_OF_HALF : 0
}

const MIN_END_LETTERS = 5
const MIN_START_LETTERS = 3

/** `Tarief` is short for `Uurtarief`, but `Datum` for no date: too many compounds end with it. */
function endsCompound(end: Name, whole: Name): boolean {
  const [word = '', ...others] = end.rawWords
  const [compound = '', ...more] = whole.rawWords
  if (others.length + more.length > 0 || end.isVague || isEnglishWord(compound)) return false
  const startLetters = compound.length - word.length
  return word.length >= MIN_END_LETTERS && startLetters >= MIN_START_LETTERS && compound.endsWith(word)
}

const isEnglishWord = (word: string): boolean => findEntry(word)?.languages.has('en') === true

/** `Blutgruppe` is a `blood type`; single words are compared one by one. */
const haveSameSense = (a: Name, b: Name): boolean =>
  a.rawWords.length + b.rawWords.length > 2 &&
  !differsInKind(a, b) &&
  [...a.senses].some((sense) => b.senses.has(sense))

const MIN_COVERAGE = 0.7

/** A question names its field among other words: "How many nights will you stay?" */
const scoreQuestion = (question: Name, field: Name, index: WordIndex): number =>
  index.getCoverage(question, field) >= MIN_COVERAGE ? SIMILARITY_SCORES.kindAside : 0

const isShortened = (short: Name, long: Name): boolean => short.isUnknown && isShortenedName(short, long)

function getKnownSimilarity(a: Name, b: Name): number {
  if (isContrasting(a, b)) return 0
  if (hasOverlap(a.meanings, b.meanings)) {
    const isClear = a.meanings.length === 1 && b.meanings.length === 1
    if (a.isAbbreviated || b.isAbbreviated)
      return isClear ? SIMILARITY_SCORES.abbreviation : SIMILARITY_SCORES.abbreviationOfOne
    if (isClear) return SIMILARITY_SCORES.sameMeaning
    return haveSameMeanings(a, b) ? SIMILARITY_SCORES.sameMeanings : SIMILARITY_SCORES.oneOfMeanings
  }
  if (isOtherwiseKnown(a, b) && haveDifferentKinds(a, b)) return 0
  if (hasOverlap(a.partialMeanings, b.meanings))
    return a.isWeak ? SIMILARITY_SCORES.kindAside : SIMILARITY_SCORES.kindOf
  if (hasOverlap(a.meanings, b.partialMeanings))
    return b.isWeak ? SIMILARITY_SCORES.kindAside : SIMILARITY_SCORES.kindOf
  return 0
}

const haveSameMeanings = (a: Name, b: Name): boolean =>
  a.meanings.length === b.meanings.length && a.meanings.every((meaning) => b.meanings.includes(meaning))

const isOtherwiseKnown = (a: Name, b: Name): boolean => a.meanings.length > 0 && b.meanings.length > 0

const hasOverlap = (a: readonly number[], b: readonly number[]): boolean => a.some((meaning) => b.includes(meaning))

/** Names that look similar but differ in meaning: birth date and hire date, billing city and shipping city. */
export function differsInKind(a: Name, b: Name): boolean {
  if (isOtherwiseKnown(a, b)) return true
  if (isContrasting(a, b)) return true
  return haveDifferentKinds(a, b)
}

const haveDifferentKinds = (a: Name, b: Name): boolean => a.kinds !== 0 && b.kinds !== 0 && (a.kinds & b.kinds) === 0

export function isContrasting(a: Name, b: Name): boolean {
  for (let at = 0; at < a.contrasts.length; at++) {
    const [ownBits, otherBits] = [a.contrasts[at]!, b.contrasts[at]!]
    if (ownBits !== 0 && otherBits !== 0 && (ownBits & otherBits) === 0) return true
  }
  return false
}
