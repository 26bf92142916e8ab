/** Measures column mapping on labelled header rows against fuzzy search and edit distance at their best thresholds. */
import { CORPUS, type Labelled } from './mapping/corpus.ts'
import { HELD_OUT } from './mapping/held-out.ts'
import { HEADER_LANGUAGES, IN_LANGUAGES, type LabelledInLanguage } from './mapping/languages.ts'
import { COLLECTED_LATER } from './mapping/languages-later.ts'
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
  return [
    ...measureSets('known files', CORPUS),
    ...measureSets('held-out files', HELD_OUT),
    ...HEADER_LANGUAGES.flatMap((language) =>
      measureHeaders(
        `held-out headers, ${language}`,
        IN_LANGUAGES.filter((one) => one.language === language),
      ),
    ),
    ...measureHeaders('headers collected later', COLLECTED_LATER),
  ]
}

function measureHeaders(label: string, sets: readonly LabelledInLanguage[]): BenchRow[] {
  const cases = sets.map((one) => createCases(one)[0]!)
  const [own, fuse] = [score(cases, matchByEngine), scoreAtBestThreshold(cases, matchByFuse)]
  const rest = { rows: own.pairs, unit: '%', atLeast: true, target: 1 } as const
  const reference = 'fuse.js at its best threshold'
  return (['recall', 'precision'] as const).map((what) => ({
    ...rest,
    what: `${what}, ${label}`,
    value: 100 * own[what],
    reference,
    referenceValue: 100 * fuse[what],
  }))
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
