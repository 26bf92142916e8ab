/**
 * Looks up the meanings of words and names of columns in eight languages: vocabulary.json and CLDR's time units.
 * Names are compared by words (tokenize.ts), so case, accents and punctuation need no variants.
 */
import { LANGUAGES } from '../values/languages.ts'
import { splitWords, toSingular } from './tokenize.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

export type Language = (typeof LANGUAGES)[number]

export interface Entry {
  /** English words; more than one if the word has several meanings. */
  concepts: readonly string[]
  languages: ReadonlySet<Language>
}

const TIME_UNITS = ['year', 'quarter', 'month', 'weekday', 'day', 'hour', 'timeZoneName'] as const

const fillers = new Set(Object.values(vocabulary.fillers).flatMap((words) => words.flatMap(splitWords)))

const entries = new Map<string, { concepts: string[]; languages: Set<Language> }>()
const meaningsByLetters = new Map<string, number[]>()
const meaningsByWords = new Map<string, number[]>()
const meaningsByConcepts = new Map<string, number[]>()
const nameWords = new Set<string>()
const wholeNames = new Set<string>()

export const getMeaningfulWords = (name: string): string[] => {
  const words = splitWords(name)
  const meaningful = words.filter(
    (word, at) => !(fillers.has(word) && !isEstimate(words, at)) && !isNumberedValue(words, at),
  )
  return meaningful.length > 0 ? meaningful : words
}

/** `Est. hours` are estimated, and `Quel est le prix` is French. */
const isEstimate = (words: readonly string[], at: number): boolean =>
  words[at] === 'est' && at === 0 && words.length > 1

/** In `E-mail 1 - Value`, but not in `Stock value`. */
const isNumberedValue = (words: readonly string[], at: number): boolean =>
  words[at] === 'value' && /^\d+$/.test(words[at - 1] ?? '')

export const findEntry = (word: string): Entry | undefined => entries.get(word) ?? entries.get(toSingular(word))

export const getConcepts = (word: string): readonly string[] => findEntry(word)?.concepts ?? [toSingular(word)]

export const isKnownWord = (word: string): boolean =>
  findEntry(word) !== undefined || nameWords.has(word) || nameWords.has(toSingular(word))

const buildBag = (words: readonly string[]): string => words.map(toBagWord).sort().join(' ')

/** `Nr.`, `N.º` and `numero` are the same in each language. */
const toBagWord = (word: string): string => (entries.get(word)?.concepts[0] === 'number' ? 'number' : toSingular(word))

function addEntry(word: string, concept: string, language: Language): void {
  for (const spelling of new Set([word, toSingular(word)])) {
    const entry = entries.get(spelling) ?? { concepts: [], languages: new Set() }
    if (!entry.concepts.includes(concept)) entry.concepts.push(concept)
    entry.languages.add(language)
    entries.set(spelling, entry)
  }
}

function addMeaning(index: Map<string, number[]>, key: string, meaning: number): void {
  const meanings = index.get(key)
  if (!meanings) index.set(key, [meaning])
  else if (!meanings.includes(meaning)) meanings.push(meaning)
}

/** `Payée le` is a date, but `Payée` is not: a name that ends in a preposition is only known as a whole. */
function addName(name: string, meaning: number): void {
  const all = splitWords(name)
  if (all.length > 1 && fillers.has(all.at(-1)!)) {
    addMeaning(meaningsByLetters, all.map(toSingular).join(''), meaning)
    return
  }
  const words = getMeaningfulWords(name)
  for (const word of words) nameWords.add(word)
  if (words.length === 1) wholeNames.add(words[0]!)
  addMeaning(meaningsByLetters, words.map(toSingular).join(''), meaning)
  addMeaning(meaningsByWords, buildBag(words), meaning)
  if (words.every(isEnglish) && !(words.length === 1 && isShort(words[0]!)))
    addMeaning(meaningsByConcepts, buildBag(words.map((word) => getConcepts(word)[0]!)), meaning)
}

const MAX_SHORT_LETTERS = 4
const MIN_OMITTED_LETTERS = 3

/** `Loc` can be a city, but `location` in other languages cannot. */
const isShort = (word: string): boolean => {
  const [concept = word] = getConcepts(word)
  return (
    word.length <= MAX_SHORT_LETTERS &&
    concept.startsWith(word[0]!) &&
    concept.length - word.length >= MIN_OMITTED_LETTERS
  )
}

export const isEnglish = (word: string): boolean => findEntry(word)?.languages.has('en') ?? true

const MAX_COMBINATIONS = 256

export function combine(alternatives: readonly (readonly string[])[]): string[][] {
  let combinations: string[][] = [[]]
  for (const words of alternatives) {
    if (combinations.length * words.length > MAX_COMBINATIONS) return []
    combinations = combinations.flatMap((chosen) => words.map((word) => [...chosen, word]))
  }
  return combinations
}

const NONE: readonly number[] = []

/** The meanings of a whole name: as it is listed, or else as its words are translated. */
export function getMeanings(words: readonly string[]): readonly number[] {
  const listed = meaningsByLetters.get(words.map(toSingular).join('')) ?? meaningsByWords.get(buildBag(words))
  if (listed) return listed
  if (!words.every(isKnownWord)) return NONE
  const translated = new Set(
    combine(words.map(getConcepts)).flatMap((concepts) => meaningsByConcepts.get(buildBag(concepts)) ?? NONE),
  )
  return translated.size > 0 ? [...translated] : NONE
}

/** `Number of tickets` is listed as `number tickets`, and is not a `ticket number`. */
export function getMeaningsOfCount(words: readonly string[]): readonly number[] {
  const inOrder = meaningsByLetters.get(['number', ...words.slice(1)].map(toSingular).join(''))
  return inOrder ?? getMeanings(words).filter((meaning) => !isNumberMeaning(meaning))
}

const NUMBER_NAME = /\b(?:number|id)$/

export const isNumberMeaning = (meaning: number): boolean => NUMBER_NAME.test(listedMeanings[meaning]!)

export const findMeaning = (name: string): number => {
  const [meaning] = getMeanings(getMeaningfulWords(name))
  if (meaning === undefined) throw new Error(`"${name}" is not in the vocabulary.`)
  return meaning
}

for (const language of LANGUAGES) {
  const displayNames = new Intl.DisplayNames([language], { type: 'dateTimeField' })
  for (const unit of TIME_UNITS) {
    const words = splitWords(displayNames.of(unit) ?? '')
    if (words.length === 1) addEntry(words[0]!, unit === 'timeZoneName' ? 'timezone' : unit, language)
  }
}
for (const concept of Object.keys(vocabulary.words)) addEntry(concept, concept, 'en')
for (const [concept, translations] of Object.entries(vocabulary.words))
  for (const [language, words] of Object.entries(translations))
    for (const word of words) addEntry(word, concept, language as Language)
for (const [meaning, names] of Object.values(vocabulary.meanings).entries())
  for (const name of names) addName(name, meaning)

const listedMeanings = Object.keys(vocabulary.meanings)
const broaderMeanings = new Map(
  Object.entries(vocabulary.broader).map(([name, broader]) => [
    listedMeanings.indexOf(name),
    broader.map((one) => listedMeanings.indexOf(one)),
  ]),
)

/** A mobile number is a phone number, and an order is placed when its record is created. */
export const findBroaderMeanings = (meaning: number): readonly number[] => broaderMeanings.get(meaning) ?? NONE

/** Words an abbreviation can stand for: those of the vocabulary and names of one word. */
export const listKnownWords = (): string[] => [...new Set([...entries.keys(), ...wholeNames])]
