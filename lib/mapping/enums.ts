/** Suggests how the values of a source column translate to enum options or booleans. Pure. */
import type { EnumDetails, EnumValue } from '../../schemas/programs/plan.ts'
import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { memoize } from '../core/memo.ts'
import { readValue } from '../values/read-column.ts'
import { readBareNumbers } from './bare-numbers.ts'
import { readBroader } from './broader-options.ts'
import type { CodeKind } from './codes.ts'
import { readFormer } from './former-options.ts'
import { readIncoterms } from './incoterm-options.ts'
import {
  isCutToLetter,
  type NamedValue,
  readBeginnings,
  readContractions,
  readInitials,
  readMisspelled,
  readRespelled,
} from './initials.ts'
import { readLevels } from './levels.ts'
import { areOtherWords } from './lexicon/lexicon.ts'
import { readNumbered } from './numbered-options.ts'
import { findCodeKind } from './option-codes.ts'
import {
  BY_NAME,
  indexOptions,
  type Match,
  matchOption,
  matchOptionByName,
  type Options,
  toName,
} from './option-rules.ts'
import type { Option } from './option-words.ts'
import { readLeft } from './options-left.ts'
import { spellOrdinal } from './ordinals.ts'
import { readPrefixed } from './prefixed-options.ts'
import { readRanges } from './range-options.ts'
import { isSameValue, readGenderLetters, readSideLetters } from './same-values.ts'
import { listFieldWords, listSingularWords, readShorter, withoutLight } from './shorter-texts.ts'
import { compact, splitWords, toSingular } from './tokenize.ts'
import { splitLabel } from './values.ts'
import { findMeaning, getMeaningfulWords, getMeanings } from './vocabulary.ts'
import { readWeekdays } from './weekday-options.ts'

export function getOptions(field: Field): Option[] | undefined {
  if (field.type === 'boolean') return [true, false].map((value) => createOption(value, [String(value)]))
  if (field.type !== 'enum' && field.type !== 'enum-list') return undefined
  const options = field.config.options.flatMap(({ value, label, alternativeNames }) => {
    if (value === null || value === undefined) return []
    const names = [value, label, ...(alternativeNames ?? [])].filter((name) => name !== null && name !== undefined)
    return [createOption(value, names.map(String))]
  })
  const light = new Set([...listFieldWords(field), ...listCommonWords(options)])
  const coded = splitCodes(options)
  return options.map((option) => {
    const parts = [
      ...listJoined(option, options),
      ...listLean(option, light),
      ...listSpelled(option),
      ...(coded.get(option) ?? []),
    ].flatMap(listForms)
    return { ...option, names: [...option.names, ...parts.map((text) => ({ ...toName(text), isPart: true }))] }
  })
}

const CODED = /^\s*(\p{L}?\d{1,3}|\p{Lu})\s*(?:[-–—:=)]|\.\s)\s*(\p{L}[^\d]*)$/u
const MIN_CODED = 2

/** The code and the words of `1 - Critical`, if those of all options differ. */
function splitCodes(options: readonly Option[]): Map<Option, string[]> {
  const coded = options.flatMap((option) => {
    const found = option.names.flatMap(({ text, isPart }) => (isPart ? [] : (CODED.exec(text) ?? []).slice(1)))
    return found.length > 0 ? [[option, found] as const] : []
  })
  const parts = coded.flatMap(([, found]) => found.map(compact))
  const areAll = coded.length === options.length && coded.length >= MIN_CODED
  return areAll && new Set(parts).size === parts.length ? new Map(coded) : new Map()
}

const MIN_OPTIONS_IN_COMMON = 3

const isLongWord = (word: string): boolean => /^\p{L}{3,}$/u.test(word)

/** The `room` of `Single room`, `Double room` and `Twin room`. */
function listCommonWords(options: readonly Option[]): string[] {
  const phrases = options.flatMap(({ value, names }) => {
    const own = names.filter(({ text, isPart }) => !isPart && (names.length === 1 || text !== String(value)))
    return own.map(({ words }) => words)
  })
  const [first = [], ...others] = phrases
  if (phrases.length < MIN_OPTIONS_IN_COMMON || phrases.some((words) => words.filter(isLongWord).length < 2)) return []
  return first.map(toSingular).filter((word) => others.every((words) => words.some((one) => toSingular(one) === word)))
}

/** `Leave` means no vacation next to `Sick leave`. */
function createOtherTest(options: readonly Option[]): (text: string, found: Option) => boolean {
  const byWord = new Map<string, Set<Option>>()
  for (const option of options)
    for (const word of listSingularWords(option)) byWord.set(word, (byWord.get(word) ?? new Set()).add(option))
  return (text, found) => {
    const [first = '', ...more] = splitWords(text).map(toSingular)
    const having = [...(byWord.get(first) ?? [])].filter((option) =>
      more.every((word) => byWord.get(word)?.has(option)),
    )
    return having.length > 0 && !having.includes(found)
  }
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

const prepareOptions = memoize((field: Field) => {
  const options = getOptions(field)
  if (!options) return undefined
  const [kind, indexed] = [findCodeKind(field, options), indexOptions(options)]
  const [names, written] = [options.flatMap(listNames), options.flatMap(listWrittenNames)]
  return { options, kind, indexed, names, written, isOfOther: createOtherTest(options) }
})

type OnMatch = (value: EnumValue, rule: string) => void

type Recall = (value: EnumValue) => EnumValue | undefined

export function suggestValues(
  values: readonly EnumValue[],
  destination: Field,
  recall: Recall = () => undefined,
  columnName = '',
  onMatch: OnMatch = () => {},
): EnumDetails | undefined {
  const prepared = prepareOptions(destination)
  if (!prepared) return undefined
  const { options, kind, indexed, names, written, isOfOther } = prepared
  const letters = readLetters(options, new Set(values.map((value) => compact(String(value)))), columnName)
  const weekdays = readWeekdays(values.map(String), written)
  const match = (value: EnumValue): EnumValue | undefined => {
    const letter = compact(String(value))
    if (weekdays.has(letter)) return weekdays.get(letter)
    if (letters.has(letter)) {
      const option = findOptionOfLetter(letters.get(letter), indexed)
      if (option) onMatch(value, 'letter')
      return option?.value
    }
    const found = findOption(value, indexed, kind)
    if (!found || (!BY_NAME.has(found.rule) && isOfOther(String(value), found.option))) return undefined
    onMatch(value, found.rule)
    return found.option.value
  }
  const pairs = pairValues(values, options, recall, match)
  const unused = (pairs.unusedSourceValues ?? []).map(String).filter((text) => {
    const letter = compact(text)
    return !letters.has(letter) && !indexed.everyday.isUnclear(letter)
  })
  if (unused.length === 0 || kind) return pairs
  const mates = pairs.mapping.map(({ sourceValue, destinationValue }) => ({
    name: String(sourceValue),
    value: destinationValue!,
  }))
  const readings = {
    respelled: readRespelled(unused, mates),
    initials: readInitials(unused, mates, names),
    beginnings: readBeginnings(unused, mates, names),
    contractions: readContractions(unused, mates),
    misspelledMates: readMisspelled(unused, mates),
    numbered: readNumbered(unused, written),
    bareNumbers: readBareNumbers(unused, written),
    levels: readLevels(unused, written),
    ranges: readRanges(unused, written),
    former: readFormer(unused, written, (text) => findOption(text, indexed, kind)?.option),
    incoterms: readIncoterms(unused, (text) => findOption(text, indexed, kind)),
    prefixed: readPrefixed(
      unused,
      [columnName, destination.key, destination.label ?? ''],
      (text) => matchOptionByName(text, indexed, kind)?.option,
    ),
    shorter: readShorter(unused, destination, options, (text) => findOption(text, indexed, kind)?.option),
  }
  const shortened = new Map<string, EnumValue>()
  for (const [rule, found] of Object.entries(readings))
    for (const [text, value] of found) {
      shortened.set(text, value)
      onMatch(text, rule)
    }
  const left = unused.filter((text) => !shortened.has(text))
  const known = [...mates, ...[...shortened].map(([name, value]) => ({ name, value }))]
  for (const [text, value] of readLeft(left, known, written)) {
    shortened.set(text, value)
    onMatch(text, 'left')
  }
  const unclear = left.filter((text) => !shortened.has(text) && !isDoubted(text))
  for (const [text, value] of readBroader(unclear, options)) {
    if (indexed.everyday.correct(compact(text), [indexed.byValue.get(value)!]).length === 0) continue
    shortened.set(text, value)
    onMatch(text, 'broader')
  }
  if (shortened.size === 0) return pairs
  const matched = new Map(pairs.mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
  return pairValues(values, options, recall, (value) => matched.get(value) ?? shortened.get(String(value)))
}

export function listMeant(
  texts: readonly string[],
  field: Field,
): { texts: Set<EnumValue | undefined>; options: number } {
  const mapping = suggestValues(texts, field)?.mapping ?? []
  return {
    texts: new Set(mapping.map(({ sourceValue }) => sourceValue)),
    options: new Set(mapping.map(({ destinationValue }) => destinationValue)).size,
  }
}

const NUMBERED = /^\s*(?:\d{1,3}|\p{L})\s*[-–.):]\s+(?=\p{L})/u

/** `1 - Identified` is identified, and `VIP (meet & greet)` is VIP, unless they are options themselves. */
function findOption(value: EnumValue, options: Options, kind: CodeKind | undefined): Match | undefined {
  const matched = matchOption(value, options, kind)
  if (matched && isDoubted(value) && matched.rule !== 'exact') return undefined
  if (matched || typeof value !== 'string') return matched
  const numberless = isCutToLetter(value, options.all) ? value : value.replace(NUMBERED, '')
  const shorter = [
    numberless,
    withoutAddition(value),
    withoutAddition(numberless),
    ...spellOutSlash(value),
    value.replace(RHESUS, '$1 '),
    spellFraction(value),
    value.replace(JOINED_LETTERS, (letters) => letters.replace(/[\s+&]/g, '')),
    ...(kind === 'language' ? [value.replace(REGION_OF_LANGUAGE, '')] : []),
    value.replace(ZERO_OR_O, (letter) => (letter === '0' ? 'O' : '0')),
    spellOrdinal(value),
    ...listSingularForm(value),
  ]
  for (const text of new Set(shorter)) {
    const found = text === value || !/\p{L}{2}|^\w+ ?[+-]/u.test(text) ? undefined : matchOption(text, options, kind)
    if (found) return found
  }
  return undefined
}

/** `Dampf?` is a guess of its writer. */
const isDoubted = (value: EnumValue): boolean => typeof value === 'string' && /\p{L}\s?\?\s*$/u.test(value)

function listSingularForm(text: string): string[] {
  const singular = toSingularText(text)
  const plural = splitWords(text).join(' ')
  return singular === plural || areOtherWords(plural, singular) ? [] : [singular]
}

const RHESUS = /^\s*(a|b|ab|0|o)\s*rhd?\.?\s*/i

const FRACTIONS: Readonly<Record<string, string>> = { '1/4': 'quarter', '1/2': 'half', '3/4': 'three quarters' }

const spellFraction = (text: string): string => FRACTIONS[text.trim().normalize('NFKD').replace('⁄', '/')] ?? text

const JOINED_LETTERS = /^\s*\p{L}(?:\s*[+&]\s*\p{L})+\s*$/u

const REGION_OF_LANGUAGE = /(?<=^\s*[a-z]{2})[-_][a-z]{2}\s*$/i

const ZERO_OR_O = /^[0O](?=\s?[+-]$)/i

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

/** `V` for varón is `Hombre`, although the key of `Mujer` is `m`, which can mean male as well. */
function findOptionOfLetter(meant: string | undefined, options: Options): Option | undefined {
  if (meant === undefined) return undefined
  const [option, ...others] = options.all.filter(({ names }) =>
    names.some(({ compact }) => compact.length > 1 && isSameValue(meant, compact)),
  )
  return option && others.length === 0 ? option : matchOption(meant, options, undefined)?.option
}

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
