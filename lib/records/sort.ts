/**
 * The order of selected rows by one field: keys only, rows are fetched for the page afterwards. Empty cells come last in
 * either direction; equal keys keep the sheet's order. Pure.
 */
import type { Segment } from './state.ts'
import { textOf } from './values.ts'

/** Keys of all selected rows, in the sheet's order. */
export interface SortKeys {
  segments: Segment[]
  /** Index into `segments`, and row, by position. */
  segmentOf: number[]
  rowOf: number[]
  keys: (number | string | null)[]
}

export const newSortKeys = (): SortKeys => ({ segments: [], segmentOf: [], rowOf: [], keys: [] })

/** A value as a sort key: numbers by size, also when they stand as text in a number field; other values as text. */
export function sortKey(type: string, value: unknown): number | string | null {
  if (value === null || value === undefined) return null
  if (type === 'number') {
    const number = typeof value === 'number' ? value : Number(value)
    return Number.isNaN(number) ? textOf(value).toLowerCase() : number
  }
  return textOf(value).toLowerCase()
}

export function addSortKeys(
  sort: SortKeys,
  segment: Segment,
  rows: readonly number[],
  keyOf: (row: number) => number | string | null,
): void {
  const index = sort.segments.push(segment) - 1
  for (const row of rows) {
    sort.segmentOf.push(index)
    sort.rowOf.push(row)
    sort.keys.push(keyOf(row))
  }
}

/** Positions in sorted order. Numbers come before texts. */
export function sortedPositions({ keys }: SortKeys, direction: 'asc' | 'desc'): number[] {
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: number, b: number): number => {
    const x = keys[a]!
    const y = keys[b]!
    if (x === y) return a - b
    if (x === null) return 1
    if (y === null) return -1
    if (typeof x !== typeof y) return typeof x === 'number' ? -sign : sign
    return x < y ? -sign : sign
  }
  return Array.from(keys.keys()).sort(compare)
}
