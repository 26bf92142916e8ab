/** Suggests how the values of a source column translate to enum options or booleans. Pure. */
import type { EnumDetails, EnumValue } from '../../schemas/programs/plan.ts'
import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { readValue } from '../values/read-column.ts'
import { findCurrencies } from '../values/units.ts'
import { CODE_KINDS, type CodeKind, findCode, findMisspelledCode } from './codes.ts'
import { createOptionIndex, type OptionIndex } from './option-index.ts'
import { isSameValue, listSameValues, listSameValuesOfMisspelled, readGenderLetters } from './same-values.ts'
import { compact, isMisspelledWord, splitWords, toSingular } from './tokenize.ts'
import { findMeaning, getMeaningfulWords, getMeanings } from './vocabulary.ts'

interface Name {
  compact: string
  words: string[]
  marks: string
}

interface Option {
  value: EnumValue
  names: Name[]
}

export function getOptions(field: Field): Option[] | undefined {
  if (field.type === 'boolean') return [true, false].map((value) => createOption(value, [String(value)]))
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  return field.config.options.flatMap(({ value, label, alternativeNames }) => {
    if (value === null || value === undefined) return []
    const names = [value, label, ...(alternativeNames ?? [])].filter((name) => name !== null && name !== undefined)
    return [createOption(value, names.map(String))]
  })
}

const createOption = (value: EnumValue, names: string[]): Option => ({ value, names: names.map(toName) })

const toName = (text: string): Name => ({ compact: compact(text), words: splitWords(text), marks: findMarks(text) })

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
): EnumDetails | undefined {
  const options = getOptions(destination)
  if (!options) return undefined
  const kind = findCodeKind(destination, options)
  const indexed = indexOptions(options)
  const genders = hasBothGenders(options)
    ? readGenderLetters(new Set(values.map((value) => compact(String(value)))))
    : new Map()
  return pairValues(values, options, recall, (value) => {
    const letter = compact(String(value))
    if (!genders.has(letter)) return matchOption(value, indexed, kind)?.value
    const gender = genders.get(letter)
    return gender && matchOption(gender, indexed, kind)?.value
  })
}

const hasBothGenders = (options: readonly Option[]): boolean =>
  (['male', 'female'] as const).every((gender) =>
    options.some(({ names }) => names.some((name) => isSameValue(gender, name.compact))),
  )

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
    index: createOptionIndex(all, MIN_PREFIX_LETTERS),
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
  const findAll = (options: readonly Option[], matches: (name: Name) => boolean) =>
    options.filter(({ names }) => names.some(matches))
  const signs = kind === 'currency' ? findCurrencies(text) : undefined
  if (signs) return singleOrUndefined(findAll(all, (other) => hasCode(signs, other.compact)))
  const name = toName(text)
  if (name.compact === '') return undefined
  const hasSameMarks = ({ marks }: Name) => marks === name.marks
  const named = findAll(index.named(name.compact), (other) => other.compact === name.compact && hasSameMarks(other))
  if (named.length > 0) return singleOrUndefined(named)
  const code = kind && (findCode(kind, name.compact) ?? findMisspelledCode(kind, name.compact))
  if (code) return singleOrUndefined(findAll(all, (other) => findCode(kind, other.compact) === code))
  const synonyms = [...new Set(listSameValues(name.compact).flatMap(index.named))]
  const meant = findAll(synonyms, (other) => isSynonym(other, name))
  if (meant.length > 0) return singleOrUndefined(meant)
  const singular = findAll(
    index.singular(name.words),
    (other) => haveSameSingulars(other.words, name.words) && hasSameMarks(other),
  )
  if (singular.length > 0) return singleOrUndefined(singular)
  const misspelled = findAll(
    index.misspelled(name.words),
    (other) => isMisspelled(other.words, name.words) && hasSameMarks(other),
  )
  if (misspelled.length > 0) return singleOrUndefined(misspelled)
  const cut = findAll(index.cut(name.words[0]!), (other) => isCut(other.words, name.words) && hasSameMarks(other))
  if (cut.length > 0) return singleOrUndefined(cut)
  const misspelledSynonyms = listSameValuesOfMisspelled(name.compact).flatMap(index.named)
  return name.marks === '' ? singleOrUndefined([...new Set(misspelledSynonyms)]) : undefined
}

const haveSameSingulars = (option: readonly string[], words: readonly string[]): boolean =>
  option.length === words.length && option.every((word, index) => toSingular(word) === toSingular(words[index]!))

const hasCode = (currencies: ReadonlySet<string>, name: string): boolean =>
  currencies.has(findCode('currency', name) ?? '')

const singleOrUndefined = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

const isSynonym = (a: Name, b: Name): boolean =>
  [a, b].every(({ marks }) => /^[01]?$/.test(marks)) && isSameValue(a.compact, b.compact)

const MIN_CODE_SHARE = 0.8

const MIN_OPTIONS_WITHOUT_NAMES = 5

/** Few short values can be codes by chance: `mr` and `ms` are countries and languages. */
function isCode(kind: CodeKind, names: readonly Name[], optionCount: number): boolean {
  const longNames =
    optionCount < MIN_OPTIONS_WITHOUT_NAMES && kind !== 'currency'
      ? names.filter((name) => name.compact.length > 3)
      : []
  return (longNames.length > 0 ? longNames : names).some((name) => findCode(kind, name.compact))
}

function findCodeKind(field: Field, options: readonly Option[]): CodeKind | undefined {
  if (options.length === 0) return undefined
  const shares = CODE_KINDS.map((kind) => ({
    kind,
    share: options.filter(({ names }) => isCode(kind, names, options.length)).length / options.length,
  })).filter(({ share }) => share >= MIN_CODE_SHARE)
  const best = shares.filter(({ share }) => share === Math.max(...shares.map((other) => other.share)))
  if (best.length <= 1) return best[0]?.kind
  const isLowerCase =
    field.type === 'enum' && options.every(({ value }) => String(value) === String(value).toLowerCase())
  return best.find(({ kind }) => kind === (isLowerCase ? 'language' : 'region'))?.kind
}

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

const MIN_PREFIX_LETTERS = 4

const isCut = (option: readonly string[], [word = '', ...others]: readonly string[]): boolean =>
  others.length === 0 && option.length === 1 && word.length >= MIN_PREFIX_LETTERS && option[0]!.startsWith(word)
