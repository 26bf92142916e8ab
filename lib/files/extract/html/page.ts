/** Streams the table rows of an HTML page. Scripts are never run, and nothing is fetched. */
import { Parser } from 'htmlparser2'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import { MAX_ROW_BYTES } from '../cell-buffer.ts'

export interface PageCell {
  text: string
  columns: number
  rows: number
}

export interface PageHandler {
  openTable(table: number): void
  row(table: number, cells: readonly PageCell[]): void
  closeTable(table: number): void
}

const MAX_DEPTH = 1000
/** The HTML standard limits spans to these. */
const MAX_SPAN = { columns: 1000, rows: 65_534 }
const MAX_CELLS = 10 * MAX_FIELDS_PER_SHEET
const IGNORED_TAGS = new Set(['script', 'style', 'template'])
const LINE_TAGS = new Set(['br', 'p', 'div', 'li'])

interface OpenTable {
  number: number
  rows: number
  cells: PageCell[]
  cell: PageCell | undefined
  texts: string[]
  size: number
}

export function createPageParser(handler: PageHandler): Parser {
  const reader = new TableReader(handler)
  return new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  })
}

class TableReader {
  readonly #handler: PageHandler
  readonly #tables: OpenTable[] = []
  #count = 0
  #depth = 0
  #ignored = 0

  constructor(handler: PageHandler) {
    this.#handler = handler
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#depth > MAX_DEPTH)
      throw unprocessable(message('files.elementTooDeep', { element: name, count: MAX_DEPTH }))
    if (IGNORED_TAGS.has(name)) this.#ignored++
    const table = this.#tables.at(-1)
    if (name === 'table') this.#openTable()
    else if (!table) return
    else if (name === 'tr') this.#endRow(table)
    else if (name === 'td' || name === 'th') openCell(table, attributes)
    else if (LINE_TAGS.has(name)) this.text('\n', true)
  }

  close(name: string): void {
    this.#depth--
    if (IGNORED_TAGS.has(name)) this.#ignored--
    const table = this.#tables.at(-1)
    if (!table) return
    if (name === 'td' || name === 'th') closeCell(table)
    else if (name === 'tr') this.#endRow(table)
    else if (name === 'table') {
      this.#endRow(table)
      this.#tables.pop()
      this.#handler.closeTable(table.number)
    }
  }

  text(text: string, isLineBreak = false): void {
    const table = this.#tables.at(-1)
    if (!table?.cell || this.#ignored > 0) return
    table.size += text.length
    if (table.size > MAX_ROW_BYTES) throw unprocessable(message('files.rowTooLarge', { count: MAX_ROW_BYTES }))
    table.texts.push(isLineBreak ? text : text.replace(/[ \t\r\n\f]+/g, ' '))
  }

  #openTable(): void {
    this.#handler.openTable(this.#count)
    this.#tables.push({ number: this.#count++, rows: 0, cells: [], cell: undefined, texts: [], size: 0 })
  }

  #endRow(table: OpenTable): void {
    closeCell(table)
    if (table.cells.length === 0) return
    table.rows++
    this.#handler.row(table.number, table.cells)
    table.cells = []
    table.size = 0
  }
}

function openCell(table: OpenTable, { colspan, rowspan }: Readonly<Record<string, string>>): void {
  closeCell(table)
  const maximum = MAX_FIELDS_PER_SHEET
  if (table.cells.length >= MAX_CELLS)
    throw unprocessable(message('files.rowTooWide', { row: table.rows + 1, count: MAX_CELLS, maximum }))
  table.cell = { text: '', columns: parseSpan(colspan, MAX_SPAN.columns), rows: parseSpan(rowspan, MAX_SPAN.rows) }
  table.texts = []
}

function closeCell(table: OpenTable): void {
  if (!table.cell) return
  table.cell.text = table.texts
    .join('')
    .replace(/ +/g, ' ')
    .replace(/\n[ \n]*/g, '\n')
    .replace(/ \n/g, '\n')
    .trim()
  table.cells.push(table.cell)
  table.cell = undefined
}

const parseSpan = (text: string | undefined, maximum: number): number =>
  Math.min(maximum, Math.max(1, Number.parseInt(text ?? '1', 10) || 1))
