/** Fixed-width text with the column widths of the job, or detected: one row per line, cells trimmed. */
import { PREVIEW_LIMITS } from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../schemas/sheets/shape.ts'
import { ApiError, invalidField, unprocessable } from '../../core/errors.ts'
import { detectEncoding } from '../sniff/encoding.ts'
import { detectHeaderRow } from '../sniff/header.ts'
import { ColumnScan } from '../sniff/widths.ts'
import type { FileBytes } from './bytes.ts'
import { CellBuffer, MAX_ROW_BYTES } from './cell-buffer.ts'
import { DecodingError, decodeText } from './decode.ts'
import { findRepeatedRows, type RepeatedRows } from './repeated-rows.ts'
import type { Part, Source } from './source.ts'
import type { TextOptions } from './text.ts'

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_ROWS = 200

/** @param widths characters per column; text beyond the last one becomes an extra column */
export async function openFixedWidth(
  file: FileBytes,
  widths: readonly number[],
  options: TextOptions,
): Promise<Source> {
  if (widths.length >= MAX_FIELDS_PER_SHEET)
    throw invalidField('config.options.widths', message('files.tooManyWidths', { count: MAX_FIELDS_PER_SHEET }))
  const { name, markBytes } = detectEncoding(
    await file.range(0, SAMPLE_BYTES),
    options.encoding ?? file.declaredEncoding,
  )
  const openLines = () => readLines(file, name, markBytes)
  const sample: { cells: string[]; end: number }[] = []
  for await (const { line } of openLines()) {
    sample.push({ cells: splitCells(line, widths), end: 0 })
    if (sample.length === SAMPLE_ROWS) break
  }
  const { headerRow: row, headerLines } = options
  const { header, labels, headerRow, lines, width, rowsBefore } = detectHeaderRow(sample, { row, lines: headerLines })
  if (width === 1 && sample.every(({ cells }) => cells.every((cell) => cell === '')))
    throw unprocessable(message('files.blank'))
  const columns = Math.max(width, widths.length)
  const titles = sample.slice(0, headerRow - lines.length).map(({ cells }) => cells)
  const repeatedRows = findRepeatedRows(lines, titles)
  const firstRows = sample.slice(0, PREVIEW_LIMITS.rows).map(({ cells }, index) => ({ row: index + 1, cells }))
  return {
    encoding: name,
    tables: [
      {
        ...{ header, labels, headerRow, headerLines: lines.length, firstRows },
        width: columns + 1 === width ? width : columns,
      },
    ],
    parts: () => readParts(openLines(), { widths, rowsBefore, columns, size: file.size, repeatedRows }),
    countOmitted: () => repeatedRows?.count ?? 0,
  }
}

export async function detectWidths(file: FileBytes, encoding: string): Promise<number[] | undefined> {
  const scan = new ColumnScan()
  const sample = await file.range(0, SAMPLE_BYTES)
  const { markBytes } = detectEncoding(sample, encoding)
  let lines = 0
  try {
    for await (const { line } of readLines(file, encoding, markBytes)) {
      scan.add(line)
      if (++lines === SAMPLE_ROWS && !scan.findWidths()) return undefined
    }
    return scan.findWidths()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface Line {
  line: string
  number: number
  bytesDone: number
}

async function* readLines(file: FileBytes, encoding: string, markBytes: number): AsyncGenerator<Line> {
  const stream = await file.stream()
  let incompleteLine = ''
  let number = 0
  let bytesRead = markBytes
  try {
    for await (const { text, bytesDone } of decodeText(stream, encoding, markBytes)) {
      const lines = (incompleteLine + text.toString('utf8')).split(/\r\n|\n|\r(?!$)/)
      incompleteLine = lines.pop()!
      if (incompleteLine.length > MAX_ROW_BYTES)
        throw unprocessable(message('files.lineTooLong', { line: number + lines.length + 1, count: MAX_ROW_BYTES }))
      bytesRead = bytesDone
      for (const line of lines) yield { line, number: ++number, bytesDone }
    }
    if (incompleteLine !== '') yield { line: incompleteLine.replace(/\r$/, ''), number: ++number, bytesDone: bytesRead }
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    throw unprocessable(
      message('files.undecodableLine', { line: number + 1, byte: error.byte, encoding: error.encoding }),
    )
  } finally {
    stream.destroy()
  }
}

function splitCells(line: string, widths: readonly number[]): string[] {
  const cells: string[] = []
  let from = 0
  for (const width of widths) {
    cells.push(line.slice(from, from + width).trim())
    from += width
  }
  const overflow = line.slice(from).trim()
  return overflow === '' ? cells : [...cells, overflow]
}

interface LineLayout {
  widths: readonly number[]
  rowsBefore: number
  columns: number
  size: number
  repeatedRows: RepeatedRows | undefined
}

async function* readParts(
  lines: AsyncIterable<Line>,
  { widths, rowsBefore, columns, size, repeatedRows }: LineLayout,
): AsyncGenerator<Part> {
  const buffer = new CellBuffer(columns, repeatedRows)
  for await (const { line, number, bytesDone } of lines) {
    if (number <= rowsBefore) continue
    const cells = splitCells(line, widths)
    if (cells.length > columns)
      throw unprocessable(message('files.lineTooWide', { line: number, text: cells.at(-1)!.slice(0, 40) }))
    for (const [column, cell] of cells.entries()) buffer.text(column, cell)
    buffer.endRow(number)
    if (!buffer.isFull) continue
    yield { table: 0, rows: buffer.rows(), done: bytesDone / Math.max(1, size) }
    buffer.drop()
  }
  if (buffer.length > 0) yield { table: 0, rows: buffer.rows(), done: 1 }
}
