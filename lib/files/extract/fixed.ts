/** Text in columns of fixed width, as a job declares them: each line a row, each cell without the blanks around it. */
import { FIELDS_PER_SHEET } from '../../../schemas/sheet.ts'
import { invalidField, unprocessable } from '../../core/errors.ts'
import { encodingOf } from '../sniff/encoding.ts'
import { headerOf } from '../sniff/header.ts'
import type { FileBytes } from './bytes.ts'
import { CellBuffer, ROW_BYTES } from './cell-buffer.ts'
import { decoded, Undecodable } from './decode.ts'
import type { Part, Source } from './source.ts'
import type { TextOptions } from './text.ts'

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_ROWS = 200

/** @param widths characters of each column; what stands beyond the last is a column of its own */
export async function openFixed(file: FileBytes, widths: readonly number[], options: TextOptions): Promise<Source> {
  if (widths.length >= FIELDS_PER_SHEET)
    throw invalidField('config.options.widths', `names more columns than a sheet has: ${FIELDS_PER_SHEET}`)
  const { name, markBytes } = encodingOf(await file.range(0, SAMPLE_BYTES), options.encoding ?? file.declared)
  const lines = () => linesOf(file, name, markBytes)
  const sample: { cells: string[]; end: number }[] = []
  for await (const { line } of lines()) {
    sample.push({ cells: cellsOf(line, widths), end: 0 })
    if (sample.length === SAMPLE_ROWS) break
  }
  const { header, headerRow, width, rowsBefore } = headerOf(sample, options.headerRow)
  if (width === 1 && sample.every(({ cells }) => cells.every((cell) => cell === '')))
    throw unprocessable('The file is empty: it has nothing but blank space.')
  const columns = Math.max(width, widths.length)
  return {
    encoding: name,
    tables: [{ header, headerRow, width: columns + 1 === width ? width : columns }],
    parts: () => partsOf(lines(), widths, rowsBefore, columns, file.size),
  }
}

interface Line {
  line: string
  /** From 1. */
  number: number
  bytesDone: number
}

async function* linesOf(file: FileBytes, encoding: string, markBytes: number): AsyncGenerator<Line> {
  const stream = await file.stream()
  let rest = ''
  let number = 0
  let done = markBytes
  try {
    for await (const { text, bytesDone } of decoded(stream, encoding, markBytes)) {
      const lines = (rest + text.toString('utf8')).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      if (rest.length > ROW_BYTES) throw unprocessable(`Line ${number + lines.length + 1} does not end.`)
      done = bytesDone
      for (const line of lines) yield { line, number: ++number, bytesDone }
    }
    if (rest !== '') yield { line: rest.replace(/\r$/, ''), number: ++number, bytesDone: done }
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error
    throw unprocessable(`In line ${number + 1} ${error.message}. Save the file as UTF-8 and try again.`)
  } finally {
    stream.destroy()
  }
}

/** The last cell is what stands beyond the declared columns; left out when there is nothing. */
function cellsOf(line: string, widths: readonly number[]): string[] {
  const cells: string[] = []
  let from = 0
  for (const width of widths) {
    cells.push(line.slice(from, from + width).trim())
    from += width
  }
  const rest = line.slice(from).trim()
  return rest === '' ? cells : [...cells, rest]
}

async function* partsOf(
  lines: AsyncIterable<Line>,
  widths: readonly number[],
  rowsBefore: number,
  columns: number,
  size: number,
): AsyncGenerator<Part> {
  const buffer = new CellBuffer(columns)
  for await (const { line, number, bytesDone } of lines) {
    if (number <= rowsBefore) continue
    const cells = cellsOf(line, widths)
    if (cells.length > columns)
      throw unprocessable(
        `Line ${number} is longer than the declared columns: it goes on with ${cells.at(-1)!.slice(0, 40)}.`,
      )
    for (const [column, cell] of cells.entries()) buffer.text(column, cell)
    buffer.endRow(number)
    if (!buffer.isFull) continue
    yield { table: 0, rows: buffer.rows(), done: bytesDone / Math.max(1, size) }
    buffer.drop()
  }
  if (buffer.length > 0) yield { table: 0, rows: buffer.rows(), done: 1 }
}
