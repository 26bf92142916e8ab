/** Parts of sorts and ranks that several functions share: each sorts the records of its part. */
import type { Store } from '../log/store.ts'
import type { RowRef } from '../state/state.ts'
import type { DividedRead } from './divided.ts'
import { getOrder, getRowAt, type Order } from './order.ts'
import { compareSortKeys } from './sort.ts'
import { type Bound, compareRows, readKeys, receiveKey, type SentKey, type Sort, sendKey } from './sort-keys.ts'
import type { View } from './view.ts'

export interface SortQuery {
  sort: Sort
  part: number
  from?: Bound | undefined
  to?: Bound | undefined
  limit?: number
  every: number
}

export type SentRow = readonly [segment: number, row: number, key: SentKey]

export interface SortedPart {
  total: number
  before: number
  rows: SentRow[]
}

export const sortRead: DividedRead<SortQuery, SortedPart> = {
  name: 'sort',
  async read(store, view, selection, { sort, part, from, to, limit = Number.POSITIVE_INFINITY, every }) {
    const order = await getOrder(store, view, selection, sort)
    const total = order.positions.length
    const before = from ? await countBefore(store, view, { order, sort, part }, from) : 0
    const end = to ? await countBefore(store, view, { order, sort, part }, to) : total
    const rows: RowRef[] = []
    for (let at = before; at < end && rows.length < limit; at += every) rows.push(getRowAt(order, order.positions[at]!))
    const keys = await readKeys(store, view, sort, rows)
    const sent = rows.map((row, i): SentRow => [indexOf(view, row), row.row, sendKey(keys[i]!)])
    return { total, before, rows: sent }
  },
}

interface RankQuery {
  sort: Sort
  part: number
  bounds: readonly Bound[]
}

export const rankRead: DividedRead<RankQuery, number[]> = {
  name: 'rank',
  async read(store, view, selection, { sort, part, bounds }) {
    const order = await getOrder(store, view, selection, sort)
    const ranks: number[] = []
    for (const bound of bounds) ranks.push(await countBefore(store, view, { order, sort, part }, bound))
    return ranks
  },
}

export const indexOf = ({ state }: View, { segment }: RowRef): number => state.positions.get(segment.key)!

async function countBefore(
  store: Store,
  view: View,
  { order, sort, part }: { order: Order; sort: Sort; part: number },
  bound: Bound,
): Promise<number> {
  const boundKey = receiveKey(bound.key)
  let low = 0
  for (let high = order.positions.length; low < high; ) {
    const middle = (low + high) >> 1
    const at = getRowAt(order, order.positions[middle]!)
    const [key] = await readKeys(store, view, sort, [at])
    const difference =
      compareSortKeys(key!, boundKey, sort.direction) ||
      compareRows({ part, segment: indexOf(view, at), row: at.row }, bound)
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}
