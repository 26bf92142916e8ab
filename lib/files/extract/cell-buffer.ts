/** Collects cells of rows as UTF-8 in one reused buffer, in the format the record engine imports. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import { MAX_RECORDS_PER_CALL } from '../../../schemas/records/limits.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../core/errors.ts'
import { getRecordsPerSheet } from '../../core/records-per-sheet.ts'
import type { CellBytes } from '../../records/index.ts'
import type { RepeatedRows } from './repeated-rows.ts'

const BATCH_BYTES = 1024 * 1024
const MAX_CELLS_PER_BATCH = 256 * 1024
export const MAX_ROW_BYTES = 16 * 1024 * 1024

const SHORT_COPY_BYTES = 32

function writeAscii(bytes: Buffer, text: string, start: number): number {
  let at = start
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 127) return -1
    bytes[at++] = unit
  }
  return at
}

const doubleCapacity = (values: Uint32Array): Uint32Array => {
  const grown = new Uint32Array(values.length * 2)
  grown.set(values)
  return grown
}

export class CellBuffer {
  length = 0
  widest = 0
  readonly width: number
  #bytes = Buffer.allocUnsafe(BATCH_BYTES)
  #used = 0
  #rowStart = 0
  #isEmpty = true
  #total = 0
  readonly #limit = getRecordsPerSheet()
  readonly #rows: number
  readonly #repeatedRows: RepeatedRows | undefined
  #starts: Uint32Array
  #ends: Uint32Array

  constructor(width: number, repeatedRows?: RepeatedRows) {
    this.width = width
    this.#repeatedRows = repeatedRows
    this.#rows = Math.min(MAX_RECORDS_PER_CALL, Math.max(1, Math.floor(MAX_CELLS_PER_BATCH / width)))
    // One extra row, because the next row may be open when a batch is handed over.
    this.#starts = new Uint32Array((this.#rows + 1) * width)
    this.#ends = new Uint32Array((this.#rows + 1) * width)
  }

  get isFull(): boolean {
    return this.length >= this.#rows || this.#rowStart >= BATCH_BYTES
  }

  text(column: number, text: string): void {
    if (text === '' || !this.#reserve(column, text.length * 3)) return
    const start = this.#used
    const end = text.length <= SHORT_COPY_BYTES ? writeAscii(this.#bytes, text, start) : -1
    this.#used = end < 0 ? start + this.#bytes.write(text, start) : end
    this.#set(column, start)
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    if (from === to || !this.#reserve(column, to - from)) return
    const start = this.#used
    if (to - from > SHORT_COPY_BYTES) this.#bytes.set(source.subarray(from, to), start)
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

  /** False when the column exceeds the expected width: the file must then be read again. */
  #reserve(column: number, bytes: number): boolean {
    if (column >= this.widest) this.widest = column + 1
    if (column >= this.width) return false
    const needed = this.#used + bytes
    if (needed - this.#rowStart > MAX_ROW_BYTES)
      throw unprocessable(message('files.rowTooLarge', { count: MAX_ROW_BYTES }))
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.#used)
      this.#bytes = grown
    }
    return true
  }

  /** Drops an empty row and a repeated header. @throws ApiError unprocessable when a limit of a sheet is exceeded */
  endRow(row: number): void {
    if (this.widest > MAX_FIELDS_PER_SHEET)
      throw unprocessable(message('files.rowTooWide', { row, count: this.widest, maximum: MAX_FIELDS_PER_SHEET }))
    if (!this.#isEmpty && !this.#isRepeated()) this.#commitRow()
    this.#isEmpty = true
    this.#clear()
  }

  #isRepeated(): boolean {
    const base = this.length * this.width
    return this.#repeatedRows?.omits(this.#bytes, this.#starts, this.#ends, base, this.width) === true
  }

  #commitRow(): void {
    this.length++
    if (++this.#total > this.#limit) throw unprocessable(message('files.tooManyRows', { count: this.#limit }))
    this.#rowStart = this.#used
    if ((this.length + 1) * this.width > this.#starts.length) {
      this.#starts = doubleCapacity(this.#starts)
      this.#ends = doubleCapacity(this.#ends)
    }
  }

  #clear(): void {
    const at = this.length * this.width
    this.#starts.fill(0, at, at + this.width)
    this.#ends.fill(0, at, at + this.width)
    this.#used = this.#rowStart
  }

  /** Valid until {@link drop}. */
  rows(): Omit<CellBytes, 'keys'> {
    return { length: this.length, bytes: this.#bytes, starts: this.#starts, ends: this.#ends }
  }

  drop(): void {
    const { width } = this
    const from = this.length * width
    const openBytes = this.#used - this.#rowStart
    this.#bytes.copyWithin(0, this.#rowStart, this.#used)
    for (let column = 0; column < width; column++) {
      const start = this.#starts[from + column]!
      const end = this.#ends[from + column]!
      this.#starts[column] = start === end ? 0 : start - this.#rowStart
      this.#ends[column] = start === end ? 0 : end - this.#rowStart
    }
    this.#used = openBytes
    this.#rowStart = 0
    this.length = 0
  }
}
