/**
 * Measures column mapping on real, hand-labelled header rows against a fuzzy search and edit distance, each at its best
 * threshold.
 */
import { CORPUS, type Labelled } from './mapping/corpus.ts'
import { HELD_OUT } from './mapping/held-out.ts'
import {
  ACCEPTED_CONFIDENCE,
  createCases,
  matchByEditDistance,
  matchByEngine,
  matchByFuse,
  type Score,
  score,
  scoreAtBestThreshold,
} from './mapping/score.ts'
import type { BenchRow } from './row.ts'

export async function bench(): Promise<BenchRow[]> {
  return [...measureSets('known files', CORPUS), ...measureSets('held-out files', HELD_OUT)]
}

function measureSets(label: string, sets: readonly Labelled[]): BenchRow[] {
  const cases = sets.flatMap(createCases)
  const ourScore = score(cases, matchByEngine)
  const references: [string, Score][] = [
    ['fuse.js at its best threshold', scoreAtBestThreshold(cases, matchByFuse)],
    ['edit distance at its best threshold', scoreAtBestThreshold(cases, matchByEditDistance)],
  ]
  const createRow = (what: string, value: number, reference: string, referenceValue: number): BenchRow => ({
    ...{
      what: `${what}, ${label}`,
      rows: ourScore.pairs,
      value: 100 * value,
      reference,
      referenceValue: 100 * referenceValue,
    },
    ...{ unit: '%' as const, atLeast: true as const, target: 1 },
  })
  const accepted = score(cases, matchByEngine, ACCEPTED_CONFIDENCE)
  return [
    ...references.flatMap(([reference, referenceScore]) => [
      createRow('recall', ourScore.recall, reference, referenceScore.recall),
      createRow('precision', ourScore.precision, reference, referenceScore.precision),
    ]),
    createRow('precision of strong pairs', accepted.precision, 'required', 0.98),
    createRow('share of strong pairs', accepted.recall, 'all', 1),
  ].map((row) => (row.reference === 'all' ? { ...row, target: 0.6 } : row))
}
