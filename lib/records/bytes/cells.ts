/**
 * The cells of a column of an open segment as the bytes they are stored in, edits of the log over the chunk: nothing is
 * decoded. A reader stands on one cell at a time; a visit goes over all. Pure.
 */

import { chunkOf, isEdited, type Segment } from '../log/state.ts'
import type { OpenSegment } from '../read/reader.ts'
import { hasBit } from './bits.ts'
import { locateCells, NULL } from './columns.ts'

/** A column's cells; `seek` sets `bytes`, `from` and `to` to one of them. */
export interface CellReader {
  bytes: Buffer
  from: number
  to: number
  readonly raw: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Written over a row later. */
  readonly edited: ReadonlyMap<number, Buffer> | undefined
}

const NOTHING = Buffer.alloc(0)
const NOWHERE = { starts: new Uint32Array(0), ends: new Uint32Array(0) }

/** @param rows ascending; undefined when the column holds no cell at all */
export function cellReader(open: OpenSegment, column: string, rows: readonly number[]): CellReader | undefined {
  const raw = open.raw.get(column)
  const edited = editedCells(open.segment, column)
  if (!raw && !edited) return undefined
  return { bytes: NOTHING, from: 0, to: 0, raw: raw ?? NOTHING, ...(raw ? locateCells(raw, rows) : NOWHERE), edited }
}

/** Moves to the cell of `row`, the i-th of the reader's rows; false when it is empty. */
export function seek(cells: CellReader, i: number, row: number): boolean {
  const own = cells.edited?.get(row)
  cells.bytes = own ?? cells.raw
  cells.from = own ? 0 : (cells.starts[i] ?? 0)
  cells.to = own ? own.length : (cells.ends[i] ?? 0)
  return cells.from !== cells.to && !isNullCell(cells.bytes, cells.from)
}

/** Bytes of text the cells take, about: edits are not counted. */
export const bytesOf = (cells: CellReader | undefined): number =>
  cells?.starts.length ? cells.ends[cells.ends.length - 1]! - cells.starts[0]! + cells.starts.length * 4 : 0

const NEWLINE = 10
const NULL_BYTES = Buffer.from(NULL)

/** A cell's JSON text: bytes [start, end). */
export type CellVisitor = (bytes: Buffer, start: number, end: number, row: number) => void

/** Visits the cells of rows, ascending; without `rows` those of all live rows. */
export function visitCells(
  open: OpenSegment,
  column: string,
  rows: ArrayLike<number> | undefined,
  visit: CellVisitor,
): void {
  const { segment } = open
  const raw = open.raw.get(column)
  const edited = editedCells(segment, column)
  const count = rows ? rows.length : segment.rows
  const length = raw?.length ?? 0
  let at = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    const row = rows ? rows[i]! : i
    if (!rows && hasBit(segment.deleted, row)) continue
    let start = 0
    let end = 0
    if (raw) {
      for (; next < row; next++) {
        while (at < length && raw[at] !== NEWLINE) at++
        at++
      }
      start = at
      while (at < length && raw[at] !== NEWLINE) at++
      end = at < length ? at - 1 : length
      at++
      next++
    }
    const own = edited?.get(row)
    if (own) visit(own, 0, own.length, row)
    else if (raw) visit(raw, start, end, row)
    else visit(NULL_BYTES, 0, NULL_BYTES.length, row)
  }
}

/** Cells of a column written over since the chunk, by row; undefined when there are none. */
export function editedCells(segment: Segment, column: string): ReadonlyMap<number, Buffer> | undefined {
  let cells: Map<number, Buffer> | undefined
  for (const [row, edit] of segment.edits) {
    const text = edit.values.get(column)
    if (text === undefined) continue
    cells ??= new Map()
    cells.set(row, Buffer.from(text))
  }
  return cells
}

/** The value of a cell's JSON text; a text without escapes is what stands between its quotes. */
export const cellValue = (json: string): unknown =>
  json.charCodeAt(0) === 34 && !json.includes('\\') ? json.slice(1, -1) : JSON.parse(json)

/** No JSON value but null starts with an n. */
export const isNullCell = (bytes: Buffer, start: number): boolean => bytes[start] === 110

/**
 * Empty cells of a column, deleted rows included, as far as the state knows without reading; undefined when cells were
 * written over.
 */
export function emptyCells(segment: Segment, field: { key: string; column: string }): number | undefined {
  if (isEdited(segment, field.column)) return undefined
  const stored = segment.inline?.has(field.column) || chunkOf(segment, field.column)
  return stored ? (segment.nulls.get(field.key) ?? 0) : segment.rows
}
