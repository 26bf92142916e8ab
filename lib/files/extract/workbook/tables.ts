/** Finds the tables of a workbook of any format; each sheet that is not empty is a table. */

import { MAX_TABLES_PER_FILE, PREVIEW_LIMITS } from '../../../../schemas/files/shape.ts'
import type { HeaderLineCounts, MergedCellOptions } from '../../../../schemas/jobs/operations.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import { detectHeaderRow, type SpecifiedHeader } from '../../sniff/header.ts'
import { CellBuffer } from '../cell-buffer.ts'
import { getHeaderLines } from '../header-options.ts'
import { findRepeatedRows, type RepeatedRows } from '../repeated-rows.ts'
import { type Part, ReopenWith, type Source, type Table } from '../source.ts'
import { fillMergedRows } from './merged.ts'
import type { Row, SheetList, WorkbookSheet } from './sheet.ts'

const MAX_SAMPLE_ROWS = 200
const MAX_GAP_ROWS = 20

interface SheetTable extends Table {
  sheet: WorkbookSheet
  lines: readonly (readonly string[])[]
  titles: readonly (readonly string[])[]
  firstRow: number
}

export interface WorkbookOptions {
  headerRow?: number | undefined
  headerRows?: Record<string, number> | undefined
  headerLines?: HeaderLineCounts | undefined
  mergedCellOptions?: MergedCellOptions | undefined
}

interface WorkbookReader {
  list: SheetList
  options: WorkbookOptions
}

export async function openTables(list: SheetList, options: WorkbookOptions = {}): Promise<Source> {
  const reader = { list, options }
  try {
    const tables: SheetTable[] = []
    for (const sheet of list.sheets) {
      const table = await detectTable(sheet, options)
      if (table) tables.push(table)
      if (tables.length > MAX_TABLES_PER_FILE)
        throw unprocessable(message('files.tooManySheetsWithData', { count: MAX_TABLES_PER_FILE }))
    }
    if (tables.length === 0) throw unprocessable(message('files.emptyWorkbook'))
    return toSource(reader, tables)
  } catch (error) {
    list.releaseCaches()
    throw error
  }
}

function toSource(reader: WorkbookReader, tables: readonly SheetTable[]): Source {
  const repeatedRows = tables.map(({ lines, titles }) => findRepeatedRows(lines, titles))
  return {
    tables,
    parts: () => readParts(reader, tables, repeatedRows),
    countOmitted: () => repeatedRows.reduce((sum, one) => sum + (one?.count ?? 0), 0),
    releaseCaches: () => reader.list.releaseCaches(),
    close: async () => reader.list.releaseCaches(),
  }
}

class Sample implements Row {
  readonly rows: string[][] = []
  readonly numbers: number[] = []
  #cells: string[] = []
  #last = 0

  startRow(): void {}

  text(column: number, text: string): void {
    if (column >= MAX_FIELDS_PER_SHEET) return
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = text
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    this.text(column, Buffer.from(source.subarray(from, to)).toString())
  }

  endRow(row: number): void {
    for (let blank = Math.max(this.#last + 1, row - MAX_GAP_ROWS); blank < row; blank++) this.#push(blank, [])
    this.#push(row, this.#cells)
    this.#cells = []
    this.#last = row
  }

  #push(number: number, cells: string[]): void {
    this.rows.push(cells)
    this.numbers.push(number)
  }
}

async function detectTable(sheet: WorkbookSheet, options: WorkbookOptions): Promise<SheetTable | undefined> {
  const sample = new Sample()
  for await (const _ of readSheet(sheet, sample)) if (sample.rows.length >= MAX_SAMPLE_ROWS) break
  if (!sample.rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) {
    if (sample.rows.length < MAX_SAMPLE_ROWS) return undefined
  }
  const { headerRow, headerRows = {}, headerLines } = options
  const row = Object.hasOwn(headerRows, sheet.name) ? headerRows[sheet.name] : headerRow
  const specified = { row, lines: getHeaderLines(headerLines, sheet.name) }
  const firstRows = sample.rows
    .slice(0, PREVIEW_LIMITS.rows)
    .map((cells, index) => ({ row: sample.numbers[index]!, cells }))
  return { name: sheet.name, hidden: sheet.hidden, sheet, firstRows, ...locateTable(sample, sheet.name, specified) }
}

function locateTable({ rows, numbers }: Sample, sheet: string, { row, lines: specifiedLines }: SpecifiedHeader) {
  const headerIndex = row === undefined || row === 0 ? row : numbers.indexOf(row) + 1
  if (row && !headerIndex) throw unprocessable(message('files.headerRowEmpty', { row, sheet }))
  const { header, labels, headerRow, lines, width, rowsBefore } = detectHeaderRow(
    rows.map((cells) => ({ cells, end: 0 })),
    { row: headerIndex, lines: specifiedLines },
  )
  return {
    ...{ header, labels, width, lines, headerLines: lines.length },
    titles: rows.slice(0, headerRow - lines.length),
    headerRow: headerRow && numbers[headerRow - 1]!,
    firstRow: rowsBefore === 0 ? 1 : numbers[rowsBefore - 1]! + 1,
  }
}

async function* readSheet(sheet: WorkbookSheet, row: Row): AsyncGenerator<number> {
  try {
    yield* sheet.read(row)
  } catch (error) {
    throw prefixSheetName(sheet.name, error)
  }
}

const prefixSheetName = (sheet: string, error: unknown): unknown =>
  error instanceof ApiError ? unprocessable(message('files.sheetReason', { sheet, reason: error.message })) : error

class DataRows implements Row {
  readonly #buffer: CellBuffer
  readonly #firstRow: number
  #skips = false

  constructor(buffer: CellBuffer, firstRow: number) {
    this.#buffer = buffer
    this.#firstRow = firstRow
  }

  startRow(row: number): void {
    this.#skips = row < this.#firstRow
  }

  text(column: number, text: string): void {
    if (!this.#skips) this.#buffer.text(column, text)
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    if (!this.#skips) this.#buffer.copy(column, source, from, to)
  }

  endRow(row: number): void {
    if (!this.#skips) this.#buffer.endRow(row)
  }
}

async function* readParts(
  reader: WorkbookReader,
  tables: readonly SheetTable[],
  repeatedRows: readonly (RepeatedRows | undefined)[],
): AsyncGenerator<Part> {
  const bytes = tables.reduce((sum, { sheet }) => sum + sheet.size, 0)
  const widths: number[] = []
  let bytesBefore = 0
  for (const [table, { sheet, firstRow, width }] of tables.entries()) {
    const buffer = new CellBuffer(width, repeatedRows[table])
    const isNarrow = () => buffer.widest <= width
    const targetRows = await fillMergedRows(sheet, reader.options.mergedCellOptions, new DataRows(buffer, firstRow))
    for await (const bytesDone of readSheet(sheet, targetRows)) {
      if (!buffer.isFull) continue
      if (isNarrow()) yield { table, rows: buffer.rows(), done: (bytesBefore + bytesDone) / bytes }
      buffer.drop()
    }
    targetRows.end?.()
    bytesBefore += sheet.size
    if (buffer.length > 0 && isNarrow()) yield { table, rows: buffer.rows(), done: bytesBefore / bytes }
    widths.push(Math.max(width, buffer.widest))
  }
  if (tables.some(({ width }, table) => widths[table] !== width))
    throw new ReopenWith(
      toSource(
        reader,
        tables.map((table, i) => ({ ...table, width: widths[i]! })),
      ),
    )
}
