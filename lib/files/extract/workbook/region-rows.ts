/** Hands the cells of a sheet to the tables in its regions, and notes rows that may start further tables. */
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import type { CellBuffer } from '../cell-buffer.ts'
import type { Region, SheetRow } from './regions.ts'
import type { Row } from './sheet.ts'

export interface RegionTarget {
  region: Region
  firstRow: number
  buffer: CellBuffer
}

const MAX_BLOCK_ROWS = 12
const MAX_LATER_ROWS = 1200
const MAX_LATER_CHARACTERS = 4_000_000

export class RegionRows implements Row {
  /** The first rows after each blank row below the sample. */
  readonly later: SheetRow[] = []
  isContradicted = false
  readonly #targets: readonly RegionTarget[]
  readonly #sampleEnd: number
  readonly #only: RegionTarget | undefined
  #active: readonly RegionTarget[] = []
  #row = 0
  #lastFilled = 0
  #rowsToNote = 0
  #characters = 0
  #noted: string[] | undefined

  constructor(targets: readonly RegionTarget[], sampleEnd: number) {
    this.#targets = targets
    this.#sampleEnd = sampleEnd
    if (targets.length === 1) this.#only = targets[0]
    if (this.#only) this.#active = targets
  }

  startRow(row: number): void {
    this.#row = row
    this.#noted = undefined
    if (this.#only) return
    this.#active = this.#targets.filter(({ region }) => row >= region.top && row <= region.bottom)
  }

  text(column: number, text: string): void {
    if (text === '') return
    if (this.#lastFilled !== this.#row) this.#startFilledRow()
    if (this.#noted) this.#note(this.#noted, column, text)
    if (this.#only) {
      if (this.#row >= this.#only.firstRow) this.#only.buffer.text(column, text)
      return
    }
    const target = this.#find(column)
    if (target && this.#row >= target.firstRow) target.buffer.text(column - target.region.left, text)
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    if (from === to) return
    if (this.#lastFilled !== this.#row) this.#startFilledRow()
    if (this.#noted) this.#note(this.#noted, column, Buffer.from(source.subarray(from, to)).toString())
    if (this.#only) {
      if (this.#row >= this.#only.firstRow) this.#only.buffer.copy(column, source, from, to)
      return
    }
    const target = this.#find(column)
    if (target && this.#row >= target.firstRow) target.buffer.copy(column - target.region.left, source, from, to)
  }

  endRow(row: number): void {
    for (const { firstRow, buffer } of this.#active) if (row >= firstRow) buffer.endRow(row)
  }

  #find(column: number): RegionTarget | undefined {
    for (const target of this.#active) if (column >= target.region.left && column <= target.region.right) return target
    this.isContradicted = true
    return undefined
  }

  #startFilledRow(): void {
    if (this.#row > this.#lastFilled + 1) this.#rowsToNote = MAX_BLOCK_ROWS
    this.#lastFilled = this.#row
    if (this.#rowsToNote === 0 || this.#row <= this.#sampleEnd) return
    if (this.later.length >= MAX_LATER_ROWS || this.#characters > MAX_LATER_CHARACTERS) return
    this.#rowsToNote--
    this.#noted = []
    this.later.push({ row: this.#row, cells: this.#noted })
  }

  #note(cells: string[], column: number, text: string): void {
    if (column >= MAX_FIELDS_PER_SHEET) return
    while (cells.length < column) cells.push('')
    cells[column] = text
    this.#characters += text.length
  }
}
