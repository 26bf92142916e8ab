/**
 * Records as CSV (RFC 4180): a header row of the fields' labels, then a row each, lines ended by CRLF. Values are copied
 * from the column texts as bytes wherever they need no quotes.
 *
 * A spreadsheet runs a text that begins with = + - @ or a tab or line break as a formula. Such texts get an apostrophe in
 * front, but for plain numbers; so do texts that begin with apostrophes before one of these, so that taking one apostrophe
 * away gives every text back. Where a spreadsheet separates cells by semicolons or tabs, a cell begins after each of those: what
 * follows one in a value is treated the same way, and what follows a line break. Lists are JSON arrays: with any other separator an element that holds it would be lost.
 */

import type { Output } from '../bytes/bytes.ts'
import { copyPart, put, write } from '../bytes/bytes.ts'
import { type CellReader, cellReader, seek } from '../bytes/cells.ts'
import { processStore, type Store } from '../log/store.ts'
import { effectiveMessages } from '../read/reader.ts'
import type { Field, ListQuery, Message, SheetRef } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import { openSource, streamLines } from './stream.ts'

export interface CsvOptions {
  /** Begin with a byte order mark, by which Excel knows the file as UTF-8. */
  byteOrderMark?: boolean
  /** Default true; false leaves texts that spreadsheets take for formulas as they are. */
  neutralizeFormulas?: boolean
  /** Header of a last column with each record's messages as text; none without it. */
  messages?: string
}

/**
 * Selected records as CSV, in buffers of 256 KB and more. Without `pageSize` and `pageNumber` all of them come.
 * @throws ApiError invalid for a field or commit the sheet has not
 */
export async function* streamCsv(
  sheet: SheetRef,
  query: ListQuery = {},
  options: CsvOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const neutral = options.neutralizeFormulas !== false
  const wanted = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !wanted || wanted.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  const own = options.messages === undefined ? [] : [options.messages]
  const header = [...headersOf(fields), ...own].map((text) => textCell(text, neutral))
  const mark = options.byteOrderMark ? '\ufeff' : ''
  yield* streamLines(source, query, {
    names: options.messages === undefined ? columns : [...columns, MESSAGES],
    head: Buffer.from(`${mark}${header.join(',')}\r\n`),
    lines: async (open, rows) => {
      const cells = columns.map((column) => cellReader(open, column, rows))
      if (options.messages === undefined) return (out, i) => writeRow(out, cells, i, rows[i]!, neutral)
      const messagesOf = effectiveMessages(open, source.rules)
      return (out, i) => {
        const messages = messagesText(fields, (key) => messagesOf(rows[i]!)?.get(key))
        writeRow(out, cells, i, rows[i]!, neutral, `,${textCell(messages, neutral)}`)
      }
    },
  })
}

/** Labels, keys where there are none; a label that several fields have stands with the field's key. */
export function headersOf(fields: readonly Field[]): string[] {
  const labels = fields.map(({ label, key }) => label || key)
  const seen = new Map<string, number>()
  for (const label of labels) seen.set(label, (seen.get(label) ?? 0) + 1)
  return fields.map(({ key }, i) => (seen.get(labels[i]!) === 1 ? labels[i]! : `${labels[i]} (${key})`))
}

/** A record's messages as one text: a line each, with the label of its field. */
export const messagesText = (
  fields: readonly Field[],
  messagesOf: (key: string) => readonly Pick<Message, 'message'>[] | undefined,
): string =>
  fields
    .flatMap(({ key, label }) => (messagesOf(key) ?? []).map(({ message }) => `${label || key}: ${message}`))
    .join('\n')

const COMMA = 44
const SEMICOLON = 59
const QUOTE = 34
const BACKSLASH = 92
const RETURN = 13
const NEWLINE = 10
const OPEN_LIST = 91
const OPEN_OBJECT = 123

function writeRow(
  out: Output,
  cells: readonly (CellReader | undefined)[],
  i: number,
  row: number,
  neutral: boolean,
  more = '',
): void {
  const start = out.length
  for (let c = 0; c < cells.length; c++) {
    if (c) put(out, COMMA)
    const cell = cells[c]
    if (cell && seek(cell, i, row)) writeValue(out, cell, neutral)
  }
  if (more) write(out, more)
  // An empty line would be skipped by readers: a lone empty cell shows by its quotes.
  if (out.length === start) write(out, '""')
  put(out, RETURN)
  put(out, NEWLINE)
}

function writeValue(out: Output, { bytes, from, to }: CellReader, neutral: boolean): void {
  const first = bytes[from]
  if (first === OPEN_LIST || first === OPEN_OBJECT) write(out, textCell(bytes.toString('utf8', from, to), neutral))
  else if (first !== QUOTE) copyPart(out, bytes, from, to)
  else if (isPlain(bytes, from + 1, to - 1, neutral)) copyPart(out, bytes, from + 1, to - 1)
  else if (isPlain(bytes, from + 1, to - 1, neutral, COMMA)) copyPart(out, bytes, from, to)
  else write(out, textCell(JSON.parse(bytes.toString('utf8', from, to)), neutral))
}

/** 1 for the bytes that a text in need of an apostrophe may begin with: ' + - = @ (others come escaped). */
const SUSPECT = Uint8Array.from({ length: 256 }, (_, byte) => ("'+-=@".includes(String.fromCharCode(byte)) ? 1 : 0))

/** Is a JSON text's inside the cell as it stands? @param but a byte that does not count against it */
function isPlain(bytes: Buffer, from: number, to: number, neutral: boolean, but = 0): boolean {
  if (neutral && SUSPECT[bytes[from]!]) return false
  for (let i = from; i < to; i++) {
    const byte = bytes[i]
    if (byte === BACKSLASH || (byte === COMMA && byte !== but)) return false
    if (byte === SEMICOLON && neutral && SUSPECT[bytes[i + 1]!]) return false
  }
  return true
}

const FORMULA = /^'*[=+\-@\t\r\n]/
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

/**
 * What a spreadsheet takes for a cell that begins a formula, after a separator that is not ours. Quotes in front are taken for
 * those of a quoted cell, and fall away.
 */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=['"]*[=+\-@])[^;\t\r\n]*/g

function textCell(text: string, neutral: boolean): string {
  if (!neutral) return quoted(text)
  const started = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return quoted(started.replace(INNER_FORMULA, (piece) => (NUMBER.test(piece) ? piece : `'${piece}`)))
}

const quoted = (text: string): string => (/[",\r\n]|[;\t]'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
