/**
 * Reads delimited text as cells, streaming: bytes are decoded and split piece by piece, so memory does not grow with the
 * file. Rows are kept as they are, shorter and longer ones too; only rows with nothing in them are left out. Knows no
 * storage and no sheets.
 */
import { RECORDS_PER_CALL } from '../../../schemas/records.ts'
import { FIELDS_PER_SHEET } from '../../../schemas/sheet.ts'
import { unprocessable } from '../../core/errors.ts'
import { recordsPerSheet } from '../../core/limits.ts'
import type { Layout } from '../sniff.ts'
import { decoded, Undecodable } from './decode.ts'
import { ROW_CHARACTERS, RowScanner } from './scanner.ts'

/**
 * Cells of rows as UTF-8: cell `column` of row `row` is `bytes` from `starts` to `ends` at `row * width + column`. They hold
 * until the next rows are asked for: their memory is used again.
 */
export interface Cells {
  /** Rows. */
  length: number
  bytes: Buffer
  starts: Uint32Array
  /** Where they start for empty cells and cells a row does not have. */
  ends: Uint32Array
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
 * @param limit rows at most
 * @throws WiderThanExpected after the whole file is read, so that its `width` is enough for every row
 * @throws Undecodable for bytes that are not of the encoding
 * @throws ApiError unprocessable, with the row, for what is over a limit
 */
export async function* readCells(
  bytes: AsyncIterable<Uint8Array>,
  layout: Pick<Layout, 'encoding' | 'dialect' | 'dataStart' | 'rowsBefore'>,
  width: number,
  limit = recordsPerSheet(),
): AsyncGenerator<Cells> {
  const reader = new CellReader(new RowScanner(layout.dialect), width, layout.rowsBefore, limit)
  let skip = layout.dataStart
  let bytesDone = 0
  try {
    for await (const piece of decoded(bytes, layout.encoding.name, layout.encoding.markBytes)) {
      const text = piece.text.subarray(skip)
      skip -= piece.text.length - text.length
      bytesDone = piece.bytesDone
      const nul = text.indexOf(0)
      if (nul < 0) yield* reader.read(text, false, bytesDone)
      else yield* refuseNul(reader, text.subarray(0, nul), bytesDone - (text.length - nul))
    }
  } catch (error) {
    if (error instanceof Undecodable) error.row = reader.row + 1
    throw error
  }
  yield* reader.read(Buffer.alloc(0), true, bytesDone)
  if (reader.widest > width) throw new WiderThanExpected(reader.widest)
}

/** Reads what stands before it, for the number of its row. @param byte where it stands, in files of UTF-8 */
function* refuseNul(reader: CellReader, before: Buffer, byte: number): Generator<Cells> {
  yield* reader.read(before, false, byte)
  throw unprocessable(`Row ${reader.row + 1} has a NUL character at byte ${byte}: the file is no text, or damaged.`)
}

/** Cells of a batch at most: rows are as wide as the sheet, whatever the file has of them. */
const CELLS = 256 * 1024

class CellReader {
  /** Rows read, counted from the beginning of the file. */
  row: number
  /** Cells up to the last that is not empty, in the widest row. */
  widest = 0
  #kept = 0
  readonly #scanner: RowScanner
  readonly #width: number
  /** Of a batch at most. */
  readonly #rows: number
  readonly #limit: number

  constructor(scanner: RowScanner, width: number, rowsBefore: number, limit: number) {
    this.#scanner = scanner
    this.#width = width
    this.#limit = limit
    this.#rows = Math.min(RECORDS_PER_CALL, Math.ceil(CELLS / width))
    this.row = rowsBefore
  }

  /** The rows that are complete with this text; none once a row was too wide, for the file will be read again. */
  *read(text: Buffer, last: boolean, bytesDone: number): Generator<Cells> {
    const scanner = this.#scanner
    scanner.push(text, last)
    for (;;) {
      const length = this.#fill()
      const { bytes, starts, ends } = scanner
      if (length > 0 && this.widest <= this.#width) yield { length, bytes, starts, ends, bytesDone }
      if (length < this.#rows) break
    }
    if (scanner.overflows) throw unprocessable(`Row ${this.row + 1} does not end within ${ROW_CHARACTERS} characters.`)
  }

  /** Reads rows until a batch is full or more text is needed; how many. */
  #fill(): number {
    const scanner = this.#scanner
    const width = this.#width
    let length = 0
    while (length < this.#rows) {
      // Cells past the width are overwritten by the next row's.
      const base = length * width
      const count = scanner.next(base)
      if (count === 0) break
      this.row++
      if (isEmpty(scanner, base, count)) continue
      if (count > width) this.#measure(base, count)
      if (count < width) {
        scanner.starts.fill(0, base + count, base + width)
        scanner.ends.fill(0, base + count, base + width)
      }
      length++
    }
    this.#kept += length
    if (this.#kept > this.#limit)
      throw unprocessable(`The file has more than ${this.#limit} rows; a sheet holds at most that many.`)
    return length
  }

  #measure(base: number, count: number): void {
    const { starts, ends } = this.#scanner
    let used = count
    while (used > this.#width && ends[base + used - 1] === starts[base + used - 1]) used--
    if (used > FIELDS_PER_SHEET)
      throw unprocessable(`Row ${this.row} has ${used} columns; a sheet has at most ${FIELDS_PER_SHEET}.`)
    if (used > this.widest) this.widest = used
  }
}

/** No cell has anything in it; a single one of blank space is a blank line. */
function isEmpty(scanner: RowScanner, base: number, count: number): boolean {
  const { bytes, starts, ends } = scanner
  if (count === 1) {
    const first = bytes[starts[base]!]!
    const isVisible = first > 32 && first < 127 && ends[base]! > starts[base]!
    return !isVisible && scanner.text(base).trim() === ''
  }
  for (let cell = base; cell < base + count; cell++) if (starts[cell] !== ends[cell]) return false
  return true
}
