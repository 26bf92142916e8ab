/** The cells that are added to a segment, in one of several forms, and readers of their values. */
import type { ColumnWriter } from '../columns/columns.ts'
import type { Column, JsonColumn } from '../columns/json-column.ts'
import { type CellBytes, getBytesReader, readCellText } from '../fields/cell-bytes.ts'
import { type FieldRules, toStoredCell } from '../fields/rules.ts'
import type { TextReader } from '../fields/value-rules.ts'
import { parseWritten } from './write-json-cells.ts'

type CellValues =
  | { length: number; columns: ReadonlyMap<string, Column> }
  | { keys: readonly string[]; rows: readonly (readonly unknown[])[] }

export type Cells = CellValues | CellBytes

export const countCells = (cells: Cells): number => ('rows' in cells ? cells.rows.length : cells.length)

/** Rows are read in place: converting them to columns would cost a tenth of the parsing time. */
export interface FieldCells {
  column: readonly unknown[] | undefined
  rows: readonly (readonly unknown[])[] | undefined
  at: number
}

export function selectFieldCells(cells: CellValues, key: string): FieldCells {
  if ('columns' in cells) return { column: cells.columns.get(key) as readonly unknown[], rows: undefined, at: 0 }
  const at = cells.keys.indexOf(key)
  return { column: undefined, rows: at < 0 ? undefined : cells.rows, at }
}

const getCell = ({ column, rows, at }: FieldCells, i: number): unknown => (column ? column[i] : rows?.[i]?.[at])

export interface WrittenCells {
  writer: ColumnWriter
  start: number
}
type WrittenColumns = ReadonlyMap<string, WrittenCells>

export function findJsonColumn(cells: CellValues, key: string): JsonColumn | undefined {
  const column = 'columns' in cells ? cells.columns.get(key) : undefined
  return column && 'raw' in column ? column : undefined
}

export function createCellReader(cells: Cells, key: string): (row: number) => unknown {
  if (!('bytes' in cells)) {
    const fieldColumn = selectFieldCells(cells, key)
    return (row) => getCell(fieldColumn, row)
  }
  const column = cells.keys.indexOf(key)
  return (row) => (column < 0 ? null : readCellText(cells, row, column))
}

export function createStoredReader(
  { cells, written }: AddedCells,
  from: number,
  field: FieldRules,
): (row: number) => unknown {
  const json = written.get(field.key)
  if (json) return readWritten(json, from)
  const read = createCellReader(cells, field.key)
  return (row) => toStoredCell(field, read(row))
}

export interface AddedCells {
  cells: Cells
  written: WrittenColumns
}

function readWritten({ writer, start }: WrittenCells, from: number): (row: number) => unknown {
  const values = parseWritten(writer, start)
  return (row) => values[row - from]
}

const ANY_VALUE = ''

/** Values as they are stored; if only emptiness matters, any text stands for a value of a file. */
export function createValueReader(
  { cells, written }: AddedCells,
  from: number,
  readText: TextReader | undefined,
  field: FieldRules,
  readsValues: boolean,
): (row: number) => unknown {
  if (!('bytes' in cells)) return createStoredReader({ cells, written }, from, field)
  const { keys, bytes, starts, ends } = cells
  const column = keys.indexOf(field.key)
  if (column < 0) return () => null
  if (!readsValues)
    return (row) => (starts[row * keys.length + column] === ends[row * keys.length + column] ? null : ANY_VALUE)
  const readTyped = getBytesReader(field.type)
  return (row) => {
    const at = row * keys.length + column
    const [start, end] = [starts[at]!, ends[at]!]
    if (start === end) return null
    return readTyped?.(bytes, start, end) ?? toStoredCell(field, readText!(start, end))
  }
}
