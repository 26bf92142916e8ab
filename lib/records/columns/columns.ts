/** A column as text: JSON values joined by ",\n". JSON has no raw newline, so rows are found by scanning for it. */
import { memoize } from '../../core/memo.ts'

export const NULL = 'null'
const SEPARATOR = ',\n'
export const SEPARATOR_BYTES = SEPARATOR.length
const NEWLINE = 10

export const splitTexts = (column: string): string[] => column.split(SEPARATOR)
export const joinTexts = (cells: readonly string[]): string => cells.join(SEPARATOR)
export const splitColumn = (raw: Buffer): string[] => splitTexts(raw.toString('utf8'))
export const joinColumn = (cells: readonly string[]): Buffer => Buffer.from(joinTexts(cells))
export const parseColumn = (raw: Buffer): unknown[] => JSON.parse(`[${raw.toString('utf8')}]`)
export const parseCells = (cells: readonly string[]): unknown[] => JSON.parse(`[${cells.join(',')}]`)

/** The first byte of `null`; no other JSON value begins with it. */
export const NULL_START = 110

export function countNulls(raw: Buffer): number {
  let count = raw[0] === NULL_START ? 1 : 0
  for (let at = raw.indexOf(NEWLINE); at >= 0; at = raw.indexOf(NEWLINE, at + 1))
    if (raw[at + 1] === NULL_START) count++
  return count
}

const MARK_ROWS = 64
const getMarks = memoize<Buffer, number[]>(() => [0])

export function locateCells(raw: Buffer, rows: readonly number[]): { starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(rows.length)
  const ends = new Uint32Array(rows.length)
  const marks = getMarks(raw)
  const { length } = raw
  let at = 0
  let row = 0
  for (let i = 0; i < rows.length; i++) {
    const targetRow = rows[i]!
    const mark = Math.min(Math.floor(targetRow / MARK_ROWS), marks.length - 1)
    if (mark * MARK_ROWS > row) {
      row = mark * MARK_ROWS
      at = marks[mark]!
    }
    while (row < targetRow) {
      while (at < length && raw[at] !== NEWLINE) at++
      at++
      row++
      if (row === marks.length * MARK_ROWS && at <= length) marks.push(at)
    }
    starts[i] = at
    while (at < length && raw[at] !== NEWLINE) at++
    ends[i] = at < length ? at - 1 : length
    at++
    row++
    if (row === marks.length * MARK_ROWS && at <= length) marks.push(at)
  }
  return { starts, ends }
}

/** Like `locateCells` for all rows, without a list of them. */
export function locateAllCells(raw: Buffer, rows: number): { starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(rows)
  const ends = new Uint32Array(rows)
  const { length } = raw
  for (let row = 0, at = 0; row < rows; row++, at++) {
    starts[row] = at
    while (at < length && raw[at] !== NEWLINE) at++
    ends[row] = at < length ? at - 1 : length
  }
  return { starts, ends }
}

export interface ColumnWriter {
  bytes: Buffer
  length: number
  nulls: number
}

export const createColumnWriter = (expectedRows: number): ColumnWriter => ({
  bytes: Buffer.allocUnsafe(expectedRows * 24 + 1024),
  length: 0,
  nulls: 0,
})

function reserve(writer: ColumnWriter, bytes: number): Buffer {
  if (writer.bytes.length - writer.length < bytes) {
    const grown = Buffer.allocUnsafe(writer.bytes.length * 2 + bytes)
    writer.bytes.copy(grown, 0, 0, writer.length)
    writer.bytes = grown
  }
  return writer.bytes
}

export function writeNull(writer: ColumnWriter): void {
  const bytes = reserve(writer, 6)
  let at = writer.length
  // Byte by byte: a call costs more than six stores.
  bytes[at++] = 110
  bytes[at++] = 117
  bytes[at++] = 108
  bytes[at++] = 108
  bytes[at++] = 44
  bytes[at++] = NEWLINE
  writer.length = at
  writer.nulls++
}

export function writeJson(writer: ColumnWriter, json: string): void {
  const bytes = reserve(writer, json.length * 3 + 2)
  let at = writer.length + bytes.write(json, writer.length, 'utf8')
  bytes[at++] = 44
  bytes[at++] = NEWLINE
  writer.length = at
}

export function writeJsonBytes(writer: ColumnWriter, json: Buffer, from: number, to: number): void {
  const bytes = reserve(writer, to - from + 2)
  let at = writer.length
  for (let i = from; i < to; i++) bytes[at++] = json[i]!
  bytes[at] = 44
  bytes[at + 1] = NEWLINE
  writer.length = at + 2
}

const PLAIN_ASCII = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit > 31 && unit < 127 && unit !== 34 && unit !== 92 ? 1 : 0,
)

export function writeText(writer: ColumnWriter, text: string): void {
  const { length } = text
  const bytes = reserve(writer, length + 4)
  let at = writer.length
  bytes[at++] = 34
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (PLAIN_ASCII[unit] !== 1) {
      writeJson(writer, JSON.stringify(text))
      return
    }
    bytes[at++] = unit
  }
  bytes[at] = 34
  bytes[at + 1] = 44
  bytes[at + 2] = NEWLINE
  writer.length = at + 3
}

const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 32 || byte === 34 || byte === 92 ? 1 : 0))

export function writeTextBytes(writer: ColumnWriter, text: Buffer, from: number, to: number): void {
  const bytes = reserve(writer, 2 * (to - from) + 4)
  let at = writer.length
  bytes[at++] = 34
  for (let i = from; i < to; i++) {
    const byte = text[i]!
    if (ESCAPED[byte] === 1) {
      if (byte < 32) {
        writeJson(writer, JSON.stringify(text.toString('utf8', from, to)))
        return
      }
      bytes[at++] = 92
    }
    bytes[at++] = byte
  }
  bytes[at] = 34
  bytes[at + 1] = 44
  bytes[at + 2] = NEWLINE
  writer.length = at + 3
}

export function copyCells(writer: ColumnWriter, raw: Buffer, from: number, to: number): void {
  const bytes = reserve(writer, to - from + 2)
  raw.copy(bytes, writer.length, from, to)
  const at = writer.length + to - from
  bytes[at] = 44
  bytes[at + 1] = NEWLINE
  writer.length = at + 2
}

export const hasBytes = ({ bytes, length }: ColumnWriter, raw: Buffer): boolean =>
  length === raw.length + SEPARATOR_BYTES && bytes.subarray(0, raw.length).equals(raw)

export function takeColumn(writer: ColumnWriter): Buffer {
  const text = writer.bytes.subarray(0, Math.max(0, writer.length - SEPARATOR_BYTES))
  const isFull = text.length > writer.bytes.length / 2
  // A large text takes over the writer's buffer; a small one is copied so that it does not retain it.
  const raw = isFull ? text : Buffer.from(text)
  if (isFull) writer.bytes = Buffer.allocUnsafe(Math.ceil(text.length * 1.1))
  writer.length = 0
  writer.nulls = 0
  return raw
}
