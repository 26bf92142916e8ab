/** Streams selected records as lines of text with constant memory; a format defines the lines. */
import { measure } from '../../core/stopwatch.ts'
import { type ByteWriter, createByteWriter, takeBytes, writeBytes } from '../columns/byte-writer.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { Store } from '../log/store.ts'
import { getOrder, getRowAt, type Order } from '../read/order.ts'
import { countSelected, listSelectedRows, type Selected, selectRows } from '../read/select.ts'
import { openView, type View } from '../read/view.ts'
import { type OpenSegment, openAll, openSegments } from '../segments/open.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'
import { listLiveRows, type Segment } from '../state/state.ts'

/** `at` is the number of the line in the stream, from 0: sorted lines are not written in their order. */
export type LineWriter = (out: ByteWriter, i: number, at: number) => void

export interface LineFormat {
  names: readonly string[]
  head?: Buffer
  bufferBytes?: number | undefined
  lines(open: OpenSegment, rows: readonly number[]): Promise<LineWriter>
}

/** A snapshot of the sheet: later writes are not in the stream. */
export interface StreamSource extends View {
  store: Store
}

export interface SelectedSegment {
  open: OpenSegment
  rows: readonly number[]
}

const STREAM_CACHE_BYTES = 16 * 1024 * 1024
const BUFFER_BYTES = 256 * 1024
const SPARE_BYTES = 16 * 1024
const SORTED_ROWS_PER_PASS = 50_000
const DEFAULT_PAGE_SIZE = 10_000

/** Uses a separate cache, so that a large stream does not evict the process's. */
export async function openSource(sheet: SheetRef, query: Selection, store: Store): Promise<StreamSource> {
  const view = await openView(store, sheet, query.asOf)
  const chunks = new Map(store.chunks)
  const cacheBytes = Math.min(store.cacheBytes, STREAM_CACHE_BYTES)
  return { ...view, store: { ...store, chunks, cacheBytes } }
}

export async function* streamLines(source: StreamSource, query: ListQuery, format: LineFormat): AsyncGenerator<Buffer> {
  const out = createByteWriter(getCapacity(format))
  if (format.head) writeBytes(out, format.head)
  yield* query.sort
    ? streamSortedLines(source, query, query.sort, format, out)
    : streamLinesInOrder(source, query, format, out)
  if (out.length) yield takeBytes(out, SPARE_BYTES)
}

const getCapacity = ({ bufferBytes = BUFFER_BYTES }: LineFormat): number => bufferBytes + SPARE_BYTES

async function* streamLinesInOrder(
  source: StreamSource,
  query: ListQuery,
  format: LineFormat,
  out: ByteWriter,
): AsyncGenerator<Buffer> {
  const capacity = getCapacity(format)
  let at = 0
  for await (const { open, rows } of streamSegments(source, query, format.names)) {
    const writeLine = await format.lines(open, rows)
    for (let i = 0; i < rows.length; i++) {
      writeLine(out, i, at++)
      if (out.length >= capacity - SPARE_BYTES) yield takeBytes(out, capacity)
    }
  }
}

export function streamSegments(
  source: StreamSource,
  query: ListQuery,
  names: readonly string[],
): AsyncGenerator<SelectedSegment> {
  const { store, state, rules } = source
  const { first, end } = getPageRange(query)
  return openWithPrefetch(source, sliceSelection(selectRows(store, state, rules, query), first, end), names)
}

function getPageRange({ pageSize, pageNumber }: ListQuery): { first: number; end: number } {
  if (pageSize === undefined && pageNumber === undefined) return { first: 0, end: Number.POSITIVE_INFINITY }
  const size = pageSize ?? DEFAULT_PAGE_SIZE
  const first = ((pageNumber ?? 1) - 1) * size
  return { first, end: first + size }
}

async function* sliceSelection(
  selection: AsyncIterable<Selected>,
  first: number,
  end: number,
): AsyncGenerator<Selected> {
  let at = 0
  for await (const selected of selection) {
    const count = countSelected(selected)
    const from = Math.max(0, first - at)
    const to = Math.min(count, end - at)
    at += count
    if (from < to) {
      const { segment } = selected
      const isWholeSegment = from === 0 && to === count
      yield isWholeSegment
        ? selected
        : { segment, rows: selected.rows?.slice(from, to) ?? listLiveRows(segment, from, to) }
    }
    if (at >= end) return
  }
}

/** Opens each segment while the previous one is processed. Chunks are read once, so they are not cached. */
async function* openWithPrefetch(
  { store: sourceStore }: StreamSource,
  selection: AsyncIterable<Selected>,
  names: readonly string[],
): AsyncGenerator<SelectedSegment> {
  const store = { ...sourceStore, cacheBytes: 0 }
  let previous: { opening: Promise<OpenSegment[]>; rows: readonly number[] } | undefined
  for await (const selected of selection) {
    const opening = openSegments(store, [selected.segment], names)
    // A failure surfaces when it is awaited, not as an unhandled rejection.
    opening.catch(() => {})
    if (previous) yield await awaitOpened(previous)
    previous = { opening, rows: listSelectedRows(selected) }
  }
  if (previous) yield await awaitOpened(previous)
}

async function awaitOpened({ opening, rows }: { opening: Promise<OpenSegment[]>; rows: readonly number[] }) {
  const [open] = await measure('reading', () => opening)
  return { open: open!, rows }
}

async function* streamSortedLines(
  source: StreamSource,
  query: ListQuery,
  sort: NonNullable<ListQuery['sort']>,
  format: LineFormat,
  out: ByteWriter,
): AsyncGenerator<Buffer> {
  const sortOrder = await getOrder(source.store, source, query, sort)
  const { positions } = sortOrder
  const { first, end } = getPageRange(query)
  const lastPosition = Math.min(end, positions.length)
  for (let from = first; from < lastPosition; from += SORTED_ROWS_PER_PASS) {
    const { bytes, bounds, order } = await renderLines(
      source.store,
      format,
      sortOrder,
      positions.subarray(from, Math.min(lastPosition, from + SORTED_ROWS_PER_PASS)),
      from - first,
    )
    for (const index of order) {
      const length = bounds[index + 1]! - bounds[index]!
      if (out.length && out.length + length > out.bytes.length) yield takeBytes(out, getCapacity(format))
      if (length > out.bytes.length) yield bytes.subarray(bounds[index]!, bounds[index + 1]!)
      else out.length += bytes.copy(out.bytes, out.length, bounds[index]!, bounds[index + 1]!)
    }
  }
}

/** Renders lines in segment order; the line of `positions[i]` is at index `order[i]`. */
async function renderLines(
  store: Store,
  format: LineFormat,
  sortOrder: Order,
  positions: Uint32Array,
  firstLine: number,
): Promise<{ bytes: Buffer; bounds: number[]; order: number[] }> {
  const rowsBySegment = new Map<Segment, { row: number; i: number }[]>()
  positions.forEach((position, i) => {
    const { segment, row } = getRowAt(sortOrder, position)
    getOrInsert(rowsBySegment, segment, (): { row: number; i: number }[] => []).push({ row, i })
  })
  const out = createByteWriter(BUFFER_BYTES)
  const bounds = [0]
  const order = new Array<number>(positions.length)
  for await (const open of openAll(store, [...rowsBySegment.keys()], format.names, 2)) {
    const segmentRows = rowsBySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    const writeLine = await format.lines(
      open,
      segmentRows.map(({ row }) => row),
    )
    segmentRows.forEach(({ i }, index) => {
      order[i] = bounds.length - 1
      writeLine(out, index, firstLine + i)
      bounds.push(out.length)
    })
  }
  return { bytes: out.bytes, bounds, order }
}
