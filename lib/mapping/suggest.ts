/**
 * Suggests which source field fills which destination field: by their names first, by sample values where names leave a
 * doubt, and one to one by the best total. Pure: the caller reads the fields and the samples.
 */
import type { Field } from '../../schemas/fields.ts'
import type { Edge } from '../../schemas/mapping.ts'
import { assign } from './assign.ts'
import { certaintyOf } from './certainty.ts'
import { likeness, type Name, nameOf, WORTH } from './likeness.ts'
import type { Recall } from './memory.ts'
import { meaningOfValues, optionFit, optionNames, textsOf, typeFit } from './values.ts'
import { compact, type Effort } from './words.ts'

/** Below it a pair is left unmapped, unless the destination sheet says otherwise. */
export const DEFAULT_THRESHOLD = 0.5

export interface SuggestOptions {
  /** Some values of source fields, by field key. */
  samples?: ReadonlyMap<string, readonly unknown[]>
  /** From 0 to 1; the destination sheet's `mappingConfidenceThreshold`. */
  threshold?: number | undefined
  /** What was accepted before for such a destination. */
  recall?: Recall | undefined
}

/**
 * A second or two of comparing letters. Two sheets of 500 fields whose names share most of their words need two thirds of it;
 * when it is used up, the names that are left are compared as a whole.
 */
const EFFORT = 400_000_000

/** Edges from source to destination, in the order of the destination's fields; each field stands in at most one. */
export function suggest(source: readonly Field[], destination: readonly Field[], options: SuggestOptions = {}): Edge[] {
  const threshold = options.threshold ?? DEFAULT_THRESHOLD
  const columns = source.map((field) => columnOf(field, options.samples?.get(field.key) ?? []))
  const targets = destination.filter(isFillable).map(targetOf)
  const effort = { left: EFFORT }
  const scores = targets.map((target) => columns.map((column) => scoreOf(column, target, options.recall, effort)))
  // The cube keeps one certain pair above two doubtful ones; a pair below the threshold is none.
  const chosen = assign(scores.map((row) => row.map((score) => (score >= threshold && score > 0 ? score ** 3 : 0))))
  return targets.flatMap((target, row) => {
    const column = columns[chosen[row]!]
    if (!column) return []
    const remembered = options.recall?.arrow(column.field.key, target.field.key) !== undefined
    return [edgeOf(column, target, scores[row]![chosen[row]!]!, remembered ? 'history' : 'names-and-values')]
  })
}

/** A column known to fill another field is less likely to fill this one, whatever its name. */
const ELSEWHERE = 0.7

function scoreOf(column: Column, target: Target, recall: Recall | undefined, effort: Effort): number {
  const remembered = recall?.arrow(column.field.key, target.field.key)
  if (remembered !== undefined) return remembered
  return confidence(column, target, effort) * (recall?.knows(column.field.key) ? ELSEWHERE : 1)
}

/** A computed field's values are made, not imported. */
const isFillable = (field: Field): boolean => !field.constraints?.some(({ type }) => type === 'computed')

interface Column {
  field: Field
  names: Name[]
  /** What stands on either side of a slash (`Zip/Postal Code`): each may be the name. */
  parts: Name[]
  samples: readonly unknown[]
  texts: string[]
  /** The texts as options are compared. */
  compacts: string[]
  /** How well the texts fit each type, as far as it was asked. */
  fits: Map<string, number>
  meaning: number | undefined
}
interface Target {
  field: Field
  names: Name[]
  alternatives: Name[]
  options: ReadonlySet<string>
}

/** Its key and label, each also without what is in brackets: units and remarks. */
function namesOf(field: Field): Name[] {
  const names = [field.key, field.label ?? ''].flatMap((name) => [name, withoutBrackets(name)])
  return [...new Set(names)].filter((name) => name !== '').map(nameOf)
}

/** Longer names are no names with a remark. */
const REMARKED_CHARACTERS = 500

const withoutBrackets = (name: string): string =>
  name.length > REMARKED_CHARACTERS ? name : name.replace(/\s*[([{].*?[)\]}]\s*/g, ' ').trim()

/** More slashes separate no names. */
const PARTS = 4

const partsIn = ({ key, label }: Field): Name[] =>
  [...new Set([key, label ?? ''])].flatMap((name) => (name.includes('/') ? name.split('/', PARTS) : [])).map(nameOf)

function columnOf(field: Field, samples: readonly unknown[]): Column {
  const texts = textsOf(samples)
  return {
    field,
    names: namesOf(field),
    parts: partsIn(field),
    samples,
    texts,
    compacts: texts.map(compact),
    fits: new Map(),
    meaning: meaningOfValues(texts),
  }
}

function fitOf({ texts, fits }: Column, field: Field): number {
  const fit = fits.get(field.type) ?? typeFit(texts, field)
  fits.set(field.type, fit)
  return fit
}

/** Names of a field that are compared, beside its key and label. */
const ALTERNATIVES = 20

const targetOf = (field: Field): Target => ({
  field,
  names: namesOf(field),
  alternatives: (field.alternativeNames ?? []).slice(0, ALTERNATIVES).map(nameOf),
  options: optionNames(field),
})

/** A part of a name tells less than the whole. */
const OF_A_PART = 0.95

function confidence(column: Column, target: Target, effort: Effort): number {
  const named = Math.max(
    best(column.names, target.names, effort),
    best(column.parts, target.names, effort) * OF_A_PART,
    Math.min(best(column.names, target.alternatives, effort), WORTH.alternative),
  )
  const score = Math.max(named, byValues(column, target))
  return score * (1 - (1 - fitOf(column, target.field)) * doubt(named))
}

const best = (a: readonly Name[], b: readonly Name[], effort: Effort): number => {
  let highest = 0
  for (const one of a) for (const other of b) highest = Math.max(highest, likeness(one, other, effort))
  return highest
}

/** Values that do not fit the type cast no doubt on the very same name, some on a synonym, most on a resemblance. */
const doubt = (named: number): number => (named >= WORTH.alternative ? 0.1 : named >= WORTH.sameMeaning ? 0.4 : 0.7)

/** What the values alone are worth: they are the field's options, or by their shape what the field means. */
function byValues(column: Column, target: Target): number {
  const options = optionFit(column.compacts, target.options) >= 0.8 && distinct(column.texts) > 1 ? 0.6 : 0
  const shape =
    column.meaning !== undefined && target.names.some(({ meanings }) => meanings.includes(column.meaning!)) ? 0.7 : 0
  return Math.max(options, shape)
}

const distinct = (texts: readonly string[]): number => new Set(texts).size

/** Some of the values, each once. */
export const previewOf = (values: readonly unknown[]): string[] => [...new Set(textsOf(values))].slice(0, 5)

function edgeOf(
  { field: sourceField, samples }: Column,
  { field: destinationField }: Target,
  score: number,
  source: string,
): Edge {
  const confidence = Math.round(score * 100) / 100
  return {
    sourceField,
    destinationField,
    preview: previewOf(samples),
    enumDetails: undefined,
    metadata: { certainty: certaintyOf(score), confidence, source, detectedDelimiter: undefined },
  }
}
