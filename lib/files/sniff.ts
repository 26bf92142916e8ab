/** Detects how delimited text is written: encoding, delimiter, quote, line ends and header row. Pure. */

import iconv from 'iconv-lite'
import { message } from '../../schemas/messages/index.ts'
import { unprocessable } from '../core/errors.ts'
import { decodeLines } from './extract/mixed-encodings.ts'
import type { Dialect } from './extract/scanner.ts'
import { detectDialect, parseSeparatorLine } from './sniff/dialect.ts'
import { detectEncoding, type Encoding } from './sniff/encoding.ts'
import { detectHeaderRow, type Header } from './sniff/header.ts'
import { isBlankRow, readFirstRows } from './sniff/rows.ts'
import { getCompleteLength } from './sniff/utf8.ts'

export const SNIFF_BYTES = 256 * 1024

export interface Layout extends Header {
  encoding: Encoding
  dialect: Dialect
  /** UTF-8 bytes before the first data row, without the byte order mark. */
  dataStart: number
  titles: string[][]
}

export interface SniffOptions {
  /** False when the file continues after the sample. Default true. */
  isComplete?: boolean
  /** Encoding declared by the sender. Overrides detection, but not a byte order mark. */
  declaredEncoding?: string | undefined
  ext?: string
  delimiter?: string | undefined
  quote?: string | undefined
  escape?: string | undefined
  /** One-based, counting blank rows; 0 for none. Detected by default. */
  headerRow?: number | undefined
  headerLines?: number | undefined
}

/** @throws ApiError unprocessable for binary content and empty files */
export const sniff = (sample: Buffer, options: SniffOptions = {}): Layout => sniffWithRows(sample, options).layout

export function sniffWithRows(
  sample: Buffer,
  options: SniffOptions = {},
): { layout: Layout; rows: { row: number; cells: readonly string[] }[] } {
  const { isComplete = true, declaredEncoding, ext = '' } = options
  if (sample.length === 0) throw unprocessable(message('files.empty'))
  const encoding = detectEncoding(sample, declaredEncoding)
  const text = decodeSample(sample, encoding, isComplete)
  if (text.trim() === '') throw unprocessable(message('files.blank'))
  const separator = parseSeparatorLine(text)
  const body = text.slice(separator?.length ?? 0)
  const delimiter = options.delimiter ?? separator?.delimiter
  const dialect = detectDialect(body, { ...options, isComplete, ext, delimiter })
  const rows = readFirstRows(body, dialect, isComplete)
  const header = detectHeaderRow(rows, {
    row: toBodyRow(options.headerRow, separator !== undefined),
    lines: options.headerLines,
  })
  const separatorRows = separator ? 1 : 0
  const titles = rows.slice(0, header.headerRow - header.lines.length).filter((row) => !isBlankRow(row))
  const layout = {
    ...header,
    encoding,
    dialect,
    titles: titles.map(({ cells }) => cells),
    dataStart: Buffer.byteLength(text) - Buffer.byteLength(body) + header.dataStart,
    rowsBefore: header.rowsBefore + separatorRows,
    headerRow: header.headerRow && header.headerRow + separatorRows,
  }
  return { layout, rows: rows.map(({ cells }, at) => ({ row: at + 1 + separatorRows, cells })) }
}

const toBodyRow = (row: number | undefined, hasSeparatorLine: boolean): number | undefined =>
  row && hasSeparatorLine ? row - 1 : row

function decodeSample(sample: Buffer, { name, markBytes, other }: Encoding, isComplete: boolean): string {
  const bytes = sample.subarray(markBytes)
  if (other) {
    const lines = isComplete ? bytes : bytes.subarray(0, getCompleteLength(bytes))
    const { text, invalidAt } = decodeLines(lines, { other, isMainlyUtf8: name === 'utf-8' }, { utf8: 0, other: 0 })
    return text.toString('utf8') + (invalidAt < 0 ? '' : lines.toString('utf8', invalidAt))
  }
  if (name === 'utf-8') return bytes.subarray(0, isComplete ? bytes.length : getCompleteLength(bytes)).toString('utf8')
  const decoder = iconv.getDecoder(name)
  const text = decoder.write(bytes)
  return isComplete ? text + (decoder.end() ?? '') : text
}
