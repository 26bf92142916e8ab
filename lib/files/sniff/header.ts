/** Finds the header row, which may follow titles and blank rows or be missing. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { detectKind, type Kind } from './kinds.ts'
import { findMostCommon, getWidth, isBlank, isBlankRow, MAX_SNIFFED_ROWS, type Row } from './rows.ts'

export interface Header {
  header: string[] | undefined
  /** One-based, counting blank rows; 0 for none. */
  headerRow: number
  /** Columns up to the last non-blank cell of the widest row. */
  width: number
  /** UTF-8 bytes before the first data row. */
  dataStart: number
  rowsBefore: number
}

const MAX_HEADER_ROW = 20

export function detectHeaderRow(rows: readonly Row[], specifiedRow?: number): Header {
  const width = Math.max(1, ...rows.map(getWidth))
  if (specifiedRow !== undefined) return readSpecifiedHeader(rows, specifiedRow, width)
  const at = findFirstTableRow(rows)
  const first = rows[at]
  if (!first) return { header: undefined, headerRow: 0, width, dataStart: 0, rowsBefore: 0 }
  const headerAt = isFormatRow(first, rows[at + 1], rows.slice(at + 2)) ? at + 1 : at
  const row = rows[headerAt]!
  const body = rows.slice(headerAt + 1).filter((other) => !isBlankRow(other))
  if (looksLikeHeader(row, body))
    return { header: row.cells, headerRow: headerAt + 1, width, dataStart: row.end, rowsBefore: headerAt + 1 }
  return { header: undefined, headerRow: 0, width, dataStart: rows[at - 1]?.end ?? 0, rowsBefore: at }
}

/** Some programs write the version of their format above the header, with another number of cells. */
function isFormatRow(row: Row, next: Row | undefined, body: readonly Row[]): boolean {
  const width = findMostCommon(body.map(({ cells }) => cells.length))
  if (next?.cells.length !== width || row.cells.length === width || !hasTypedCells(row)) return false
  const areNames = next.cells.every((cell) => !isBlank(cell)) && !hasTypedCells(next)
  return areNames && next.cells.some((_, column) => findColumnKind(body, column) !== undefined)
}

const hasTypedCells = ({ cells }: Row): boolean =>
  cells.map(detectKind).some((kind) => kind !== 'blank' && kind !== 'text')

function readSpecifiedHeader(rows: readonly Row[], specifiedRow: number, width: number): Header {
  const row = rows[specifiedRow - 1]
  if (specifiedRow > 0 && !row)
    throw unprocessable(message('files.headerRowTooFar', { row: specifiedRow, count: MAX_SNIFFED_ROWS }))
  return { header: row?.cells, headerRow: specifiedRow, width, dataStart: row?.end ?? 0, rowsBefore: specifiedRow }
}

function findFirstTableRow(rows: readonly Row[]): number {
  const filled = rows.filter((row) => !isBlankRow(row))
  const width = findMostCommon(filled.map(({ cells }) => cells.length))
  const tableIndex = rows
    .slice(0, MAX_HEADER_ROW)
    .findIndex((row, at) => !isBlankRow(row) && !isTitle(row, width, rows[at + 1]))
  return tableIndex >= 0 ? tableIndex : rows.findIndex((row) => !isBlankRow(row))
}

function isTitle(row: Row, width: number, next: Row | undefined): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell)).length
  if (width >= 3) return filled <= Math.max(1, Math.floor(width / 3))
  return width === 2 && filled === 1 && (row.cells.length === 1 || (next !== undefined && isBlankRow(next)))
}

function looksLikeHeader(row: Row, body: readonly Row[]): boolean {
  const kinds = row.cells.map(detectKind)
  const isTyped = kinds.map((kind, column) => kind !== 'blank' && kind !== 'text' && !isYear(row.cells[column]!))
  if (!isTyped.includes(true) || isSequence(row.cells.filter((_, column) => kinds[column] === 'number'))) return true
  if (body.length === 0) return false
  const columns = row.cells.map((_, column) => findColumnKind(body, column))
  const typedCount = columns.filter((kind) => kind !== undefined).length
  const matchingCount = columns.filter((kind, column) => isTyped[column] && kind === kinds[column]).length
  return matchingCount === 0 || matchingCount < typedCount / 2
}

const isYear = (cell: string): boolean => /^\s*(?:19|20)\d\d\s*$/.test(cell)

const isSequence = (cells: readonly string[]): boolean =>
  cells.length > 2 && cells.every((cell, at) => at === 0 || Number(cell) === Number(cells[at - 1]) + 1)

function findColumnKind(body: readonly Row[], column: number): Kind | undefined {
  const kinds = body.map(({ cells }) => detectKind(cells[column] ?? '')).filter((kind) => kind !== 'blank')
  return (['number', 'date', 'address', 'boolean'] as const).find(
    (kind) => kinds.length > 0 && kinds.filter((other) => other === kind).length >= kinds.length * 0.8,
  )
}
