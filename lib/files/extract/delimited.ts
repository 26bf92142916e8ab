/** Streams delimited text as cells. Rows of any length are returned unchanged; only empty rows and repeated headers are skipped. */
import { message } from '../../../schemas/messages/index.ts'
import { MAX_RECORDS_PER_CALL } from '../../../schemas/records/limits.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../core/errors.ts'
import { getRecordsPerSheet } from '../../core/records-per-sheet.ts'
import type { Encoding } from '../sniff/encoding.ts'
import type { Layout } from '../sniff.ts'
import { DecodingError, decodeMixedText, decodeText } from './decode.ts'
import type { LineCounts } from './mixed-encodings.ts'
import type { RepeatedRows } from './repeated-rows.ts'
import { MAX_ROW_CHARACTERS, RowScanner } from './scanner.ts'

/** A cell is `bytes` from `starts` to `ends` at `row * width + column`. The memory is reused by the next batch. */
export interface Cells {
  length: number
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
  bytesDone: number
}

export class RowTooWideError extends Error {
  readonly width: number

  constructor(width: number) {
    super(`A row has ${width} cells`)
    this.name = 'WiderThanExpected'
    this.width = width
  }
}

/**
 * @throws RowTooWideError only after reading the whole file, so that its `width` fits every row
 * @throws DecodingError for bytes invalid in the encoding
 * @throws ApiError unprocessable, with the row, when a limit is exceeded
 */
export async function* readCells(
  bytes: AsyncIterable<Uint8Array>,
  layout: Pick<Layout, 'encoding' | 'dialect' | 'dataStart' | 'rowsBefore'>,
  width: number,
  { limit = getRecordsPerSheet(), repeatedRows, lines = { utf8: 0, other: 0 }, end }: ReadOptions = {},
): AsyncGenerator<Cells> {
  const scanner = new RowScanner(layout.dialect)
  const reader = new CellReader(scanner, { width, rowsBefore: layout.rowsBefore, limit, repeatedRows, end })
  const firstByte = end?.firstByte ?? 0
  let skip = layout.dataStart
  let bytesDone = 0
  try {
    for await (const piece of decode(bytes, layout.encoding, lines)) {
      const text = piece.text.subarray(skip)
      skip -= piece.text.length - text.length
      bytesDone = piece.bytesDone
      const nul = text.indexOf(0)
      if (nul < 0) yield* reader.read(text, false, bytesDone)
      else yield* rejectNul(reader, text.subarray(0, nul), firstByte + bytesDone - (text.length - nul))
      if (reader.isAtEnd) break
    }
  } catch (error) {
    if (error instanceof DecodingError) error.row = reader.row + 1
    throw error
  }
  if (!reader.isAtEnd) yield* reader.read(Buffer.alloc(0), true, bytesDone)
  if (end) Object.assign(end, { next: reader.position, row: reader.row, widest: reader.widest })
  if (reader.widest > width) throw new RowTooWideError(reader.widest)
}

interface ReadOptions {
  limit?: number
  repeatedRows?: RepeatedRows | undefined
  lines?: LineCounts
  end?: RangeEnd | undefined
}

/** Rows that start before `to` are read. The properties after it are known then; `next` is the start of the next row. */
export interface RangeEnd {
  firstByte: number
  to: number
  next: number
  row: number
  widest: number
}

const decode = (bytes: AsyncIterable<Uint8Array>, { name, markBytes, other }: Encoding, counts: LineCounts) =>
  other
    ? decodeMixedText(bytes, { other, isMainlyUtf8: name === 'utf-8' }, markBytes, counts)
    : decodeText(bytes, name, markBytes)

/** Reads the text before the NUL first, to report the row number. @param byte exact for UTF-8 files only */
function* rejectNul(reader: CellReader, textBefore: Buffer, byte: number): Generator<Cells> {
  yield* reader.read(textBefore, false, byte)
  throw unprocessable(message('files.rowHasNul', { row: reader.row + 1, byte }))
}

/** Bounds a batch by cells, because each row takes the full width. */
const MAX_CELLS_PER_BATCH = 256 * 1024

interface ReaderOptions {
  width: number
  rowsBefore: number
  limit: number
  repeatedRows: RepeatedRows | undefined
  end: RangeEnd | undefined
}

class CellReader {
  row: number
  widest = 0
  #rowCount = 0
  readonly #scanner: RowScanner
  readonly #width: number
  readonly #rows: number
  readonly #limit: number
  readonly #repeatedRows: RepeatedRows | undefined
  readonly #to: number

  constructor(scanner: RowScanner, { width, rowsBefore, limit, repeatedRows, end }: ReaderOptions) {
    this.#scanner = scanner
    this.#width = width
    this.#limit = limit
    this.#rows = Math.min(MAX_RECORDS_PER_CALL, Math.ceil(MAX_CELLS_PER_BATCH / width))
    this.#repeatedRows = repeatedRows
    this.#to = end?.to ?? Number.POSITIVE_INFINITY
    this.row = rowsBefore
  }

  get position(): number {
    return this.#scanner.offset + this.#scanner.at
  }

  get isAtEnd(): boolean {
    return this.position >= this.#to
  }

  *read(text: Buffer, isLast: boolean, bytesDone: number): Generator<Cells> {
    const scanner = this.#scanner
    scanner.push(text, isLast)
    for (;;) {
      const length = this.#fill()
      const { bytes, starts, ends } = scanner
      if (length > 0 && this.widest <= this.#width) yield { length, bytes, starts, ends, bytesDone }
      if (length < this.#rows) break
    }
    if (!this.isAtEnd && scanner.overflows)
      throw unprocessable(message('files.rowDoesNotEnd', { row: this.row + 1, count: MAX_ROW_CHARACTERS }))
  }

  #fill(): number {
    const scanner = this.#scanner
    const width = this.#width
    const stop = this.#to - scanner.offset
    let length = 0
    while (length < this.#rows && scanner.at < stop) {
      const base = length * width
      const count = scanner.next(base)
      if (count === 0) break
      this.row++
      if (isEmptyRow(scanner, base, count)) continue
      if (this.#repeatedRows?.omits(scanner.bytes, scanner.starts, scanner.ends, base, count)) continue
      if (count > width) this.#measure(base, count)
      if (count < width) {
        scanner.starts.fill(0, base + count, base + width)
        scanner.ends.fill(0, base + count, base + width)
      }
      length++
    }
    this.#rowCount += length
    if (this.#rowCount > this.#limit) throw unprocessable(message('files.tooManyRows', { count: this.#limit }))
    return length
  }

  #measure(base: number, count: number): void {
    const { starts, ends } = this.#scanner
    let used = count
    while (used > this.#width && ends[base + used - 1] === starts[base + used - 1]) used--
    if (used > MAX_FIELDS_PER_SHEET)
      throw unprocessable(message('files.rowTooWide', { row: this.row, count: used, maximum: MAX_FIELDS_PER_SHEET }))
    if (used > this.widest) this.widest = used
  }
}

function isEmptyRow(scanner: RowScanner, base: number, count: number): boolean {
  const { bytes, starts, ends } = scanner
  if (count === 1) {
    const first = bytes[starts[base]!]!
    const isVisible = first > 32 && first < 127 && ends[base]! > starts[base]!
    return !isVisible && scanner.text(base).trim() === ''
  }
  for (let cell = base; cell < base + count; cell++) if (starts[cell] !== ends[cell]) return false
  return true
}
