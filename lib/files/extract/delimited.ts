/**
 * Reads delimited text as columns of cells, streaming: bytes are decoded and split piece by piece, so memory does not grow
 * with the file. Rows are kept as they are, shorter and longer ones too; only rows with nothing in them are left out. Knows
 * no storage and no sheets.
 */
import { RECORDS_PER_CALL, RECORDS_PER_SHEET } from '../../../schemas/records.ts'
import { FIELDS_PER_SHEET } from '../../../schemas/sheets.ts'
import { unprocessable } from '../../core/errors.ts'
import type { Layout } from '../sniff.ts'
import { decoded, Undecodable } from './decode.ts'
import { ROW_CHARACTERS, RowScanner } from './scanner.ts'

export interface Cells {
  /** Rows. */
  length: number
  /** Empty cells and cells a row does not have are null. */
  columns: (string | null)[][]
  /** Of the file, from its beginning. */
  bytesDone: number
}

/** A row has more cells than columns were asked for: the file must be read again with so many. */
export class WiderThanExpected extends Error {
  readonly width: number

  constructor(width: number) {
    super(`A row has ${width} cells`)
    this.name = 'WiderThanExpected'
    this.width = width
  }
}

/**
 * The rows of data in order, at most 10,000 at a time.
 * @param width columns; a cell beyond them is never dropped, see {@link WiderThanExpected}
 * @throws WiderThanExpected after the whole file is read, so that its `width` is enough for every row
 * @throws Undecodable for bytes that are not of the encoding
 * @throws ApiError unprocessable, with the row, for what is over a limit
 */
export async function* readCells(
  bytes: AsyncIterable<Uint8Array>,
  layout: Pick<Layout, 'encoding' | 'dialect' | 'dataStart' | 'rowsBefore'>,
  width: number,
): AsyncGenerator<Cells> {
  const reader = new CellReader(new RowScanner(layout.dialect), width, layout.rowsBefore)
  let skip = layout.dataStart
  let bytesDone = 0
  try {
    for await (const piece of decoded(bytes, layout.encoding.name, layout.encoding.markBytes)) {
      const text = skip ? piece.text.slice(skip) : piece.text
      skip -= piece.text.length - text.length
      bytesDone = piece.bytesDone
      yield* reader.read(text, false, bytesDone)
    }
  } catch (error) {
    if (error instanceof Undecodable) error.row = reader.row + 1
    throw error
  }
  yield* reader.read('', true, bytesDone)
  if (reader.widest > width) throw new WiderThanExpected(reader.widest)
}

class CellReader {
  /** Rows read, counted from the beginning of the file. */
  row: number
  /** Cells up to the last that is not empty, in the widest row. */
  widest = 0
  #kept = 0
  readonly #scanner: RowScanner
  readonly #width: number

  constructor(scanner: RowScanner, width: number, rowsBefore: number) {
    this.#scanner = scanner
    this.#width = width
    this.row = rowsBefore
  }

  /** The rows that are complete with this text; none once a row was too wide, for the file will be read again. */
  *read(text: string, last: boolean, bytesDone: number): Generator<Cells> {
    const scanner = this.#scanner
    scanner.push(text, last)
    for (;;) {
      const columns = Array.from({ length: this.#width }, (): (string | null)[] => [])
      const length = this.#fill(columns)
      if (length > 0 && this.widest <= this.#width) yield { length, columns, bytesDone }
      if (length < RECORDS_PER_CALL) break
    }
    if (scanner.waiting > ROW_CHARACTERS)
      throw unprocessable(`Row ${this.row + 1} does not end within ${ROW_CHARACTERS} characters.`)
  }

  /** Reads rows into the columns until they are full or more text is needed; how many. */
  #fill(columns: (string | null)[][]): number {
    const scanner = this.#scanner
    const { cells } = scanner
    const width = this.#width
    let length = 0
    while (length < RECORDS_PER_CALL) {
      const count = scanner.next()
      if (count === 0) break
      this.row++
      if (isEmpty(cells, count)) continue
      if (count > width) this.#measure(count)
      for (let column = 0; column < width; column++)
        columns[column]![length] = column < count ? cells[column] || null : null
      length++
    }
    this.#kept += length
    if (this.#kept > RECORDS_PER_SHEET)
      throw unprocessable(`The file has more than ${RECORDS_PER_SHEET} rows; a sheet holds at most that many.`)
    return length
  }

  #measure(count: number): void {
    const { cells } = this.#scanner
    let used = count
    while (used > this.#width && cells[used - 1] === '') used--
    if (used > FIELDS_PER_SHEET)
      throw unprocessable(`Row ${this.row} has ${used} columns; a sheet has at most ${FIELDS_PER_SHEET}.`)
    if (used > this.widest) this.widest = used
  }
}

/** No cell has anything in it; a single one of blank space is a blank line. */
function isEmpty(cells: readonly string[], count: number): boolean {
  if (count === 1) return cells[0]!.trim() === ''
  for (let cell = 0; cell < count; cell++) if (cells[cell] !== '') return false
  return true
}
