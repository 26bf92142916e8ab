import type { BenchRow } from './row.ts'

export const COLUMNS = 'measurement,rows,Wharf,reference,,ratio (spread),target,requests,WRU,RRU,S3 PUT,GET'.split(',')

export const computeRatio = ({ value, referenceValue }: BenchRow): number => value / referenceValue

export const meetsTarget = (row: BenchRow): boolean =>
  row.atLeast ? computeRatio(row) >= row.target : computeRatio(row) <= row.target

export function toCells(row: BenchRow): string[] {
  const { unit = 'ms', spread, cost } = row
  const formatAmount = (value: number): string =>
    unit === '$' ? `$${value.toFixed(6)}` : `${value.toFixed(1)} ${unit}`
  const rounds = spread ? ` (${spread.map((one) => one.toFixed(1)).join('-')})` : ''
  const costs = cost ? [cost.requests, cost.written, cost.read, cost.puts, cost.gets] : []
  return [
    ...[
      row.what,
      row.rows ? String(row.rows) : '',
      formatAmount(row.value),
      row.reference,
      formatAmount(row.referenceValue),
    ],
    ...[
      computeRatio(row).toPrecision(3) + rounds,
      `${row.atLeast ? '>=' : '<='} ${row.target}`,
      ...costs.map((count) => String(Math.round(count * 10) / 10)),
    ],
  ]
}
