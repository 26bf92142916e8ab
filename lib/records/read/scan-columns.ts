/** Streams columns as they are stored, one segment at a time, for mappings. */
import { isMainThread } from 'node:worker_threads'
import { measure } from '../../core/stopwatch.ts'
import { restoreBytes } from '../../core/threads/task.ts'
import { createJsonColumn, createNullColumn, type JsonColumn, selectRows } from '../columns/json-column.ts'
import { unpackChunk, unpackInThread } from '../format/chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { countEmptyCells } from '../segments/cells.ts'
import { readJsonColumn } from '../segments/json-columns.ts'
import { openSegments, readPackedChunks } from '../segments/open.ts'
import type { SheetRef } from '../sheet.ts'
import { countLiveRows, isEdited, listLiveRows, type Segment } from '../state/state.ts'
import { openView } from './view.ts'

export interface JsonBatch {
  length: number
  columns: Map<string, JsonColumn>
}

interface PackedColumn {
  packed: Buffer
  nulls: number | undefined
}

export interface PackedBatch {
  length: number
  storedRows: number
  liveRows: number[] | undefined
  columns: Map<string, PackedColumn | JsonColumn>
}

export const restoreBatch = <T extends Pick<PackedBatch, 'columns'>>(batch: T): T => ({
  ...batch,
  columns: new Map([...batch.columns].map(([key, column]) => [key, restoreBytes(column)])),
})

export interface ScannedColumns {
  fields: readonly string[]
  /** A commit id: the live records right after it. */
  asOf?: string
  rows?: RowRange | undefined
}

export interface RowRange {
  from: number
  to: number
}

export async function* scanColumns(
  sheet: SheetRef,
  { fields: keys, asOf, rows }: ScannedColumns,
  store: Store = processStore,
): AsyncGenerator<PackedBatch> {
  const { state, rules } = await openView(store, sheet, asOf)
  const fields = rules.fields.filter(({ key }) => keys.includes(key))
  const segments = listScannedSegments(state.segments, rows)
  const reading: Promise<PackedBatch>[] = []
  for (let at = 0; at < segments.length; at++) {
    while (reading.length <= PREFETCHED_SEGMENTS && at + reading.length < segments.length) {
      const batch = readBatch(store, segments[at + reading.length]!, fields)
      // A failed prefetch surfaces when it is awaited, not as an unhandled rejection.
      batch.catch(() => {})
      reading.push(batch)
    }
    yield await measure('reading', () => reading.shift()!)
  }
}

const PREFETCHED_SEGMENTS = 3

interface ScannedSegment {
  segment: Segment
  liveRows: number[] | undefined
}

function listScannedSegments(
  segments: readonly Segment[],
  { from, to }: RowRange = { from: 0, to: Number.POSITIVE_INFINITY },
): ScannedSegment[] {
  let before = 0
  return segments.flatMap((segment): ScannedSegment[] => {
    const live = countLiveRows(segment)
    const [first, end] = [Math.max(0, from - before), Math.min(live, to - before)]
    before += live
    if (first >= end) return []
    const isWhole = end - first === segment.rows
    return [{ segment, liveRows: isWhole ? undefined : listLiveRows(segment, first, end) }]
  })
}

interface StoredField {
  key: string
  column: string
}

async function readBatch(
  store: Store,
  { segment, liveRows }: ScannedSegment,
  fields: readonly StoredField[],
): Promise<PackedBatch> {
  const isStored = ({ column }: StoredField): boolean =>
    !isEdited(segment, column) && segment.inline?.has(column) !== true
  const stored = fields.filter(isStored)
  const others = fields.filter((field) => !isStored(field))
  const [chunks, [open]] = await Promise.all([
    readPackedChunks(
      segment,
      stored.map(({ column }) => column),
    ),
    openSegments(
      { ...store, cacheBytes: 0 },
      [segment],
      others.map(({ column }) => column),
    ),
  ])
  const readColumn = (field: StoredField): PackedColumn | JsonColumn => {
    const packed = chunks.get(field.column)
    return packed ? { packed, nulls: countEmptyCells(segment, field) } : readJsonColumn(open!, field)
  }
  return {
    length: liveRows?.length ?? segment.rows,
    storedRows: segment.rows,
    liveRows,
    columns: new Map(fields.map((field) => [field.key, readColumn(field)])),
  }
}

export async function unpackBatch(
  { length, storedRows, liveRows, columns }: PackedBatch,
  unpack: (chunk: Buffer) => Buffer | Promise<Buffer> = isMainThread ? unpackInThread : unpackChunk,
): Promise<JsonBatch> {
  const unpackColumn = async (column: PackedColumn | JsonColumn): Promise<JsonColumn> => {
    if ('raw' in column) return column
    const { packed, nulls } = column
    const raw = await unpack(packed)
    return raw.length === 0 ? createNullColumn(storedRows) : { ...createJsonColumn(raw, storedRows, nulls), packed }
  }
  const unpacked = await Promise.all(
    [...columns].map(async ([key, column]) => [key, await unpackColumn(column)] as const),
  )
  return {
    length,
    columns: new Map(unpacked.map(([key, column]) => [key, liveRows ? selectRows(column, liveRows) : column])),
  }
}
