/** Which row names the columns: titles and blank rows may stand above it, or it may be missing. Pure. */
import { unprocessable } from '../../core/errors.ts'
import { type Kind, kindOf } from './kinds.ts'
import { commonest, isBlank, isBlankRow, ROWS, type Row, widthOf } from './rows.ts'

export interface Header {
  /** What the header says, column by column; undefined when the file has none. */
  header: string[] | undefined
  /** Its row, from 1, blank ones counted; 0 when the file has none. */
  headerRow: number
  /** Columns seen: cells up to the last that is not blank, in the widest row. */
  width: number
  /** Bytes of UTF-8 before the first row of data. */
  dataStart: number
  /** Rows before it, blank ones counted. */
  rowsBefore: number
}

/** A header stands among the first so many rows. */
const ROWS_ABOVE = 20

/** @param told the header's row where somebody says it, from 1; 0 for a table without */
export function headerOf(rows: readonly Row[], told?: number): Header {
  const width = Math.max(1, ...rows.map(widthOf))
  if (told !== undefined) return toldHeader(rows, told, width)
  const at = firstTableRow(rows)
  const first = rows[at]
  if (!first) return { header: undefined, headerRow: 0, width, dataStart: 0, rowsBefore: 0 }
  const body = rows.slice(at + 1).filter((row) => !isBlankRow(row))
  if (namesColumns(first, body)) {
    return { header: first.cells, headerRow: at + 1, width, dataStart: first.end, rowsBefore: at + 1 }
  }
  return { header: undefined, headerRow: 0, width, dataStart: rows[at - 1]?.end ?? 0, rowsBefore: at }
}

function toldHeader(rows: readonly Row[], told: number, width: number): Header {
  const row = rows[told - 1]
  if (told > 0 && !row) throw unprocessable(`Row ${told} cannot name the columns: it is not among the first ${ROWS}.`)
  return { header: row?.cells, headerRow: told, width, dataStart: row?.end ?? 0, rowsBefore: told }
}

/** The index of the first row that is neither blank nor a title. */
function firstTableRow(rows: readonly Row[]): number {
  const filled = rows.filter((row) => !isBlankRow(row))
  const width = commonest(filled.map(({ cells }) => cells.length))
  const found = rows.slice(0, ROWS_ABOVE).findIndex((row, at) => !isBlankRow(row) && !isTitle(row, width, rows[at + 1]))
  return found >= 0 ? found : rows.findIndex((row) => !isBlankRow(row))
}

/** Fills few of the table's columns. In narrow tables only what cannot be a row is taken for a title. */
function isTitle(row: Row, width: number, next: Row | undefined): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell)).length
  if (width >= 3) return filled <= Math.max(1, Math.floor(width / 3))
  return width === 2 && filled === 1 && (row.cells.length === 1 || (next !== undefined && isBlankRow(next)))
}

/** False when the row looks like the rows below it: the same kinds of values in the columns that have a kind. */
function namesColumns(row: Row, body: readonly Row[]): boolean {
  const kinds = row.cells.map(kindOf)
  const telling = kinds.map((kind, column) => kind !== 'blank' && kind !== 'text' && !isYear(row.cells[column]!))
  if (!telling.includes(true) || isSequence(row.cells.filter((_, column) => kinds[column] === 'number'))) return true
  if (body.length === 0) return false
  const columns = row.cells.map((_, column) => columnKind(body, column))
  const typed = columns.filter((kind) => kind !== undefined).length
  const alike = columns.filter((kind, column) => telling[column] && kind === kinds[column]).length
  return alike === 0 || alike < typed / 2
}

const isYear = (cell: string): boolean => /^\s*(?:19|20)\d\d\s*$/.test(cell)

/** 1, 2, 3: numbered columns. */
const isSequence = (cells: readonly string[]): boolean =>
  cells.length > 2 && cells.every((cell, at) => at === 0 || Number(cell) === Number(cells[at - 1]) + 1)

/** The kind of four in five of the column's values; undefined for text and for mixed values. */
function columnKind(body: readonly Row[], column: number): Kind | undefined {
  const kinds = body.map(({ cells }) => kindOf(cells[column] ?? '')).filter((kind) => kind !== 'blank')
  return (['number', 'date', 'address', 'boolean'] as const).find(
    (kind) => kinds.length > 0 && kinds.filter((other) => other === kind).length >= kinds.length * 0.8,
  )
}
