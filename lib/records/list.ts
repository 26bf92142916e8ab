/** Pages of records as JSON bytes or as values, and scans of whole columns. */
import { commitIdOf, recordIdOf } from './ids.ts'
import { getOrMake } from './maps.ts'
import { columnValues, openAll, openSegments, resolve } from './reader.ts'
import { type Renderer, renderer } from './render.ts'
import { rulesOf, type SheetRules } from './rules.ts'
import { fieldOf, type Selected, select, selectedCount, selectedRows } from './select.ts'
import type { ListQuery, Selection, SheetRef, WireRecord } from './sheet.ts'
import { addSortKeys, newSortKeys, sortedPositions, sortKey } from './sort.ts'
import { coordinateIn, liveRows, type Segment, type State } from './state.ts'
import { processStore, type Store } from './store.ts'
import { validated } from './validate.ts'

/** The default and largest page. */
export const PAGE_SIZE = 10_000

export interface ListResult {
  /** UTF-8 JSON array of records. */
  records: Buffer
  /** Records in it. */
  count: number
  /** Selected records over all pages, with `includeLength`. */
  total?: number
  /** The sheet's latest commit. */
  commitId?: string
}

/** One page of records as the bytes of a JSON array, ready to be put into an answer. */
export async function list(sheet: SheetRef, query: ListQuery = {}, store: Store = processStore): Promise<ListResult> {
  const rules = rulesOf(sheet)
  const state = await resolve(store, await validated(store, sheet))
  const page = query.sort ? await sortedPage(store, state, rules, query) : await pageInOrder(store, state, rules, query)
  const render = renderer(rules, query)
  const order = await renderPage(store, render, page.parts)
  return {
    records: render.end(query.sort ? order : undefined),
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

async function pageInOrder(store: Store, state: State, rules: SheetRules, query: ListQuery): Promise<Page> {
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

async function sortedPage(store: Store, state: State, rules: SheetRules, query: ListQuery): Promise<Page> {
  const { field, direction } = query.sort!
  const { column, type } = rules.byKey.get(fieldOf(rules, field, 'sortField')!)!
  const selected = new Map<Segment, readonly number[]>()
  for await (const one of select(store, state, rules, query)) selected.set(one.segment, selectedRows(one))
  const sort = newSortKeys()
  for await (const open of openAll(store, [...selected.keys()], [column])) {
    const values = columnValues(open, column)
    addSortKeys(sort, open.segment, selected.get(open.segment)!, (row) => sortKey(type, values[row]))
  }
  const size = sizeOf(query)
  const first = ((query.pageNumber ?? 1) - 1) * size
  const positions = sortedPositions(sort, direction).slice(first, first + size)
  const parts = positions.map((at) => ({ segment: sort.segments[sort.segmentOf[at]!]!, rows: [sort.rowOf[at]!] }))
  return { parts, total: query.includeLength ? sort.keys.length : undefined }
}

/** Renders parts segment by segment; answers where each record of the page is among the rendered ones. */
async function renderPage(store: Store, render: Renderer, parts: Page['parts']): Promise<number[]> {
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
  const rules = rulesOf(sheet)
  const state = await resolve(store, await validated(store, sheet))
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
