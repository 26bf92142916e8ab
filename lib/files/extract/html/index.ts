/** Reads the tables of an HTML page, such as an export that is named `.xls`. A table that contains tables is layout. */
import { MAX_HTML_BYTES, MAX_TABLES_PER_FILE } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import { detectEncoding, type Encoding } from '../../sniff/encoding.ts'
import { SNIFF_BYTES } from '../../sniff.ts'
import type { FileBytes } from '../bytes.ts'
import { DecodingError, decodeText } from '../decode.ts'
import type { Source } from '../source.ts'
import type { TextOptions } from '../text.ts'
import type { MergedRange, Row, WorkbookSheet } from '../workbook/sheet.ts'
import { openTables, type WorkbookOptions } from '../workbook/tables.ts'
import { createPageParser, type PageCell, type PageHandler } from './page.ts'

const HEAD_BYTES = 1024
const PAGE_START = /^(?:\uFEFF|ï»¿)?\s*(?:<!--[^>]*>\s*)*<(?:!doctype\s+html|html|head|meta|body|table|style|div)\b/i

export const isPage = async (file: FileBytes): Promise<boolean> =>
  PAGE_START.test((await file.range(0, HEAD_BYTES)).toString('latin1').replaceAll('\0', ''))

export async function openHtml(
  file: FileBytes,
  { encoding: chosen, ...options }: WorkbookOptions & Pick<TextOptions, 'encoding'>,
): Promise<Source> {
  if (file.size > MAX_HTML_BYTES) throw unprocessable(message('files.pageTooLarge', { count: MAX_HTML_BYTES }))
  const encoding = await detectPageEncoding(file, chosen ?? file.declaredEncoding)
  const tables = await findTables(file, encoding)
  if (tables.length === 0) throw unprocessable(message('files.pageWithoutTable'))
  const sheets = tables.map((table, index): WorkbookSheet => {
    const readRows = (row: Row, ranges?: MergedRange[]) => readTable(file, encoding, table, row, ranges)
    return {
      name: tables.length > 1 ? `Table ${index + 1}` : file.name.replace(/\.[^.]+$/, ''),
      hidden: false,
      size: file.size,
      read: (row) => readRows(row),
      readMergedRanges: () => findRanges(readRows),
    }
  })
  const source = await openTables({ sheets, releaseCaches: () => {} }, options)
  return { ...source, encoding: encoding.name }
}

async function detectPageEncoding(file: FileBytes, declared: string | undefined): Promise<Encoding> {
  const sample = await file.range(0, SNIFF_BYTES)
  const head = sample.toString('latin1', 0, HEAD_BYTES)
  const named = /<meta[^>]{1,300}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]
  return detectEncoding(sample, declared ?? toEncodingName(named))
}

/** The HTML standard reads Latin-1 as windows-1252. A page whose bytes name UTF-16 cannot be UTF-16. */
function toEncodingName(named: string | undefined): string | undefined {
  if (named === undefined || /^utf-?(?:16|32)/i.test(named)) return undefined
  return /^(?:iso-8859-1|latin-?1|us-ascii)$/i.test(named) ? 'windows-1252' : named
}

async function* parsePage(file: FileBytes, encoding: Encoding, handler: PageHandler): AsyncGenerator<number> {
  const parser = createPageParser(handler)
  const stream = await file.stream()
  let line = 1
  try {
    for await (const { text, bytesDone } of decodeText(stream, encoding.name, encoding.markBytes)) {
      parser.write(text.toString('utf8'))
      yield bytesDone
      for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) line++
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    throw unprocessable(message('files.undecodableLine', { line, byte: error.byte, encoding: error.encoding }))
  } finally {
    stream.destroy()
  }
}

async function findTables(file: FileBytes, encoding: Encoding): Promise<number[]> {
  const openTables: number[] = []
  const layouts = new Set<number>()
  const found = new Set<number>()
  const handler: PageHandler = {
    openTable: (table) => {
      for (const outer of openTables) {
        layouts.add(outer)
        found.delete(outer)
      }
      openTables.push(table)
    },
    row: (table) => void (layouts.has(table) || found.add(table)),
    closeTable: () => void openTables.pop(),
  }
  for await (const _ of parsePage(file, encoding, handler))
    if (found.size > MAX_TABLES_PER_FILE + openTables.length)
      throw unprocessable(message('files.tooManyTables', { count: MAX_TABLES_PER_FILE }))
  return [...found].sort((a, b) => a - b)
}

async function* readTable(
  file: FileBytes,
  encoding: Encoding,
  wanted: number,
  row: Row,
  ranges: MergedRange[] | undefined,
): AsyncGenerator<number> {
  const grid = new Grid(row, ranges)
  let isClosed = false
  const handler: PageHandler = {
    openTable: () => {},
    row: (table, cells) => void (table === wanted && grid.add(cells)),
    closeTable: (table) => {
      isClosed ||= table === wanted
    },
  }
  for await (const bytesDone of parsePage(file, encoding, handler)) {
    yield bytesDone
    if (isClosed) return
  }
}

class Grid {
  readonly #rows: Row
  readonly #ranges: MergedRange[] | undefined
  #row = 0
  readonly #lastSpannedRows: number[] = []

  constructor(rows: Row, ranges: MergedRange[] | undefined) {
    this.#rows = rows
    this.#ranges = ranges
  }

  add(cells: readonly PageCell[]): void {
    const row = ++this.#row
    this.#rows.startRow(row)
    let column = 0
    for (const { text, columns, rows } of cells) {
      while ((this.#lastSpannedRows[column] ?? 0) >= row) column++
      if (text !== '') this.#rows.text(column, text)
      const right = column + columns - 1
      const bottom = row + rows - 1
      if (right > column || bottom > row) this.#ranges?.push({ top: row, bottom, left: column, right })
      if (bottom > row)
        for (let at = column; at <= Math.min(right, MAX_FIELDS_PER_SHEET); at++) this.#lastSpannedRows[at] = bottom
      column = right + 1
    }
    this.#rows.endRow(row)
  }
}

const NO_ROWS: Row = { startRow: () => {}, text: () => {}, copy: () => {}, endRow: () => {} }

async function* findRanges(
  readRows: (row: Row, ranges: MergedRange[]) => AsyncGenerator<number>,
): AsyncGenerator<MergedRange> {
  const ranges: MergedRange[] = []
  for await (const _ of readRows(NO_ROWS, ranges)) yield* ranges.splice(0)
  yield* ranges
}
