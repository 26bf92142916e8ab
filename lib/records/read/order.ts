/** Selected records in the order of one field: positions, kept in memory so that later pages and indices scan nothing. */
import { visitCells } from '../bytes/cells.ts'
import { liveRows, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { View } from '../log/view.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { ListQuery, Selection } from '../sheet.ts'
import { openAll } from './reader.ts'
import { fieldOf, type Selected, select, selectedCount } from './select.ts'
import { addSortKey, newSortKeys, type Sorted, settleTexts, sortedPositions, sortKey } from './sort.ts'

/** Selected rows of a segment; `first` is the position of the first of them in the sheet's order. */
export interface Part {
  segment: Segment
  first: number
  /** Ascending; undefined when all rows of the segment are selected. */
  rows: Uint32Array | undefined
}

export interface Order {
  parts: readonly Part[]
  /** Positions in the sheet's order, in the order of the sort. */
  positions: Uint32Array
}

type Sort = NonNullable<ListQuery['sort']>

/** The order of a query's records. */
export async function orderOf(store: Store, view: View, query: Selection, sort: Sort): Promise<Order> {
  fieldOf(view.rules, sort.field, 'sortField')
  const key = query.where ? undefined : keyOf(view.rules, query, sort)
  const known = key === undefined ? undefined : recall(view.state, key)
  if (known) return known
  const order = await sorted(store, view, query, sort)
  if (key !== undefined) remember(view.state, key, order)
  return order
}

/** The record at a position of the sheet's order. */
export function rowAt({ parts }: Order, position: number): { segment: Segment; row: number } {
  let low = 0
  for (let high = parts.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1
    if (parts[middle]!.first <= position) low = middle
    else high = middle - 1
  }
  const { segment, first, rows } = parts[low]!
  return { segment, row: rows ? rows[position - first]! : position - first }
}

async function sorted(store: Store, { state, rules }: View, query: Selection, sort: Sort): Promise<Order> {
  const { column, type } = rules.byKey.get(sort.field)!
  const parts = await partsOf(store, state, rules, query)
  const keys = newSortKeys(
    parts.reduce((sum, { segment, rows }) => sum + (rows?.length ?? segment.rows), 0),
    type,
  )
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  for await (const open of openAll(store, [...bySegment.keys()], [column]))
    visitCells(open, column, bySegment.get(open.segment)!.rows, (bytes, start, end) =>
      addSortKey(keys, type, bytes, start, end),
    )
  const result = sortedPositions(keys, sort.direction)
  if (result.unsettled.length)
    settleTexts(result, await fullTexts(store, parts, { column, type }, result), sort.direction)
  return { parts, positions: result.positions }
}

async function partsOf(store: Store, state: State, rules: SheetRules, query: Selection): Promise<Part[]> {
  const parts: Part[] = []
  let first = 0
  for await (const selected of select(store, state, rules, query)) {
    parts.push({ segment: selected.segment, first, rows: rowList(selected) })
    first += selectedCount(selected)
  }
  return parts
}

function rowList({ segment, rows }: Selected): Uint32Array | undefined {
  if (rows) return Uint32Array.from(rows)
  return segment.deletedCount ? Uint32Array.from(liveRows(segment)) : undefined
}

/** The whole texts, in lower case, of positions that are alike in what the keys keep; read once more. */
async function fullTexts(
  store: Store,
  parts: readonly Part[],
  { column, type }: { column: string; type: string },
  { positions, unsettled }: Sorted,
): Promise<Map<number, string>> {
  const wanted = new Set<number>()
  for (const [from, to] of unsettled) for (let i = from; i < to; i++) wanted.add(positions[i]!)
  const texts = new Map<number, string>()
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  for await (const open of openAll(store, [...bySegment.keys()], [column])) {
    const { first, rows } = bySegment.get(open.segment)!
    let position = first
    visitCells(open, column, rows, (bytes, start, end) => {
      if (wanted.has(position))
        texts.set(position, String(sortKey(type, JSON.parse(bytes.toString('utf8', start, end)))))
      position++
    })
  }
  return texts
}

const keyOf = (rules: SheetRules, selection: Selection, sort: Sort): string => {
  const { filter, filterField, ids, commitId, sinceCommitId, search, q } = selection
  const labels = q === undefined ? [] : rules.fields.map(({ key, label }) => [key, label])
  const field = rules.byKey.get(sort.field)!
  return JSON.stringify([
    rules.signature,
    [sort.field, field.type, sort.direction],
    [filter, filterField, ids, commitId, sinceCommitId, search, q, labels],
  ])
}

/** Orders at hand, the latest last. A state no one holds any more is not kept for its orders. */
const kept: { state: WeakRef<State>; key: string; order: Order }[] = []
const ORDERS_KEPT = 8
const ROWS_KEPT = 8_000_000

function recall(state: State, key: string): Order | undefined {
  const at = kept.findIndex((one) => one.key === key && one.state.deref() === state)
  if (at < 0) return undefined
  const [found] = kept.splice(at, 1)
  kept.push(found!)
  return found!.order
}

function remember(state: State, key: string, order: Order): void {
  kept.push({ state: new WeakRef(state), key, order })
  let rows = kept.reduce((sum, one) => sum + one.order.positions.length, 0)
  while (kept.length > ORDERS_KEPT || (rows > ROWS_KEPT && kept.length > 1))
    rows -= kept.shift()!.order.positions.length
}
