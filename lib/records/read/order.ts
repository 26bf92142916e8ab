/** Selected records sorted by one field, as positions. Cached, so that later pages and lookups scan nothing. */

import type { SheetRules } from '../fields/rules.ts'
import type { Store } from '../log/store.ts'
import { visitCells } from '../segments/cells.ts'
import { openAll } from '../segments/open.ts'
import type { ListQuery, Selection } from '../sheet.ts'
import { listLiveRows, type Segment, type State } from '../state/state.ts'
import { countSelected, type Selected, selectRows, validateField } from './select.ts'
import { addSortKey, createSortKeys, type SortResult, sortPositions, sortTiedTexts, toSortKey } from './sort.ts'
import type { View } from './view.ts'

/** `first` is the position of its first selected row in sheet order. */
export interface Part {
  segment: Segment
  first: number
  rows: Uint32Array | undefined
}

export interface Order {
  parts: readonly Part[]
  positions: Uint32Array
}

type Sort = NonNullable<ListQuery['sort']>

export async function getOrder(store: Store, view: View, query: Selection, sort: Sort): Promise<Order> {
  validateField(view.rules, sort.field, 'sortField')
  const key = query.where ? undefined : buildCacheKey(view.rules, query, sort)
  const cached = key === undefined ? undefined : getCachedOrder(view.state, key)
  if (cached) return cached
  const order = await sortRows(store, view, query, sort)
  if (key !== undefined) cacheOrder(view.state, key, order)
  return order
}

export function getRowAt({ parts }: Pick<Order, 'parts'>, position: number): { segment: Segment; row: number } {
  let low = 0
  for (let high = parts.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1
    if (parts[middle]!.first <= position) low = middle
    else high = middle - 1
  }
  const { segment, first, rows } = parts[low]!
  return { segment, row: rows ? rows[position - first]! : position - first }
}

async function sortRows(store: Store, { state, rules }: View, query: Selection, sort: Sort): Promise<Order> {
  const { column, type } = rules.byKey.get(sort.field)!
  const parts = await selectParts(store, state, rules, query)
  const keys = createSortKeys(
    parts.reduce((sum, { segment, rows }) => sum + (rows?.length ?? segment.rows), 0),
    type,
  )
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  for await (const open of openAll(store, [...bySegment.keys()], [column]))
    visitCells(open, column, bySegment.get(open.segment)!.rows, (bytes, start, end) =>
      addSortKey(keys, type, bytes, start, end),
    )
  const result = sortPositions(keys, sort.direction)
  if (result.ties.length)
    sortTiedTexts(result, await readFullTexts(store, parts, { column, type }, result), sort.direction)
  return { parts, positions: result.positions }
}

export async function selectParts(store: Store, state: State, rules: SheetRules, query: Selection): Promise<Part[]> {
  const parts: Part[] = []
  let first = 0
  for await (const selected of selectRows(store, state, rules, query)) {
    parts.push({ segment: selected.segment, first, rows: toRowList(selected) })
    first += countSelected(selected)
  }
  return parts
}

function toRowList({ segment, rows }: Selected): Uint32Array | undefined {
  if (rows) return Uint32Array.from(rows)
  return segment.deletedCount ? Uint32Array.from(listLiveRows(segment)) : undefined
}

async function readFullTexts(
  store: Store,
  parts: readonly Part[],
  { column, type }: { column: string; type: string },
  { positions, ties }: SortResult,
): Promise<Map<number, string>> {
  const tiedPositions = new Set<number>()
  for (const [from, to] of ties) for (let i = from; i < to; i++) tiedPositions.add(positions[i]!)
  const texts = new Map<number, string>()
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  for await (const open of openAll(store, [...bySegment.keys()], [column])) {
    const { first, rows } = bySegment.get(open.segment)!
    let position = first
    visitCells(open, column, rows, (bytes, start, end) => {
      if (tiedPositions.has(position))
        texts.set(position, String(toSortKey(type, JSON.parse(bytes.toString('utf8', start, end)))))
      position++
    })
  }
  return texts
}

export const buildCacheKey = (rules: SheetRules, selection: Selection, sort: Sort): string => {
  const { filter, filterField, ids, commitId, part, sinceCommitId, search, q } = selection
  const labels = q === undefined ? [] : rules.fields.map(({ key, label }) => [key, label])
  const field = rules.byKey.get(sort.field)!
  return JSON.stringify([
    rules.signature,
    [sort.field, field.type, sort.direction],
    [filter, filterField, ids, commitId, part, sinceCommitId, search, q, labels],
  ])
}

/** LRU cache. Weak references, so that cached orders do not keep states alive. */
const orderCache: { state: WeakRef<State>; key: string; order: Order }[] = []
const MAX_CACHED_ORDERS = 8
const MAX_CACHED_ROWS = 8_000_000

function getCachedOrder(state: State, key: string): Order | undefined {
  const index = orderCache.findIndex((entry) => entry.key === key && entry.state.deref() === state)
  if (index < 0) return undefined
  const [cachedEntry] = orderCache.splice(index, 1)
  orderCache.push(cachedEntry!)
  return cachedEntry!.order
}

function cacheOrder(state: State, key: string, order: Order): void {
  orderCache.push({ state: new WeakRef(state), key, order })
  let rows = orderCache.reduce((sum, entry) => sum + entry.order.positions.length, 0)
  while (orderCache.length > MAX_CACHED_ORDERS || (rows > MAX_CACHED_ROWS && orderCache.length > 1))
    rows -= orderCache.shift()!.order.positions.length
}
