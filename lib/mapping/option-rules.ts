/** Finds the option that a text means, by the first of several rules that applies. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { findCurrencies } from '../values/units.ts'
import { findCountryOfAdjective, findCurrenciesByWords } from './code-words.ts'
import { type CodeKind, findCode, findCodeOfValue, findCutCodes, findMisspelledCode } from './codes.ts'
import { endsOtherOption } from './compound-options.ts'
import { type EverydayOptions, indexEveryday } from './everyday-options.ts'
import { areOtherWords, haveClearlySameMeaning, haveSameMeaning, isListed, isNoun } from './lexicon/lexicon.ts'
import { findByConsonants, findClipped, findContracted } from './option-abbreviations.ts'
import { createOptionIndex, type OptionIndex } from './option-index.ts'
import {
  findBySenses,
  findByWords,
  findSameConcepts,
  hasOtherHead,
  type Option,
  type OptionName,
} from './option-words.ts'
import { isSameValue, listSameValues, listSameValuesOfCut, listSameValuesOfMisspelled } from './same-values.ts'
import { compact, isMisspelledWord, splitWords, toSingular } from './tokenize.ts'
import { indexTypingErrors } from './typing-errors.ts'
import { findEntry } from './vocabulary.ts'

export interface Options {
  byValue: ReadonlyMap<EnumValue, Option>
  byText: ReadonlyMap<string, Option>
  all: readonly Option[]
  index: OptionIndex<Option>
  everyday: EverydayOptions<Option>
  findMisspelled: (text: string) => readonly Option[]
}

// Reversed, so that the first of several options with the same value is found.
export function indexOptions(all: readonly Option[]): Options {
  const reversed = all.toReversed()
  const everyday = indexEveryday(all)
  return {
    byValue: new Map(reversed.map((option) => [option.value, option])),
    byText: new Map(reversed.map((option) => [String(option.value), option])),
    all,
    index: createOptionIndex(all, MIN_DOTTED_LETTERS),
    everyday,
    findMisspelled: indexTypingErrors(all, everyday.listNames),
  }
}

export const toName = (text: string): OptionName => ({
  text,
  compact: compact(text),
  words: splitWords(text),
  marks: findMarks(text),
})

/** Numbers and signs make a difference: `1.0` is not 10, `B+` is not B, and -5 is not 5. */
const findMarks = (text: string): string =>
  [...(text.match(/\d+/g) ?? []), ...(text.match(/[+<>=*≤≥±~]|^\s*[-−](?=\s*\d)|[-−]\s*$/g) ?? [])]
    .map((mark) => mark.trim())
    .join(' ')

interface Question {
  value: EnumValue
  text: string
  name: OptionName
  options: Options
  kind: CodeKind | undefined
}

/** Returns the options that fit, of which there must be one; undefined leaves the text to the next rule. */
type Rule = (question: Question) => readonly Option[] | undefined

export interface Match {
  option: Option
  rule: string
}

export const matchOption = (value: EnumValue, options: Options, kind: CodeKind | undefined): Match | undefined =>
  applyRules(ALL_RULES, value, options, kind)

export const matchOptionByName = (value: EnumValue, options: Options, kind: CodeKind | undefined): Match | undefined =>
  applyRules(NAME_RULES, value, options, kind)

function applyRules(
  rules: readonly (readonly [string, Rule])[],
  value: EnumValue,
  options: Options,
  kind: CodeKind | undefined,
): Match | undefined {
  const text = String(value).replace(HIDDEN, '')
  const question = { value, text, name: toName(text), options, kind }
  for (const [rule, find] of rules) {
    const found = find(question)
    if (!found) continue
    const meant = BY_NAME.has(rule) ? found : correctByList(question, found)
    const [option, ...others] = meant
    const isOne = option !== undefined && others.length === 0 && !isOtherVerb(question.name, option, rule)
    return isOne ? { option, rule: meant === found ? rule : 'everyday' } : undefined
  }
  return undefined
}

const correctByList = ({ name, options: { everyday }, kind }: Question, found: readonly Option[]): readonly Option[] =>
  found.length === 0 || kind || SIGN.test(name.marks) ? found : everyday.correct(name.compact, found)

const HIDDEN = /\p{Cf}/gu

const VERB_PREFIX =
  /^(?:aan|ab|af|an|auf|aus|be|bei|ein|ent|er|in|nach|onder|op|over|toe|uber|uit|um|unter|ver|vor|zer|zu)$/

/** `Abrechnung` is not a `Rechnung`, nor `Tausch` an `Austausch`, although their meanings are near. */
function isOtherVerb({ words: [word = '', ...more] }: OptionName, { names }: Option, rule: string): boolean {
  if (more.length > 0 || word.length < MIN_VERB_LETTERS || BY_NAME.has(rule)) return false
  return names.some(({ words: [own = '', ...others] }) => {
    const [short, long] = word.length < own.length ? [word, own] : [own, word]
    const isLonger = others.length === 0 && short.length >= MIN_VERB_LETTERS && long.endsWith(short)
    return isLonger && VERB_PREFIX.test(long.slice(0, long.length - short.length))
  })
}

const MIN_VERB_LETTERS = 4
export const BY_NAME = new Set(['exact', 'name', 'code', 'sign'])

const RULES: Readonly<Record<string, Rule>> = {
  exact: ({ value, text, options: { byValue, byText } }) => listOne(byValue.get(value) ?? byText.get(text.trim())),
  sign: ({ text, options: { all }, kind }) => {
    const signs = kind === 'currency' ? findCurrencies(text) : undefined
    return signs && findAll(all, (other) => hasCode(signs, other.compact))
  },
  empty: ({ name }) => (name.compact === '' ? [] : undefined),
  name: ({ name, options: { index } }) => {
    const isNamed = (other: OptionName) => other.compact === name.compact
    const named = findAll(index.named(name.compact), (other) => isNamed(other) && other.marks === name.marks)
    const wholes = named.filter(({ names }) => names.some((other) => !other.isPart && isNamed(other)))
    return wholes.length > 0 ? wholes : unlessEmpty(named)
  },
  ambiguousCut: ({ text, name: { words }, options: { index } }) =>
    isDotted(text) && words.length === 1 && index.cut(words[0]!).length > 1 ? [] : undefined,
  code: ({ name, options: { all }, kind }) => {
    const isWord = isListed(name.compact)
    const code =
      kind && (findCodeOfValue(kind, name.compact) ?? (isWord ? undefined : findMisspelledCode(kind, name.compact)))
    const coded = code ? findAll(all, (other) => findCode(kind, other.compact) === code) : []
    return code && name.compact.length > MAX_CODE_LETTERS ? coded : unlessEmpty(coded)
  },
  cutCode: ({ text, name, options: { all }, kind }) => {
    const codes = kind && isCutCode(text, name) ? findCutCodes(kind, name.compact) : undefined
    return codes && unlessEmpty(findAll(all, (other) => codes.has(findCode(kind!, other.compact) ?? '')))
  },
  adjective: ({ name, options: { all }, kind }) => {
    const code = kind === 'region' && name.words.length === 1 ? findCountryOfAdjective(name.compact) : undefined
    const coded = code ? findAll(all, (other) => findCode('region', other.compact) === code) : []
    return unlessEmpty(coded)
  },
  currencyWords: ({ text, options: { all }, kind }) => {
    if (kind !== 'currency') return undefined
    const toCode = (other: OptionName) => findCode('currency', other.compact)
    const codes = new Set(all.flatMap(({ names }) => names.flatMap((name) => toCode(name) ?? [])))
    const meant = findCurrenciesByWords(text, [...codes])
    return unlessEmpty(findAll(all, (other) => meant.includes(toCode(other) ?? '')))
  },
  synonym: ({ name, options: { index } }) => {
    const synonyms = [...new Set(listSameValues(name.compact).flatMap(index.named))]
    const found = findAll(synonyms, (other) => isSynonym(other, name))
    const clear = found.length > 1 ? findAll(found, (other) => haveClearlySameMeaning(name.compact, other.compact)) : []
    return unlessEmpty(clear.length === 1 ? clear : found)
  },
  concepts: ({ name, options: { all } }) => unlessMarked(name, () => findSameConcepts(all, name)),
  singular: ({ name, options: { index } }) =>
    unlessEmpty(
      findAll(
        index.singular(name.words),
        (other) => haveSameSingulars(other.words, name.words) && other.marks === name.marks,
      ),
    ),
  misspelled: ({ name, options: { index } }) =>
    unlessEmpty(
      findAll(
        index.misspelled(name.words),
        ({ words, marks }) =>
          isMisspelled(words, name.words) && !hasOtherWord(words, name.words) && marks === name.marks,
      ),
    ),
  cut: ({ text, name, options: { index } }) =>
    unlessEmpty(
      findAll(
        index.cut(name.words[0]!),
        ({ words, marks }) => isCut(words, name.words, text.includes('.') || isShortCode(text)) && marks === name.marks,
      ),
    ),
  core: ({ name, options: { index } }) =>
    unlessEmpty(findAll(index.core(name.words), ({ marks }) => marks === name.marks)),
  consonants: ({ name, options: { all } }) => unlessMarked(name, () => findByConsonants(all, name)),
  clipped: ({ name, options: { all } }) => unlessMarked(name, () => findClipped(all, name)),
  dotted: ({ text, name, options: { all, index } }) =>
    isDotted(text)
      ? unlessMarked(name, () => [
          ...listSameValuesOfCut(name.compact).flatMap(index.named),
          ...findContracted(all, name),
        ])
      : undefined,
  misspelledSynonym: ({ name, options: { index } }) =>
    isListed(name.compact)
      ? undefined
      : unlessMarked(name, () => listSameValuesOfMisspelled(name.compact).flatMap(index.named)),
  words: ({ text, name, options: { all }, kind }) =>
    kind ? undefined : unlessOtherHead(all, name, findByWords(all, name, text)),
  senses: ({ name, options: { all }, kind }) =>
    kind ? undefined : unlessOtherHead(all, name, findBySenses(all, name)),
  everyday: ({ text, name, options: { everyday }, kind }) =>
    kind || (SIGN.test(name.marks) && !isJoined(text, name)) ? undefined : unlessEmpty(everyday.find(name.compact)),
  typingError: ({ name, options: { findMisspelled }, kind }) =>
    kind || name.words.length > 1 ? undefined : unlessMarked(name, () => findMisspelled(name.compact)),
}

/** `+1` is not a yes. */
const SIGN = /[^\d ]/
const isJoined = (text: string, { marks }: OptionName): boolean => marks === '+' && /\p{L}\s?\+\s?\p{L}{2}/u.test(text)

const ALL_RULES = Object.entries(RULES)
const NAME_RULES = ALL_RULES.slice(0, Object.keys(RULES).indexOf('code') + 1)

const unlessOtherHead = (all: readonly Option[], name: OptionName, found: Option | undefined): Option[] | undefined =>
  found && (hasOtherHead(all, name, found) || endsOtherOption(name.compact, found, all) ? [] : [found])

const findAll = (options: readonly Option[], matches: (name: OptionName) => boolean): Option[] =>
  options.filter(({ names }) => names.some(matches))

const unlessEmpty = (options: readonly Option[]): readonly Option[] | undefined =>
  options.length > 0 ? options : undefined

const unlessMarked = ({ marks }: OptionName, find: () => readonly Option[]): readonly Option[] | undefined =>
  marks === '' ? unlessEmpty([...new Set(find())]) : undefined

const listOne = (option: Option | undefined): Option[] | undefined => option && [option]

const isDotted = (text: string): boolean => text.trimEnd().endsWith('.')

/** `Tablet` is not `Table` with a typing error, nor is `Constant` the Dutch `Contant`. */
const hasOtherWord = (option: readonly string[], words: readonly string[]): boolean =>
  words.some((word, at) => word !== option[at] && (isNoun(word) || isOtherWord(word, option[at]!)))

const isOtherWord = (word: string, other: string): boolean =>
  findEntry(other) ? isListed(word) && !haveSameMeaning(word, other) : areOtherWords(word, other)

const isCutCode = (text: string, { words, compact }: OptionName): boolean =>
  text.trimEnd().endsWith('.') && words.length === 1 && compact.length >= MIN_DOTTED_LETTERS

/** A short value can be a code by chance: `Fr.` is not only France. */
const MAX_CODE_LETTERS = 3

const haveSameSingulars = (option: readonly string[], words: readonly string[]): boolean =>
  option.length === words.length &&
  option.every((word, at) => toSingular(word) === toSingular(words[at]!) && !areOtherWords(word, words[at]!))

const hasCode = (currencies: ReadonlySet<string>, name: string): boolean =>
  currencies.has(findCodeOfValue('currency', name) ?? '')

/** `medium` is the size `M`, but `M` need not be `medium`. */
const isSynonym = (option: OptionName, name: OptionName): boolean =>
  [option, name].every(({ marks }) => /^[01]?$/.test(marks)) &&
  isSameValue(option.compact, name.compact) &&
  !(name.compact.length === 1 && SIZES.some((size) => isSameValue(size, option.compact)))

const SIZES = ['small', 'medium', 'large']

function isMisspelled(option: readonly string[], value: readonly string[]): boolean {
  if (option.length !== value.length) return false
  const different = option.flatMap((word, index) => (word === value[index] ? [] : [index]))
  return different.length === 1 && isMisspelledWord(option[different[0]!]!, value[different[0]!]!)
}

const isShortCode = (text: string): boolean => /^\p{Lu}{3}$/u.test(text.trim())

const MIN_PREFIX_LETTERS = 4
const MIN_DOTTED_LETTERS = 3

/** `evang` and `month` are cut, and so are the words of `röm.-kath.`, but `Wind` is a whole word. */
function isCut(option: readonly string[], words: readonly string[], isMarked: boolean): boolean {
  const minLetters = isMarked ? MIN_DOTTED_LETTERS : MIN_PREFIX_LETTERS
  if (words.length === 1 && option.length === 1 && option[0] === `${words[0]}ly`) return true
  if (option.length !== words.length || (!isMarked && (words.length > 1 || isListed(words[0]!)))) return false
  return words.every(
    (word, index) => word === option[index] || (word.length >= minLetters && option[index]!.startsWith(word)),
  )
}
