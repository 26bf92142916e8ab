/** Streams columns as they are stored, one segment at a time, for mappings. */
import { isMainThread } from 'node:worker_threads'
import { readInGroups } from '../../core/stopwatch.ts'
import { restoreBytes } from '../../core/threads/task.ts'
import { createJsonColumn, createNullColumn, type JsonColumn, selectRows } from '../columns/json-column.ts'
import { unpackChunk, unpackInThread } from '../format/chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { countEmptyCells } from '../segments/cells.ts'
import { readJsonColumn } from '../segments/json-columns.ts'
import { openSegments, readPackedChunks } from '../segments/open.ts'
import type { SheetRef } from '../sheet.ts'
import { countLiveRows, isEdited, listLiveRows, type Segment } from '../state/state.ts'
import { openView, type View } from './view.ts'

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
  yield* scanView(store, await openView(store, sheet, asOf), keys, rows)
}

export async function* scanView(
  store: Store,
  { state, rules }: View,
  keys: readonly string[],
  rows?: RowRange,
): AsyncGenerator<PackedBatch> {
  const fields = rules.fields.filter(({ key }) => keys.includes(key))
  const segments = listScannedSegments(state.segments, rows)
  yield* readInGroups(segments, SEGMENTS_PER_READ, (group) => readBatches(store, group, fields))
}

/** Segments of one object are read by one request. */
const SEGMENTS_PER_READ = 4

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

async function readBatches(
  store: Store,
  scanned: readonly ScannedSegment[],
  fields: readonly StoredField[],
): Promise<PackedBatch[]> {
  const parts = scanned.map(({ segment }) => {
    const isStored = ({ column }: StoredField): boolean =>
      !isEdited(segment, column) && segment.inline?.has(column) !== true
    return { stored: fields.filter(isStored), others: fields.filter((field) => !isStored(field)) }
  })
  const [chunks, opened] = await Promise.all([
    readPackedChunks(scanned.map(({ segment }, i) => ({ segment, names: listColumns(parts[i]!.stored) }))),
    Promise.all(
      scanned.map(({ segment }, i) =>
        openSegments({ ...store, cacheBytes: 0 }, [segment], listColumns(parts[i]!.others)),
      ),
    ),
  ])
  return scanned.map(({ segment, liveRows }, i) => {
    const packedChunks = copyTogether(chunks[i]!)
    const readColumn = (field: StoredField): PackedColumn | JsonColumn => {
      const packed = packedChunks.get(field.column)
      return packed ? { packed, nulls: countEmptyCells(segment, field) } : readJsonColumn(opened[i]![0]!, field)
    }
    return {
      length: liveRows?.length ?? segment.rows,
      storedRows: segment.rows,
      liveRows,
      columns: new Map(fields.map((field) => [field.key, readColumn(field)])),
    }
  })
}

/** Whole array buffers are cloned for threads, so that of a segment must not have those read with it. */
function copyTogether(chunks: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const bytes = Buffer.allocUnsafeSlow([...chunks.values()].reduce((sum, { length }) => sum + length, 0))
  let end = 0
  return new Map(
    [...chunks].map(([column, chunk]) => {
      const start = end
      end += chunk.copy(bytes, start)
      return [column, bytes.subarray(start, end)]
    }),
  )
}

const listColumns = (fields: readonly StoredField[]): string[] => fields.map(({ column }) => column)

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
