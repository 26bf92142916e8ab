/** Checks whether sample values fit a field's type and meaning. Pure. */

import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { type ReadValue, readValue } from '../values/read-column.ts'
import { compact } from './tokenize.ts'
import { findMeaning } from './vocabulary.ts'

/** Longer values are cut, because the patterns below take quadratic time. */
const MAX_VALUE_CHARACTERS = 200

export const toSampleTexts = (values: readonly unknown[]): string[] =>
  values
    .flat()
    .filter((value) => value !== null && value !== undefined && value !== '')
    .slice(0, 100)
    .map((value) => String(value).slice(0, MAX_VALUE_CHARACTERS).trim())

const NUMBER =
  /^[-+(]?\s*[\p{Sc}]?\s*[-+]?\d{1,3}([ .,'’]?\d{3})*([.,]\d+)?\s*[%\p{Sc}]?\)?$|^[-+]?\d+([.,]\d+)?([eE][-+]?\d+)?$/u
const DATE =
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?$|^\d{1,2}[-/. ]\s?(\d{1,2}|\p{L}{3,9})[-/. ,]\s?(\d{4}|\d{2})([T ].*)?$|^\p{L}{3,9}\.? \d{1,2},? \d{4}$/u
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const URL_LIKE = /^(https?:\/\/|www\.)\S+$/i

export const getOptionNames = (field: Field): Set<string> => {
  if (field.type !== 'enum' && field.type !== 'enum-list') return new Set()
  return new Set(
    field.config.options.flatMap(({ value, label, alternativeNames }) =>
      [value, label, ...(alternativeNames ?? [])]
        .filter((name) => name !== null && name !== undefined)
        .map((name) => compact(String(name))),
    ),
  )
}

const getShare = (texts: readonly string[], matches: (text: string) => boolean): number =>
  texts.filter(matches).length / texts.length

const isReadable = ({ type }: Field, text: string): boolean =>
  ANY_READINGS.some((reading) => reading.type === type && isPossible(readValue(reading, text)))

const isPossible = (read: ReadValue): boolean =>
  'value' in read || (read.problem !== 'unreadable' && read.problem !== 'unit')

const ANY_READINGS: readonly Reading[] = [
  { type: 'number' },
  { type: 'date' },
  { type: 'boolean', letters: true, digits: true, ticks: true },
]

/** From 0 to 1; 1 without samples and for text fields. */
export function measureTypeFit(texts: readonly string[], field: Field): number {
  if (texts.length === 0) return 1
  switch (field.type) {
    case 'number':
      return getShare(texts, (text) => NUMBER.test(text) || isReadable(field, text))
    case 'date':
      return getShare(texts, (text) => DATE.test(text) || isReadable(field, text))
    case 'boolean':
      return getShare(texts, (text) => isReadable(field, text))
    default:
      return 1
  }
}

export function measureOptionFit(compacts: readonly string[], options: ReadonlySet<string>): number {
  if (compacts.length === 0 || options.size === 0) return 0
  return getShare(compacts, (text) => options.has(text))
}

const SHAPES: readonly { meaning: number | undefined; matches: (text: string) => boolean }[] = [
  { meaning: findMeaning('email'), matches: (text) => EMAIL.test(text) },
  { meaning: findMeaning('website'), matches: (text) => URL_LIKE.test(text) },
]

export function detectMeaning(texts: readonly string[]): number | undefined {
  if (texts.length < 3) return undefined
  return SHAPES.find(({ matches }) => getShare(texts, matches) >= 0.9)?.meaning
}
