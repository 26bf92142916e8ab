/**
 * How well columns find their fields, over header rows of real exports labelled by hand: the engine beside a fuzzy search
 * and plain edit distance, each at the threshold where it does best on these very cases. The published automap plugin has no
 * matcher of its own: it takes the plan of the platform, and executes it when an arrow is strong or absolute.
 */
import { CORPUS, type Labelled } from './mapping/corpus.ts'
import { HELD_OUT } from './mapping/held-out.ts'
import { ACCEPTED, atItsBest, casesOf, edits, fuse, ours, type Score, score } from './mapping/score.ts'
import type { BenchRow } from './row.ts'

export async function bench(): Promise<BenchRow[]> {
  return [...measured('known files', CORPUS), ...measured('files held out', HELD_OUT)]
}

function measured(of: string, sets: readonly Labelled[]): BenchRow[] {
  const cases = sets.flatMap(casesOf)
  const own = score(cases, ours)
  const references: [string, Score][] = [
    ['fuse.js at its best', atItsBest(cases, fuse)],
    ['edit distance at its best', atItsBest(cases, edits)],
  ]
  const row = (what: string, value: number, reference: string, referenceValue: number): BenchRow => ({
    ...{ what: `${what}, ${of}`, rows: own.pairs, value: 100 * value, reference, referenceValue: 100 * referenceValue },
    ...{ unit: '%' as const, atLeast: true as const, reach: 1 },
  })
  const accepted = score(cases, ours, ACCEPTED)
  return [
    ...references.flatMap(([reference, other]) => [
      row('pairs found rightly', own.recall, reference, other.recall),
      row('found pairs that are right', own.precision, reference, other.precision),
    ]),
    row('strong pairs that are right', accepted.precision, 'to reach', 0.98),
    row('pairs that are strong', accepted.recall, 'all', 1),
  ].map((one) => (one.reference === 'all' ? { ...one, reach: 0.6 } : one))
}
