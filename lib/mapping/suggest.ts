/** Suggests edges by field names and sample values, one to one with the best total. Pure. */
import type { Edge } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { assign } from './assign.ts'
import { type Column, type Target, toColumns, toTargets } from './candidates.ts'
import { toCertainty } from './confidence.ts'
import { matchDatePairLeft } from './date-pairs.ts'
import type { MappingLookup } from './learned.ts'
import { matchBooleansLeft, matchCodesLeft, matchOptionsLeft, matchSimilarLeft, matchUnitsLeft } from './left.ts'
import type { Match } from './matches.ts'
import { matchNeighboursLeft } from './neighbours.ts'
import { matchOnlyOnesLeft } from './only-ones-left.ts'
import { matchRelatedLeft } from './related.ts'
import { measureMeantOptions, scorePair } from './score-pair.ts'
import { matchSiblingsLeft } from './siblings.ts'
import { createNameComparer } from './similarity.ts'
import { withoutSparseNotes } from './sparse-notes.ts'
import { buildPreview, measureOptionFit } from './values.ts'

export const DEFAULT_THRESHOLD = 0.5

export interface SuggestOptions {
  samples?: ReadonlyMap<string, readonly unknown[]>
  threshold?: number | undefined
  lookup?: MappingLookup | undefined
}

/** In the order of the destination's fields. Each field is in at most one edge. */
export function suggest(source: readonly Field[], destination: readonly Field[], options: SuggestOptions = {}): Edge[] {
  const threshold = options.threshold ?? DEFAULT_THRESHOLD
  const columns = toColumns(source, options.samples ?? new Map())
  const targets = toTargets(destination)
  const scores = scoreAll(columns, targets, options.lookup)
  const certain = match(scores, threshold)
  const sure = [...certain, ...matchOnlyOnesLeft(columns, targets, scores, certain)]
  const measured = [...sure, ...matchUnitsLeft(columns, targets, sure)]
  const named = [...measured, ...matchBooleansLeft(columns, targets, measured)]
  const coded = [...named, ...matchCodesLeft(columns, targets, named)]
  const similar = [...coded, ...matchSimilarLeft(columns, targets, scores, coded)]
  const optioned = [...similar, ...matchOptionsLeft(columns, targets, similar)]
  const found = [...optioned, ...matchRelatedLeft(columns, targets, optioned)]
  const siblings = [...found, ...matchSiblingsLeft(columns, targets, found)]
  const dated = [...siblings, ...matchDatePairLeft(columns, targets, siblings)]
  const last = [...dated, ...matchOnlyOnesLeft(columns, targets, scores, dated)]
  const all = [...last, ...matchNeighboursLeft(columns, targets, last)]
  return withoutSparseNotes(columns, targets, all)
    .filter(({ confidence }) => confidence >= threshold)
    .toSorted((a, b) => a.row - b.row)
    .map(({ row, column, confidence }) => toEdge(columns[column]!, targets[row]!, confidence, options.lookup))
}

/** The scores of all pairs: one row for each fillable field of the destination. */
export const scorePairs = (
  source: readonly Field[],
  destination: readonly Field[],
  { samples, lookup }: SuggestOptions = {},
): number[][] => scoreAll(toColumns(source, samples ?? new Map()), toTargets(destination), lookup)

const OTHER_FIELD_FACTOR = 0.7

function scoreAll(
  columns: readonly Column[],
  targets: readonly Target[],
  lookup: MappingLookup | undefined,
): number[][] {
  const compare = createNameComparer([
    ...columns.flatMap(({ names, parts }) => [...names, ...parts]),
    ...targets.flatMap(({ names, parts, alternatives }) => [...names, ...parts, ...alternatives]),
  ])
  return targets.map((target) => {
    const scores = columns.map((column) => scorePair(column, target, compare))
    return preferOptions(columns, target, scores).map((score, at) => {
      const { key } = columns[at]!.field
      const learned = lookup?.getConfidence(key, target.field.key)
      return learned ?? score * (lookup?.hasSource(key) ? OTHER_FIELD_FACTOR : 1)
    })
  })
}

const NO_OPTIONS_FACTOR = 0.75
const MIN_OTHER_FIT = 0.5

/** A column without any option is hardly meant if another one has most of its texts from them. */
function preferOptions(columns: readonly Column[], target: Target, scores: number[]): number[] {
  const named = scores.filter((score) => score > 0).length
  if (target.field.type !== 'enum' || named < 2) return scores
  const fits = columns.map((column, at) => (scores[at] === 0 ? 0 : measureFit(column, target)))
  if (!fits.some((fit) => fit >= MIN_OTHER_FIT)) return scores
  return scores.map((score, at) =>
    fits[at] === 0 && columns[at]!.texts.length > 0 ? score * NO_OPTIONS_FACTOR : score,
  )
}

const measureFit = (column: Column, target: Target): number =>
  Math.max(measureOptionFit(column.compacts, target.options), measureMeantOptions(column, target))

function match(scores: readonly (readonly number[])[], threshold: number): Match[] {
  // Cubing prefers one certain pair over two doubtful ones.
  const columns = assign(scores.map((row) => row.map((score) => (score >= threshold && score > 0 ? score ** 3 : 0))))
  return columns.flatMap((column, row) => {
    if (column < 0) return []
    const confidence = limitAmbiguous(scores, columns, row)
    return confidence >= threshold ? [{ row, column, confidence }] : []
  })
}

const CERTAIN = 0.9
const SAME_SCORE = 0.005
const AMBIGUOUS_CONFIDENCE = 0.55

/** Nothing is suggested if two free fields fit equally. If two free columns do, the first is suggested as weak. */
function limitAmbiguous(scores: readonly (readonly number[])[], columns: readonly number[], row: number): number {
  const column = columns[row]!
  const score = scores[row]![column]!
  if (score >= CERTAIN) return score
  const isAsGood = (other: number) => other >= score - SAME_SCORE
  if (columns.some((own, other) => own < 0 && isAsGood(scores[other]![column]!))) return 0
  const isColumnAmbiguous = scores[row]!.some((other, at) => isAsGood(other) && at !== column && !columns.includes(at))
  return isColumnAmbiguous ? Math.min(score, AMBIGUOUS_CONFIDENCE) : score
}

function toEdge(
  { field: sourceField, samples }: Column,
  { field: destinationField }: Target,
  score: number,
  lookup: MappingLookup | undefined,
): Edge {
  const confidence = Math.round(score * 100) / 100
  const isLearned = lookup?.getConfidence(sourceField.key, destinationField.key) !== undefined
  return {
    sourceField,
    destinationField,
    preview: buildPreview(samples),
    enumDetails: undefined,
    metadata: {
      certainty: toCertainty(score),
      confidence,
      source: isLearned ? 'history' : 'names-and-values',
      detectedDelimiter: undefined,
    },
  }
}
