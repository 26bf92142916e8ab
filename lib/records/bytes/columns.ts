/**
 * A column as text: JSON values joined by ",\n". A raw newline cannot occur inside JSON, so rows are found by scanning for
 * it, cells are copied to answers as bytes, and a whole column parses as one array. Pure.
 */
export const NULL = 'null'
const SEPARATOR = ',\n'
const NEWLINE = 10

/** Cell texts of a column; a missing chunk is a column of nulls. */
export const splitColumn = (raw: Buffer): string[] => raw.toString('utf8').split(SEPARATOR)
export const joinColumn = (cells: readonly string[]): Buffer => Buffer.from(cells.join(SEPARATOR))
/** The values of a column's text. */
export const parseColumn = (raw: Buffer): unknown[] => JSON.parse(`[${raw.toString('utf8')}]`)
export const parseCells = (cells: readonly string[]): unknown[] => JSON.parse(`[${cells.join(',')}]`)

/** The places of every so many rows are kept: a page from a column's middle is not searched for from its begin. */
const MARK_ROWS = 64
/** By column text: where rows 0, 64, 128 ... start, as far as it has been looked through. */
const marksOf = new WeakMap<Buffer, number[]>()

/** Where the cells of `rows` (ascending) stand: `starts[i]` to `ends[i]`. One pass over the bytes from the mark before. */
export function locateCells(raw: Buffer, rows: readonly number[]): { starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(rows.length)
  const ends = new Uint32Array(rows.length)
  const marks = marksOf.get(raw) ?? [0]
  marksOf.set(raw, marks)
  const { length } = raw
  let at = 0
  let row = 0
  for (let i = 0; i < rows.length; i++) {
    const wanted = rows[i]!
    const mark = Math.min(Math.floor(wanted / MARK_ROWS), marks.length - 1)
    if (mark * MARK_ROWS > row) {
      row = mark * MARK_ROWS
      at = marks[mark]!
    }
    while (row < wanted) {
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

/** Grows as needed; holds the text of one column while rows are added. */
export interface ColumnWriter {
  bytes: Buffer
  length: number
  nulls: number
}

export const columnWriter = (expectedRows: number): ColumnWriter => ({
  bytes: Buffer.allocUnsafe(expectedRows * 24 + 1024),
  length: 0,
  nulls: 0,
})

function room(writer: ColumnWriter, bytes: number): Buffer {
  if (writer.bytes.length - writer.length < bytes) {
    const grown = Buffer.allocUnsafe(writer.bytes.length * 2 + bytes)
    writer.bytes.copy(grown, 0, 0, writer.length)
    writer.bytes = grown
  }
  return writer.bytes
}

export function writeNull(writer: ColumnWriter): void {
  const bytes = room(writer, 6)
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

/** Any JSON value but null. */
export function writeJson(writer: ColumnWriter, json: string): void {
  const bytes = room(writer, json.length * 3 + 2)
  let at = writer.length + bytes.write(json, writer.length, 'utf8')
  bytes[at++] = 44
  bytes[at++] = NEWLINE
  writer.length = at
}

/** JSON as bytes of ASCII; not null. */
export function writeJsonBytes(writer: ColumnWriter, json: Buffer, from: number, to: number): void {
  const bytes = room(writer, to - from + 2)
  let at = writer.length
  for (let i = from; i < to; i++) bytes[at++] = json[i]!
  bytes[at] = 44
  bytes[at + 1] = NEWLINE
  writer.length = at + 2
}

/** 1 for the units a JSON text holds as they are, in one byte. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit > 31 && unit < 127 && unit !== 34 && unit !== 92 ? 1 : 0,
)

/** A text: printable ASCII is copied unit by unit; the first other unit hands the text to JSON.stringify. */
export function writeText(writer: ColumnWriter, text: string): void {
  const { length } = text
  const bytes = room(writer, length + 4)
  let at = writer.length
  bytes[at++] = 34
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (PLAIN[unit] !== 1) {
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

/** 1 for the bytes of UTF-8 that JSON does not hold as they are. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 32 || byte === 34 || byte === 92 ? 1 : 0))

/** A text as bytes of UTF-8: the same as {@link writeText} of it. */
export function writeTextBytes(writer: ColumnWriter, text: Buffer, from: number, to: number): void {
  const bytes = room(writer, 2 * (to - from) + 4)
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

/** The finished column's text; the writer can be used anew. */
export function takeColumn(writer: ColumnWriter): Buffer {
  const text = writer.bytes.subarray(0, Math.max(0, writer.length - SEPARATOR.length))
  const isFull = text.length > writer.bytes.length / 2
  // Large texts take the writer's bytes with them, small ones would keep too many.
  const raw = isFull ? text : Buffer.from(text)
  if (isFull) writer.bytes = Buffer.allocUnsafe(Math.ceil(text.length * 1.1))
  writer.length = 0
  writer.nulls = 0
  return raw
}
