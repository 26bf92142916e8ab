/**
 * CSV (RFC 4180) with a header row and CRLF line ends; values that need no quotes are copied as bytes.
 * Texts that a spreadsheet would run as a formula (a leading = + - @, tab or line break) get an apostrophe, unless they
 * are numbers; so do texts with apostrophes before one of these, so that removing one restores the text. The same
 * applies after ; tab and line breaks inside a value, where some spreadsheets start a cell.
 */

import { type ByteWriter, reserve, writeByte, writeString } from '../columns/byte-writer.ts'
import { NULL, NULL_START, SEPARATOR_BYTES } from '../columns/columns.ts'
import { findByte, repeatByte, WORD_BYTES } from '../columns/words.ts'
import { MESSAGES } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { type CellReader, createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup, type OpenSegment } from '../segments/open.ts'
import type { Field, ListQuery, Message, SheetRef } from '../sheet.ts'
import { isEdited } from '../state/state.ts'
import { openSource, streamLines } from './stream.ts'

export interface CsvOptions {
  /** Excel recognizes UTF-8 by the byte order mark. */
  byteOrderMark?: boolean
  neutralizeFormulas?: boolean
  messages?: string
  bufferBytes?: number | undefined
  /** Default true. */
  header?: boolean
}

/** Streams records in buffers; all selected ones unless a page is requested. */
export async function* streamCsv(
  sheet: SheetRef,
  query: ListQuery = {},
  options: CsvOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const neutralize = options.neutralizeFormulas !== false
  const requestedKeys = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !requestedKeys || requestedKeys.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  yield* streamLines(source, query, {
    names: options.messages === undefined ? columns : [...columns, MESSAGES],
    bufferBytes: options.bufferBytes,
    head: encodeHead(fields, options),
    lines: async (open, rows) => {
      const cells = openColumns(open, columns, rows)
      if (options.messages === undefined) return (out, i) => writeRow(out, cells, i, rows[i]!, neutralize)
      const getMessages = createMessageLookup(open, source.rules)
      const separator = cells.length > 0 ? ',' : ''
      return (out, i) => {
        const messages = formatMessages(fields, (key) => getMessages(rows[i]!)?.get(key))
        writeRow(out, cells, i, rows[i]!, neutralize, `${separator}${encodeCell(messages, neutralize)}`)
      }
    },
  })
}

export function encodeHead(fields: readonly Field[], options: CsvOptions): Buffer {
  if (options.header === false) return Buffer.alloc(0)
  const messageHeader = options.messages === undefined ? [] : [options.messages]
  const texts = [...buildHeaders(fields), ...messageHeader]
  const header = texts.map((text) => encodeCell(text, options.neutralizeFormulas !== false))
  return Buffer.from(`${options.byteOrderMark ? '\ufeff' : ''}${header.join(',')}\r\n`)
}

export function buildHeaders(fields: readonly Field[]): string[] {
  const labels = fields.map(({ label, key }) => label || key)
  const labelCounts = new Map<string, number>()
  for (const label of labels) labelCounts.set(label, (labelCounts.get(label) ?? 0) + 1)
  return fields.map(({ key }, i) => (labelCounts.get(labels[i]!) === 1 ? labels[i]! : `${labels[i]} (${key})`))
}

export const formatMessages = (
  fields: readonly Field[],
  getMessages: (key: string) => readonly Pick<Message, 'message'>[] | undefined,
): string =>
  fields
    .flatMap(({ key, label }) => (getMessages(key) ?? []).map(({ message }) => `${label || key}: ${message}`))
    .join('\n')

const COMMA = 44
const SEMICOLON = 59
const QUOTE = 34
const BACKSLASH = 92
const RETURN = 13
const NEWLINE = 10
const OPEN_LIST = 91
const OPEN_OBJECT = 123
const [APOSTROPHE, PLUS, MINUS, POINT, ZERO, LARGE_E, SMALL_E] = [39, 43, 45, 46, 48, 69, 101]

/** The cells of a whole column follow each other, so they need not be located. */
interface CellCursor {
  raw: Buffer
  at: number
  /** Undefined if words would need more tests. */
  view: DataView | undefined
}

function openCursor(raw: Buffer): CellCursor {
  const hasWords = !raw.includes(BACKSLASH) && !raw.includes(SEMICOLON)
  return { raw, at: 0, view: hasWords ? new DataView(raw.buffer, raw.byteOffset, raw.length) : undefined }
}

export function writeColumns(out: ByteWriter, columns: readonly Buffer[], rows: number, neutralize: boolean): void {
  const cells = columns.map(openCursor)
  for (let row = 0; row < rows; row++) writeRow(out, cells, row, row, neutralize)
}

function openColumns(
  open: OpenSegment,
  columns: readonly string[],
  rows: readonly number[],
): (CellReader | CellCursor | undefined)[] {
  const areAll = rows.length === open.segment.rows && rows.every((row, i) => row === i)
  return columns.map((column) => {
    const raw = open.raw.get(column)
    return areAll && raw?.length && !isEdited(open.segment, column)
      ? openCursor(raw)
      : createCellReader(open, column, rows)
  })
}

function writeRow(
  out: ByteWriter,
  cells: readonly (CellReader | CellCursor | undefined)[],
  i: number,
  row: number,
  neutralize: boolean,
  suffix = '',
): void {
  const start = out.length
  for (let c = 0; c < cells.length; c++) {
    if (c) writeByte(out, COMMA)
    const cell = cells[c]
    if (!cell) continue
    if ('at' in cell) writeNext(out, cell, neutralize)
    else if (seek(cell, i, row)) writeValue(out, cell.bytes, cell.from, neutralize)
  }
  if (suffix) writeString(out, suffix)
  // Readers skip empty lines, so a single empty cell is written as quotes.
  if (out.length === start) writeString(out, '""')
  writeByte(out, RETURN)
  writeByte(out, NEWLINE)
}

function writeNext(out: ByteWriter, cell: CellCursor, neutralize: boolean): void {
  const { raw, at, view } = cell
  const end = raw[at] === NULL_START ? at + NULL.length : writeValue(out, raw, at, neutralize, view)
  cell.at = end + SEPARATOR_BYTES
}

function writeValue(out: ByteWriter, bytes: Buffer, from: number, neutralize: boolean, view?: DataView): number {
  const first = bytes[from]
  if (first === QUOTE) {
    const end = copyPlainText(out, bytes, from + 1, neutralize, view)
    return end < 0 ? writeOtherText(out, bytes, from, neutralize) : end + 1
  }
  if (first === OPEN_LIST || first === OPEN_OBJECT) return writeJsonCell(out, bytes, from, neutralize)
  return copyBareValue(out, bytes, from)
}

function writeOtherText(out: ByteWriter, bytes: Buffer, from: number, neutralize: boolean): number {
  const end = copyQuotedText(out, bytes, from + 1, neutralize)
  return end < 0 ? writeJsonCell(out, bytes, from, neutralize) : end + 1
}

function writeJsonCell(out: ByteWriter, bytes: Buffer, from: number, neutralize: boolean): number {
  const newline = bytes.indexOf(NEWLINE, from)
  const to = newline < 0 ? bytes.length : newline + 1 - SEPARATOR_BYTES
  const json = bytes.toString('utf8', from, to)
  writeString(out, encodeCell(bytes[from] === QUOTE ? JSON.parse(json) : json, neutralize))
  return to
}

/** Writing past the end of the memory changes nothing, and is repeated: a check of each byte takes longer. */
function copyBareValue(out: ByteWriter, bytes: Buffer, from: number): number {
  const target = out.bytes
  const { length } = bytes
  let at = out.length
  let i = from
  for (; i < length && bytes[i] !== COMMA; i++) target[at++] = bytes[i]!
  if (at > target.length) {
    reserve(out, at - out.length)
    return copyBareValue(out, bytes, from)
  }
  out.length = at
  return i
}

/** 1 for ' + - = @, which can start a formula (others are escaped in JSON). */
const FORMULA_STARTS = Uint8Array.from({ length: 256 }, (_, byte) =>
  "'+-=@".includes(String.fromCharCode(byte)) ? 1 : 0,
)

const [QUOTES, COMMAS] = [repeatByte(QUOTE), repeatByte(COMMA)]

/** Copies words and bytes while it checks, since most texts are plain. Returns the end of the text, or -1. */
function copyPlainText(out: ByteWriter, bytes: Buffer, from: number, neutralize: boolean, view?: DataView): number {
  const mayBeFormula = neutralize && FORMULA_STARTS[bytes[from]!] === 1
  if (mayBeFormula && bytes[from] === APOSTROPHE) return -1
  const target = out.bytes
  const { length } = bytes
  let at = out.length
  if (mayBeFormula && !isSignedNumber(bytes, from)) target[at++] = APOSTROPHE
  let i = from
  if (view)
    for (let words = Math.min(length - i, target.length - at) >> 2; words > 0; words--) {
      const word = view.getInt32(i, true)
      if ((findByte(word, QUOTES) | findByte(word, COMMAS)) !== 0) break
      out.view.setInt32(at, word, true)
      at += WORD_BYTES
      i += WORD_BYTES
    }
  for (; i < length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) break
    if (byte === COMMA || byte === BACKSLASH || byte === SEMICOLON) return -1
    target[at++] = byte
  }
  if (i === length) return -1
  if (at > target.length) {
    reserve(out, at - out.length)
    return copyPlainText(out, bytes, from, neutralize, view)
  }
  out.length = at
  return i
}

function isSignedNumber(bytes: Buffer, from: number): boolean {
  if (bytes[from] !== PLUS && bytes[from] !== MINUS) return false
  const pointAt = skipDigits(bytes, from + 1)
  const digitsEnd = bytes[pointAt] === POINT ? skipDigits(bytes, pointAt + 1) : pointAt
  if (digitsEnd <= from + 2 && pointAt === from + 1) return false
  if (bytes[digitsEnd] !== SMALL_E && bytes[digitsEnd] !== LARGE_E) return bytes[digitsEnd] === QUOTE
  const hasSign = bytes[digitsEnd + 1] === PLUS || bytes[digitsEnd + 1] === MINUS
  const exponentFrom = digitsEnd + (hasSign ? 2 : 1)
  const exponentEnd = skipDigits(bytes, exponentFrom)
  return exponentEnd > exponentFrom && bytes[exponentEnd] === QUOTE
}

function skipDigits(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at]! >= ZERO && bytes[at]! < ZERO + 10) at++
  return at
}

/** Copies a text with commas or quotes, if nothing else in it is special. Returns its end, or -1. */
function copyQuotedText(out: ByteWriter, bytes: Buffer, from: number, neutralize: boolean): number {
  if (neutralize && FORMULA_STARTS[bytes[from]!]) return -1
  const target = out.bytes
  const { length } = bytes
  let at = out.length
  target[at++] = QUOTE
  let i = from
  for (; i < length && bytes[i] !== QUOTE; i++) {
    if (bytes[i] === SEMICOLON) return -1
    if (bytes[i] === BACKSLASH) {
      if (bytes[++i] !== QUOTE) return -1
      target[at++] = QUOTE
    }
    target[at++] = bytes[i]!
  }
  if (i === length) return -1
  target[at++] = QUOTE
  if (at > target.length) {
    reserve(out, at - out.length)
    return copyQuotedText(out, bytes, from, neutralize)
  }
  out.length = at
  return i
}

const FORMULA = /^'*[=+\-@\t\r\n]/
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

/** A formula at the start of a cell in a spreadsheet with another separator; leading quotes are dropped there. */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=['"]*[=+\-@])[^;\t\r\n]*/g

function encodeCell(text: string, neutralize: boolean): string {
  if (!neutralize) return quoteCell(text)
  const neutralized = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return quoteCell(neutralized.replace(INNER_FORMULA, (piece) => (NUMBER.test(piece) ? piece : `'${piece}`)))
}

const quoteCell = (text: string): string => (/[",\r\n]|[;\t]'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
