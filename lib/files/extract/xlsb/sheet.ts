import { MAX_REPEATED_CELL_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { toColumnLetters } from '../../column-letters.ts'
import type { Row } from '../workbook/sheet.ts'
import { CELL_ERRORS, readCompactNumber } from '../xls/sheet.ts'
import { formatNumber } from '../xlsx/dates.ts'
import type { CellContext } from '../xlsx/sheet.ts'
import { RECORDS, readText } from './records.ts'

const MAX_COLUMNS = 16_384
const CELL_BYTES = 8
const SHORT_CELL_BYTES = 4
const STYLE_BYTES = 3

/** Short cells are in the column after the last one. */
const isShort = (type: number): boolean => type >= RECORDS.shortBlank && type <= RECORDS.shortSharedText

/** Uses values as last calculated; formulas are ignored. */
export class SheetHandler {
  readonly #context: CellContext
  readonly #target: Row
  #row = 0
  #column = -1
  #hasEnded = false
  #sharedBytes = 0

  constructor(context: CellContext, target: Row) {
    this.#context = context
    this.#target = target
  }

  record(type: number, body: Buffer): void {
    if (this.#hasEnded) return
    if (type === RECORDS.row) this.#startRow(body.readUInt32LE(0) + 1)
    else if (type === RECORDS.sheetDataEnd) this.#end()
    else if (type <= RECORDS.shortSharedText || type === RECORDS.richText) this.#recordCell(type, body)
  }

  #startRow(row: number): void {
    if (row <= this.#row) throw unprocessable(message('files.rowsNotInOrder', { row, previous: this.#row }))
    this.#endRow()
    this.#row = row
    this.#column = -1
    this.#target.startRow(row)
  }

  #endRow(): void {
    if (this.#row > 0) this.#target.endRow(this.#row)
  }

  #end(): void {
    this.#endRow()
    this.#hasEnded = true
  }

  #recordCell(type: number, body: Buffer): void {
    const column = isShort(type) ? this.#column + 1 : body.readUInt32LE(0)
    const at = isShort(type) ? SHORT_CELL_BYTES : CELL_BYTES
    if (this.#row === 0 || column >= MAX_COLUMNS) throw new RangeError('The cell is in no row or column.')
    this.#column = column
    switch (type) {
      case RECORDS.compactNumber:
      case RECORDS.shortCompactNumber:
        this.#writeNumber(body, at, readCompactNumber(body, at))
        break
      case RECORDS.number:
      case RECORDS.shortNumber:
      case RECORDS.formulaNumber:
        this.#writeNumber(body, at, body.readDoubleLE(at))
        break
      case RECORDS.truth:
      case RECORDS.shortTruth:
      case RECORDS.formulaTruth:
        this.#target.text(column, body.readUInt8(at) === 0 ? 'false' : 'true')
        break
      case RECORDS.error:
      case RECORDS.shortError:
      case RECORDS.formulaError:
        this.#target.text(column, CELL_ERRORS[body.readUInt8(at)] ?? '#N/A')
        break
      case RECORDS.text:
      case RECORDS.shortText:
      case RECORDS.formulaText:
        this.#target.text(column, readText(body, at).text)
        break
      case RECORDS.richText:
        this.#target.text(column, readText(body, at + 1).text)
        break
      case RECORDS.sharedText:
      case RECORDS.shortSharedText:
        this.#writeSharedText(body.readUInt32LE(at))
    }
  }

  #writeNumber(body: Buffer, at: number, value: number): void {
    const { formats, is1904 } = this.#context
    const style = body.readUIntLE(at - SHORT_CELL_BYTES, STYLE_BYTES)
    const text = formatNumber(String(value), formats[style] ?? { kind: 'number' }, is1904)
    this.#target.text(this.#column, Number.isFinite(value) ? text : '#NUM!')
  }

  #writeSharedText(index: number): void {
    const shared = this.#context.strings.get(index)
    if (!shared) {
      const cell = `${toColumnLetters(this.#column)}${this.#row}`
      throw unprocessable(message('files.unknownSharedText', { cell, text: String(index) }))
    }
    this.#sharedBytes += shared.to - shared.from
    if (this.#sharedBytes > MAX_REPEATED_CELL_BYTES)
      throw unprocessable(message('files.repeatedCellsTooLarge', { count: MAX_REPEATED_CELL_BYTES }))
    this.#target.copy(this.#column, shared.bytes, shared.from, shared.to)
  }
}
