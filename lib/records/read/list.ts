import { measure } from '../../core/stopwatch.ts'
import { getOrInsert } from '../columns/maps.ts'
import { formatCommitId, formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { getColumnValues, openAll, openSegments } from '../segments/open.ts'
import type { ListQuery, Selection, SheetRef, WireRecord } from '../sheet.ts'
import { listLiveRows, type Segment, toCoordinate } from '../state/state.ts'
import { loadLinks } from './links.ts'
import { createRenderer, type Renderer } from './render.ts'
import { countSelected, listSelectedRows, type Selected, selectRows } from './select.ts'
import { selectShared } from './select-shared.ts'
import { selectSorted } from './sort-shared.ts'
import { openView, type View } from './view.ts'

export const PAGE_SIZE = 10_000

export interface ListResult {
  records: Buffer
  count: number
  total?: number
  commitId?: string
}

export async function listRecords(
  sheet: SheetRef,
  query: ListQuery = {},
  store: Store = processStore,
): Promise<ListResult> {
  const view = await openView(store, sheet, query.asOf)
  const { state, rules } = view
  const page = query.sort
    ? await selectSortedPage(store, sheet, view, query, query.sort)
    : await selectPage(store, sheet, view, query)
  const links = query.includeLinks ? await loadLinks(store, sheet, page.parts, query) : undefined
  const render = createRenderer(rules, { ...query, links })
  const order = query.sort ? await renderScattered(store, render, page.parts) : undefined
  if (!order) await renderInOrder(store, render, page.parts)
  return {
    records: render.end(order),
    count: render.count,
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(state.lastCommit === undefined ? {} : { commitId: formatCommitId(state.sheetId, state.lastCommit) }),
  }
}

export async function readRecords(
  sheet: SheetRef,
  query: ListQuery = {},
  store: Store = processStore,
): Promise<{ records: WireRecord[]; total?: number; commitId?: string }> {
  const { records, total, commitId } = await listRecords(sheet, query, store)
  return { records: JSON.parse(records.toString('utf8')) as WireRecord[], total, commitId }
}

interface Page {
  parts: { segment: Segment; rows: readonly number[] }[]
  total: number | undefined
}

const getPageSize = (query: ListQuery): number => Math.min(query.pageSize ?? PAGE_SIZE, PAGE_SIZE)

export async function selectPage(store: Store, sheet: SheetRef, view: View, query: ListQuery): Promise<Page> {
  const size = getPageSize(query)
  const first = ((query.pageNumber ?? 1) - 1) * size
  const parts: Page['parts'] = []
  let position = 0
  const needed = query.includeLength ? undefined : first + size
  for await (const selected of selectShared(store, sheet, view, query, needed)) {
    const count = countSelected(selected)
    if (position + count > first && position < first + size)
      parts.push({ segment: selected.segment, rows: sliceRows(selected, first - position, first + size - position) })
    position += count
    if (position >= first + size && !query.includeLength) break
  }
  return { parts, total: query.includeLength ? position : undefined }
}

function sliceRows(selected: Selected, from: number, to: number): readonly number[] {
  const start = Math.max(0, from)
  const end = Math.min(countSelected(selected), to)
  return selected.rows?.slice(start, end) ?? listLiveRows(selected.segment, start, end)
}

async function selectSortedPage(
  store: Store,
  sheet: SheetRef,
  view: View,
  query: ListQuery,
  sort: NonNullable<ListQuery['sort']>,
): Promise<Page> {
  const size = getPageSize(query)
  const first = ((query.pageNumber ?? 1) - 1) * size
  const { rows, total } = await selectSorted({ store, sheet, selection: query }, view, sort, { first, size })
  const parts = rows.map(({ segment, row }) => ({ segment, rows: [row] }))
  return { parts, total: query.includeLength ? total : undefined }
}

async function renderInOrder(store: Store, render: Renderer, parts: Page['parts']): Promise<void> {
  const segments = parts.map(({ segment }) => segment)
  let partIndex = 0
  for await (const open of openAll(store, segments, render.names)) render.add(open, parts[partIndex++]!.rows)
}

async function renderScattered(store: Store, render: Renderer, parts: Page['parts']): Promise<number[]> {
  const rowsBySegment = new Map<Segment, { row: number; position: number }[]>()
  let position = 0
  for (const { segment, rows } of parts) {
    const segmentRows = getOrInsert(rowsBySegment, segment, (): { row: number; position: number }[] => [])
    for (const row of rows) segmentRows.push({ row, position: position++ })
  }
  const order = new Array<number>(position)
  for await (const open of openAll(store, [...rowsBySegment.keys()], render.names)) {
    const segmentRows = rowsBySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    for (const [i, { position: pagePosition }] of segmentRows.entries()) order[pagePosition] = render.count + i
    render.add(
      open,
      segmentRows.map(({ row }) => row),
    )
  }
  return order
}

export interface ScanBatch {
  ids: string[]
  columns: Map<string, unknown[]>
}

/** Streams the values of selected records one segment at a time, for exports, mappings and bulk changes. */
export async function* scanRecords(
  sheet: SheetRef,
  query: Selection & { fields?: readonly string[] } = {},
  store: Store = processStore,
): AsyncGenerator<ScanBatch> {
  const { state, rules } = await openView(store, sheet, query.asOf)
  const fields = rules.fields.filter(({ key }) => !query.fields || query.fields.includes(key))
  for await (const selected of selectRows(store, state, rules, query)) {
    const rows = listSelectedRows(selected)
    const names = fields.map(({ column }) => column)
    const [open] = await measure('reading', () => openSegments(store, [selected.segment], names))
    const columns = new Map(
      fields.map(({ key, column }): [string, unknown[]] => {
        const values = getColumnValues(open!, column)
        return [key, rows.map((row) => values[row])]
      }),
    )
    yield { ids: rows.map((row) => formatRecordId(state.sheetId, toCoordinate(selected.segment, row))), columns }
  }
}
