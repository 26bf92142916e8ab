/** Parses the names of fields: their words, and what they mean. Pure. */
import { memoizeText } from '../core/memo.ts'
import { findAbbreviated, findInflected, splitCompound, withoutVowels } from './abbreviations.ts'
import { findHeads, hasMainPartFirst } from './heads.ts'
import { listSenses, listSensesOfLonger, meansPerson } from './lexicon/lexicon.ts'
import { readPrice } from './price-names.ts'
import { compact, type Spelling, splitWords, toSpelling } from './tokenize.ts'
import {
  combine,
  findEntry,
  getConcepts,
  getMeaningfulWords,
  getMeanings,
  getMeaningsOfCount,
  isKnownWord,
} from './vocabulary.ts'

export interface Name {
  raw: string
  compact: string
  spelling: Spelling
  consonants: string
  rawWords: readonly string[]
  isUnknown: boolean
  senses: ReadonlySet<string>
  /** English where the vocabulary has the word. */
  words: readonly Word[]
  weight: number
  sorted: string
  kinds: number
  contrasts: readonly number[]
  meanings: readonly number[]
  isAbbreviated: boolean
  /** The meanings of the main part (`work email`, `phone 2`, `date of birth of the customer`). */
  partialMeanings: readonly number[]
  /** The known part is not the main one (`email 1 label`), not the first (`phone 2`), or the whole has a meaning. */
  isWeak: boolean
  isVague: boolean
  isQuestion: boolean
  heads: readonly number[]
  persons: readonly Word[]
  marks: number
}

export interface Word {
  text: string
  written: string
  /** Its basic form in its own language. */
  part: string
  /** Other meanings: in another language, or of an abbreviation. */
  others: readonly string[]
  weight: number
  isCut: boolean
  isKnown: boolean
  senses: ReadonlySet<string>
}

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
export type KindName = keyof typeof KIND_WORDS
const KIND_NAMES = Object.keys(KIND_WORDS) as KindName[]
const KIND_BY_WORD = new Map(
  Object.entries(KIND_WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
)
const LIGHT_KINDS = new Set(['id', 'name', 'flag'])
const LIGHT_AMOUNTS = new Set(['amount', 'value', 'total'])
const VAGUE_KINDS = new Set(['id', 'date', 'name', 'type', 'flag'])
const LIGHT_WORDS = new Set(['line', 'primary', 'new'])

const CONTRASTS = [
  ['billing', 'shipping', 'mailing', 'invoice'],
  ['home', 'work', 'private', 'mobile', 'fax'],
  ['first', 'last', 'middle'],
  ['begin', 'end'],
  ['from', 'to'],
  ['min', 'max', 'average'],
  ['minimum', 'maximum'],
  ['gross', 'net'],
  ['created', 'updated', 'modified', 'deleted'],
  ['latitude', 'longitude'],
]
const OPPOSITES = [
  ['accepted', 'rejected'],
  ['actual', 'planned', 'target', 'forecast'],
  ['actual', 'estimated'],
  ['adult', 'children'],
  ['arrival', 'departure'],
  ['buyer', 'seller'],
  ['by', 'date'],
  ['consignee', 'consignor'],
  ['current', 'previous', 'next'],
  ['debit', 'credit'],
  ['destination', 'origin'],
  ['entry', 'exit'],
  ['external', 'internal'],
  ['father', 'mother'],
  ['home', 'away'],
  ['import', 'export'],
  ['income', 'expense'],
  ['incoming', 'outgoing'],
  ['loading', 'unloading'],
  ['loss', 'won'],
  ['male', 'female'],
  ['night', 'day'],
  ['old', 'new'],
  ['opening', 'closing'],
  ['pickup', 'delivery', 'return'],
  ['purchase', 'sale'],
  ['recipient', 'sender'],
  ['tare', 'net'],
  ['tenant', 'landlord'],
  ['weight', 'height', 'length', 'width', 'depth', 'volume', 'thickness', 'diameter'],
]
const NEVER_MAIN = new Set(['first', 'last', 'middle', 'from', 'to'])
const MARKS = ['birth', 'death', 'emergency', 'last', 'maximum', 'minimum', 'previous']
const MODIFIERS = new Set(CONTRASTS.flat())
const SAME_IN_CONTRASTS: Readonly<Record<string, string>> = { delivery: 'shipping' }

const buildBitMask = (words: readonly string[], matches: (word: string) => boolean): number =>
  words.reduce((bits, word, at) => (matches(word) ? bits | (1 << at) : bits), 0)

const MAX_COMPARED_WORDS = 31

export function parseName(original: string): Name {
  const raw = readPrice(original).replace(JOINED_CUT_DATE, '$1. ')
  const words = getMeaningfulWords(raw)
  const cut = findCutWords(raw)
  const ending = findEnding(raw, words)
  const parts = [...toParts(words, cut, CUT_DATE.test(raw)), ...ending]
  const concepts = parts.map((part) => getConcepts(part)[0]!)
  if (COUNT_OF.test(raw)) concepts[0] = 'quantity'
  const whole = findWholeMeaning(raw, ending.some((word) => word !== 'date') ? parts : words, parts)
  const partial = findPartialMeaning(raw, parts, whole.meanings.length > 0)
  const letters = compact(raw)
  const compared =
    concepts.length > MAX_COMPARED_WORDS
      ? []
      : concepts.map((text, at) => toWord(text, parts, at, cut.has(parts[at]!), whole.meanings.length === 1))
  const meant = new Set(
    parts.flatMap((part, at) => [concepts[at]!, ...getConcepts(part)]).map((word) => SAME_IN_CONTRASTS[word] ?? word),
  )
  return {
    raw: raw.trim(),
    compact: letters,
    spelling: toSpelling(letters),
    consonants: withoutVowels(letters),
    rawWords: splitWords(raw),
    words: compared,
    weight: compared.reduce((sum, { weight }) => sum + weight, 0),
    sorted: [...concepts].sort().join(' '),
    kinds: buildBitMask(KIND_NAMES, (kind) => concepts.some((word) => KIND_BY_WORD.get(word) === kind)),
    contrasts: [...CONTRASTS, ...OPPOSITES].map((contrast) => buildBitMask(contrast, (word) => meant.has(word))),
    ...whole,
    ...partial,
    isVague: parts.every(isVague),
    isQuestion: isQuestion(raw),
    marks: buildBitMask(MARKS, (word) => meant.has(word)),
    persons: compared.filter((word, at) => isPerson(word) && !cut.has(parts[at]!)),
    heads: isQuestion(raw) || compared.length === 0 ? [] : findHeads(raw, parts, isLight),
    senses: listWholeSenses(splitWords(raw)),
    isUnknown: whole.meanings.length === 0 && parts.every((part) => !isKnownWord(part)),
  }
}

const isPerson = ({ text, part, isKnown }: Word): boolean =>
  part.length >= MIN_LETTERS_WITH_SENSE && !MODIFIERS.has(text) && meansPerson(isKnown ? text : part)

/** `Country code` is a country, and `work` in `Phone work` not what it is. */
export const isLight = (concept: string): boolean =>
  LIGHT_KINDS.has(KIND_BY_WORD.get(concept) ?? '') ||
  LIGHT_AMOUNTS.has(concept) ||
  MODIFIERS.has(concept) ||
  LIGHT_WORDS.has(concept)

export const haveSameKind = (a: string, b: string): boolean =>
  KIND_BY_WORD.has(a) && KIND_BY_WORD.get(a) === KIND_BY_WORD.get(b)

export const isOfKind = ({ kinds }: Name, kind: KindName): boolean => (kinds & (1 << KIND_NAMES.indexOf(kind))) !== 0

export const isIdName = ({ rawWords }: Name): boolean => rawWords.includes('id')

const COUNT_OF = /^\s*(number|no\.?|nr\.?|num\.?)[\s_]of[\s_]/i

function toWord(text: string, parts: readonly string[], at: number, isCut: boolean, isWholeKnown: boolean): Word {
  const part = parts[at]!
  const mayBegin = isCut && !isWholeKnown && parts.length > 1 && !isKnownWord(part)
  return {
    text,
    part,
    written: isCut ? part : text,
    others: listOtherConcepts(text, part, isCut),
    weight: KIND_BY_WORD.has(text) || LIGHT_WORDS.has(text) ? 0.4 : 1,
    isCut,
    isKnown: isKnownWord(part),
    senses: findSenses(part, mayBegin),
  }
}

/** `Dép.` can be any word that starts so, and has another word to check it by in `Date dép.`. */
function findSenses(part: string, isCut: boolean): ReadonlySet<string> {
  if (isCut && part.length >= MIN_CUT_LETTERS) return listSensesOfLonger(part)
  return part.length < MIN_LETTERS_WITH_SENSE ? new Set() : listSenses(part)
}

const MAX_WHOLE_SENSES = 6
const NO_SENSES: ReadonlySet<string> = new Set()

function listWholeSenses(words: readonly string[]): ReadonlySet<string> {
  const senses = words.length > MAX_PART_WORDS ? NO_SENSES : listSenses(words.join(' '))
  return senses.size > MAX_WHOLE_SENSES ? NO_SENSES : senses
}

const MIN_LETTERS_WITH_SENSE = 4
const MIN_CUT_LETTERS = 3
const MAX_ABBREVIATED_CONCEPTS = 16

function listOtherConcepts(text: string, part: string, isCut: boolean): string[] {
  if (part.length === 1) return DIMENSIONS[part] ?? []
  const known = isKnownWord(part) ? getConcepts(part) : []
  const short = known.length > 0 && !isCut ? [] : listShortened(part, isCut)
  const all = new Set([...known, ...(short.length > MAX_ABBREVIATED_CONCEPTS ? [] : short)])
  return [...all].filter((concept) => concept !== text)
}

const listShortened = (part: string, isCut: boolean): string[] => [
  ...new Set(
    findAbbreviated(part, isCut)
      .filter((word) => word.startsWith(part))
      .flatMap(getConcepts),
  ),
]

const DIMENSIONS: Readonly<Record<string, string[]>> = {
  b: ['width'],
  d: ['depth', 'diameter'],
  h: ['height'],
  l: ['length'],
  t: ['depth'],
  w: ['width'],
}

const CUT_WORD = /\p{L}{2,}(?=\.)/gu
const JOINED_CUT_DATE = /^(\s*[FD])\.(?=\p{L}{3}(?!\p{L}))/iu

const CUT_DATE = /^\s*(?:[FD]\.\s*\p{L}{2}|F_(?:alta|baja|nac|ven|vto|ini|fin|ped|fac|emi|compra|ent|sal|cie|firma))/iu

/** `F. alta` and `F_ALTA` are a `fecha alta`, and not the word `falta`. */
const listCutDates = (parts: readonly string[]): string[][] =>
  ['fecha', 'data', 'date'].map((date) => [date, ...parts.slice(1)])

const findCutWords = (raw: string): ReadonlySet<string> =>
  new Set((raw.match(CUT_WORD) ?? []).flatMap((word) => splitWords(word).slice(-1)))

const DATE_PREPOSITIONS = new Set(['at', 'on', 'am'])

function toParts(words: readonly string[], cut: ReadonlySet<string>, startsWithCutDate: boolean): string[] {
  const parts = words.flatMap((word) => (cut.has(word) ? splitCompound(word) : getParts(word)))
  if (parts.length > 1 && DATE_PREPOSITIONS.has(parts.at(-1)!)) parts[parts.length - 1] = 'date'
  if (parts.length > 1 && startsWithCutDate) parts[0] = 'date'
  return parts
}

const BY = new Set(['par', 'por', 'door', 'przez'])
const BY_OR_FROM = new Set(['von', 'da'])
const DONE = /(?:ed|sent|paid|done|made)$/
const ON = new Set(['le', 'el', 'il', 'op', 'em'])
const UNTIL = 'do'

/** `Genehmigt von` is not `Genehmigt`, although the words for `by` and `on` are fillers elsewhere. */
function findEnding(raw: string, words: readonly string[]): string[] {
  const [last, ...others] = splitWords(raw).toReversed()
  if (last === undefined || others.length === 0 || words.includes(last)) return []
  if (BY.has(last)) return ['by']
  if (last === UNTIL) return ['to']
  const isDone = getConcepts(others[0]!).some((concept) => DONE.test(concept))
  if (isDone && BY_OR_FROM.has(last)) return ['by']
  return isDone && ON.has(last) ? ['date'] : []
}

const getParts = memoizeText((word: string): readonly string[] => splitCompound(word).map(toBasicForm))

const toBasicForm = (word: string): string => (findEntry(word) ? word : (findInflected(word) ?? word))

const MAX_KNOWN_NAME_WORDS = 8

function findWholeMeaning(
  raw: string,
  words: readonly string[],
  parts: readonly string[],
): Pick<Name, 'meanings' | 'isAbbreviated'> {
  if (words.length > MAX_KNOWN_NAME_WORDS) return { meanings: [], isAbbreviated: false }
  const dated = parts.length > words.length ? [parts] : []
  const spellings = CUT_DATE.test(raw) ? listCutDates(parts) : [splitWords(raw.toLowerCase()), ...dated, words, parts]
  for (const spelling of spellings) {
    const meanings = COUNT_OF.test(raw) ? getMeaningsOfCount(spelling) : getMeanings(spelling)
    if (meanings.length > 0) return { meanings, isAbbreviated: false }
  }
  const expanded = findAbbreviatedMeanings(parts, DOTTED.test(raw), findCutWords(raw))
  return { meanings: expanded, isAbbreviated: expanded.length > 0 }
}

/** A dot after letters marks an abbreviation: `Nr kl.`, `Bet.cond.` */
const DOTTED = /\p{L}{2}\.(?=\s|\p{L}|$)/u
const MAX_ABBREVIATED_MEANINGS = 3
const MAX_DOTTED_MEANINGS = 8

function findAbbreviatedMeanings(parts: readonly string[], isDotted: boolean, cut: ReadonlySet<string>): number[] {
  const isCutWord = parts.length === 1 && cut.has(parts[0]!) && parts[0]!.length >= MIN_CUT_LETTERS
  const alternatives = parts.map((part) => [
    ...(isKnownWord(part) ? [part] : []),
    ...(isCutWord || !isKnownWord(part) ? findAbbreviated(part, isDotted) : []),
  ])
  const meanings = new Set(combine(alternatives).flatMap(getMeanings))
  return meanings.size > (isDotted ? MAX_DOTTED_MEANINGS : MAX_ABBREVIATED_MEANINGS) ? [] : [...meanings]
}

const NO_PART: Pick<Name, 'partialMeanings' | 'isWeak'> = { partialMeanings: [], isWeak: false }

interface Part {
  words: readonly string[]
  isWeak: boolean
  /** Without words such as `gross` and `work`, which never are the main ones. */
  isBare?: boolean
}

function findPartialMeaning(
  raw: string,
  parts: readonly string[],
  isWholeKnown: boolean,
): Pick<Name, 'partialMeanings' | 'isWeak'> {
  const words = parts.slice(0, parts.findLastIndex((word) => !/^\d+$/.test(word)) + 1)
  const isRepeated = parts.slice(words.length).some((number) => Number(number) > 1)
  const unknown = new Set(words.filter((word) => !isKnownWord(word)))
  for (const part of listParts(raw, words)) {
    if (part.words.some((word) => unknown.has(word))) continue
    if (isWholeKnown && (!part.isBare || part.words.length === words.length)) continue
    // "Order date" is a date and "category id" an id, but these words are too common to match on.
    if (part.words.length === 1 && words.length > 1 && isVagueAlone(part.words[0]!)) continue
    const partialMeanings = getMeanings(part.words)
    if (isWholeKnown && partialMeanings.length > 1) return NO_PART
    if (partialMeanings.length > 0) return { partialMeanings, isWeak: part.isWeak || isRepeated || isWholeKnown }
  }
  return NO_PART
}

const isVague = (word: string): boolean => VAGUE_KINDS.has(KIND_BY_WORD.get(getConcepts(word)[0]!) ?? '')

/** `Last` is short for a last name, but not in "last activity". */
const isVagueAlone = (word: string): boolean => isVague(word) || NEVER_MAIN.has(getConcepts(word)[0]!)

function listParts(raw: string, words: readonly string[]): Part[] {
  const isStartMain = hasMainPartFirst(raw, words)
  const isAnyMain = isQuestion(raw)
  const withoutModifiers = words.filter((word) => !MODIFIERS.has(getConcepts(word)[0]!))
  const ends = listLengths(words).map((length) => ({ words: words.slice(-length), isWeak: isStartMain && !isAnyMain }))
  const starts = listLengths(words).map((length) => ({
    words: words.slice(0, length),
    isWeak: !isStartMain && !isAnyMain,
  }))
  const middles = words
    .slice(1, MAX_COMPARED_WORDS)
    .flatMap((_, index) =>
      [2, 1].map((length) => ({ words: words.slice(index + 1, index + 1 + length), isWeak: !isAnyMain })),
    )
  return [
    ...(withoutModifiers.length > 0
      ? [{ words: withoutModifiers.slice(0, MAX_PART_WORDS), isWeak: false, isBare: true }]
      : []),
    ...(isStartMain ? [...starts, ...ends] : [...ends, ...starts]),
    ...middles,
  ]
}

const MAX_PART_WORDS = 4

const listLengths = (words: readonly string[]): number[] =>
  words.slice(0, MAX_PART_WORDS).map((_, index, { length }) => length - index)

const isQuestion = (raw: string): boolean => /\?\s*(\([^()]{0,40}\)\s*)?$/.test(raw)
