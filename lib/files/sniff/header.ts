/** Finds the header row, which may follow titles and blank rows or be missing. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { findHeaderLines, joinHeaderLines } from './header-lines.ts'
import { detectKind, type Kind } from './kinds.ts'
import { findMostCommon, getWidth, isBlank, isBlankRow, MAX_SNIFFED_ROWS, type Row } from './rows.ts'

export interface Header {
  header: string[] | undefined
  labels?: string[] | undefined
  /** The last line of the header: one-based, counting blank rows; 0 for none. */
  headerRow: number
  lines: readonly (readonly string[])[]
  /** Columns up to the last non-blank cell of the widest row, without titles. */
  width: number
  /** UTF-8 bytes before the first data row. */
  dataStart: number
  rowsBefore: number
}

export interface SpecifiedHeader {
  /** Its last line; 0 for none. */
  row?: number | undefined
  lines?: number | undefined
}

const MAX_HEADER_ROW = 20

export function detectHeaderRow(rows: readonly Row[], specified: SpecifiedHeader = {}): Header {
  if (specified.row !== undefined) return readSpecifiedHeader(rows, specified.row, specified.lines ?? 1)
  const at = findFirstTableRow(rows)
  const first = rows[at]
  if (!first) return createMissingHeader(rows, 0)
  const headerAt = isFormatRow(first, rows[at + 1], rows.slice(at + 2)) ? at + 1 : at
  const body = rows.slice(headerAt + 1).filter((other) => !isBlankRow(other))
  if (!looksLikeHeader(rows[headerAt]!, body)) return createMissingHeader(rows, at)
  const { first: firstLine, last: lastLine } = findHeaderLines(rows, headerAt)
  if (specified.lines === undefined) return toHeader(rows, firstLine, lastLine)
  const last = Math.max(lastLine, specified.lines - 1)
  return readSpecifiedHeader(rows, last + 1, specified.lines)
}

const measureWidth = (rows: readonly Row[]): number => Math.max(1, ...rows.map(getWidth))

const createMissingHeader = (rows: readonly Row[], rowsBefore: number): Header => ({
  ...{ header: undefined, headerRow: 0, lines: [], width: measureWidth(rows.slice(rowsBefore)), rowsBefore },
  dataStart: rows[rowsBefore - 1]?.end ?? 0,
})

function toHeader(rows: readonly Row[], first: number, last: number): Header {
  const lines = rows.slice(first, last + 1).map(({ cells }) => cells)
  const { names: header, labels } = joinHeaderLines(lines)
  return {
    header,
    labels: lines.length > 1 ? labels : undefined,
    headerRow: last + 1,
    lines,
    width: measureWidth(rows.slice(first)),
    dataStart: rows[last]!.end,
    rowsBefore: last + 1,
  }
}

/** Such as the version of a file format, or a title with commas, with another number of cells than the rows below. */
function isFormatRow(row: Row, next: Row | undefined, body: readonly Row[]): boolean {
  const width = findMostCommon(body.map(({ cells }) => cells.length))
  if (next?.cells.length !== width || row.cells.length === width) return false
  if (!hasTypedCells(row) && (row.cells.length < width || !isSentence(row))) return false
  const areNames = next.cells.every((cell) => !isBlank(cell)) && !hasTypedCells(next)
  return areNames && next.cells.some((_, column) => findColumnKind(body, column) !== undefined)
}

/** A header may have more cells than the rows of a workbook, whose last columns are empty. */
const isSentence = ({ cells }: Row): boolean => cells.slice(1).every((cell) => /^\s+\S/.test(cell))

const hasTypedCells = ({ cells }: Row): boolean =>
  cells.map(detectKind).some((kind) => kind !== 'blank' && kind !== 'text')

function readSpecifiedHeader(rows: readonly Row[], row: number, lines: number): Header {
  if (row === 0) return createMissingHeader(rows, 0)
  if (!rows[row - 1]) throw unprocessable(message('files.headerRowTooFar', { row, count: MAX_SNIFFED_ROWS }))
  if (lines > row) throw unprocessable(message('files.headerLinesTooMany', { row, count: lines }))
  return toHeader(rows, row - lines, row - 1)
}

function findFirstTableRow(rows: readonly Row[]): number {
  const filled = rows.filter((row) => !isBlankRow(row))
  const width = findMostCommon(filled.map(({ cells }) => cells.length))
  const tableIndex = rows
    .slice(0, MAX_HEADER_ROW)
    .findIndex(
      (row, at) => !isBlankRow(row) && !isTitle(row, width, rows[at + 1]) && !isFactRow(row, rows.slice(at + 1)),
    )
  return tableIndex >= 0 ? tableIndex : rows.findIndex((row) => !isBlankRow(row))
}

function isTitle(row: Row, width: number, next: Row | undefined): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell)).length
  if (width >= 3) return filled <= Math.max(1, Math.floor(width / 3))
  return width === 2 && filled === 1 && (row.cells.length === 1 || (next !== undefined && isBlankRow(next)))
}

/** `Client:`, its name and `Date: 17 Feb`, above a header with more names. */
function isFactRow({ cells }: Row, below: readonly Row[]): boolean {
  const filled = cells.filter((cell) => !isBlank(cell))
  const areFacts = filled.every((cell, at) => cell.includes(':') || (at > 0 && isLabel(filled[at - 1]!)))
  if (!areFacts || filled.length < 2 || filled.every(isLabel)) return false
  return below.slice(0, MAX_HEADER_ROW).some((row) => isNamesRow(row, filled.length))
}

const isLabel = (cell: string): boolean => /:\s*$/.test(cell)

function isNamesRow(row: Row, minimum: number): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell))
  return filled.length > minimum && !hasTypedCells(row) && !filled.some((cell) => cell.includes(':'))
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
