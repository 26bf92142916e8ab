/**
 * Suggests edges by field names, then by sample values if the names are ambiguous, one to one with the best total.
 * Pure.
 */
import type { Edge } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { assign } from './assign.ts'
import { toCertainty } from './confidence.ts'
import type { MappingLookup } from './learned.ts'
import { type Name, parseName } from './names.ts'
import { createNameComparer, type NameComparer, SIMILARITY_SCORES } from './similarity.ts'
import { compact } from './tokenize.ts'
import { detectMeaning, getOptionNames, measureOptionFit, measureTypeFit, toSampleTexts } from './values.ts'

export const DEFAULT_THRESHOLD = 0.5

export interface SuggestOptions {
  samples?: ReadonlyMap<string, readonly unknown[]>
  /** From 0 to 1. */
  threshold?: number | undefined
  lookup?: MappingLookup | undefined
}

/** In the order of the destination's fields. Each field is in at most one edge. */
export function suggest(source: readonly Field[], destination: readonly Field[], options: SuggestOptions = {}): Edge[] {
  const threshold = options.threshold ?? DEFAULT_THRESHOLD
  const columns = source.map((field) => toColumn(field, options.samples?.get(field.key) ?? []))
  const targets = destination.filter(isFillable).map(toTarget)
  const compare = createNameComparer([
    ...columns.flatMap(({ names, parts }) => [...names, ...parts]),
    ...targets.flatMap(({ names, alternatives }) => [...names, ...alternatives]),
  ])
  const scores = targets.map((target) => columns.map((column) => scorePair(column, target, options.lookup, compare)))
  // Cubing prefers one certain pair over two doubtful ones.
  const assignment = assign(scores.map((row) => row.map((score) => (score >= threshold && score > 0 ? score ** 3 : 0))))
  return targets.flatMap((target, row) => {
    const column = columns[assignment[row]!]
    if (!column) return []
    const learned = options.lookup?.getConfidence(column.field.key, target.field.key) !== undefined
    return [toEdge(column, target, scores[row]![assignment[row]!]!, learned ? 'history' : 'names-and-values')]
  })
}

const OTHER_FIELD_FACTOR = 0.7

function scorePair(column: Column, target: Target, lookup: MappingLookup | undefined, compare: NameComparer): number {
  const learned = lookup?.getConfidence(column.field.key, target.field.key)
  if (learned !== undefined) return learned
  return computeConfidence(column, target, compare) * (lookup?.hasSource(column.field.key) ? OTHER_FIELD_FACTOR : 1)
}

const isFillable = (field: Field): boolean => !field.constraints?.some(({ type }) => type === 'computed')

interface Column {
  field: Field
  names: Name[]
  parts: Name[]
  samples: readonly unknown[]
  texts: string[]
  compacts: string[]
  fits: Map<string, number>
  meaning: number | undefined
}
interface Target {
  field: Field
  names: Name[]
  alternatives: Name[]
  options: ReadonlySet<string>
}

function parseNames(field: Field): Name[] {
  const names = [field.key, field.label ?? ''].flatMap((name) => [name, withoutBrackets(name)])
  return [...new Set(names)].filter((name) => name !== '').map(parseName)
}

const MAX_NAME_CHARACTERS = 500

const withoutBrackets = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? name : name.replace(/\s*[([{].*?[)\]}]\s*/g, ' ').trim()

const MAX_PARTS_PER_NAME = 4

const parseNameParts = ({ key, label }: Field): Name[] =>
  [...new Set([key, label ?? ''])]
    .flatMap((name) => (name.includes('/') ? name.split('/', MAX_PARTS_PER_NAME) : []))
    .map(parseName)

function toColumn(field: Field, samples: readonly unknown[]): Column {
  const texts = toSampleTexts(samples)
  return {
    field,
    names: parseNames(field),
    parts: parseNameParts(field),
    samples,
    texts,
    compacts: texts.map(compact),
    fits: new Map(),
    meaning: detectMeaning(texts),
  }
}

function getCachedTypeFit({ texts, fits }: Column, field: Field): number {
  const fit = fits.get(field.type) ?? measureTypeFit(texts, field)
  fits.set(field.type, fit)
  return fit
}

const MAX_ALTERNATIVE_NAMES = 20

const toTarget = (field: Field): Target => ({
  field,
  names: parseNames(field),
  alternatives: (field.alternativeNames ?? []).slice(0, MAX_ALTERNATIVE_NAMES).map(parseName),
  options: getOptionNames(field),
})

const NAME_PART_FACTOR = 0.95

function computeConfidence(column: Column, target: Target, compare: NameComparer): number {
  const nameScore = Math.max(
    findBestSimilarity(column.names, target.names, compare),
    findBestSimilarity(column.parts, target.names, compare) * NAME_PART_FACTOR,
    Math.min(findBestSimilarity(column.names, target.alternatives, compare), SIMILARITY_SCORES.alternative),
  )
  const score = Math.max(nameScore, scoreByValues(column, target))
  return score * (1 - (1 - getCachedTypeFit(column, target.field)) * getMismatchPenalty(nameScore))
}

const findBestSimilarity = (a: readonly Name[], b: readonly Name[], compare: NameComparer): number => {
  let highest = 0
  for (const first of a) for (const second of b) highest = Math.max(highest, compare(first, second))
  return highest
}

const getMismatchPenalty = (nameScore: number): number =>
  nameScore >= SIMILARITY_SCORES.alternative ? 0.1 : nameScore >= SIMILARITY_SCORES.sameMeaning ? 0.4 : 0.7

function scoreByValues(column: Column, target: Target): number {
  const options = measureOptionFit(column.compacts, target.options) >= 0.8 && countDistinct(column.texts) > 1 ? 0.6 : 0
  const shapeScore =
    column.meaning !== undefined && target.names.some(({ meanings }) => meanings.includes(column.meaning!)) ? 0.7 : 0
  return Math.max(options, shapeScore)
}

const countDistinct = (texts: readonly string[]): number => new Set(texts).size

export const buildPreview = (values: readonly unknown[]): string[] => [...new Set(toSampleTexts(values))].slice(0, 5)

function toEdge(
  { field: sourceField, samples }: Column,
  { field: destinationField }: Target,
  score: number,
  source: string,
): Edge {
  const confidence = Math.round(score * 100) / 100
  return {
    sourceField,
    destinationField,
    preview: buildPreview(samples),
    enumDetails: undefined,
    metadata: { certainty: toCertainty(score), confidence, source, detectedDelimiter: undefined },
  }
}
