import type { BenchRow } from '../row.ts'
import { HTTP_SECONDS } from './quotas.ts'

const STEPS = ['extraction', 'mapping', 'export'] as const
const READS = [
  'last page of 1,000 records',
  'count with errors by field',
  'page of records with errors',
  'count of records that match two fields',
  'page of records that match two fields',
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
  seconds: number
  rowsAtLimit: number
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

export const estimateReads = (results: readonly BenchRow[], rows: number, measuredRows: number): ReadEstimate[] =>
  READS.map((what) => {
    const seconds = findRow(results, what).value / 1000
    const isPage = what.includes('page')
    return {
      what,
      seconds: isPage ? seconds : (seconds * rows) / measuredRows,
      rowsAtLimit: isPage ? Number.POSITIVE_INFINITY : (HTTP_SECONDS / seconds) * measuredRows,
    }
  })

function findRow(results: readonly BenchRow[], what: string): BenchRow {
  const found = results.find((row) => row.what === what)
  if (!found) throw new Error(`bench/figures/large.json has no ${what}: npm run bench -- large --record`)
  return found
}
