/**
 * Selected records as lines of text, in buffers as they come: memory stays flat at any number of records. What a line
 * looks like is the format's to say.
 */
import { copy, newOutput, type Output, take } from '../bytes/bytes.ts'
import { getOrMake } from '../bytes/maps.ts'
import { liveRows, type Segment } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { type View, viewOf } from '../log/view.ts'
import { type Order, orderOf, rowAt } from '../read/order.ts'
import { type OpenSegment, openAll, openSegments } from '../read/reader.ts'
import { type Selected, select, selectedCount, selectedRows } from '../read/select.ts'
import type { ListQuery, Selection, SheetRef } from '../sheet.ts'

/** Appends the line of the i-th of the rows a format was given. */
export type LineWriter = (out: Output, i: number) => void

export interface LineFormat {
  /** Chunk names a segment must be opened with. */
  names: readonly string[]
  /** What stands before the first line. */
  head?: Buffer
  /** Makes ready to write rows (ascending) of a segment. */
  lines(open: OpenSegment, rows: readonly number[]): Promise<LineWriter>
}

/** A sheet as it stands when a stream begins: what is written meanwhile is not in the stream. */
export interface StreamSource extends View {
  store: Store
}

/** Inflated chunks a stream keeps: those its filters have read, which its lines need again. */
const STREAM_CACHE_BYTES = 16 * 1024 * 1024
/** Buffers are at least this long, the last one apart. */
const BUFFER_BYTES = 256 * 1024
/** Room for the line that makes a buffer long enough. */
const CAPACITY = BUFFER_BYTES + 16 * 1024
/** Rows of a sorted stream rendered at a time: each time, every segment that has any of them is read. */
const SORTED_ROWS = 50_000
/** What a page number counts by when the query names no size. */
const PAGE_ROWS = 10_000

/** A stream reads with a cache of its own: a large sheet passing through does not empty the process's. */
export async function openSource(sheet: SheetRef, query: Selection, store: Store): Promise<StreamSource> {
  const view = await viewOf(store, sheet, query.asOf)
  const chunks = new Map(store.chunks)
  const cacheBytes = Math.min(store.cacheBytes, STREAM_CACHE_BYTES)
  return { ...view, store: { ...store, chunks, cacheBytes } }
}

/** The lines of all selected records, or of one page of them when the query names one. */
export async function* streamLines(source: StreamSource, query: ListQuery, format: LineFormat): AsyncGenerator<Buffer> {
  const out = newOutput(CAPACITY)
  if (format.head) copy(out, format.head)
  yield* query.sort ? sortedLines(source, query, query.sort, format, out) : linesInOrder(source, query, format, out)
  if (out.length) yield take(out, CAPACITY)
}

async function* linesInOrder(
  source: StreamSource,
  query: ListQuery,
  format: LineFormat,
  out: Output,
): AsyncGenerator<Buffer> {
  const { store, state, rules } = source
  const { first, end } = rangeOf(query)
  const ranged = within(select(store, state, rules, query), first, end)
  for await (const { open, rows } of opened(source, ranged, format.names)) {
    const write = await format.lines(open, rows)
    for (let i = 0; i < rows.length; i++) {
      write(out, i)
      if (out.length >= BUFFER_BYTES) yield take(out, CAPACITY)
    }
  }
}

/** The selected records a query's page has, from the `first`-th to before the `end`-th. */
function rangeOf({ pageSize, pageNumber }: ListQuery): { first: number; end: number } {
  if (pageSize === undefined && pageNumber === undefined) return { first: 0, end: Number.POSITIVE_INFINITY }
  const size = pageSize ?? PAGE_ROWS
  const first = ((pageNumber ?? 1) - 1) * size
  return { first, end: first + size }
}

async function* within(all: AsyncIterable<Selected>, first: number, end: number): AsyncGenerator<Selected> {
  let at = 0
  for await (const selected of all) {
    const count = selectedCount(selected)
    const from = Math.max(0, first - at)
    const to = Math.min(count, end - at)
    at += count
    if (from < to) {
      const { segment } = selected
      const whole = from === 0 && to === count
      yield whole ? selected : { segment, rows: selected.rows?.slice(from, to) ?? liveRows(segment, from, to) }
    }
    if (at >= end) return
  }
}

/** Opens each segment while the one before is in use. Each is read once: nothing is kept of it. */
async function* opened(
  { store: kept }: StreamSource,
  all: AsyncIterable<Selected>,
  names: readonly string[],
): AsyncGenerator<{ open: OpenSegment; rows: readonly number[] }> {
  const store = { ...kept, cacheBytes: 0 }
  let before: { opening: Promise<OpenSegment[]>; rows: readonly number[] } | undefined
  for await (const selected of all) {
    const opening = openSegments(store, [selected.segment], names)
    // A failure is met when it is awaited, not as an unhandled rejection before.
    opening.catch(() => {})
    if (before) yield { open: (await before.opening)[0]!, rows: before.rows }
    before = { opening, rows: selectedRows(selected) }
  }
  if (before) yield { open: (await before.opening)[0]!, rows: before.rows }
}

async function* sortedLines(
  source: StreamSource,
  query: ListQuery,
  sort: NonNullable<ListQuery['sort']>,
  format: LineFormat,
  out: Output,
): AsyncGenerator<Buffer> {
  const sorted = await orderOf(source.store, source, query, sort)
  const { positions } = sorted
  const { first, end } = rangeOf(query)
  const last = Math.min(end, positions.length)
  for (let from = first; from < last; from += SORTED_ROWS) {
    const { bytes, bounds, order } = await rendered(
      source.store,
      format,
      sorted,
      positions.subarray(from, Math.min(last, from + SORTED_ROWS)),
    )
    for (const at of order) {
      const length = bounds[at + 1]! - bounds[at]!
      if (out.length && out.length + length > out.bytes.length) yield take(out, CAPACITY)
      if (length > out.bytes.length) yield bytes.subarray(bounds[at]!, bounds[at + 1]!)
      else out.length += bytes.copy(out.bytes, out.length, bounds[at]!, bounds[at + 1]!)
    }
  }
}

/** Lines of rows in the order of their segments; the line of `positions[i]` is the `order[i]`-th of them. */
async function rendered(
  store: Store,
  format: LineFormat,
  sorted: Order,
  positions: Uint32Array,
): Promise<{ bytes: Buffer; bounds: number[]; order: number[] }> {
  const wanted = new Map<Segment, { row: number; i: number }[]>()
  positions.forEach((at, i) => {
    const { segment, row } = rowAt(sorted, at)
    getOrMake(wanted, segment, (): { row: number; i: number }[] => []).push({ row, i })
  })
  const out = newOutput(BUFFER_BYTES)
  const bounds = [0]
  const order = new Array<number>(positions.length)
  for await (const open of openAll(store, [...wanted.keys()], format.names, 2)) {
    const list = wanted.get(open.segment)!.sort((a, b) => a.row - b.row)
    const write = await format.lines(
      open,
      list.map(({ row }) => row),
    )
    list.forEach(({ i }, at) => {
      order[i] = bounds.length - 1
      write(out, at)
      bounds.push(out.length)
    })
  }
  return { bytes: out.bytes, bounds, order }
}
