/** A row of a bench as texts, for people: in the terminal as on the page. */
import type { BenchRow } from './row.ts'

export const HEAD = 'what,rows,ours,reference,,ratio (spread),reach,requests,WRU,RRU,S3 PUT,GET'.split(',')

export const ratioOf = ({ value, referenceValue }: BenchRow): number => value / referenceValue

export const isReached = (row: BenchRow): boolean =>
  row.atLeast ? ratioOf(row) >= row.reach : ratioOf(row) <= row.reach

export function lineOf(row: BenchRow): string[] {
  const { unit = 'ms', spread, cost } = row
  const amount = (value: number): string => (unit === '$' ? `$${value.toFixed(6)}` : `${value.toFixed(1)} ${unit}`)
  const rounds = spread ? ` (${spread.map((one) => one.toFixed(1)).join('-')})` : ''
  const costs = cost ? [cost.requests, cost.written, cost.read, cost.puts, cost.gets] : []
  return [
    ...[row.what, row.rows ? String(row.rows) : '', amount(row.value), row.reference, amount(row.referenceValue)],
    ...[
      ratioOf(row).toPrecision(3) + rounds,
      `${row.atLeast ? '>=' : '<='} ${row.reach}`,
      ...costs.map((count) => String(Math.round(count * 10) / 10)),
    ],
  ]
}
