/** One measurement beside a reference taken in the same run. Machines differ; the ratio is what counts. */
export interface BenchRow {
  what: string
  /** Rows of the sheet it was measured on. */
  rows?: number
  value: number
  reference: string
  referenceValue: number
  /** Of both values; milliseconds unless told. */
  unit?: 'ms' | 'MB' | 'KB' | '$' | 'x' | '%'
  /** The ratio to reach. */
  reach: number
  /** More is better: the ratio is to be reached from below. */
  atLeast?: true
  /** The lowest and highest ratio of a round. */
  spread?: readonly [number, number]
  /** What one round asked of the cloud. */
  cost?: Cost
}

export interface Cost {
  /** All, to both services. */
  requests: number
  /** Capacity units of DynamoDB. */
  written: number
  read: number
  /** Requests to S3. */
  puts: number
  gets: number
}

export const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!
