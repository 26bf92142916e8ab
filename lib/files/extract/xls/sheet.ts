import { MAX_REPEATED_CELL_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { toColumnLetters } from '../../column-letters.ts'
import type { MergedRange, Row } from '../workbook/sheet.ts'
import { formatNumber } from '../xlsx/dates.ts'
import type { CellContext } from '../xlsx/sheet.ts'
import { RECORDS, type RecordHandler } from './records.ts'
import { TextReader } from './texts.ts'

const CELL_BYTES = 6
const MAX_CONTINUATIONS = 16
export const CELL_ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

/** Uses values as last calculated; formulas are ignored. */
export class SheetHandler implements RecordHandler {
  readonly #context: CellContext
  readonly #target: Row
  #row = 0
  #formulaColumn = -1
  #formulaText: Buffer[] = []
  #sharedBytes = 0

  constructor(context: CellContext, target: Row) {
    this.#context = context
    this.#target = target
  }

  record(type: number, body: Buffer): void {
    if (type === RECORDS.continuation) {
      if (this.#formulaText.length > 0 && this.#formulaText.length < MAX_CONTINUATIONS) this.#formulaText.push(body)
      return
    }
    if (this.#formulaText.length > 0) this.#writeFormulaText()
    this.#recordCells(type, body)
  }

  #recordCells(type: number, body: Buffer): void {
    switch (type) {
      case RECORDS.sharedText:
        this.#writeSharedText(this.#startCell(body), body.readUInt32LE(CELL_BYTES))
        break
      case RECORDS.compactNumber:
        this.#writeNumber(this.#startCell(body), body.readUInt16LE(4), readCompactNumber(body, CELL_BYTES))
        break
      case RECORDS.number:
        this.#writeNumber(this.#startCell(body), body.readUInt16LE(4), body.readDoubleLE(CELL_BYTES))
        break
      case RECORDS.numbers:
        this.#writeNumbers(body)
        break
      case RECORDS.text:
      case RECORDS.richText:
        this.#target.text(this.#startCell(body), new TextReader([body], CELL_BYTES).readText())
        break
      case RECORDS.truthOrError:
        this.#writeTruthOrError(this.#startCell(body), body[CELL_BYTES]!, body[CELL_BYTES + 1] === 1)
        break
      case RECORDS.formula:
        this.#writeFormula(body)
        break
      case RECORDS.formulaText:
        if (this.#formulaColumn >= 0) this.#formulaText.push(body)
        break
      case RECORDS.end:
        if (this.#row > 0) this.#target.endRow(this.#row)
    }
  }

  #startCell(body: Buffer): number {
    const row = body.readUInt16LE(0) + 1
    if (row < this.#row) throw unprocessable(message('files.rowsNotInOrder', { row, previous: this.#row }))
    if (row > this.#row) {
      if (this.#row > 0) this.#target.endRow(this.#row)
      this.#row = row
      this.#target.startRow(row)
    }
    this.#formulaColumn = -1
    return body.readUInt16LE(2)
  }

  #writeSharedText(column: number, index: number): void {
    const shared = this.#context.strings.get(index)
    if (!shared) {
      const cell = `${toColumnLetters(column)}${this.#row}`
      throw unprocessable(message('files.unknownSharedText', { cell, text: String(index) }))
    }
    this.#sharedBytes += shared.to - shared.from
    if (this.#sharedBytes > MAX_REPEATED_CELL_BYTES)
      throw unprocessable(message('files.repeatedCellsTooLarge', { count: MAX_REPEATED_CELL_BYTES }))
    this.#target.copy(column, shared.bytes, shared.from, shared.to)
  }

  #writeNumber(column: number, style: number, value: number): void {
    const { formats, is1904 } = this.#context
    const text = formatNumber(String(value), formats[style] ?? { kind: 'number' }, is1904)
    this.#target.text(column, Number.isFinite(value) ? text : '#NUM!')
  }

  #writeNumbers(body: Buffer): void {
    let column = this.#startCell(body)
    for (let at = 4; at + 6 <= body.length - 2; at += 6)
      this.#writeNumber(column++, body.readUInt16LE(at), readCompactNumber(body, at + 2))
  }

  #writeTruthOrError(column: number, value: number, isError: boolean): void {
    this.#target.text(column, isError ? (CELL_ERRORS[value] ?? '#N/A') : value === 0 ? 'false' : 'true')
  }

  #writeFormula(body: Buffer): void {
    const column = this.#startCell(body)
    if (body.readUInt16LE(CELL_BYTES + 6) !== 0xffff) {
      this.#writeNumber(column, body.readUInt16LE(4), body.readDoubleLE(CELL_BYTES))
      return
    }
    const kind = body[CELL_BYTES]
    if (kind === 0) this.#formulaColumn = column
    else if (kind === 1 || kind === 2) this.#writeTruthOrError(column, body[CELL_BYTES + 2]!, kind === 2)
  }

  #writeFormulaText(): void {
    const parts = this.#formulaText
    this.#formulaText = []
    this.#target.text(this.#formulaColumn, new TextReader(parts).readText())
    this.#formulaColumn = -1
  }
}

/** A number of 30 bits: an integer or the high bits of a double, possibly in hundredths. */
export function readCompactNumber(body: Buffer, at: number): number {
  const bits = body.readInt32LE(at)
  const value = bits & 2 ? bits >> 2 : toDouble(bits & ~3)
  return bits & 1 ? value / 100 : value
}

const doubleBytes = new DataView(new ArrayBuffer(8))
function toDouble(highBits: number): number {
  doubleBytes.setInt32(0, highBits)
  return doubleBytes.getFloat64(0)
}

export class MergedHandler implements RecordHandler {
  ranges: MergedRange[] = []

  record(type: number, body: Buffer): void {
    if (type !== RECORDS.mergedCells) return
    const count = body.readUInt16LE(0)
    for (let i = 0; i < count; i++) {
      const [top, bottom, left, right] = [2, 4, 6, 8].map((at) => body.readUInt16LE(8 * i + at)) as [
        number,
        number,
        number,
        number,
      ]
      if (bottom < top || right < left) throw new RangeError('The range is not valid.')
      this.ranges.push({ top: top + 1, bottom: bottom + 1, left, right })
    }
  }
}
