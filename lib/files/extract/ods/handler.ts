import { MAX_ENTRIES_PER_ARCHIVE } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import { MAX_ROW_BYTES } from '../cell-buffer.ts'
import type { MergedRange } from '../workbook/sheet.ts'
import { type Attributes, localName, type XmlHandler } from '../xml.ts'
import { formatCell } from './cells.ts'

export interface OdsTable {
  name: string
  hidden: boolean
}

interface OdsCell {
  column: number
  repeat: number
  text: string
}

export interface OdsRow {
  table: number
  row: number
  repeat: number
  cells: OdsCell[]
}

interface OdsVisitor {
  table?(table: OdsTable): void
  endTable(): void
  merged?(range: MergedRange): void
  row?(row: OdsRow): void
}

const SKIPPED = new Set(['annotation', 'note', 'ruby-text', 'frame', 'shapes', 'forms', 'tracked-changes', 'dde-links'])
const SPACE = /[ \t\r\n]+/g

export function createOdsHandler(visitor: OdsVisitor): XmlHandler {
  const hiddenStyles = new Set<string>()
  let depth = 0
  let skippedFrom = 0
  let bodyDepth = 0
  let cellDepth = 0
  let table = -1
  let style = ''
  let row: OdsRow = { table, row: 0, repeat: 0, cells: [] }
  let column = 0
  let columnRepeat = 1
  let attributesOfCell: Attributes = {}
  let text = ''
  let isParagraph = false
  let paragraphs = 0
  let endsWithSpace = true

  function open(qualified: string, attributes: Attributes): void {
    depth++
    if (skippedFrom > 0) return
    const name = localName(qualified)
    if (cellDepth > 0) openInCell(name, attributes)
    else if (bodyDepth > 0) openInBody(name, attributes)
    else if (name === 'spreadsheet') bodyDepth = depth
    else if (name === 'style') style = attributes['style:name'] ?? ''
    else if (name === 'table-properties' && attributes['table:display'] === 'false') addHiddenStyle()
  }

  function addHiddenStyle(): void {
    if (hiddenStyles.size < MAX_ENTRIES_PER_ARCHIVE) hiddenStyles.add(style)
  }

  function openInBody(name: string, attributes: Attributes): void {
    if (SKIPPED.has(name)) skippedFrom = depth
    else if (name === 'table' && depth === bodyDepth + 1) startTable(attributes)
    else if (table < 0) return
    else if (name === 'table-row') {
      const repeat = parseCount(attributes, 'table:number-rows-repeated', row.row)
      row = { table, row: row.row + row.repeat, repeat, cells: [] }
      column = 0
    } else if (name === 'table-cell' || name === 'covered-table-cell') startCell(attributes)
  }

  function startTable(attributes: Attributes): void {
    if (++table >= MAX_ENTRIES_PER_ARCHIVE)
      throw unprocessable(message('files.tooManySheets', { count: MAX_ENTRIES_PER_ARCHIVE }))
    const hidden = hiddenStyles.has(attributes['table:style-name'] ?? '')
    row = { table, row: 0, repeat: 1, cells: [] }
    visitor.table?.({ name: attributes['table:name'] ?? '', hidden })
  }

  function startCell(attributes: Attributes): void {
    cellDepth = depth
    attributesOfCell = attributes
    columnRepeat = parseCount(attributes, 'table:number-columns-repeated', row.row)
    text = ''
    paragraphs = 0
    const columns = parseCount(attributes, 'table:number-columns-spanned', row.row)
    const rows = parseCount(attributes, 'table:number-rows-spanned', row.row)
    if (columns * rows > 1)
      visitor.merged?.({ top: row.row, bottom: row.row + rows - 1, left: column, right: column + columns - 1 })
  }

  function openInCell(name: string, attributes: Attributes): void {
    if (SKIPPED.has(name)) skippedFrom = depth
    else if (name === 'p' && depth === cellDepth + 1) {
      if (paragraphs++ > 0) append('\n')
      isParagraph = true
      endsWithSpace = true
    } else if (!isParagraph) skippedFrom = depth
    else if (name === 's') append(' '.repeat(Math.min(MAX_SPACES, parseCount(attributes, 'text:c', row.row))))
    else if (name === 'tab') append('\t')
    else if (name === 'line-break') append('\n')
  }

  function createTooWide() {
    const count = row.cells.length
    return unprocessable(message('files.rowTooWide', { row: row.row, count, maximum: MAX_FIELDS_PER_SHEET }))
  }

  function append(piece: string): void {
    text += piece
    endsWithSpace = false
    assertNotTooLong()
  }

  function assertNotTooLong(): void {
    if (text.length > MAX_ROW_BYTES) throw unprocessable(message('files.rowTooLarge', { count: MAX_ROW_BYTES }))
  }

  function close(qualified: string): void {
    if (skippedFrom === 0) closeElement(localName(qualified))
    else if (skippedFrom === depth) skippedFrom = 0
    depth--
  }

  function closeElement(name: string): void {
    if (cellDepth === depth) endCell()
    else if (name === 'p' && depth === cellDepth + 1) isParagraph = false
    else if (cellDepth > 0) return
    else if (name === 'table-row' && table >= 0) visitor.row?.(row)
    else if (name === 'table' && bodyDepth > 0 && depth === bodyDepth + 1) visitor.endTable()
    else if (depth === bodyDepth) bodyDepth = 0
  }

  function endCell(): void {
    cellDepth = 0
    const shown = formatCell(attributesOfCell, text)
    if (shown !== '') row.cells.push({ column, repeat: columnRepeat, text: shown })
    if (row.cells.length > MAX_FIELDS_PER_SHEET) throw createTooWide()
    column += columnRepeat
  }

  return {
    open,
    close,
    text: (piece) => {
      if (!isParagraph || skippedFrom > 0) return
      const collapsed = piece.replace(SPACE, ' ')
      text += endsWithSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
      if (collapsed !== '') endsWithSpace = collapsed.endsWith(' ')
      assertNotTooLong()
    },
  }
}

const MAX_SPACES = 1000

function parseCount(attributes: Attributes, name: string, row: number): number {
  const text = attributes[name]
  if (text === undefined) return 1
  if (!/^[1-9]\d{0,8}$/.test(text)) throw unprocessable(message('files.invalidCell', { row, cell: text }))
  return Number(text)
}
