/**
 * Reads the rows that start within a range of bytes, so that functions read one file side by side. Where the first one
 * starts is guessed; the caller compares it with the end of the range before, which is exact.
 */
import type { CellBytes } from '../../records/index.ts'
import type { Layout } from '../sniff.ts'
import type { FileBytes } from './bytes.ts'
import { type RangeEnd, readCells } from './delimited.ts'
import type { RepeatedRows } from './repeated-rows.ts'
import { RowScanner } from './scanner.ts'

export interface TextRange {
  from: number
  to: number
  isRowStart: boolean
  rowsBefore: number
  width: number
}

export interface RangeRead {
  /** The start of its first row, if one was found. */
  from: number | undefined
  next: number
  lines: number
  omitted: number
  widest: number
}

export interface RangeReader {
  rows(): AsyncGenerator<Omit<CellBytes, 'keys'>>
  getRead(): RangeRead
}

/** Positions in decoded text are those in the file. */
export const canReadRanges = (file: FileBytes, { encoding }: Layout): boolean =>
  file.isStored && encoding.name === 'utf-8' && !encoding.other

export const getDataStart = ({ encoding, dataStart }: Layout): number => encoding.markBytes + dataStart

export function createRangeReader(
  file: FileBytes,
  layout: Layout,
  { from, to, isRowStart, rowsBefore, width }: TextRange,
  repeatedRows: RepeatedRows | undefined,
): RangeReader {
  const read: RangeRead = { from: undefined, next: to, lines: 0, omitted: 0, widest: 0 }
  return {
    async *rows() {
      const start = isRowStart ? from : await findRowStart(file, layout, width, from)
      if (start === undefined) return
      Object.assign(read, { from: start, next: start })
      if (start >= to) return
      const end: RangeEnd = { firstByte: start, to: to - start, next: 0, row: rowsBefore, widest: 0 }
      const stream = await file.rangeStream(start, file.size)
      const encoding = { ...layout.encoding, markBytes: 0 }
      try {
        yield* readCells(stream, { ...layout, encoding, dataStart: 0, rowsBefore }, width, { repeatedRows, end })
      } finally {
        stream.destroy()
        read.next = Math.min(file.size, start + end.next)
        read.lines = end.row - rowsBefore
        read.omitted = repeatedRows?.count ?? 0
        read.widest = end.widest
      }
    },
    getRead: () => read,
  }
}

const MAX_ROW_BYTES = 1024 * 1024
const COMPARED_ROWS = 50

/** Compares what follows if the byte before `from` is outside quotes, and inside. */
async function findRowStart(
  file: FileBytes,
  { dialect }: Layout,
  width: number,
  from: number,
): Promise<number | undefined> {
  const before = from - 1
  const bytes = await file.range(before, before + MAX_ROW_BYTES)
  const scan = (text: Buffer, base: number) => {
    const scanner = new RowScanner(dialect)
    scanner.push(text, before + bytes.length >= file.size)
    if (scanner.next() === 0) return undefined
    const start = base + scanner.at
    let [rows, regular] = [0, 0]
    for (let count = scanner.next(); count > 0 && rows < COMPARED_ROWS; count = scanner.next(), rows++)
      if (count === width) regular++
    return { start, share: regular / Math.max(1, rows) }
  }
  const newline = bytes.indexOf(dialect.newline)
  const outside = newline < 0 ? undefined : scan(bytes.subarray(newline), before + newline)
  const inside = scan(Buffer.concat([Buffer.from(dialect.quote), bytes]), before - dialect.quote.length)
  const better = inside && inside.share > (outside?.share ?? 0) ? inside : outside
  return better && Math.min(better.start, file.size)
}
