import { countParts } from '../../lib/core/count-parts.ts'
import type { BenchRow } from '../row.ts'

const STEPS = ['extraction', 'mapping', 'export'] as const
const PAGES = ['last page of 1,000 records', 'page of records with errors', 'page of records that match two fields']
/** Reads of all records that match, which functions share. */
export const SCANS = [
  'count with errors by field',
  'count of records that match two fields',
  'search in all columns',
  'sort by a text, first 100 records',
]

export interface StepEstimate {
  step: string
  parts: number
  partSeconds: number
  commitSeconds: number
  seconds: number
}

export interface ReadEstimate {
  what: string
  parts: number
  partSeconds: number
  seconds: number
}

export interface PartSizes {
  measuredRows: number
  fileBytes: number
  partBytes: number
  partRecords: number
  partsAtOnce: number
}

/** Parts take as long as those that one function did, and the commit grows with the rows. */
export const estimateSteps = (results: readonly BenchRow[], rows: number, sizes: PartSizes): StepEstimate[] =>
  STEPS.map((step) => {
    const { value: commitMs, referenceValue: wholeMs } = findRow(results, `${step}, after the last part`)
    const growth = rows / sizes.measuredRows
    const countParts = (factor: number): number =>
      Math.ceil(
        step === 'extraction'
          ? (sizes.fileBytes * factor) / sizes.partBytes
          : (sizes.measuredRows * factor) / sizes.partRecords,
      )
    const parts = countParts(growth)
    const partSeconds = (wholeMs - commitMs) / 1000 / countParts(1)
    const commitSeconds = (commitMs / 1000) * growth
    const waves = Math.ceil(parts / sizes.partsAtOnce)
    return { step, parts, partSeconds, commitSeconds, seconds: waves * partSeconds + commitSeconds }
  })

/** Pages are complete after few segments. */
export const estimateReads = (results: readonly BenchRow[], rows: number, sizes: PartSizes): ReadEstimate[] => [
  ...PAGES.map((what) => {
    const seconds = findRow(results, what).value / 1000
    return { what, parts: 1, partSeconds: seconds, seconds }
  }),
  ...SCANS.map((what) => {
    const { measuredRows, partRecords, partsAtOnce } = sizes
    const parts = countParts(rows, partRecords)
    const partSeconds = (findRow(results, what).value / 1000) * (rows / parts / measuredRows)
    return { what, parts, partSeconds, seconds: Math.ceil(parts / partsAtOnce) * partSeconds }
  }),
]

function findRow(results: readonly BenchRow[], what: string): BenchRow {
  const found = results.find((row) => row.what === what)
  if (!found) throw new Error(`bench/figures/large.json has no ${what}: npm run bench -- large --record`)
  return found
}
