/** Excel workbooks (XLSX, XLSM): each sheet that has anything in it is a table. */
import { FIELDS_PER_SHEET } from '../../../../schemas/sheet.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import { headerOf } from '../../sniff/header.ts'
import { CellBuffer } from '../cell-buffer.ts'
import { type Part, Relearn, type Source, type Table } from '../source.ts'
import { parseXml } from '../xml.ts'
import type { Archive } from '../zip/archive.ts'
import { readFormats, readSharedStrings, readWorkbook, type SheetPart } from './parts.ts'
import { type CellContext, type Row, sheetHandler } from './sheet.ts'

/** Rows that are looked at for the header; a gap counts for at most so many blank ones. */
const SAMPLE_ROWS = 200
const GAP_ROWS = 20

interface SheetTable extends Table {
  part: SheetPart
  /** Its first row of data, from 1. */
  firstRow: number
}

interface Book {
  archive: Archive
  context: Omit<CellContext, 'name'>
}

/** @throws ApiError unprocessable for a workbook that is damaged, or has nothing in it */
export async function openWorkbook(archive: Archive): Promise<Source> {
  const { sheets, is1904, styles, sharedStrings } = await readWorkbook(archive)
  const formats = await readFormats(styles)
  const strings = await readSharedStrings(sharedStrings)
  const book: Book = { archive, context: { strings, formats, is1904 } }
  try {
    const tables: SheetTable[] = []
    for (const part of sheets) {
      const table = await tableOf(book, part)
      if (table) tables.push(table)
    }
    if (tables.length === 0) throw unprocessable('The workbook has no sheet with anything in it.')
    return sourceOf(book, tables)
  } catch (error) {
    strings.close()
    throw error
  }
}

const sourceOf = (book: Book, tables: readonly SheetTable[]): Source => ({
  tables,
  parts: () => partsOf(book, tables),
  close: async () => book.context.strings.close(),
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
  const { header, headerRow, width, rowsBefore } = headerOf(sample.rows.map((cells) => ({ cells, end: 0 })))
  return {
    name: part.name,
    hidden: part.hidden,
    part,
    header,
    headerRow: headerRow && sample.numbers[headerRow - 1]!,
    width,
    firstRow: rowsBefore === 0 ? 1 : sample.numbers[rowsBefore - 1]! + 1,
  }
}

/** Reads a sheet; gives after each piece the bytes that are read, unpacked. */
async function* read(book: Book, { name, entry }: SheetPart, row: Row): AsyncGenerator<number> {
  const stream = await entry.stream()
  try {
    yield* parseXml(stream, sheetHandler({ ...book.context, name }, row))
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
    for await (const bytesDone of read(book, part, new DataRows(buffer, firstRow))) {
      if (!buffer.isFull) continue
      if (isNarrow()) yield { table, rows: buffer.rows(), done: (before + bytesDone) / bytes }
      buffer.drop()
    }
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
