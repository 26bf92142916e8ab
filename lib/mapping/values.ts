/** Checks whether sample values fit a field's type and options. Pure. */

import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { isMissingWord } from '../values/missing.ts'
import { type ReadValue, readValue } from '../values/read-column.ts'
import { findCurrencies } from '../values/units.ts'
import { compact } from './tokenize.ts'

/** Longer values are cut, because the patterns below take quadratic time. */
const MAX_VALUE_CHARACTERS = 200
export const MAX_SAMPLE_TEXTS = 100

export const toSampleTexts = (values: readonly unknown[]): string[] =>
  values
    .flat()
    .filter((value) => value !== null && value !== undefined && String(value).trim() !== '')
    .slice(0, MAX_SAMPLE_TEXTS)
    .map((value) => String(value).slice(0, MAX_VALUE_CHARACTERS).trim())

export const buildPreview = (values: readonly unknown[]): string[] => [...new Set(toSampleTexts(values))].slice(0, 5)

const NUMBER =
  /^[-+(]?\s*[\p{Sc}]?\s*[-+]?\d{1,3}([ .,'’]?\d{3})*([.,]\d+)?\s*[%\p{Sc}]?\)?$|^[-+]?\d+([.,]\d+)?([eE][-+]?\d+)?$/u
const NUMBER_WITH_UNIT = /^[-+]?\d[\d .,'’]{0,20}(?:[cdk]?m[23]|\p{L}{1,12}[.²³]?|°)$/u
const DATE =
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?$|^\d{1,2}[-/. ]\s?(\d{1,2}|\p{L}{3,9})[-/. ,]\s?(\d{4}|\d{2})([T ].*)?$|^\p{L}{3,9}\.? \d{1,2},? \d{4}$/u

const BRACKETS = /^([^()]+)\(([^()]+)\)\s*$/

/** The parts of a label: `evangelisch` and `ev.` of `evangelisch (ev.)`, both sides of a slash. */
export function splitLabel(label: string): string[] {
  const [, before, inside] = BRACKETS.exec(label) ?? []
  const parts = [...(before === undefined ? [label] : [before, inside!])].flatMap((part) => part.split(/\s\/\s/))
  return parts.length > 1 ? parts.map((part) => part.trim()) : []
}

export const getOptionNames = (field: Field): Set<string> => {
  if (field.type !== 'enum' && field.type !== 'enum-list') return new Set()
  return new Set(
    field.config.options.flatMap(({ value, label, alternativeNames }) =>
      [value, label, ...(alternativeNames ?? [])]
        .filter((name) => name !== null && name !== undefined)
        .flatMap((name) => [String(name), ...splitLabel(String(name))])
        .map(compact),
    ),
  )
}

export const getShare = (texts: readonly string[], matches: (text: string) => boolean): number =>
  texts.filter(matches).length / texts.length

type ReadableType = 'number' | 'date' | 'boolean'

const isReadable = (type: ReadableType, text: string): boolean => isPossible(readValue(ANY_READINGS[type], text))

const isPossible = (read: ReadValue): boolean =>
  'value' in read || (read.problem !== 'unreadable' && read.problem !== 'unit')

const ANY_READINGS: { readonly [type in ReadableType]: Reading } = {
  number: { type: 'number' },
  date: { type: 'date' },
  boolean: { type: 'boolean', letters: true, digits: true, ticks: true, phrases: true },
}

export const isDateText = (text: string): boolean => DATE.test(text) || isReadable('date', text)
export const isNumberText = (text: string): boolean =>
  NUMBER.test(text) || NUMBER_WITH_UNIT.test(text) || isReadable('number', text) || isSignedMoney(text)

const MONEY = /^-?(?:[A-Z]{3}|\p{Lu}{0,2}\p{Sc}|R(?=[\d\s.,]+[.,]\d{2}$))\s?(?=\d)|(?<=[\d–—-])\s?(?:[A-Z]{3}|\p{Sc})$/u

/** `R$ 250.000,00`, `CHF 20` and `84,- €`. */
const isSignedMoney = (text: string): boolean =>
  NUMBER.test(text.replace(MONEY, '').replace(NO_CENTS, '')) && isMoney(text)
const NO_CENTS = /[.,](?:-{1,2}|–|—)$/

export function isMoney(text: string): boolean {
  const sign = text.replace(/[-–—+\d\s.,'’()]/g, '')
  return sign !== '' && /\d/.test(text) && findCurrencies(sign) !== undefined
}
export const isBooleanText = (text: string): boolean => isReadable('boolean', text)

/** From 0 to 1; 1 without samples and for text fields. */
export function measureTypeFit(allTexts: readonly string[], { type }: Pick<Field, 'type'>): number {
  const texts = type === 'boolean' ? allTexts : allTexts.filter((text) => !isMissingWord(text))
  if (texts.length === 0) return 1
  if (type === 'number') return getShare(texts, isNumberText)
  if (type === 'date') return getShare(texts, isDateText)
  return type === 'boolean' ? getShare(texts, isBooleanText) : 1
}

export function measureOptionFit(compacts: readonly string[], options: ReadonlySet<string>): number {
  if (compacts.length === 0 || options.size === 0) return 0
  return getShare(compacts, (text) => options.has(text))
}
