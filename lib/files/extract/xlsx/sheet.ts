import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { toColumnLetters } from '../../column-letters.ts'
import type { Row } from '../workbook/sheet.ts'
import { type Attributes, localName, type XmlHandler } from '../xml.ts'
import { type Format, formatNumber } from './dates.ts'
import type { SharedStrings } from './strings.ts'
import { unescapeCellText } from './text.ts'

export interface CellContext {
  strings: SharedStrings
  formats: readonly Format[]
  is1904: boolean
}

/** Uses values as last calculated; formulas are ignored. */
export function createSheetHandler({ strings, formats, is1904 }: CellContext, row: Row): XmlHandler {
  let rowNumber = 0
  let column = -1
  let type: string | undefined
  let style: string | undefined
  let value = ''
  let isValue = false
  let isPhonetic = false

  function open(qualified: string, attributes: Attributes): void {
    const name = localName(qualified)
    if (name === 'c') {
      column = attributes.r === undefined ? column + 1 : parseColumn(attributes.r)
      if (column < 0) throw unprocessable(message('files.invalidCell', { row: rowNumber, cell: attributes.r! }))
      type = attributes.t
      style = attributes.s
      value = ''
    } else if (name === 'v' || (name === 't' && !isPhonetic)) isValue = true
    else if (name === 'row') {
      rowNumber = attributes.r === undefined ? rowNumber + 1 : Number(attributes.r)
      if (!Number.isInteger(rowNumber) || rowNumber < 1)
        throw unprocessable(message('files.invalidRow', { row: attributes.r! }))
      column = -1
      row.startRow(rowNumber)
    } else if (name === 'rPh') isPhonetic = true
  }

  function close(qualified: string): void {
    const name = localName(qualified)
    if (name === 'v' || name === 't') isValue = false
    else if (name === 'c') writeCell()
    else if (name === 'row') row.endRow(rowNumber)
    else if (name === 'rPh') isPhonetic = false
  }

  function writeCell(): void {
    if (value === '') return
    if (type === 's') {
      const sharedText = strings.get(Number(value))
      if (!sharedText)
        throw unprocessable(
          message('files.unknownSharedText', { cell: `${toColumnLetters(column)}${rowNumber}`, text: value }),
        )
      row.copy(column, sharedText.bytes, sharedText.from, sharedText.to)
    } else row.text(column, toCellText())
  }

  function toCellText(): string {
    switch (type) {
      case 'b':
        return value === '1' || value === 'true' ? 'true' : 'false'
      case 'str':
      case 'inlineStr':
        return unescapeCellText(value)
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
      case 'e':
        return value
      default:
        return formatNumber(value, formats[Number(style ?? 0)] ?? { kind: 'number' }, is1904)
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

export function parseColumn(reference: string): number {
  let column = 0
  let at = 0
  for (; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~32
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return at === 0 || at > 3 ? -1 : column - 1
}
