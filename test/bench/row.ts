/** One measurement: a time beside a reference taken in the same run. Machines differ; the ratio is what counts. */
export interface BenchRow {
  what: string
  milliseconds: number
  reference: string
  referenceMilliseconds: number
  /** The ratio to reach. */
  reach: number
}

export const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!
