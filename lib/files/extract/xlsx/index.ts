/** Excel workbooks (XLSX, XLSM): each sheet that has anything in it is a table. */
import { BEGINNING, TABLES_PER_FILE } from '../../../../schemas/files.ts'
import type { MergedCellOptions } from '../../../../schemas/operations.ts'
import { FIELDS_PER_SHEET } from '../../../../schemas/sheet.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import { headerOf } from '../../sniff/header.ts'
import { CellBuffer } from '../cell-buffer.ts'
import { type Part, Relearn, type Source, type Table } from '../source.ts'
import { parseXml } from '../xml.ts'
import type { Archive } from '../zip/archive.ts'
import type { Format } from './dates.ts'
import { mergedRows } from './merged.ts'
import { readFormats, readSharedStrings, readWorkbook, type SheetPart, type Workbook } from './parts.ts'
import { type CellContext, type Row, sheetHandler } from './sheet.ts'
import type { SharedStrings } from './strings.ts'

/** Rows that are looked at for the header; a gap counts for at most so many blank ones. */
const SAMPLE_ROWS = 200
const GAP_ROWS = 20

interface SheetTable extends Table {
  part: SheetPart
  /** Its first row of data, from 1. */
  firstRow: number
}

/** What a job says of how workbooks are read. */
export interface WorkbookOptions {
  /** In every sheet, from 1; 0 for none. */
  headerRow?: number | undefined
  /** By the name of a sheet, in place of that of every sheet. */
  headerRows?: Record<string, number> | undefined
  mergedCellOptions?: MergedCellOptions | undefined
}

/** What its cells are read with. The texts they share are kept until they are given up, and read again when needed. */
class Book {
  readonly options: WorkbookOptions
  readonly #archive: Archive
  readonly #workbook: Workbook
  #formats: Promise<readonly Format[]> | undefined
  #strings: SharedStrings | undefined

  constructor(archive: Archive, workbook: Workbook, options: WorkbookOptions) {
    this.options = options
    this.#archive = archive
    this.#workbook = workbook
  }

  async context(): Promise<Omit<CellContext, 'name'>> {
    const { is1904, styles, sharedStrings } = this.#workbook
    this.#formats ??= readFormats(styles)
    const formats = await this.#formats
    this.#strings ??= await readSharedStrings(sharedStrings)
    return { formats, strings: this.#strings, is1904 }
  }

  rest(): void {
    this.#strings?.close()
    this.#strings = undefined
    this.#archive.rest()
  }
}

/** @throws ApiError unprocessable for a workbook that is damaged, or has nothing in it */
export async function openWorkbook(archive: Archive, options: WorkbookOptions = {}): Promise<Source> {
  const workbook = await readWorkbook(archive)
  const book = new Book(archive, workbook, options)
  try {
    const tables: SheetTable[] = []
    for (const part of workbook.sheets) {
      const table = await tableOf(book, part)
      if (table) tables.push(table)
      if (tables.length > TABLES_PER_FILE)
        throw unprocessable(
          `The workbook has more than ${TABLES_PER_FILE} sheets with anything in them; at most that many are read.`,
        )
    }
    if (tables.length === 0) throw unprocessable('The workbook has no sheet with anything in it.')
    return sourceOf(book, tables)
  } catch (error) {
    book.rest()
    throw error
  }
}

const sourceOf = (book: Book, tables: readonly SheetTable[]): Source => ({
  tables,
  parts: () => partsOf(book, tables),
  rest: () => book.rest(),
  close: async () => book.rest(),
})

class Sample implements Row {
  readonly rows: string[][] = []
  /** Of each row, in the sheet. */
  readonly numbers: number[] = []
  #cells: string[] = []
  #last = 0

  startRow(): void {}

  text(column: number, text: string): void {
    if (column >= FIELDS_PER_SHEET) return
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = text
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    this.text(column, Buffer.from(source.subarray(from, to)).toString())
  }

  endRow(row: number): void {
    for (let blank = Math.max(this.#last + 1, row - GAP_ROWS); blank < row; blank++) this.#push(blank, [])
    this.#push(row, this.#cells)
    this.#cells = []
    this.#last = row
  }

  #push(number: number, cells: string[]): void {
    this.rows.push(cells)
    this.numbers.push(number)
  }
}

/** Where a sheet's table stands; undefined when there is nothing in the sheet. */
async function tableOf(book: Book, part: SheetPart): Promise<SheetTable | undefined> {
  const sample = new Sample()
  for await (const _ of read(book, part, sample)) if (sample.rows.length >= SAMPLE_ROWS) break
  if (!sample.rows.some((cells) => cells.some((cell) => cell.trim() !== ''))) {
    // Nothing in the first rows: nothing at all, or a table far below.
    if (sample.rows.length < SAMPLE_ROWS) return undefined
  }
  const { headerRow, headerRows = {} } = book.options
  const told = Object.hasOwn(headerRows, part.name) ? headerRows[part.name] : headerRow
  const first = sample.rows.slice(0, BEGINNING.rows).map((cells, at) => ({ row: sample.numbers[at]!, cells }))
  return { name: part.name, hidden: part.hidden, part, first, ...placeOf(sample, part.name, told) }
}

/** @param told the header's row in the sheet, where somebody says it */
function placeOf({ rows, numbers }: Sample, sheet: string, told: number | undefined) {
  const at = told === undefined || told === 0 ? told : numbers.indexOf(told) + 1
  if (told && !at) throw unprocessable(`Row ${told} of sheet ${sheet} cannot name the columns: nothing stands in it.`)
  const { header, headerRow, width, rowsBefore } = headerOf(
    rows.map((cells) => ({ cells, end: 0 })),
    at,
  )
  return {
    ...{ header, width },
    headerRow: headerRow && numbers[headerRow - 1]!,
    firstRow: rowsBefore === 0 ? 1 : numbers[rowsBefore - 1]! + 1,
  }
}

/** Reads a sheet; gives after each piece the bytes that are read, unpacked. */
async function* read(book: Book, { name, entry }: SheetPart, row: Row): AsyncGenerator<number> {
  const context = await book.context()
  const stream = await entry.stream()
  try {
    yield* parseXml(stream, sheetHandler({ ...context, name }, row))
  } catch (error) {
    throw inSheet(name, error)
  } finally {
    stream.destroy()
  }
}

/** The error with the sheet it is of. */
function inSheet(name: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const prefix = `Sheet ${name}`
  return error.message.startsWith(prefix) ? error : unprocessable(`${prefix}: ${error.message}`)
}

/** Leaves out what stands above a table. */
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

async function* partsOf(book: Book, tables: readonly SheetTable[]): AsyncGenerator<Part> {
  const bytes = tables.reduce((sum, { part }) => sum + part.entry.size, 0)
  const widths: number[] = []
  let before = 0
  for (const [table, { part, firstRow, width }] of tables.entries()) {
    const buffer = new CellBuffer(width)
    const isNarrow = () => buffer.widest <= width
    const filled = await mergedRows(part, book.options.mergedCellOptions, new DataRows(buffer, firstRow))
    for await (const bytesDone of read(book, part, filled)) {
      if (!buffer.isFull) continue
      if (isNarrow()) yield { table, rows: buffer.rows(), done: (before + bytesDone) / bytes }
      buffer.drop()
    }
    filled.end?.()
    before += part.entry.size
    if (buffer.length > 0 && isNarrow()) yield { table, rows: buffer.rows(), done: before / bytes }
    widths.push(Math.max(width, buffer.widest))
  }
  if (tables.some(({ width }, table) => widths[table] !== width))
    throw new Relearn(
      sourceOf(
        book,
        tables.map((table, i) => ({ ...table, width: widths[i]! })),
      ),
    )
}
