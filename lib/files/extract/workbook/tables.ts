/** Finds the tables of a workbook of any format: one or more for each sheet that is not empty. */

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
import { RegionRows } from './region-rows.ts'
import { cropRows, findRegions, type Region, type SheetRow, WHOLE_SHEET } from './regions.ts'
import type { Row, SheetList, WorkbookSheet } from './sheet.ts'

const MAX_SAMPLE_ROWS = 200
const MAX_GAP_ROWS = 20

interface SheetTable extends Table {
  region: Region
  lines: readonly (readonly string[])[]
  titles: readonly (readonly string[])[]
  firstRow: number
}

interface SheetTables {
  sheet: WorkbookSheet
  rows: readonly SheetRow[]
  tables: readonly SheetTable[]
  /** The rows include those below the sample. */
  isComplete: boolean
}

export interface WorkbookOptions {
  headerRow?: number | undefined
  headerRows?: Record<string, number> | undefined
  headerLines?: HeaderLineCounts | undefined
  mergedCellOptions?: MergedCellOptions | undefined
  splitSheets?: boolean | undefined
}

interface WorkbookReader {
  list: SheetList
  options: WorkbookOptions
}

export async function openTables(list: SheetList, options: WorkbookOptions = {}): Promise<Source> {
  const reader = { list, options }
  try {
    const sheets: SheetTables[] = []
    for (const sheet of list.sheets) {
      const rows = await readSample(sheet)
      if (rows) sheets.push({ sheet, rows, tables: locateTables(sheet, rows, options), isComplete: false })
      if (sheets.length > MAX_TABLES_PER_FILE)
        throw unprocessable(message('files.tooManySheetsWithData', { count: MAX_TABLES_PER_FILE }))
    }
    if (sheets.length === 0) throw unprocessable(message('files.emptyWorkbook'))
    return toSource(reader, sheets)
  } catch (error) {
    list.releaseCaches()
    throw error
  }
}

const toWhole = (all: readonly SheetTables[], options: WorkbookOptions): SheetTables[] =>
  all.map((one) => ({ ...one, tables: locateTables(one.sheet, one.rows, { ...options, splitSheets: false }) }))

function toSource(reader: WorkbookReader, found: readonly SheetTables[]): Source {
  const isTooMany = found.flatMap((one) => one.tables).length > MAX_TABLES_PER_FILE
  const sheets = isTooMany ? toWhole(found, reader.options) : found
  const tables = sheets.flatMap((one) => one.tables)
  const repeatedRows = tables.map(({ lines, titles }) => findRepeatedRows(lines, titles))
  const splitSheets = sheets.filter((one) => one.tables.length > 1).map(({ sheet }) => sheet.name)
  return {
    tables,
    splitSheets,
    parts: () =>
      readParts(reader, isTooMany ? sheets.map((one) => ({ ...one, isComplete: true })) : sheets, repeatedRows),
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

async function readSample(sheet: WorkbookSheet): Promise<SheetRow[] | undefined> {
  const sample = new Sample()
  for await (const _ of readSheet(sheet, sample)) if (sample.rows.length >= MAX_SAMPLE_ROWS) break
  if (!sample.rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) {
    if (sample.rows.length < MAX_SAMPLE_ROWS) return undefined
  }
  return sample.rows.map((cells, index) => ({ row: sample.numbers[index]!, cells }))
}

function locateTables(sheet: WorkbookSheet, rows: readonly SheetRow[], options: WorkbookOptions): SheetTable[] {
  const { headerRow, headerRows = {}, headerLines, splitSheets = true } = options
  const getHeaderRow = (name: string) => (Object.hasOwn(headerRows, name) ? headerRows[name] : headerRow)
  const regions = splitSheets && headerRow === undefined ? findRegions(rows) : [WHOLE_SHEET]
  const isInFirst = (getHeaderRow(sheet.name) ?? 0) <= regions[0]!.bottom
  return (isInFirst ? regions : [WHOLE_SHEET]).map((region, index) => {
    const name = index === 0 ? sheet.name : `${sheet.name} (${index + 1})`
    const specified = { row: getHeaderRow(name), lines: getHeaderLines(headerLines, name) }
    const own = cropRows(rows, region)
    const firstRows = own.slice(0, PREVIEW_LIMITS.rows)
    return { name, hidden: sheet.hidden, region, firstRows, ...locateTable(own, name, specified) }
  })
}

function locateTable(rows: readonly SheetRow[], sheet: string, { row, lines: specifiedLines }: SpecifiedHeader) {
  const numbers = rows.map((one) => one.row)
  const headerIndex = row === undefined || row === 0 ? row : numbers.indexOf(row) + 1
  if (row && !headerIndex) throw unprocessable(message('files.headerRowEmpty', { row, sheet }))
  const { header, labels, headerRow, lines, width, rowsBefore } = detectHeaderRow(
    rows.map(({ cells }) => ({ cells: [...cells], end: 0 })),
    { row: headerIndex, lines: specifiedLines },
  )
  return {
    ...{ header, labels, width, lines, headerLines: lines.length },
    titles: rows.slice(0, headerRow - lines.length).map(({ cells }) => cells),
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

async function* readParts(
  reader: WorkbookReader,
  sheets: readonly SheetTables[],
  repeatedRows: readonly (RepeatedRows | undefined)[],
): AsyncGenerator<Part> {
  const bytes = sheets.reduce((sum, { sheet }) => sum + sheet.size, 0)
  const found: SheetTables[] = []
  let bytesBefore = 0
  let firstTable = 0
  for (const one of sheets) {
    const { sheet, tables } = one
    const buffers = tables.map(({ width }, index) => new CellBuffer(width, repeatedRows[firstTable + index]))
    const targets = tables.map(({ region, firstRow }, index) => ({ region, firstRow, buffer: buffers[index]! }))
    const rows = new RegionRows(targets, one.isComplete ? Number.POSITIVE_INFINITY : one.rows.at(-1)!.row)
    const isNarrow = () => buffers.every((buffer) => buffer.widest <= buffer.width)
    const targetRows = await fillMergedRows(sheet, reader.options.mergedCellOptions, rows)
    for await (const bytesDone of readSheet(sheet, targetRows))
      for (const [index, buffer] of buffers.entries()) {
        if (!buffer.isFull) continue
        const done = (bytesBefore + bytesDone) / bytes
        if (isNarrow()) yield { table: firstTable + index, rows: buffer.rows(), done }
        buffer.drop()
      }
    targetRows.end?.()
    bytesBefore += sheet.size
    for (const [index, buffer] of buffers.entries())
      if (buffer.length > 0 && isNarrow())
        yield { table: firstTable + index, rows: buffer.rows(), done: bytesBefore / bytes }
    firstTable += tables.length
    found.push(compareWithRows(one, rows, buffers, reader.options))
  }
  if (found.some((one, index) => one !== sheets[index])) throw new ReopenWith(toSource(reader, found))
}

/** The same object if the rows are as planned from the sample. */
function compareWithRows(
  planned: SheetTables,
  { later, isContradicted }: RegionRows,
  buffers: readonly CellBuffer[],
  options: WorkbookOptions,
): SheetTables {
  const rows = [...planned.rows, ...later]
  if (isContradicted)
    return {
      ...planned,
      tables: locateTables(planned.sheet, rows, { ...options, splitSheets: false }),
      isComplete: true,
    }
  const tables = later.length > 0 ? locateTables(planned.sheet, rows, options) : planned.tables
  if (tables.length !== planned.tables.length) return { ...planned, rows, tables, isComplete: true }
  if (buffers.every(({ widest, width }) => widest <= width)) return planned
  const widths = buffers.map(({ widest, width }) => Math.max(widest, width))
  return { ...planned, tables: planned.tables.map((table, index) => ({ ...table, width: widths[index]! })) }
}
