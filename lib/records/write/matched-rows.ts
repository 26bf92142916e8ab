/** Rows that wait for the record they change: the JSON of their cells by segment, spilled above `matchedBytes`. */

import { deleteObject } from '../../objects/store.ts'
import { ReadCell } from '../../values/read-cell.ts'
import { type ColumnWriter, copyCells, createColumnWriter, locateAllCells, takeColumn } from '../columns/columns.ts'
import { type JsonColumn, locateRange } from '../columns/json-column.ts'
import { getOrInsert } from '../columns/maps.ts'
import { packChunk, unpackChunk } from '../format/chunk.ts'
import { formatObjectKey, getSpan, putBlob, readSpans, type Store } from '../log/store.ts'
import type { BlobRef } from '../state/state.ts'

/** The cells of a field. `raw` is in the order of their import, everything else in that of the rows. */
export interface MatchedColumn {
  raw: Buffer
  isInOrder: boolean
  hasNotes: boolean
  locate(): { starts: Uint32Array; ends: Uint32Array }
  hasNote(index: number): boolean
  getValue(index: number): unknown
}

export interface MatchedSegment {
  rows: readonly number[]
  columns: readonly MatchedColumn[]
}

export interface MatchedRows {
  readonly count: number
  readonly segmentKeys: Iterable<string>
  /** @param rows of the segment, for the cells of the columns from `index` on */
  add(segmentKey: string, rows: readonly number[], columns: readonly JsonColumn[], index: number): void
  limitMemory(): Promise<void>
  read(segmentKey: string): Promise<MatchedSegment>
  discard(): Promise<void>
}

interface WaitingSegment {
  rows: number[]
  writers: readonly ColumnWriter[]
  notes: readonly Map<number, ReadCell['note']>[]
}

/** How a spilled segment is stored: its parts in one chunk, after their lengths. */
interface SpilledHeader {
  rows: readonly number[]
  notes: readonly (readonly [index: number, note: ReadCell['note']])[][]
  lengths: readonly number[]
}

interface SegmentPart {
  rows: readonly number[]
  raws: readonly Buffer[]
  notes: readonly ReadonlyMap<number, ReadCell['note']>[]
}

const MAX_CONCURRENT_PACKS = 4

export function createMatchedRows(store: Store, sheetId: string, width: number): MatchedRows {
  const createSegment = (): WaitingSegment => ({
    rows: [],
    writers: Array.from({ length: width }, () => createColumnWriter(0)),
    notes: Array.from({ length: width }, () => new Map()),
  })
  let waiting = new Map<string, WaitingSegment>()
  const segmentKeys = new Set<string>()
  const spills: BlobRef[] = []
  let bytes = 0
  let count = 0
  let last: { key: string; segment: WaitingSegment } | undefined

  function getSegment(key: string): WaitingSegment {
    if (last?.key === key) return last.segment
    segmentKeys.add(key)
    last = { key, segment: getOrInsert(waiting, key, createSegment) }
    return last.segment
  }

  async function spill(): Promise<void> {
    const segments = [...waiting]
    waiting = new Map()
    last = undefined
    bytes = 0
    const chunks: { name: string; packed: Buffer }[] = []
    for (let from = 0; from < segments.length; from += MAX_CONCURRENT_PACKS)
      chunks.push(
        ...(await Promise.all(
          segments.slice(from, from + MAX_CONCURRENT_PACKS).map(async ([name, segment]) => ({
            name,
            packed: await packChunk(encodePart(takePart(segment))),
          })),
        )),
      )
    spills.push(await putBlob(store, sheetId, chunks))
  }

  return {
    get count() {
      return count
    },
    segmentKeys,
    add(segmentKey, rows, columns, index) {
      const waitingRows = getSegment(segmentKey)
      for (const [i, column] of columns.entries()) {
        const writer = waitingRows.writers[i]!
        const { start, end } = locateRange(column, index, index + rows.length)
        copyCells(writer, column.raw, start, end)
        bytes += end - start
        if (column.notes.size > 0)
          copyNotes(column.notes, index, rows.length, waitingRows.notes[i]!, waitingRows.rows.length)
      }
      for (const row of rows) waitingRows.rows.push(row)
      count += rows.length
    },
    async limitMemory() {
      if (bytes > store.matchedBytes) await spill()
    },
    async read(segmentKey) {
      const spans = spills.flatMap((blob) => {
        const index = blob.names.indexOf(segmentKey)
        return index < 0 ? [] : [getSpan({ blob, index })]
      })
      const parts = (await readSpans(spans)).map((packed) => decodePart(unpackChunk(packed)))
      const unspilled = waiting.get(segmentKey)
      if (unspilled) parts.push(copyPart(unspilled))
      return joinParts(parts, width)
    },
    async discard() {
      for (const { id, tier } of spills) if (tier === 's') await deleteObject(formatObjectKey(id))
    },
  }
}

function copyNotes(
  from: JsonColumn['notes'],
  first: number,
  length: number,
  to: Map<number, ReadCell['note']>,
  at: number,
): void {
  for (let row = 0; row < length; row++) {
    const note = from.get(first + row)
    if (note) to.set(at + row, note)
  }
}

const takePart = ({ rows, writers, notes }: WaitingSegment): SegmentPart => ({
  rows,
  raws: writers.map(takeColumn),
  notes,
})

/** A repeated attempt to commit reads the segment again. */
const copyPart = ({ rows, writers, notes }: WaitingSegment): SegmentPart => ({
  rows,
  raws: writers.map((writer) => writer.bytes.subarray(0, Math.max(0, writer.length - SEPARATOR.length))),
  notes,
})

const SEPARATOR = Buffer.from(',\n')
const LENGTH_BYTES = 4

function encodePart({ rows, raws, notes }: SegmentPart): Buffer {
  const header: SpilledHeader = {
    rows,
    notes: notes.map((byIndex) => [...byIndex]),
    lengths: raws.map(({ length }) => length),
  }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json, ...raws])
}

function decodePart(bytes: Buffer): SegmentPart {
  let at = LENGTH_BYTES + bytes.readUInt32LE(0)
  const { rows, notes, lengths } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, at)) as SpilledHeader
  const raws = lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
  return { rows, raws, notes: notes.map((entries) => new Map(entries)) }
}

function joinParts(parts: readonly SegmentPart[], width: number): MatchedSegment {
  const rows = parts.flatMap((part) => part.rows)
  const isSorted = rows.every((row, i) => i === 0 || rows[i - 1]! < row)
  const order = isSorted ? undefined : rows.map((_, i) => i).sort((a, b) => rows[a]! - rows[b]!)
  return {
    rows: order ? order.map((i) => rows[i]!) : rows,
    columns: Array.from({ length: width }, (_, i) =>
      createColumn(joinRaws(parts.map(({ raws }) => raws[i]!)), joinNotes(parts, i), rows.length, order),
    ),
  }
}

const joinRaws = (raws: readonly Buffer[]): Buffer =>
  raws.length === 1 ? raws[0]! : Buffer.concat(raws.flatMap((raw, i) => (i === 0 ? [raw] : [SEPARATOR, raw])))

function joinNotes(parts: readonly SegmentPart[], column: number): ReadonlyMap<number, ReadCell['note']> {
  if (parts.length === 1) return parts[0]!.notes[column]!
  const joined = new Map<number, ReadCell['note']>()
  let first = 0
  for (const { rows, notes } of parts) {
    for (const [index, note] of notes[column]!) joined.set(first + index, note)
    first += rows.length
  }
  return joined
}

function createColumn(
  raw: Buffer,
  notes: ReadonlyMap<number, ReadCell['note']>,
  length: number,
  order: readonly number[] | undefined,
): MatchedColumn {
  const toIndex = (index: number): number => (order ? order[index]! : index)
  let cells: ReturnType<MatchedColumn['locate']> | undefined
  const locate = () => (cells ??= locateInOrder(raw, length, order))
  return {
    raw,
    isInOrder: order === undefined,
    hasNotes: notes.size > 0,
    locate,
    hasNote: (index) => notes.has(toIndex(index)),
    getValue(index) {
      const { starts, ends } = locate()
      const value: unknown = JSON.parse(raw.toString('utf8', starts[index], ends[index]))
      const note = notes.get(toIndex(index))
      return note ? new ReadCell(value, note) : value
    },
  }
}

function locateInOrder(raw: Buffer, length: number, order: readonly number[] | undefined) {
  const cells = locateAllCells(raw, length)
  if (!order) return cells
  const pick = (values: Uint32Array): Uint32Array => Uint32Array.from(order, (i) => values[i]!)
  return { starts: pick(cells.starts), ends: pick(cells.ends) }
}
