/** How alike two names are, from 0 to 1, and why. Pure; knows names only, no values. */
import { longForm, meaningsOf, partsOf } from './synonyms.ts'
import { compact, type Effort, meaningfulWords, type Spelling, spelledAlike, spellingOf } from './words.ts'

/** A name, taken apart once: a sheet's names are compared with every name of the other side. */
export interface Name {
  raw: string
  compact: string
  spelling: Spelling
  /** Empty where there are too many to compare. */
  words: Word[]
  /** Of the words together. */
  weight: number
  /** The words in one order, to tell the same ones. */
  sorted: string
  /** The kinds of value its words speak of, as bits. */
  kinds: number
  /** For each of the {@link CONTRASTS} which of its words the name has, as bits. */
  contrasts: number[]
  /** The things the name is a known name of. */
  meanings: readonly number[]
  /** For a name that is not known: the things its last words name (`work e-mail`, `phone 2`). */
  inside: readonly number[]
  /** What it is a kind of does not stand last (`e-mail 1 label`), or it is not the first of its kind (`phone 2`). */
  aside: boolean
}

interface Word {
  spelling: Spelling
  weight: number
}

/** Names of more words are questions or remarks: they are compared as a whole. */
const COMPARED_WORDS = 31

export function nameOf(raw: string): Name {
  const words = meaningfulWords(raw)
  const long = longWords(words)
  const own = meaningsOf(words)
  const meanings = own.length > 0 ? own : meaningsOf(long)
  const { inside, aside } = meanings.length > 0 ? { inside: meanings.slice(0, 0), aside: false } : meaningInside(words)
  const letters = compact(raw)
  const compared = long.length > COMPARED_WORDS ? [] : long.map(wordOf)
  return {
    raw: raw.trim(),
    compact: letters,
    spelling: spellingOf(letters),
    words: compared,
    weight: compared.reduce((sum, { weight }) => sum + weight, 0),
    sorted: [...long].sort().join(' '),
    kinds: bitsFor(KIND_NAMES, (kind) => long.some((word) => KINDS.get(word) === kind)),
    contrasts: CONTRASTS.map((contrast) => bitsFor(contrast, (word) => long.includes(word))),
    meanings,
    inside,
    aside,
  }
}

const wordOf = (word: string): Word => ({
  spelling: spellingOf(word),
  weight: KINDS.has(word) || word === 'line' || word === 'primary' || word === 'new' ? 0.4 : 1,
})

const bitsFor = (words: readonly string[], has: (word: string) => boolean): number =>
  words.reduce((bits, word, at) => (has(word) ? bits | (1 << at) : bits), 0)

/** The words in their long forms; `created at` and `paid on` are dates. */
function longWords(words: readonly string[]): string[] {
  const long = words.flatMap(partsOf)
  if (long.length > 1 && ['at', 'on', 'am'].includes(long.at(-1)!)) long[long.length - 1] = 'date'
  return long
}

/** No known name has more words. */
const NAMING_WORDS = 20

/** The longest end of the name that is a known name, else the longest beginning: what it is a kind of mostly stands last. */
function meaningInside(words: readonly string[]): Pick<Name, 'inside' | 'aside'> {
  const telling = words.slice(0, words.findLastIndex((word) => !/^\d+$/.test(word)) + 1)
  const again = words.slice(telling.length).some((number) => Number(number) > 1)
  const ends = telling.slice(-NAMING_WORDS).map((_, first, { length }) => ({
    part: telling.slice(telling.length - length + first),
    aside: again,
  }))
  const beginnings = telling.slice(0, NAMING_WORDS).map((_, index, { length }) => ({
    part: telling.slice(0, length - index),
    aside: true,
  }))
  for (const { part, aside } of [...ends, ...beginnings]) {
    // "Order date" is a date and "category id" an id, but so are too many others.
    if (part.length === 1 && telling.length > 1 && VAGUE.has(KINDS.get(longForm(part[0]!)) ?? '')) continue
    const inside = meaningsOf(part)
    if (inside.length > 0) return { inside, aside }
  }
  return { inside: [], aside: false }
}

/** What each kind of likeness is worth. Steps between them keep the order: a better reason always wins. */
export const WORTH = {
  same: 1,
  /** But for case, accents, punctuation and spaces. */
  sameLetters: 0.98,
  /** One of the names the destination says it may have. */
  alternative: 0.96,
  /** The same words, in their long forms and any order. */
  sameWords: 0.92,
  /** Different names for one thing. */
  sameMeaning: 0.88,
  /** The same for a name that has several meanings: `title` of a person, a product, a ticket. */
  oneOfMeanings: 0.76,
  /** One names a kind of what the other names. */
  kindOf: 0.72,
  /** The same where something else stands last, or for one that is not the first of its kind. */
  kindAside: 0.62,
  /** At most, for names that share words or letters. */
  similar: 0.84,
} as const

/** @param effort without any left, names are compared by their words and meanings as a whole */
export function likeness(a: Name, b: Name, effort: Effort = { left: Number.POSITIVE_INFINITY }): number {
  if (a.raw === b.raw) return WORTH.same
  if (a.compact === '' || b.compact === '') return 0
  if (a.compact === b.compact) return WORTH.sameLetters
  if (a.sorted === b.sorted) return WORTH.sameWords
  const known = knownLikeness(a, b)
  if (effort.left <= 0) return known
  const similar =
    Math.max(sharedWords(a, b, effort), spelledAlike(a.spelling, b.spelling, 0.75, effort)) * WORTH.similar
  if (known > 0) return Math.max(known, similar)
  return differInKind(a, b) ? similar * 0.5 : similar
}

/** What the two are worth as names of known things. */
function knownLikeness(a: Name, b: Name): number {
  if (meet(a.meanings, b.meanings))
    return a.meanings.length > 1 || b.meanings.length > 1 ? WORTH.oneOfMeanings : WORTH.sameMeaning
  if (isContrary(a, b)) return 0
  if (meet(a.inside, b.meanings)) return a.aside ? WORTH.kindAside : WORTH.kindOf
  if (meet(a.meanings, b.inside)) return b.aside ? WORTH.kindAside : WORTH.kindOf
  return 0
}

const meet = (a: readonly number[], b: readonly number[]): boolean => a.some((meaning) => b.includes(meaning))

/** Words for the kind of a value, by the kind they stand for; they tell little of which thing is meant. */
const WORDS_OF_KINDS = {
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
const KIND_NAMES = Object.keys(WORDS_OF_KINDS)
const KINDS = new Map(
  Object.entries(WORDS_OF_KINDS).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
)

/** Kinds that so many things have that the word alone names none. */
const VAGUE = new Set(['id', 'date', 'name', 'type', 'flag'])

/** Words that tell two otherwise equal names apart. */
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
 * Names that look alike and still mean different things: two known names of different things (birth date, hire date), and
 * names of values of different kinds (order date, order id) or with contrary words (billing city, shipping city).
 */
function differInKind(a: Name, b: Name): boolean {
  if (a.meanings.length > 0 && b.meanings.length > 0) return true
  if (isContrary(a, b)) return true
  return a.kinds !== 0 && b.kinds !== 0 && (a.kinds & b.kinds) === 0
}

/** Each has a word of a contrast, and they share none of it. */
function isContrary(a: Name, b: Name): boolean {
  for (let at = 0; at < CONTRASTS.length; at++) {
    const [own, other] = [a.contrasts[at]!, b.contrasts[at]!]
    if (own !== 0 && other !== 0 && (own & other) === 0) return true
  }
  return false
}

/** Two words count as one when a letter or two differ. */
const SAME_WORD = 0.8
/** What telling two words apart by their lengths and letters costs. */
const WORD_EFFORT = 4

/** From 0 to 1: the weight of the words both have, of the weight of all. */
function sharedWords(a: Name, b: Name, effort: Effort): number {
  const all = b.words.reduce((sum, { weight }) => sum + weight, a.weight)
  if (all === 0) return 0
  effort.left -= a.words.length * b.words.length * WORD_EFFORT
  let taken = 0
  let shared = 0
  for (const word of a.words) {
    const index = b.words.findIndex(
      (other, at) => (taken & (1 << at)) === 0 && spelledAlike(other.spelling, word.spelling, SAME_WORD, effort) > 0,
    )
    if (index < 0) continue
    shared += word.weight + b.words[index]!.weight
    taken |= 1 << index
  }
  return shared / all
}
