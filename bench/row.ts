/** A measurement and a reference taken in the same run. Machines differ, so only the ratio counts. */
export interface BenchRow {
  what: string
  rows?: number
  value: number
  reference: string
  referenceValue: number
  unit?: 'ms' | 's' | 'MB' | 'KB' | '$' | 'x' | '%'
  target: number
  atLeast?: true
  spread?: readonly [number, number]
  cost?: Cost
}

export interface Cost {
  requests: number
  written: number
  read: number
  puts: number
  gets: number
}

export const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!
