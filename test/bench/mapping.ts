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
  return [...measureSets('known files', CORPUS), ...measureSets('files held out', HELD_OUT)]
}

function measureSets(label: string, sets: readonly Labelled[]): BenchRow[] {
  const cases = sets.flatMap(createCases)
  const ourScore = score(cases, matchByEngine)
  const references: [string, Score][] = [
    ['fuse.js at its best', scoreAtBestThreshold(cases, matchByFuse)],
    ['edit distance at its best', scoreAtBestThreshold(cases, matchByEditDistance)],
  ]
  const createRow = (what: string, value: number, reference: string, referenceValue: number): BenchRow => ({
    ...{
      what: `${what}, ${label}`,
      rows: ourScore.pairs,
      value: 100 * value,
      reference,
      referenceValue: 100 * referenceValue,
    },
    ...{ unit: '%' as const, atLeast: true as const, reach: 1 },
  })
  const accepted = score(cases, matchByEngine, ACCEPTED_CONFIDENCE)
  return [
    ...references.flatMap(([reference, referenceScore]) => [
      createRow('pairs found rightly', ourScore.recall, reference, referenceScore.recall),
      createRow('found pairs that are right', ourScore.precision, reference, referenceScore.precision),
    ]),
    createRow('strong pairs that are right', accepted.precision, 'to reach', 0.98),
    createRow('pairs that are strong', accepted.recall, 'all', 1),
  ].map((row) => (row.reference === 'all' ? { ...row, reach: 0.6 } : row))
}
