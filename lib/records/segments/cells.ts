/** Reads the stored bytes of cells without decoding them; log edits override the chunk. */

import { hasBit } from '../columns/bits.ts'
import { locateCells, NULL } from '../columns/columns.ts'
import { findChunk, isEdited, type Segment } from '../state/state.ts'
import type { OpenSegment } from './open.ts'

export interface CellReader {
  bytes: Buffer
  from: number
  to: number
  readonly raw: Buffer
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly edited: ReadonlyMap<number, Buffer> | undefined
}

const EMPTY_BUFFER = Buffer.alloc(0)
const NO_CELLS = { starts: new Uint32Array(0), ends: new Uint32Array(0) }

export function createCellReader(open: OpenSegment, column: string, rows: readonly number[]): CellReader | undefined {
  const raw = open.raw.get(column)
  const edited = getEditedCells(open.segment, column)
  if (!raw && !edited) return undefined
  return {
    bytes: EMPTY_BUFFER,
    from: 0,
    to: 0,
    raw: raw ?? EMPTY_BUFFER,
    ...(raw ? locateCells(raw, rows) : NO_CELLS),
    edited,
  }
}

export function seek(cells: CellReader, i: number, row: number): boolean {
  const editedCell = cells.edited?.get(row)
  cells.bytes = editedCell ?? cells.raw
  cells.from = editedCell ? 0 : (cells.starts[i] ?? 0)
  cells.to = editedCell ? editedCell.length : (cells.ends[i] ?? 0)
  return cells.from !== cells.to && !isNullCell(cells.bytes, cells.from)
}

export const estimateBytes = (cells: CellReader | undefined): number =>
  cells?.starts.length ? cells.ends[cells.ends.length - 1]! - cells.starts[0]! + cells.starts.length * 4 : 0

const NEWLINE = 10
const NULL_BYTES = Buffer.from(NULL)

export type CellVisitor = (bytes: Buffer, start: number, end: number, row: number) => void

export function visitCells(
  open: OpenSegment,
  column: string,
  rows: ArrayLike<number> | undefined,
  visit: CellVisitor,
): void {
  const { segment } = open
  const raw = open.raw.get(column)
  const edited = getEditedCells(segment, column)
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
    const editedCell = edited?.get(row)
    if (editedCell) visit(editedCell, 0, editedCell.length, row)
    else if (raw) visit(raw, start, end, row)
    else visit(NULL_BYTES, 0, NULL_BYTES.length, row)
  }
}

export function getEditedCells(segment: Segment, column: string): ReadonlyMap<number, Buffer> | undefined {
  let cells: Map<number, Buffer> | undefined
  for (const [row, edit] of segment.edits) {
    const text = edit.values.get(column)
    if (text === undefined) continue
    cells ??= new Map()
    cells.set(row, Buffer.from(text))
  }
  return cells
}

export const parseCellValue = (json: string): unknown =>
  json.charCodeAt(0) === 34 && !json.includes('\\') ? json.slice(1, -1) : JSON.parse(json)

export const isNullCell = (bytes: Buffer, start: number): boolean => bytes[start] === 110

/** Empty cells, including those of deleted rows; undefined when the column has edits. */
export function countEmptyCells(segment: Segment, field: { key: string; column: string }): number | undefined {
  if (isEdited(segment, field.column)) return undefined
  const stored = segment.inline?.has(field.column) || findChunk(segment, field.column)
  return stored ? (segment.nulls.get(field.key) ?? 0) : segment.rows
}
