/** Finds the option whose name has the same words as a value, in the eight languages of the lexicon. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { memoizeText } from '../core/memo.ts'
import { findInflected, splitCompound } from './abbreviations.ts'
import {
  areOtherWords,
  hasAcute,
  haveClearlySameMeaning,
  haveSameMeaning,
  isNoun,
  listParticipleSenses,
  listSenses,
  toDutchSingular,
} from './lexicon/lexicon.ts'
import { isOtherCount } from './numbered-options.ts'
import { listSameValues } from './same-values.ts'
import { toSingular } from './tokenize.ts'
import { findEntry } from './vocabulary.ts'

export interface OptionName {
  text: string
  compact: string
  words: readonly string[]
  marks: string
  /** A part of a label: `ev.` of `evangelisch (ev.)`. */
  isPart?: boolean
}

interface NamedOption {
  names: readonly OptionName[]
}

export interface Option extends NamedOption {
  value: EnumValue
}

const MIN_CONCEPT_LETTERS = 4
/** Say little next to another word: `Betonarbeiten` are concrete. */
const LIGHT_CONCEPTS = new Set(['work', 'type', 'category', 'department', 'area', 'service', 'material', 'article'])

export function findSameConcepts<T extends NamedOption>(options: readonly T[], { compact, words }: OptionName): T[] {
  if (compact.length < MIN_CONCEPT_LETTERS) return []
  const meant = listConcepts(words.join(' '))
  return meant === undefined
    ? []
    : options.filter(({ names }) =>
        names.some((other) => {
          const own = other.compact.length < MIN_CONCEPT_LETTERS ? undefined : listConcepts(other.words.join(' '))
          return own !== undefined && own.length === meant.length && own.every((one, at) => haveShared(one, meant[at]!))
        }),
      )
}

const haveShared = (a: readonly string[], b: readonly string[]): boolean => a.some((one) => b.includes(one))

const SHORT_LINKS = new Set(
  'of de du di da do la le el il lo im am in em na w z the van von and und et y e i en del della'.split(' '),
)

const splitUnlisted = (word: string): string[] => (listSenses(word).size > 0 ? [word] : splitCompound(word))

const findConcepts = (word: string): readonly string[] | undefined =>
  [word, findInflected(word) ?? toDutchSingular(word) ?? '']
    .flatMap((form) => (areOtherWords(word, form) || isAgent(word, form) ? [] : [form]))
    .map((form) => (areOtherWords(form, toSingular(form)) ? undefined : findEntry(form)?.concepts))
    .find((concepts) => concepts !== undefined)

const isAgent = (word: string, form: string): boolean => word === `${form}er` && isNoun(form)

interface Part {
  text: string
  isLight: boolean
}

const hasLightConcept = (word: string): boolean =>
  findConcepts(word)?.some((concept) => LIGHT_CONCEPTS.has(concept)) ?? false

/** Undeclared work (`Schwarzarbeit`) is not black. */
const isLightEnd = (part: string): boolean => hasLightConcept(part) && !findConcepts(part)!.includes('work')

function listParts(words: readonly string[], split: (word: string) => readonly string[]): Part[] {
  return words.flatMap((word) => {
    const parts = split(word)
    if (parts.length < 2) return [{ text: word, isLight: isLight(word) }]
    return parts.map((text) => ({ text, isLight: listSenses(word).size === 0 && isLightEnd(text) }))
  })
}

function listHeavy(parts: readonly Part[]): string[] {
  const heavy = parts.filter((part) => !part.isLight)
  return (heavy.length > 0 ? heavy : parts).map(({ text }) => text)
}

/** The English words of each word, in the order of the words; undefined if one is unknown. */
const listConcepts = memoizeText((name: string): (readonly string[])[] | undefined => {
  const parts = listParts(
    name.split(' ').filter((word) => !SHORT_LINKS.has(word)),
    splitCompound,
  )
  const isKnown = parts.length > 0 && parts.every(({ text }) => findConcepts(text) !== undefined)
  return isKnown ? listHeavy(parts).map((text) => findConcepts(text)!) : undefined
})

const LIGHT_WORDS = new Set('alleen apenas nur only seulement so solamente solo soltanto tylko'.split(' '))

const isLight = (word: string): boolean => LIGHT_WORDS.has(word) || hasLightConcept(word)

/** Comparing each value with each of thousands of options would take long. */
const MAX_COMPARED_OPTIONS = 300

/**
 * `Fixo 3 anos` is `Fixed 3 years`, and `Goods only` is `Goods lift` next to `Passenger lift`: the words of a name that
 * the value does not have are in other names, too.
 */
export function findByWords<T extends NamedOption>(
  options: readonly T[],
  { words, marks }: OptionName,
  text: string,
): T | undefined {
  if (options.length > MAX_COMPARED_OPTIONS) return undefined
  const heavy = words.filter((word) => !SHORT_LINKS.has(word) && !isLight(word))
  const compared = heavy.length > 0 ? heavy : words
  if (words.join('').length < MIN_CONCEPT_LETTERS || words.every((word) => TURNING.has(word))) return undefined
  const areSameParticiples = createParticipleTest(text)
  const mayBeCut = text.includes('.') || compared.length > 1
  const find = (toWords: (words: readonly string[]) => readonly string[]): T[] => {
    const own = toWords(compared)
    const isSame = (word: string, other: string, { text: otherText }: OptionName): boolean =>
      isSameWord(word, other, own.length === 1) ||
      (mayBeCut && isBeginning(word, other)) ||
      areSameParticiples(word, other, otherText)
    return options.filter((option) => {
      const haveOthers: HaveOthers = (matches) => options.some((other) => other !== option && matches(other))
      return option.names.some(
        (name) =>
          name.marks === marks &&
          !(marks !== '' && isOtherCount(text, name.text)) &&
          haveSameWords(own, toWords(name.words), haveOthers, (word, other) => isSame(word, other, name)),
      )
    })
  }
  const whole = find((words) => words)
  const inParts = whole.length > 0 ? whole : find(listHeavyParts)
  const found = inParts.length > 0 ? inParts : find((words) => words.flatMap(splitKnownCompound))
  return found.length === 1 ? found[0] : undefined
}

const listHeavyParts = (words: readonly string[]): readonly string[] =>
  listHeavy(listParts(words, splitUnknownCompound))

const MIN_PART_LETTERS = 4
const LINKS = ['', 's', 'es', 'n', 'en']

/** The parts of `Falschlieferung` and `earthmoving`, whose words the lexicon has; the most equal ones. */
const splitUnknownCompound = memoizeText((word: string): readonly string[] => {
  const known = splitUnlisted(word)
  return known.length > 1 || findEntry(word) || listSenses(word).size > 0 ? known : splitAnyCompound(word)
})

/** A skylight can be a window in the roof: `Dachfenster`. All parts count, as homework is not only a home. */
const splitKnownCompound = memoizeText((word: string): readonly string[] => {
  const known = splitCompound(word)
  return known.length > 1 || findEntry(word) ? known : splitAnyCompound(word)
})

function splitAnyCompound(word: string): readonly string[] {
  const middle = word.length / 2
  const ends = Array.from(
    { length: Math.max(0, word.length - 2 * MIN_PART_LETTERS + 1) },
    (_, at) => MIN_PART_LETTERS + at,
  )
  for (const end of ends.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const parts = splitAt(word, end)
    if (parts) return parts
  }
  return [word]
}

function splitAt(word: string, end: number): readonly string[] | undefined {
  const [head, tail] = [word.slice(0, end), word.slice(end)]
  if (tail.length < MIN_PART_LETTERS || listSenses(tail).size === 0) return undefined
  const heads = LINKS.map((link) => (head.endsWith(link) ? head.slice(0, head.length - link.length) : ''))
  const first = heads.find((part) => part.length >= MIN_PART_LETTERS && listSenses(part).size > 0)
  return first === undefined ? undefined : [first, tail]
}

type HaveOthers = (matches: (other: NamedOption) => boolean) => boolean

function haveSameWords(
  words: readonly string[],
  optionWords: readonly string[],
  haveOthers: HaveOthers,
  isSame: (word: string, other: string) => boolean,
): boolean {
  const left = [...optionWords]
  let isOwn = false
  for (const word of words) {
    const at = left.findIndex((other) => isSame(word, other))
    if (at < 0) return false
    isOwn ||= !haveOthers((other) => hasWord(other, left[at]!))
    left.splice(at, 1)
  }
  if (left.length === 0) return true
  return isOwn && left.every((word) => SHORT_LINKS.has(word) || isLight(word) || canBeLeftOut(word, haveOthers))
}

const MIN_END_LETTERS = 5

const hasWord = ({ names }: NamedOption, word: string): boolean =>
  names.some(({ words }) =>
    words.some(
      (other) => toSingular(other) === toSingular(word) || (word.length >= MIN_END_LETTERS && other.endsWith(word)),
    ),
  )

const isWord = ({ names }: NamedOption, word: string): boolean =>
  names.some(({ words: [only, ...more] }) => more.length === 0 && toSingular(only ?? '') === toSingular(word))

const TURNING = new Set([
  ...'avec bez com con geen kein keine met mit no non not ohne sans sem senza sin with without zonder'.split(' '),
  ...'away back down in off on out over up'.split(' '),
])

/** Several options have the word, and none is only that word. */
const canBeLeftOut = (word: string, haveOthers: HaveOthers): boolean =>
  !(TURNING.has(word) || /\d/.test(word)) &&
  haveOthers((other) => hasWord(other, word)) &&
  !haveOthers((other) => isWord(other, word))

const MIN_BEGINNING_LETTERS = 3

const isBeginning = (word: string, whole: string): boolean =>
  word.length >= MIN_BEGINNING_LETTERS && whole.startsWith(word)

const MIN_STEM_LETTERS = 4

/** Adjectives end as their nouns do, and plurals of Italian in other vowels: `zdolna`, `palchi`. */
const toStem = (word: string): string => {
  const stem = toSingular(word).replace(/h?[aeiouy]{1,2}$/, '')
  return stem.length >= MIN_STEM_LETTERS ? stem : word
}

const MIN_INFLECTED_LETTERS = 5
const ENDINGS = new Set(['', 'a', 'as', 'e', 'em', 'en', 'er', 'es', 'i', 'n', 'o', 'os', 's', 'y'])

function areInflected(a: string, b: string): boolean {
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++
  return shared >= MIN_INFLECTED_LETTERS && ENDINGS.has(a.slice(shared)) && ENDINGS.has(b.slice(shared))
}

const isSameWord = (word: string, other: string, isAlone = true): boolean =>
  word === other ||
  (areForms(word, other) && !areOtherWords(word, other)) ||
  haveSharedConcept(word, other) ||
  (isAlone ? haveMeaning(word, other) : haveSameMeaning(word, other))

const haveMeaning = (word: string, other: string): boolean =>
  areToldApart(word, other) ? haveClearlySameMeaning(word, other) : haveSameMeaning(word, other)

const haveSharedConcept = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= MIN_CONCEPT_LETTERS && haveShared(findConcepts(a) ?? [], findConcepts(b) ?? [])

/** By the vocabulary: `Saldo` and credit, which must share more, unless other words fit as well. */
const areToldApart = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= MIN_CONCEPT_LETTERS && findConcepts(a) !== undefined && findConcepts(b) !== undefined

const areForms = (a: string, b: string): boolean =>
  toSingular(a) === toSingular(b) || toStem(a) === toStem(b) || areInflected(a, b)

const listOwnParticiples = memoizeText((words: string): ReadonlySet<string> => {
  const [word = '', text = ''] = words.split(TAB)
  return listParticipleSenses(word, text)
})

const TAB = '\t'

function createParticipleTest(text: string): (word: string, other: string, otherText: string) => boolean {
  const listMeant = memoizeText((word) =>
    listSameValues(word).length === 0 || hasAcute(word, text) ? listParticipleSenses(word, text) : NO_SENSES,
  )
  return (word, other, otherText) => {
    const meant = listMeant(word)
    return meant.size > 0 && haveCommonSense(meant, listOwnParticiples(other + TAB + otherText))
  }
}

const NO_SENSES: ReadonlySet<string> = new Set()

/** A drainpipe is a pipe, if there are pipes: the last part of a compound says what it is. */
export function hasOtherHead<T extends NamedOption>(options: readonly T[], { words }: OptionName, found: T): boolean {
  const parts = words.length === 1 ? splitKnownCompound(words[0]!) : []
  const head = parts.at(-1)!
  const isNamed = ({ names }: NamedOption, isSame: (word: string) => boolean): boolean =>
    names.some((name) => name.words.length === 1 && isSame(name.words[0]!))
  return (
    parts.length > 1 &&
    !isNamed(found, (word) => haveClearlySameMeaning(words[0]!, word)) &&
    options.some((other) => other !== found && isNamed(other, (word) => isSameWord(head, word)))
  )
}

/** `Pompe à chaleur` is a heat pump: its words mean something together. */
export function findBySenses<T extends NamedOption>(
  options: readonly T[],
  { words, marks, text }: OptionName,
): T | undefined {
  if (marks !== '' || options.length > MAX_COMPARED_OPTIONS) return undefined
  const phrase = words.join(' ')
  const areSameParticiples = createParticipleTest(text)
  if (words.every((word) => TURNING.has(word))) return undefined
  const isMeant = (other: OptionName): boolean => {
    const name = other.words.join(' ')
    return haveMeaning(phrase, name) || areSameParticiples(phrase, name, other.text)
  }
  const found = options.filter(({ names }) => names.some((other) => other.marks === '' && isMeant(other)))
  return found.length === 1 ? found[0] : undefined
}

const haveCommonSense = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  for (const sense of a) if (b.has(sense)) return true
  return false
}
