/** Prepares columns and fields for comparing: their names in all forms, and what their values are. Pure. */
import type { Constraint, Field } from '../../schemas/sheets/fields.ts'
import { type Format, findFormat } from '../values/formats.ts'
import { findFieldUnit, MAX_NAME_END_LENGTH } from '../values/unit-names.ts'
import { isUnit, normalizeUnit } from '../values/units.ts'
import { areBooleans, areDates, areNumbers, detectShapes, PEOPLE_IN_RECORDS, type Shape } from './evidence.ts'
import { isOfKind, type Name, parseName } from './names.ts'
import { isEmpty } from './rules/cells.ts'
import { compact } from './tokenize.ts'
import { nameByValues, withoutYesOrNo } from './value-names.ts'
import { getOptionNames, toSampleTexts } from './values.ts'
import { findMeaning, getConcepts, getMeaningfulWords } from './vocabulary.ts'

export interface Column {
  field: Field
  names: readonly Name[]
  parts: readonly Name[]
  samples: readonly unknown[]
  texts: readonly string[]
  compacts: readonly string[]
  distinctTexts: number
  emptyShare: number
  fits: Map<string, number>
  shapes: readonly Shape[]
  areDates: boolean
  areBooleans: boolean
  areNumbers: boolean
  isFirst: boolean
  unit: string | undefined
}

export interface Target {
  field: Field
  names: readonly Name[]
  parts: readonly Name[]
  alternatives: readonly Name[]
  subjects: ReadonlySet<string>
  options: ReadonlySet<string>
  format: Format | undefined
  isUnique: boolean
  isRequired: boolean
  isFirst: boolean
  unit: string | undefined
}

export function toColumns(fields: readonly Field[], samples: ReadonlyMap<string, readonly unknown[]>): Column[] {
  const parse = createColumnNameParser(fields)
  const modelKey = findModelKey(fields)
  const shortNames = findShortNames(fields)
  return fields.map((field, at) => {
    const values = samples.get(field.key) ?? []
    const texts = toSampleTexts(values)
    const areYesOrNo = areBooleans(texts, [field.key, field.label])
    return {
      field,
      names: listNames(field)
        .map((name) => parse(withoutYesOrNo(name, areYesOrNo)))
        .map((name) => (field.key === modelKey ? { ...name, ...MODEL_NAME } : nameByValues(name, texts))),
      parts: [...listParts(field), ...listNamesWithoutUnit(field), ...(shortNames.get(field) ?? [])].map(parse),
      samples: values,
      texts,
      compacts: texts.map(compact),
      distinctTexts: new Set(texts).size,
      emptyShare: measureEmptyShare(values),
      fits: new Map(),
      shapes: detectShapes(texts),
      areDates: areDates(texts),
      areBooleans: areYesOrNo,
      areNumbers: areNumbers(texts),
      isFirst: at === 0,
      unit: findUnit(field),
    }
  })
}

const findUnit = ({ key, label }: Field): string | undefined => findFieldUnit(label ?? '') ?? findFieldUnit(key)

const MAX_ALTERNATIVE_NAMES = 20

export function toTargets(fields: readonly Field[]): Target[] {
  const parse = createNameParser()
  const fillable = fields.filter((field) => !hasConstraint(field, 'computed'))
  const shortNames = findShortNames(fillable)
  const subjects = findSubjects(fields.flatMap(listNames).map(parse))
  return fillable.map((field, at) => ({
    field,
    subjects,
    names: listOwnNames(field, parse),
    parts: [...listNamesWithoutUnit(field), ...(shortNames.get(field) ?? [])].map((name) =>
      withoutOtherMeanings(field, parse(name)),
    ),
    alternatives: [...(field.alternativeNames ?? []).slice(0, MAX_ALTERNATIVE_NAMES), ...listReferencedKeys(field)].map(
      parse,
    ),
    options: getOptionNames(field),
    format: findFormat(field),
    isUnique: hasConstraint(field, 'unique'),
    isRequired: hasConstraint(field, 'required'),
    isFirst: at === 0,
    unit: findUnit(field),
  }))
}

const hasConstraint = ({ constraints }: Field, wanted: Constraint['type']): boolean =>
  constraints?.some(({ type }) => type === wanted) === true

const MIN_COUNTED_VALUES = 5

const measureEmptyShare = (values: readonly unknown[]): number =>
  values.length < MIN_COUNTED_VALUES ? 0 : values.filter(isEmpty).length / values.length

const TEXT_MEANINGS = new Set(
  ['department', 'company', 'counterparty', 'location', 'city', 'customer name'].map(findMeaning),
)
const TYPES_OF_NO_TEXT = new Set(['number', 'date', 'boolean'])

const withoutOtherMeanings = ({ type }: Field, name: Name): Name =>
  TYPES_OF_NO_TEXT.has(type) && name.meanings.some((meaning) => TEXT_MEANINGS.has(meaning))
    ? { ...name, meanings: name.meanings.filter((meaning) => !TEXT_MEANINGS.has(meaning)) }
    : name

/** `Required by` is a person, unless the field is a date. */
const withDate = ({ type }: Field, name: string): string => (type === 'date' ? name.replace(/by$/i, '$& date') : name)

const DOCUMENT_NUMBER = findMeaning('document number')

/** The key `note` of a `Delivery note number` says nothing, nor does `reference` of a `Document reference`. */
function listOwnNames(field: Field, parse: (raw: string) => Name): Name[] {
  const names = listNames(field).map((name) => withoutOtherMeanings(field, parse(withDate(field, name))))
  const isWithin = ({ meanings, rawWords: [word = '', ...more] }: Name, whole: Name): boolean =>
    more.length === 0 &&
    (whole.meanings.includes(DOCUMENT_NUMBER) ? whole.rawWords : whole.rawWords.slice(1, -1)).includes(word) &&
    whole.meanings.length > 0 &&
    !meanings.some((meaning) => whole.meanings.includes(meaning))
  return names.filter((own) => !names.some((whole) => isWithin(own, whole)))
}

const findSubjects = (names: readonly Name[]): ReadonlySet<string> =>
  new Set([
    ...PEOPLE_IN_RECORDS,
    ...names.flatMap((name) =>
      isOfKind(name, 'id') || isOfKind(name, 'name') ? name.persons.map(({ text }) => text) : [],
    ),
  ])

function createNameParser(): (raw: string) => Name {
  const parsed = new Map<string, Name>()
  return (raw) => {
    const name = parsed.get(raw) ?? parseName(raw)
    parsed.set(raw, name)
    return name
  }
}

const FIRST_NAME = findMeaning('first name')
const LAST_NAME = findMeaning('last name')

/** `Nome` is a first name only next to a column of last names, and `Name` a last name next to one of first names only. */
function createColumnNameParser(fields: readonly Field[]): (raw: string) => Name {
  const parse = createNameParser()
  const names = fields.flatMap(listNames).map(parse)
  const hasLastNames = names.some(({ meanings }) => meanings.includes(LAST_NAME))
  const hasFirstNames = names.some(({ meanings }) => meanings.length === 1 && meanings[0] === FIRST_NAME)
  return (raw) => {
    const name = parse(raw)
    if (hasFirstNames && !hasLastNames && name.compact === 'name') return { ...name, meanings: [LAST_NAME] }
    if (hasLastNames || name.meanings.length < 2 || !name.meanings.includes(FIRST_NAME)) return name
    return { ...name, meanings: name.meanings.filter((meaning) => meaning !== FIRST_NAME) }
  }
}

const BRAND = findMeaning('brand')
const MODEL = findMeaning('model')
const MODEL_NAME = { meanings: [MODEL], isVague: false }

function findModelKey(fields: readonly Field[]): string | undefined {
  const names = fields.map(({ key }) => parseName(key))
  if (names.some(({ meanings }) => meanings.includes(MODEL) && meanings.length === 1)) return undefined
  const at = names.findIndex((name) => name.isVague && isOfKind(name, 'type') && name.words.length === 1)
  return names[at - 1]?.meanings.includes(BRAND) ? fields[at]!.key : undefined
}

const listNames = ({ key, label }: Field): string[] =>
  [...new Set([key, label ?? ''].flatMap((name) => [name, withoutBrackets(name)]))].filter((name) => name !== '')

const listNamesWithoutUnit = (field: Field): string[] =>
  listNames(field).flatMap((name) => (withoutUnit(name) === name ? [] : [withoutUnit(name)]))

function withoutUnit(name: string): string {
  const [whole, rest, unit] = LAST_UNIT.exec(name.slice(-MAX_NAME_END_LENGTH)) ?? []
  if (!whole || !unit || /^m(in|ax)\.$/i.test(unit) || !(isUnit(normalizeUnit(unit)) || isCurrencyCode(unit)))
    return name
  return name.slice(0, -whole.length) + rest
}

const LAST_UNIT = /^(.*?\p{L}{3,})(?:[\s_.-]+in)?[\s_.-]+(\S{1,4})$/u

const currencyCodes = new Set(Intl.supportedValuesOf('currency'))
const isCurrencyCode = (text: string): boolean => currencyCodes.has(text.toUpperCase())

const MAX_BRACKETED_CHARACTERS = 500

const withoutBrackets = (name: string): string =>
  name.length > MAX_BRACKETED_CHARACTERS ? name : name.replace(/\s*[([{].*?[)\]}]\s*/g, ' ').trim()

const MAX_PARTS = 4

/** `Menge (Quantity)` and `Empl./Locatie` say the same in two languages, and `€/kg` has no part `kg`. */
const listParts = (field: Field): string[] =>
  listNames(field)
    .flatMap((name) => [...(/[/:|]\s*\S/.test(name) ? splitName(name) : []), ...findBracketed(name)])
    .filter((part) => /\p{L}/u.test(part))

const splitName = (name: string): string[] =>
  name.split(/[/:|]/, MAX_PARTS).filter((part, at) => at === 0 || !(isUnit(part) || isTimeUnit(part)))

/** `Rate/night` does not hold the nights, nor `Rest (days)` the days. */
const isTimeUnit = (text: string): boolean => {
  const [word = '', ...others] = getMeaningfulWords(text)
  return others.length === 0 && TIME_UNITS.has(getConcepts(word)[0]!)
}

const TIME_UNITS = new Set(['night', 'minute', 'hour', 'day', 'week', 'month', 'year'])

const BRACKETED_WORDS = /[([{]\s*(\p{L}[\p{L} .-]{2,40})[)\]}]/u

function findBracketed(name: string): string[] {
  const [, words] = BRACKETED_WORDS.exec(name) ?? []
  return words === undefined || isUnit(normalizeUnit(words)) || isTimeUnit(words) || isCurrencyCode(words)
    ? []
    : [words]
}

/** A reference holds the values of another sheet's field, so it is also found by that field's key. */
const listReferencedKeys = (field: Field): string[] =>
  field.type === 'reference' || field.type === 'reference-list' ? [field.config.key] : []

const MIN_SHARING_FIELDS = 3
const MIN_SHARING_PART = 0.4

const MAX_SHARED_FIRST_WORDS = 3

/** The names without first words or a last one that many fields share: `stop_id`, `stop_name`, `stop_lat`. */
function findShortNames(fields: readonly Field[]): Map<Field, string[]> {
  const words = fields.map((field) => getMeaningfulWords(field.label ?? field.key))
  const shared = Array.from({ length: MAX_SHARED_FIRST_WORDS }, (_, at) => findShared(words.map((own) => own[at])))
  const isLast = findShared(words.map((own) => own.at(-1)))
  return new Map(
    fields.map((field, at) => {
      const own = words[at]!
      const firstOwn = shared.findIndex((firstWords, at) => !firstWords.has(own[at]))
      const start = firstOwn === -1 ? MAX_SHARED_FIRST_WORDS : firstOwn
      const end = isLast.has(own.at(-1)) ? own.length - 1 : own.length
      return [field, end - start === own.length || end <= start ? [] : [own.slice(start, end).join(' ')]]
    }),
  )
}

function findShared(words: readonly (string | undefined)[]): Set<string | undefined> {
  const minimum = Math.max(MIN_SHARING_FIELDS, words.length * MIN_SHARING_PART)
  return new Set(words.filter((word) => words.filter((other) => other === word).length >= minimum))
}
