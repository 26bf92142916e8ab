/** The rows of a worksheet as its XML comes: each cell's value as text, at its column. Knows no records. */
import { unprocessable } from '../../../core/errors.ts'
import { lettersOf } from '../../letters.ts'
import { type Attributes, localName, type XmlHandler } from '../xml.ts'
import { type Format, formatted } from './dates.ts'
import type { SharedStrings } from './strings.ts'
import { unescaped } from './text.ts'

/** What the cells of a row go into. */
export interface Row {
  /** @param row its number, from 1 */
  startRow(row: number): void
  text(column: number, text: string): void
  copy(column: number, source: Uint8Array, from: number, to: number): void
  endRow(row: number): void
  /** There are no more rows. */
  end?(): void
}

export interface CellContext {
  /** Of the sheet, for errors. */
  name: string
  strings: SharedStrings
  formats: readonly Format[]
  is1904: boolean
}

/** Puts what is worth reading of a worksheet into rows: values as they were last calculated, not formulas. */
export function sheetHandler(context: CellContext, row: Row): XmlHandler {
  const { strings, formats, is1904 } = context
  let rowNumber = 0
  let column = -1
  let type: string | undefined
  let style: string | undefined
  let value = ''
  let isValue = false
  let isPhonetic = false

  const place = () => `Sheet ${context.name}, cell ${lettersOf(column)}${rowNumber}`

  function open(qualified: string, attributes: Attributes): void {
    const name = localName(qualified)
    if (name === 'c') {
      column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
      if (column < 0) throw unprocessable(`Sheet ${context.name}, row ${rowNumber}: ${attributes.r} is no cell.`)
      type = attributes.t
      style = attributes.s
      value = ''
    } else if (name === 'v' || (name === 't' && !isPhonetic)) isValue = true
    else if (name === 'row') {
      rowNumber = attributes.r === undefined ? rowNumber + 1 : Number(attributes.r)
      if (!Number.isInteger(rowNumber) || rowNumber < 1)
        throw unprocessable(`Sheet ${context.name}: ${attributes.r} is no row.`)
      column = -1
      row.startRow(rowNumber)
    } else if (name === 'rPh') isPhonetic = true
  }

  function close(qualified: string): void {
    const name = localName(qualified)
    if (name === 'v' || name === 't') isValue = false
    else if (name === 'c') put()
    else if (name === 'row') row.endRow(rowNumber)
    else if (name === 'rPh') isPhonetic = false
  }

  function put(): void {
    if (value === '') return
    if (type === 's') {
      const shared = strings.get(Number(value))
      if (!shared) throw unprocessable(`${place()} names the shared text ${value}, which the workbook does not have.`)
      row.copy(column, shared.bytes, shared.from, shared.to)
    } else row.text(column, textOf())
  }

  function textOf(): string {
    switch (type) {
      case 'b':
        return value === '1' || value === 'true' ? 'true' : 'false'
      case 'str':
      case 'inlineStr':
        return unescaped(value)
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
      case 'e':
        return value
      default:
        return formatted(value, formats[Number(style ?? 0)] ?? { kind: 'number' }, is1904)
    }
  }

  return {
    open,
    close,
    text: (piece) => {
      if (isValue) value += piece
    },
  }
}

/** Of a reference such as AB12, from 0; -1 for what is none. */
export function columnOf(reference: string): number {
  let column = 0
  let at = 0
  for (; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~32
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return at === 0 || at > 3 ? -1 : column - 1
}
