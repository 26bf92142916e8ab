/** Prepares columns and fields for comparing: their names in all forms, and what their values are. Pure. */
import type { Field } from '../../schemas/sheets/fields.ts'
import { areBooleans, areDates, detectShapes, type Shape } from './evidence.ts'
import { type Name, parseName } from './names.ts'
import { compact } from './tokenize.ts'
import { getOptionNames, toSampleTexts } from './values.ts'
import { getMeaningfulWords } from './vocabulary.ts'

export interface Column {
  field: Field
  names: readonly Name[]
  parts: readonly Name[]
  samples: readonly unknown[]
  texts: readonly string[]
  compacts: readonly string[]
  distinctTexts: number
  /** Filled on demand, by field type. */
  fits: Map<string, number>
  shapes: readonly Shape[]
  areDates: boolean
  areBooleans: boolean
}

export interface Target {
  field: Field
  names: readonly Name[]
  parts: readonly Name[]
  alternatives: readonly Name[]
  options: ReadonlySet<string>
  isUnique: boolean
}

export function toColumns(fields: readonly Field[], samples: ReadonlyMap<string, readonly unknown[]>): Column[] {
  const parse = createNameParser()
  const shortNames = findShortNames(fields)
  return fields.map((field) => {
    const values = samples.get(field.key) ?? []
    const texts = toSampleTexts(values)
    return {
      field,
      names: listNames(field).map(parse),
      parts: [...listParts(field), ...(shortNames.get(field) ?? [])].map(parse),
      samples: values,
      texts,
      compacts: texts.map(compact),
      distinctTexts: new Set(texts).size,
      fits: new Map(),
      shapes: detectShapes(texts),
      areDates: areDates(texts),
      areBooleans: areBooleans(texts),
    }
  })
}

const MAX_ALTERNATIVE_NAMES = 20

export function toTargets(fields: readonly Field[]): Target[] {
  const parse = createNameParser()
  const fillable = fields.filter(({ constraints }) => !constraints?.some(({ type }) => type === 'computed'))
  const shortNames = findShortNames(fillable)
  return fillable.map((field) => ({
    field,
    names: listNames(field).map(parse),
    parts: (shortNames.get(field) ?? []).map(parse),
    alternatives: [...(field.alternativeNames ?? []).slice(0, MAX_ALTERNATIVE_NAMES), ...listReferencedKeys(field)].map(
      parse,
    ),
    options: getOptionNames(field),
    isUnique: field.constraints?.some(({ type }) => type === 'unique') === true,
  }))
}

function createNameParser(): (raw: string) => Name {
  const parsed = new Map<string, Name>()
  return (raw) => {
    const name = parsed.get(raw) ?? parseName(raw)
    parsed.set(raw, name)
    return name
  }
}

const listNames = ({ key, label }: Field): string[] =>
  [...new Set([key, label ?? ''].flatMap((name) => [name, withoutBrackets(name)]))].filter((name) => name !== '')

const MAX_BRACKETED_CHARACTERS = 500

const withoutBrackets = (name: string): string =>
  name.length > MAX_BRACKETED_CHARACTERS ? name : name.replace(/\s*[([{].*?[)\]}]\s*/g, ' ').trim()

const MAX_PARTS = 4

const listParts = ({ key, label }: Field): string[] =>
  [...new Set([key, label ?? ''])].flatMap((name) => (name.includes('/') ? name.split('/', MAX_PARTS) : []))

/** A reference holds the values of another sheet's field, so it is also found by that field's key. */
const listReferencedKeys = (field: Field): string[] =>
  field.type === 'reference' || field.type === 'reference-list' ? [field.config.key] : []

const MIN_PREFIXED_FIELDS = 3
const MIN_PREFIXED_SHARE = 0.4

/** The names without a first word that most fields share: `stop_id`, `stop_name`, `stop_lat`. */
function findShortNames(fields: readonly Field[]): Map<Field, string[]> {
  const words = new Map(fields.map((field) => [field, getMeaningfulWords(field.label ?? field.key)]))
  const counts = new Map<string, number>()
  for (const [first] of words.values()) if (first) counts.set(first, (counts.get(first) ?? 0) + 1)
  const minimum = Math.max(MIN_PREFIXED_FIELDS, fields.length * MIN_PREFIXED_SHARE)
  const shortNames = new Map<Field, string[]>()
  for (const [field, [first, ...rest]] of words)
    if (first && rest.length > 0 && counts.get(first)! >= minimum) shortNames.set(field, [rest.join(' ')])
  return shortNames
}
