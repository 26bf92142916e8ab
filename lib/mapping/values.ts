/** What sample values say about a field: whether they fit its type, and whether they look like what it means. Pure. */
import type { Field } from '../../schemas/fields.ts'
import { meaningNamed } from './synonyms.ts'
import { compact } from './words.ts'

/** So much of a value is looked at: the patterns below take time in the square of what they read. */
const VALUE_CHARACTERS = 200

/** The values that are there, as text, at most 100, each cut where it is long. */
export const textsOf = (values: readonly unknown[]): string[] =>
  values
    .flat()
    .filter((value) => value !== null && value !== undefined && value !== '')
    .slice(0, 100)
    .map((value) => String(value).slice(0, VALUE_CHARACTERS).trim())

const NUMBER =
  /^[-+(]?\s*[\p{Sc}]?\s*[-+]?\d{1,3}([ .,'’]?\d{3})*([.,]\d+)?\s*[%\p{Sc}]?\)?$|^[-+]?\d+([.,]\d+)?([eE][-+]?\d+)?$/u
const DATE =
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?$|^\d{1,2}[-/. ]\s?(\d{1,2}|\p{L}{3,9})[-/. ,]\s?(\d{4}|\d{2})([T ].*)?$|^\p{L}{3,9}\.? \d{1,2},? \d{4}$/u
const BOOLEANS = new Set([
  'true',
  'false',
  'yes',
  'no',
  'y',
  'n',
  't',
  'f',
  '0',
  '1',
  'x',
  'ja',
  'nein',
  'oui',
  'non',
  'si',
  'on',
  'off',
  'active',
  'inactive',
])
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const URL_LIKE = /^(https?:\/\/|www\.)\S+$/i

/** Options of an enum field in the form values are compared in. */
export const optionNames = (field: Field): Set<string> => {
  if (field.type !== 'enum' && field.type !== 'enum-list') return new Set()
  return new Set(
    field.config.options.flatMap(({ value, label, alternativeNames }) =>
      [value, label, ...(alternativeNames ?? [])]
        .filter((name) => name !== null && name !== undefined)
        .map((name) => compact(String(name))),
    ),
  )
}

const share = (texts: readonly string[], fits: (text: string) => boolean): number =>
  texts.filter(fits).length / texts.length

/** From 0 to 1: the share of the samples that could be values of the field; 1 without samples and for text. */
export function typeFit(texts: readonly string[], field: Field): number {
  if (texts.length === 0) return 1
  switch (field.type) {
    case 'number':
      return share(texts, (text) => NUMBER.test(text))
    case 'date':
      return share(texts, (text) => DATE.test(text))
    case 'boolean':
      return share(texts, (text) => BOOLEANS.has(text.toLowerCase()))
    default:
      return 1
  }
}

/** The share of the samples, written compactly, that are options of an enum field; 0 for fields without options. */
export function optionFit(compacts: readonly string[], options: ReadonlySet<string>): number {
  if (compacts.length === 0 || options.size === 0) return 0
  return share(compacts, (text) => options.has(text))
}

const SHAPES: readonly { meaning: number | undefined; fits: (text: string) => boolean }[] = [
  { meaning: meaningNamed('email'), fits: (text) => EMAIL.test(text) },
  { meaning: meaningNamed('website'), fits: (text) => URL_LIKE.test(text) },
]

/** The meaning nearly all samples have by their shape alone: e-mail and web addresses. */
export function meaningOfValues(texts: readonly string[]): number | undefined {
  if (texts.length < 3) return undefined
  return SHAPES.find(({ fits }) => share(texts, fits) >= 0.9)?.meaning
}
