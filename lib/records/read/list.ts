/** Pages of records as JSON bytes or as values, and scans of whole columns. */

import { getOrMake } from '../bytes/maps.ts'
import { commitIdOf, recordIdOf } from '../log/ids.ts'
import { coordinateIn, liveRows, type Segment } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { type View, viewOf } from '../log/view.ts'
import { linksFor } from '../rules/links.ts'
import type { ListQuery, Selection, SheetRef, WireRecord } from '../sheet.ts'
import { orderOf, rowAt } from './order.ts'
import { columnValues, openAll, openSegments } from './reader.ts'
import { type Renderer, renderer } from './render.ts'
import { type Selected, select, selectedCount, selectedRows } from './select.ts'

/** The default and largest page. */
export const PAGE_SIZE = 10_000

export interface ListResult {
  /** UTF-8 JSON array of records. */
  records: Buffer
  /** Records in it. */
  count: number
  /** Selected records over all pages, with `includeLength`. */
  total?: number
  /** The latest commit of what was read. */
  commitId?: string
}

/** One page of records as the bytes of a JSON array, ready to be put into an answer. */
export async function list(sheet: SheetRef, query: ListQuery = {}, store: Store = processStore): Promise<ListResult> {
  const view = await viewOf(store, sheet, query.asOf)
  const { state, rules } = view
  const page = query.sort ? await sortedPage(store, view, query, query.sort) : await pageInOrder(store, view, query)
  const links = query.includeLinks ? await linksFor(store, sheet, page.parts, query) : undefined
  const render = renderer(rules, { ...query, links })
  const order = query.sort ? await renderScattered(store, render, page.parts) : undefined
  if (!order) await renderInOrder(store, render, page.parts)
  return {
    records: render.end(order),
    count: render.count,
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(state.lastCommit === undefined ? {} : { commitId: commitIdOf(state.sheetId, state.lastCommit) }),
  }
}

/** The same page as values. */
export async function read(
  sheet: SheetRef,
  query: ListQuery = {},
  store: Store = processStore,
): Promise<{ records: WireRecord[]; total?: number; commitId?: string }> {
  const { records, total, commitId } = await list(sheet, query, store)
  return { records: JSON.parse(records.toString('utf8')) as WireRecord[], total, commitId }
}

/** Rows to render, in the order of the page. */
interface Page {
  parts: { segment: Segment; rows: readonly number[] }[]
  total: number | undefined
}

const sizeOf = (query: ListQuery): number => Math.min(query.pageSize ?? PAGE_SIZE, PAGE_SIZE)

async function pageInOrder(store: Store, { state, rules }: View, query: ListQuery): Promise<Page> {
  const size = sizeOf(query)
  const first = ((query.pageNumber ?? 1) - 1) * size
  const parts: Page['parts'] = []
  let at = 0
  for await (const selected of select(store, state, rules, query)) {
    const count = selectedCount(selected)
    if (at + count > first && at < first + size)
      parts.push({ segment: selected.segment, rows: slice(selected, first - at, first + size - at) })
    at += count
    if (at >= first + size && !query.includeLength) break
  }
  return { parts, total: query.includeLength ? at : undefined }
}

function slice(selected: Selected, from: number, to: number): readonly number[] {
  const start = Math.max(0, from)
  const end = Math.min(selectedCount(selected), to)
  return selected.rows?.slice(start, end) ?? liveRows(selected.segment, start, end)
}

async function sortedPage(
  store: Store,
  view: View,
  query: ListQuery,
  sort: NonNullable<ListQuery['sort']>,
): Promise<Page> {
  const order = await orderOf(store, view, query, sort)
  const size = sizeOf(query)
  const first = ((query.pageNumber ?? 1) - 1) * size
  const parts = Array.from(order.positions.subarray(first, first + size), (position) => {
    const { segment, row } = rowAt(order, position)
    return { segment, rows: [row] }
  })
  return { parts, total: query.includeLength ? order.positions.length : undefined }
}

/** Renders parts in the sheet's order: one a segment, rows ascending. */
async function renderInOrder(store: Store, render: Renderer, parts: Page['parts']): Promise<void> {
  const segments = parts.map(({ segment }) => segment)
  let part = 0
  for await (const open of openAll(store, segments, render.names)) render.add(open, parts[part++]!.rows)
}

/** Renders parts segment by segment; answers where each record of the page is among the rendered ones. */
async function renderScattered(store: Store, render: Renderer, parts: Page['parts']): Promise<number[]> {
  const wanted = new Map<Segment, { row: number; position: number }[]>()
  let position = 0
  for (const { segment, rows } of parts) {
    const list = getOrMake(wanted, segment, (): { row: number; position: number }[] => [])
    for (const row of rows) list.push({ row, position: position++ })
  }
  const order = new Array<number>(position)
  for await (const open of openAll(store, [...wanted.keys()], render.names)) {
    const list = wanted.get(open.segment)!.sort((a, b) => a.row - b.row)
    for (const [i, { position: at }] of list.entries()) order[at] = render.count + i
    render.add(
      open,
      list.map(({ row }) => row),
    )
  }
  return order
}

/** Values of one segment's selected rows. */
export interface ScanBatch {
  ids: string[]
  /** By field key. */
  columns: Map<string, unknown[]>
}

/** Streams the values of all selected records, a segment at a time: for exports, mappings and bulk changes. */
export async function* scan(
  sheet: SheetRef,
  query: Selection & { fields?: readonly string[] } = {},
  store: Store = processStore,
): AsyncGenerator<ScanBatch> {
  const { state, rules } = await viewOf(store, sheet, query.asOf)
  const fields = rules.fields.filter(({ key }) => !query.fields || query.fields.includes(key))
  for await (const selected of select(store, state, rules, query)) {
    const rows = selectedRows(selected)
    const [open] = await openSegments(
      store,
      [selected.segment],
      fields.map(({ column }) => column),
    )
    const columns = new Map(
      fields.map(({ key, column }): [string, unknown[]] => {
        const values = columnValues(open!, column)
        return [key, rows.map((row) => values[row])]
      }),
    )
    yield { ids: rows.map((row) => recordIdOf(state.sheetId, coordinateIn(selected.segment, row))), columns }
  }
}
