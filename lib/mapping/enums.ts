/** Suggests how the values of a source column translate to enum options or booleans. Pure. */
import type { EnumDetails, EnumValue } from '../../schemas/programs/plan.ts'
import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { readValue } from '../values/read-column.ts'
import { findCurrencies } from '../values/units.ts'
import { type CodeKind, findCode, findCodeOfValue, findCutCodes, findMisspelledCode } from './codes.ts'
import { type NamedValue, readBeginnings, readContractions, readInitials, readMisspelled } from './initials.ts'
import { readLevels } from './levels.ts'
import { isNoun } from './lexicon/lexicon.ts'
import { readNumbered } from './numbered-options.ts'
import { findByConsonants, findClipped, findContracted } from './option-abbreviations.ts'
import { findCodeKind } from './option-codes.ts'
import { createOptionIndex, type OptionIndex } from './option-index.ts'
import { findBySenses, findByWords, findSameConcepts, type Option, type OptionName } from './option-words.ts'
import { spellOrdinal } from './ordinals.ts'
import {
  isSameValue,
  listSameValues,
  listSameValuesOfCut,
  listSameValuesOfMisspelled,
  readGenderLetters,
  readSideLetters,
} from './same-values.ts'
import { listFieldWords, listSingularWords, readShorter, withoutLight } from './shorter-texts.ts'
import { compact, isMisspelledWord, splitWords, toSingular } from './tokenize.ts'
import { splitLabel } from './values.ts'
import { findMeaning, getMeaningfulWords, getMeanings } from './vocabulary.ts'

export function getOptions(field: Field): Option[] | undefined {
  if (field.type === 'boolean') return [true, false].map((value) => createOption(value, [String(value)]))
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  const options = field.config.options.flatMap(({ value, label, alternativeNames }) => {
    if (value === null || value === undefined) return []
    const names = [value, label, ...(alternativeNames ?? [])].filter((name) => name !== null && name !== undefined)
    return [createOption(value, names.map(String))]
  })
  const light = listFieldWords(field)
  return options.map((option) => {
    const parts = [...listJoined(option, options), ...listLean(option, light), ...listSpelled(option)].flatMap(
      listForms,
    )
    return { ...option, names: [...option.names, ...parts.map((text) => ({ ...toName(text), isPart: true }))] }
  })
}

/** `Permanent contract` is a permanent one, if the field is about contracts. */
const listLean = ({ names }: Option, light: ReadonlySet<string>): string[] =>
  names.flatMap(({ text, words, isPart }) => {
    const lean = isPart || words.length > MAX_LEAN_WORDS ? [] : withoutLight(text, light)
    const isLean = lean.length > 0 && lean.length < words.length
    const isPlural = !isPart && words.length === 1 && toSingularText(text) !== words[0]
    return isLean ? [lean.join(' ')] : isPlural ? [toSingularText(text)] : []
  })

const MAX_LEAN_WORDS = 4

const listSpelled = ({ names }: Option): string[] =>
  names.map(({ text }) => spellOrdinal(text)).filter((spelled, at) => spelled !== names[at]!.text)

const listForms = (text: string): string[] => [...new Set([text, toSingularText(text)])]

const toSingularText = (text: string): string => splitWords(text).map(toSingular).join(' ')

const AND = /\s(?:&|and|or|und|oder|et|ou|y|e|o)\s/i

/** `Doors` are `Windows and doors`, but `Digital` is not `Print and digital` next to `Digital only`. */
function listJoined(option: Option, options: readonly Option[]): string[] {
  const joined = option.names.filter(({ text }) => AND.test(text)).flatMap(({ text }) => text.split(AND))
  if (joined.length === 0) return []
  const others = new Set(options.flatMap((other) => (other === option ? [] : listSingularWords(other))))
  const isOwn = (words: readonly string[]): boolean => words.every((word) => !others.has(toSingular(word)))
  return joined.filter((text) => compact(text) !== '' && isOwn(splitWords(text)))
}

const createOption = (value: EnumValue, names: string[]): Option => {
  const whole = names.map(toName)
  const parts = names.flatMap(splitLabel).map((name) => ({ ...toName(name), isPart: true }))
  return { value, names: [...whole, ...parts.filter((part) => part.compact !== '')] }
}

const toName = (text: string): OptionName => ({
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

type Recall = (value: EnumValue) => EnumValue | undefined

export function suggestValues(
  values: readonly EnumValue[],
  destination: Field,
  recall: Recall = () => undefined,
  columnName = '',
): EnumDetails | undefined {
  const options = getOptions(destination)
  if (!options) return undefined
  const kind = findCodeKind(destination, options)
  const indexed = indexOptions(options)
  const letters = readLetters(options, new Set(values.map((value) => compact(String(value)))), columnName)
  const match = (value: EnumValue): EnumValue | undefined => {
    const letter = compact(String(value))
    if (!letters.has(letter)) return findOption(value, indexed, kind)?.value
    const meant = letters.get(letter)
    return meant && matchOption(meant, indexed, kind)?.value
  }
  const pairs = pairValues(values, options, recall, match)
  const unused = (pairs.unusedSourceValues ?? []).map(String).filter((text) => !letters.has(compact(text)))
  if (unused.length === 0 || kind) return pairs
  const mates = pairs.mapping.map(({ sourceValue, destinationValue }) => ({
    name: String(sourceValue),
    value: destinationValue!,
  }))
  const names = options.flatMap(listNames)
  const shortened = new Map([
    ...readInitials(unused, mates, names),
    ...readBeginnings(unused, mates, names),
    ...readContractions(unused, mates),
    ...readMisspelled(unused, mates),
    ...readNumbered(unused, options.flatMap(listWrittenNames)),
    ...readLevels(unused, options.flatMap(listWrittenNames)),
    ...readShorter(unused, destination, options, (text) => findOption(text, indexed, kind)),
  ])
  if (shortened.size === 0) return pairs
  const matched = new Map(pairs.mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
  return pairValues(values, options, recall, (value) => matched.get(value) ?? shortened.get(String(value)))
}

export function countMeantOptions(values: readonly EnumValue[], field: Field): { values: number; options: number } {
  const mapping = suggestValues(values, field)?.mapping ?? []
  return { values: mapping.length, options: new Set(mapping.map(({ destinationValue }) => destinationValue)).size }
}

const NUMBERED = /^\s*(?:\d{1,3}|\p{L})\s*[-–.):]\s+(?=\p{L})/u

/** `1 - Identified` is identified, and `VIP (meet & greet)` is VIP, unless they are options themselves. */
function findOption(value: EnumValue, options: Options, kind: CodeKind | undefined): Option | undefined {
  const matched = matchOption(value, options, kind)
  if (matched || typeof value !== 'string') return matched
  const numberless = value.replace(NUMBERED, '')
  const shorter = [
    numberless,
    withoutAddition(value),
    withoutAddition(numberless),
    ...spellOutSlash(value),
    value.replace(RHESUS, '$1 '),
    spellOrdinal(value),
    ...(toSingularText(value) === splitWords(value).join(' ') ? [] : [toSingularText(value)]),
  ]
  for (const text of new Set(shorter)) {
    const found = text === value || !/\p{L}{2}|^\w+ [+-]/u.test(text) ? undefined : matchOption(text, options, kind)
    if (found) return found
  }
  return undefined
}

const RHESUS = /^\s*(a|b|ab|0|o)\s*rh\.?\s*/i

const SLASH = /(?<![\p{L}\d])([cs])\/\s*(?=\p{L})/iu
const BEFORE_SLASH: Readonly<Record<string, string[]>> = { c: ['com', 'con'], s: ['sem', 'senza', 'sin'] }

const spellOutSlash = (text: string): string[] =>
  (BEFORE_SLASH[SLASH.exec(text)?.[1]?.toLowerCase() ?? ''] ?? []).map((word) => text.replace(SLASH, `${word} `))

function withoutAddition(text: string): string {
  const end = text.trimEnd()
  const start = end.lastIndexOf('(')
  return start >= 0 && end.indexOf(')', start) === end.length - 1 ? end.slice(0, start).trimEnd() : text
}

const listWrittenNames = ({ value, names }: Option): NamedValue[] =>
  names.filter(({ isPart }) => !isPart).map(({ text }) => ({ name: text, value }))

const listNames = ({ value, names }: Option): NamedValue[] =>
  names.filter(({ isPart }) => !isPart).map(({ words }) => ({ name: words.join(' '), value }))

/** Single letters can have a meaning next to each other, if the field has options for it. */
function readLetters(
  options: readonly Option[],
  words: ReadonlySet<string>,
  columnName: string,
): ReadonlyMap<string, string | undefined> {
  const hasOptions = (...meanings: string[]): boolean =>
    meanings.every((meaning) =>
      options.some(({ names }) => names.some(({ compact }) => compact === meaning || isSameValue(meaning, compact))),
    )
  const isOption = (letter: string) => options.some(({ names }) => names.some(({ compact }) => compact === letter))
  if (hasOptions('male', 'female')) return readGenderLetters(words, columnName)
  const sides = hasOptions('debit', 'credit') ? readSideLetters(words) : new Map<string, string>()
  return new Map([...sides].filter(([letter]) => !isOption(letter)))
}

export function suggestBooleans(
  values: readonly EnumValue[],
  reading: Reading,
  recall: Recall = () => undefined,
): EnumDetails {
  const options = [true, false].map((value) => createOption(value, [String(value)]))
  return pairValues(values, options, recall, (value) => {
    const read = typeof value === 'boolean' ? { value } : readValue(reading, String(value))
    return 'value' in read ? (read.value ?? undefined) : undefined
  })
}

function pairValues(
  values: readonly EnumValue[],
  options: readonly Option[],
  recall: Recall,
  match: (value: EnumValue) => EnumValue | undefined,
): EnumDetails {
  const optionValues = new Set<EnumValue | undefined>(options.map(({ value }) => value))
  const pairs = values.map((value) => {
    const recalled = recall(value)
    return { sourceValue: value, destinationValue: optionValues.has(recalled) ? recalled : match(value) }
  })
  const used = new Set(pairs.map(({ destinationValue }) => destinationValue))
  return {
    mapping: pairs.filter(({ destinationValue }) => destinationValue !== undefined),
    unusedSourceValues: pairs
      .filter(({ destinationValue }) => destinationValue === undefined)
      .map(({ sourceValue }) => sourceValue),
    unusedDestinationValues: options.map(({ value }) => value).filter((value) => !used.has(value)),
  }
}

interface Options {
  byValue: ReadonlyMap<EnumValue, Option>
  byText: ReadonlyMap<string, Option>
  all: readonly Option[]
  index: OptionIndex<Option>
}

// Reversed, so that the first of several options with the same value is found.
function indexOptions(all: readonly Option[]): Options {
  const reversed = all.toReversed()
  return {
    byValue: new Map(reversed.map((option) => [option.value, option])),
    byText: new Map(reversed.map((option) => [String(option.value), option])),
    all,
    index: createOptionIndex(all, MIN_DOTTED_LETTERS),
  }
}

function matchOption(
  value: EnumValue,
  { byValue, byText, all, index }: Options,
  kind: CodeKind | undefined,
): Option | undefined {
  const text = String(value)
  const exact = byValue.get(value) ?? byText.get(text.trim())
  if (exact) return exact
  const findAll = (options: readonly Option[], matches: (name: OptionName) => boolean) =>
    options.filter(({ names }) => names.some(matches))
  const signs = kind === 'currency' ? findCurrencies(text) : undefined
  if (signs) return singleOrUndefined(findAll(all, (other) => hasCode(signs, other.compact)))
  const name = toName(text)
  if (name.compact === '') return undefined
  const hasSameMarks = ({ marks }: OptionName) => marks === name.marks
  const named = findAll(index.named(name.compact), (other) => other.compact === name.compact && hasSameMarks(other))
  const wholes = named.filter(({ names }) => names.some((other) => !other.isPart && other.compact === name.compact))
  if (named.length > 0) return singleOrUndefined(wholes.length > 0 ? wholes : named)
  // `veg.` is short for two options.
  if (text.trimEnd().endsWith('.') && index.cut(name.words[0]!).length > 1 && name.words.length === 1) return undefined
  const code = kind && (findCodeOfValue(kind, name.compact) ?? findMisspelledCode(kind, name.compact))
  const coded = code ? findAll(all, (other) => findCode(kind, other.compact) === code) : []
  if (coded.length > 0 || (code && name.compact.length > MAX_CODE_LETTERS)) return singleOrUndefined(coded)
  const cutCodes = kind && isCutCode(text, name) ? findCutCodes(kind, name.compact) : undefined
  const cutCoded = cutCodes ? findAll(all, (other) => cutCodes.has(findCode(kind!, other.compact) ?? '')) : []
  if (cutCoded.length > 0) return singleOrUndefined(cutCoded)
  const synonyms = [...new Set(listSameValues(name.compact).flatMap(index.named))]
  const meant = findAll(synonyms, (other) => isSynonym(other, name))
  if (meant.length > 0) return singleOrUndefined(meant)
  const sameConcepts = name.marks === '' ? findSameConcepts(all, name) : []
  if (sameConcepts.length > 0) return singleOrUndefined(sameConcepts)
  const singular = findAll(
    index.singular(name.words),
    (other) => haveSameSingulars(other.words, name.words) && hasSameMarks(other),
  )
  if (singular.length > 0) return singleOrUndefined(singular)
  const misspelled = findAll(
    index.misspelled(name.words),
    (other) => isMisspelled(other.words, name.words) && !hasOtherWord(other.words, name.words) && hasSameMarks(other),
  )
  if (misspelled.length > 0) return singleOrUndefined(misspelled)
  const cut = findAll(
    index.cut(name.words[0]!),
    (other) => isCut(other.words, name.words, text.includes('.') || isShortCode(text)) && hasSameMarks(other),
  )
  if (cut.length > 0) return singleOrUndefined(cut)
  const sameCore = findAll(index.core(name.words), hasSameMarks)
  if (sameCore.length > 0) return singleOrUndefined(sameCore)
  const consonants = name.marks === '' ? findByConsonants(all, name) : []
  if (consonants.length > 0) return singleOrUndefined(consonants)
  const clipped = name.marks === '' ? findClipped(all, name) : []
  if (clipped.length > 0) return singleOrUndefined(clipped)
  if (name.marks === '' && text.trimEnd().endsWith('.')) {
    const shortened = [...listSameValuesOfCut(name.compact).flatMap(index.named), ...findContracted(all, name)]
    if (shortened.length > 0) return singleOrUndefined([...new Set(shortened)])
  }
  const misspelledSynonyms =
    name.marks === '' && !isNoun(name.compact) ? listSameValuesOfMisspelled(name.compact).flatMap(index.named) : []
  if (misspelledSynonyms.length > 0) return singleOrUndefined([...new Set(misspelledSynonyms)])
  return findByWords(all, name, text) ?? findBySenses(all, name)
}

/** `Tablet` is not `Table` with a typing error. */
const hasOtherWord = (option: readonly string[], words: readonly string[]): boolean =>
  words.some((word, at) => word !== option[at] && isNoun(word))

const isCutCode = (text: string, { words, compact }: OptionName): boolean =>
  text.trimEnd().endsWith('.') && words.length === 1 && compact.length >= MIN_DOTTED_LETTERS

/** A short value can be a code by chance: `Fr.` is not only France. */
const MAX_CODE_LETTERS = 3

const haveSameSingulars = (option: readonly string[], words: readonly string[]): boolean =>
  option.length === words.length && option.every((word, index) => toSingular(word) === toSingular(words[index]!))

const hasCode = (currencies: ReadonlySet<string>, name: string): boolean =>
  currencies.has(findCodeOfValue('currency', name) ?? '')

const singleOrUndefined = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

/** `medium` is the size `M`, but `M` need not be `medium`. */
const isSynonym = (option: OptionName, name: OptionName): boolean =>
  [option, name].every(({ marks }) => /^[01]?$/.test(marks)) &&
  isSameValue(option.compact, name.compact) &&
  !(name.compact.length === 1 && SIZES.some((size) => isSameValue(size, option.compact)))

const SIZES = ['small', 'medium', 'large']

const COUNTRY = findMeaning('country')

export function findOnlyRegionField(fields: readonly Field[]): string | undefined {
  const [field, ...others] = fields.filter(isRegionField)
  return others.length === 0 ? field?.key : undefined
}

function isRegionField(field: Field): boolean {
  if (field.type !== 'enum' && field.type !== 'string') return false
  const options = field.type === 'enum' ? getOptions(field) : undefined
  if (options) return findCodeKind(field, options) === 'region'
  return [field.key, field.label ?? ''].some(
    (name) => name !== '' && getMeanings(getMeaningfulWords(name)).includes(COUNTRY),
  )
}

function isMisspelled(option: readonly string[], value: readonly string[]): boolean {
  if (option.length !== value.length) return false
  const different = option.flatMap((word, index) => (word === value[index] ? [] : [index]))
  return different.length === 1 && isMisspelledWord(option[different[0]!]!, value[different[0]!]!)
}

/** `VAL` for validated. */
const isShortCode = (text: string): boolean => /^\p{Lu}{3}$/u.test(text.trim())

const MIN_PREFIX_LETTERS = 4
const MIN_DOTTED_LETTERS = 3

/** `evang` is cut, and so are the words of `röm.-kath.` */
function isCut(option: readonly string[], words: readonly string[], isDotted: boolean): boolean {
  const minLetters = isDotted ? MIN_DOTTED_LETTERS : MIN_PREFIX_LETTERS
  if (option.length !== words.length || (words.length > 1 && !isDotted)) return false
  return words.every(
    (word, index) => word === option[index] || (word.length >= minLetters && option[index]!.startsWith(word)),
  )
}
