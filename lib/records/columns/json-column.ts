/** Columns of a batch as JSON text (columns.ts), so that cells are copied and compared without being parsed. */
import { memoize } from '../../core/memo.ts'
import { type Note, ReadCell } from '../../values/read-cell.ts'
import {
  type ColumnWriter,
  copyCells,
  createColumnWriter,
  locateAllCells,
  NULL,
  parseColumn,
  takeColumn,
  writeJson,
  writeNull,
  writeText,
} from './columns.ts'

export interface JsonColumn {
  raw: Buffer
  length: number
  /** The notes of values that were read from texts, by row. These values are stored as they are. */
  notes: ReadonlyMap<number, Note>
  nulls?: number | undefined
  packed?: Buffer | undefined
}

export type Column = readonly unknown[] | JsonColumn

const NO_NOTES: JsonColumn['notes'] = new Map()

export const createJsonColumn = (raw: Buffer, length: number, nulls?: number): JsonColumn => ({
  ...{ raw, length, notes: NO_NOTES },
  ...(nulls === undefined ? {} : { nulls }),
})

export const createNullColumn = (length: number): JsonColumn =>
  createJsonColumn(Buffer.from(new Array<string>(length).fill(NULL).join(',\n')), length, length)

export function writeValue(writer: ColumnWriter, value: unknown): void {
  if (typeof value === 'string' && value !== '') writeText(writer, value)
  else if (value === null || value === undefined || value === '') writeNull(writer)
  else writeJson(writer, JSON.stringify(value) ?? NULL)
}

export function encodeValues(values: readonly unknown[]): JsonColumn {
  const writer = createColumnWriter(values.length)
  const notes = new Map<number, Note>()
  for (const [row, value] of values.entries()) {
    writeValue(writer, value)
    if (value instanceof ReadCell) notes.set(row, value.note)
  }
  return { raw: takeColumn(writer), length: values.length, notes }
}

export const toJsonColumn = (column: Column): JsonColumn => ('raw' in column ? column : encodeValues(column))

const parseValues = memoize(({ raw, length, notes }: JsonColumn): readonly unknown[] => {
  const values = length === 0 ? [] : parseColumn(raw)
  for (const [row, note] of notes) values[row] = new ReadCell(values[row], note)
  return values
})

export const readValues = (column: Column): readonly unknown[] => ('raw' in column ? parseValues(column) : column)

export const locateRows = memoize(({ raw, length }: JsonColumn) => locateAllCells(raw, length))

/** The bytes of the cells from row `from` up to `to`, without the separator behind them. */
export function locateRange(column: JsonColumn, from: number, to: number): { start: number; end: number } {
  if (from === 0 && to === column.length) return { start: 0, end: column.raw.length }
  const { starts, ends } = locateRows(column)
  return { start: starts[from]!, end: ends[to - 1]! }
}

/** @param rows ascending */
export function selectRows(column: JsonColumn, rows: readonly number[]): JsonColumn {
  const { raw, length, notes } = column
  if (rows.length === length) return column
  const { starts, ends } = locateRows(column)
  const writer = createColumnWriter(rows.length)
  const selectedNotes = new Map<number, Note>()
  for (let i = 0; i < rows.length; ) {
    const first = i
    do {
      const note = notes.size > 0 ? notes.get(rows[i]!) : undefined
      if (note) selectedNotes.set(i, note)
      i++
    } while (i < rows.length && rows[i] === rows[i - 1]! + 1)
    copyCells(writer, raw, starts[rows[first]!]!, ends[rows[i - 1]!]!)
  }
  return { raw: takeColumn(writer), length: rows.length, notes: selectedNotes }
}
