/**
 * Finds out how a delimited text file is written, from its first bytes: encoding, delimiter, quote, line ends and where
 * the header stands. Pure: bytes in, layout out. Knows no storage and no sheets.
 */
import iconv from 'iconv-lite'
import { unprocessable } from '../core/errors.ts'
import type { Dialect } from './extract/scanner.ts'
import { dialectOf, separatorLine } from './sniff/dialect.ts'
import { type Encoding, encodingOf } from './sniff/encoding.ts'
import { type Header, headerOf } from './sniff/header.ts'
import { firstRows } from './sniff/rows.ts'
import { wholeCharacters } from './sniff/utf8.ts'

/** The beginning that is looked at, in bytes. */
export const SNIFF_BYTES = 256 * 1024

export interface Layout extends Header {
  encoding: Encoding
  dialect: Dialect
  /** Bytes before the first row of data once the text is UTF-8, the byte order mark apart. */
  dataStart: number
}

export interface SniffOptions {
  /** False when the file goes on after the sample. Default true. */
  whole?: boolean
  /** What the sender says the encoding is; wins over what the bytes look like, not over a byte order mark. */
  declared?: string | undefined
  /** Of the file's name: decides where nothing else does. */
  ext?: string
  /** One character; found by itself unless told. */
  delimiter?: string | undefined
  /** The row that names the columns, from 1, blank ones counted; 0 for a file without; found by itself unless told. */
  headerRow?: number | undefined
}

/**
 * @param sample the first {@link SNIFF_BYTES} bytes, or all there are
 * @throws ApiError unprocessable for content that is no text, and for empty files
 */
export const sniff = (sample: Buffer, options: SniffOptions = {}): Layout => beginningOfText(sample, options).layout

/** The layout with the rows it was found by, each with its number as they are counted for headers. @throws as {@link sniff} */
export function beginningOfText(
  sample: Buffer,
  options: SniffOptions = {},
): { layout: Layout; rows: { row: number; cells: readonly string[] }[] } {
  const { whole = true, declared, ext = '' } = options
  if (sample.length === 0) throw unprocessable('The file is empty.')
  const encoding = encodingOf(sample, declared)
  const text = textOf(sample, encoding, whole)
  if (text.trim() === '') throw unprocessable('The file is empty: it has nothing but blank space.')
  const told = separatorLine(text)
  const body = text.slice(told?.length ?? 0)
  const dialect = dialectOf(body, { whole, ext, delimiter: options.delimiter ?? told?.delimiter })
  const rows = firstRows(body, dialect, whole)
  const header = headerOf(rows, headerRowIn(options.headerRow, told !== undefined))
  const above = told ? 1 : 0
  const layout = {
    ...header,
    encoding,
    dialect,
    dataStart: Buffer.byteLength(text) - Buffer.byteLength(body) + header.dataStart,
    rowsBefore: header.rowsBefore + above,
    headerRow: header.headerRow && header.headerRow + above,
  }
  return { layout, rows: rows.map(({ cells }, at) => ({ row: at + 1 + above, cells })) }
}

/** Counted without the line that names the delimiter. */
const headerRowIn = (row: number | undefined, hasSeparatorLine: boolean): number | undefined =>
  row && hasSeparatorLine ? row - 1 : row

function textOf(sample: Buffer, { name, markBytes }: Encoding, whole: boolean): string {
  const bytes = sample.subarray(markBytes)
  if (name === 'utf-8') return bytes.subarray(0, whole ? bytes.length : wholeCharacters(bytes)).toString('utf8')
  const decoder = iconv.getDecoder(name)
  const text = decoder.write(bytes)
  return whole ? text + (decoder.end() ?? '') : text
}
