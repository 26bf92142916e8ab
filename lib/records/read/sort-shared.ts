/**
 * A page of sorted records, found by several functions if the sheet is large. First pages are merged from the first
 * records of each part. For later ones, samples of each part bound the page, and the records between are merged.
 */
import { memoize } from '../../core/memo.ts'
import type { Store } from '../log/store.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import type { RowRef, State } from '../state/state.ts'
import { divideView, readParts } from './divided.ts'
import { buildCacheKey, getOrder, getRowAt } from './order.ts'
import { validateField } from './select.ts'
import { findBounds, type PageRange, receiveSamples } from './sort-bounds.ts'
import {
  type Bound,
  compareReceived,
  isCut,
  type Received,
  readKeys,
  receiveKey,
  type Sort,
  sendKey,
} from './sort-keys.ts'
import { indexOf, rankRead, type SortedPart, type SortQuery, sortRead } from './sort-part.ts'
import type { View } from './view.ts'

interface MergedRow extends Received {
  at: RowRef
}

interface SortedRows {
  first: number
  total: number
  rows: readonly RowRef[]
}

interface Context {
  store: Store
  sheet: SheetRef
  selection: Selection
}

export async function selectSorted(
  context: Context,
  view: View,
  sort: Sort,
  page: PageRange,
): Promise<{ rows: readonly RowRef[]; total: number }> {
  const { store, sheet, selection } = context
  validateField(view.rules, sort.field, 'sortField')
  const key = buildCacheKey(view.rules, selection, sort)
  const cache = getCachedRows(view.state)
  const cached = cache.get(key)
  if (cached && contains(cached, page)) return takePage(cached, page)
  const views = await divideView(store, sheet, view, selection)
  if (views.length === 1) {
    const order = await getOrder(store, view, selection, sort)
    const positions = order.positions.subarray(page.first, page.first + page.size)
    return { rows: Array.from(positions, (position) => getRowAt(order, position)), total: order.positions.length }
  }
  const sorted = await sortShared(context, view, views, sort, page)
  cache.delete(key)
  cache.set(key, sorted)
  if (cache.size > MAX_CACHED_PAGES) cache.delete(cache.keys().next().value!)
  return takePage(sorted, page)
}

export async function rankRecords(
  context: Context,
  view: View,
  sort: Sort,
  rows: readonly RowRef[],
): Promise<number[]> {
  const { store, sheet, selection } = context
  const views = await divideView(store, sheet, view, selection)
  const keys = await readKeys(store, view, sort, rows)
  const bounds = rows.map((at, i): Bound => {
    const part = views.findIndex(({ state }) => state.positions.has(at.segment.key))
    const key = sendKey(keys[i]!, Number.POSITIVE_INFINITY)
    return { key, part, segment: indexOf(views[part]!, at), row: at.row }
  })
  const counts = await readParts(context, views, rankRead, (part) => ({ sort, part, bounds }))
  return bounds.map((_, i) => counts.reduce((sum, ranks) => sum + ranks[i]!, 0))
}

const MAX_CACHED_PAGES = 4
const getCachedRows = memoize<State, Map<string, SortedRows>>(() => new Map())

const contains = ({ first, rows, total }: SortedRows, page: PageRange): boolean =>
  first <= page.first && Math.min(total, page.first + page.size) <= first + rows.length

const takePage = ({ first, rows, total }: SortedRows, page: PageRange) => ({
  rows: rows.slice(page.first - first, page.first - first + page.size),
  total,
})

async function sortShared(
  context: Context,
  view: View,
  views: readonly View[],
  sort: Sort,
  { first, size }: PageRange,
): Promise<SortedRows> {
  const read = (query: Omit<SortQuery, 'sort' | 'part'>): Promise<SortedPart[]> =>
    readParts(context, views, sortRead, (part) => ({ sort, part, ...query }))
  const merge = (parts: readonly SortedPart[]) => mergeRows(context.store, view, sort, receiveRows(views, parts))
  const { topRecords, sampleEvery } = context.store
  if (first + size <= topRecords) {
    const parts = await read({ limit: topRecords, every: 1 })
    return { first: 0, total: sumTotals(parts), rows: (await merge(parts)).slice(0, topRecords) }
  }
  const samples = await read({ every: sampleEvery })
  const bounds = findBounds(receiveSamples(samples, sampleEvery), samples, sort, { first, size })
  const parts = await read({ ...bounds, every: 1 })
  const before = parts.reduce((sum, part) => sum + part.before, 0)
  return { first: before, total: sumTotals(parts), rows: await merge(parts) }
}

const sumTotals = (parts: readonly SortedPart[]): number => parts.reduce((sum, { total }) => sum + total, 0)

const receiveRows = (views: readonly View[], parts: readonly SortedPart[]): MergedRow[] =>
  parts.flatMap(({ rows }, part) =>
    rows.map(([segment, row, key]) => {
      const at = { segment: views[part]!.state.segments[segment]!, row }
      return { part, segment, row, key, value: receiveKey(key), at }
    }),
  )

async function mergeRows(store: Store, view: View, sort: Sort, received: MergedRow[]): Promise<RowRef[]> {
  const rows = received.sort(compareReceived(sort.direction))
  for (let start = 0; start < rows.length; ) {
    const { key } = rows[start]!
    let end = start + 1
    while (end < rows.length && rows[end]!.key === key) end++
    if (isCut(key) && end - start > 1)
      rows.splice(start, end - start, ...(await sortByFullKeys(store, view, sort, rows.slice(start, end))))
    start = end
  }
  return rows.map(({ at }) => at)
}

async function sortByFullKeys(store: Store, view: View, sort: Sort, rows: readonly MergedRow[]): Promise<MergedRow[]> {
  const keys = await readKeys(
    store,
    view,
    sort,
    rows.map(({ at }) => at),
  )
  return rows.map((row, i) => ({ ...row, value: keys[i]! })).sort(compareReceived(sort.direction))
}
