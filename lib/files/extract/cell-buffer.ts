/** Collects the cells of rows as UTF-8 in one buffer that is used again and again: what the record engine imports. Pure. */
import { RECORDS_PER_CALL } from '../../../schemas/records.ts'
import { FIELDS_PER_SHEET } from '../../../schemas/sheet.ts'
import { unprocessable } from '../../core/errors.ts'
import { recordsPerSheet } from '../../core/limits.ts'
import type { CellBytes } from '../../records/index.ts'

/** Bytes of cells after which rows are given on. */
const BATCH_BYTES = 1024 * 1024
/** Cells of a batch at most. */
const CELLS = 256 * 1024
/** A row has at most this many bytes: what is kept in memory of a file. */
export const ROW_BYTES = 16 * 1024 * 1024

/** Texts and bytes up to this length are copied one by one: a call costs more. */
const SHORT = 32

/** Where the text ends in the bytes; -1 for one that is not ASCII. */
function writeAscii(bytes: Buffer, text: string, start: number): number {
  let at = start
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 127) return -1
    bytes[at++] = unit
  }
  return at
}

const doubled = (values: Uint32Array): Uint32Array => {
  const grown = new Uint32Array(values.length * 2)
  grown.set(values)
  return grown
}

export class CellBuffer {
  /** Complete rows. */
  length = 0
  /** Columns of the widest row, as far as they hold anything. */
  widest = 0
  readonly width: number
  #bytes = Buffer.allocUnsafe(BATCH_BYTES)
  #used = 0
  /** Where the open row's cells begin in the bytes. */
  #rowStart = 0
  #isEmpty = true
  #total = 0
  readonly #limit = recordsPerSheet()
  readonly #rows: number
  #starts: Uint32Array
  #ends: Uint32Array

  constructor(width: number) {
    this.width = width
    this.#rows = Math.min(RECORDS_PER_CALL, Math.max(1, Math.floor(CELLS / width)))
    // One row more than a batch: the row that is open when the batch is given on.
    this.#starts = new Uint32Array((this.#rows + 1) * width)
    this.#ends = new Uint32Array((this.#rows + 1) * width)
  }

  /** It is time to take the rows: more can be added, but take more memory. */
  get isFull(): boolean {
    return this.length >= this.#rows || this.#rowStart >= BATCH_BYTES
  }

  /** Sets a cell of the open row. */
  text(column: number, text: string): void {
    if (text === '' || !this.#reserve(column, text.length * 3)) return
    const start = this.#used
    const end = text.length <= SHORT ? writeAscii(this.#bytes, text, start) : -1
    this.#used = end < 0 ? start + this.#bytes.write(text, start) : end
    this.#set(column, start)
  }

  /** The same, from UTF-8 that stands elsewhere. */
  copy(column: number, source: Uint8Array, from: number, to: number): void {
    if (from === to || !this.#reserve(column, to - from)) return
    const start = this.#used
    if (to - from > SHORT) this.#bytes.set(source.subarray(from, to), start)
    else for (let at = from, into = start; at < to; ) this.#bytes[into++] = source[at++]!
    this.#used += to - from
    this.#set(column, start)
  }

  #set(column: number, start: number): void {
    const at = this.length * this.width + column
    this.#starts[at] = start
    this.#ends[at] = this.#used
    this.#isEmpty = false
  }

  /** Makes room. False when the column is beyond those asked for: the file must be read again with more. */
  #reserve(column: number, bytes: number): boolean {
    if (column >= this.widest) this.widest = column + 1
    if (column >= this.width) return false
    const needed = this.#used + bytes
    if (needed - this.#rowStart > ROW_BYTES) throw unprocessable(`A row has more than ${ROW_BYTES} bytes.`)
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.#used)
      this.#bytes = grown
    }
    return true
  }

  /**
   * Ends the open row: kept, unless there is nothing in it.
   * @param row its number in the file, for errors
   * @throws ApiError unprocessable past the limits of a sheet
   */
  endRow(row: number): void {
    if (this.widest > FIELDS_PER_SHEET)
      throw unprocessable(`Row ${row} has ${this.widest} columns; a sheet has at most ${FIELDS_PER_SHEET}.`)
    if (!this.#isEmpty) this.#keepRow()
    this.#clear()
  }

  #keepRow(): void {
    this.length++
    if (++this.#total > this.#limit)
      throw unprocessable(`The table has more than ${this.#limit} rows; a sheet holds at most that many.`)
    this.#rowStart = this.#used
    this.#isEmpty = true
    if ((this.length + 1) * this.width > this.#starts.length) {
      this.#starts = doubled(this.#starts)
      this.#ends = doubled(this.#ends)
    }
  }

  /** Forgets the cells of the open row. */
  #clear(): void {
    const at = this.length * this.width
    this.#starts.fill(0, at, at + this.width)
    this.#ends.fill(0, at, at + this.width)
    this.#used = this.#rowStart
  }

  /** The complete rows; they hold until {@link drop}. */
  rows(): Omit<CellBytes, 'keys'> {
    return { length: this.length, bytes: this.#bytes, starts: this.#starts, ends: this.#ends }
  }

  /** Lets go of the complete rows; the open one stays. */
  drop(): void {
    const { width } = this
    const from = this.length * width
    const open = this.#used - this.#rowStart
    this.#bytes.copyWithin(0, this.#rowStart, this.#used)
    for (let column = 0; column < width; column++) {
      const start = this.#starts[from + column]!
      const end = this.#ends[from + column]!
      this.#starts[column] = start === end ? 0 : start - this.#rowStart
      this.#ends[column] = start === end ? 0 : end - this.#rowStart
    }
    this.#used = open
    this.#rowStart = 0
    this.length = 0
  }
}
