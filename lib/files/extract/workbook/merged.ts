/** Fills merged cells with the value of their first cell, if the job requests it. Reads the sheet twice. */

import { MAX_MERGED_CELLS } from '../../../../schemas/files/shape.ts'
import type { MergedCellOptions } from '../../../../schemas/jobs/operations.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { MergedRange, Row, WorkbookSheet } from './sheet.ts'

interface FilledRange extends MergedRange {
  value?: string
}

export async function fillMergedRows(
  sheet: WorkbookSheet,
  options: MergedCellOptions | undefined,
  rows: Row,
): Promise<Row> {
  if (!Object.values(options ?? {}).some((option) => option?.treatment === 'applyToAll')) return rows
  const ranges = (await readMergedRanges(sheet)).filter((range) => shouldFill(range, options!))
  return ranges.length === 0 ? rows : new FilledRows(rows, ranges)
}

function shouldFill({ top, bottom, left, right }: MergedRange, options: MergedCellOptions): boolean {
  const direction = top === bottom ? 'acrossColumns' : left === right ? 'acrossRows' : 'acrossRanges'
  return options[direction]?.treatment === 'applyToAll'
}

async function readMergedRanges(sheet: WorkbookSheet): Promise<FilledRange[]> {
  const ranges: FilledRange[] = []
  let cells = 0
  for await (const range of sheet.readMergedRanges()) {
    cells += (range.bottom - range.top + 1) * (range.right - range.left + 1)
    if (cells > MAX_MERGED_CELLS) {
      const reason = message('files.tooManyMergedCells', { count: MAX_MERGED_CELLS })
      throw unprocessable(message('files.sheetReason', { sheet: sheet.name, reason }))
    }
    ranges.push(range)
  }
  return ranges.sort((a, b) => a.top - b.top)
}

class FilledRows implements Row {
  readonly #rows: Row
  readonly #ranges: readonly FilledRange[]
  #startedCount = 0
  #open: FilledRange[] = []
  readonly #first = new Map<number, FilledRange>()
  #row = 0

  constructor(rows: Row, ranges: readonly FilledRange[]) {
    this.#rows = rows
    this.#ranges = ranges
  }

  startRow(row: number): void {
    this.#fillMissingRows(row)
    this.#row = row
    this.#first.clear()
    for (; this.#ranges[this.#startedCount] && this.#ranges[this.#startedCount]!.top <= row; this.#startedCount++) {
      const range = this.#ranges[this.#startedCount]!
      if (range.top < row) continue
      this.#open.push(range)
      this.#first.set(range.left, range)
    }
    this.#rows.startRow(row)
  }

  text(column: number, text: string): void {
    const first = this.#first.get(column)
    if (first) first.value = text
    this.#rows.text(column, text)
  }

  copy(column: number, source: Uint8Array, from: number, to: number): void {
    const first = this.#first.get(column)
    if (first) first.value = Buffer.from(source.subarray(from, to)).toString()
    this.#rows.copy(column, source, from, to)
  }

  endRow(row: number): void {
    this.#fill(row)
    this.#rows.endRow(row)
  }

  end(): void {
    this.#fillMissingRows(Number.POSITIVE_INFINITY)
    this.#rows.end?.()
  }

  #fillMissingRows(row: number): void {
    for (let at = this.#row + 1; at < row; at++) {
      this.#open = this.#open.filter(({ bottom, value }) => bottom >= at && value !== undefined)
      if (this.#open.length === 0) return
      this.#rows.startRow(at)
      this.#fill(at)
      this.#rows.endRow(at)
    }
  }

  #fill(row: number): void {
    for (const { top, bottom, left, right, value } of this.#open) {
      if (value === undefined || row < top || row > bottom) continue
      for (let column = row === top ? left + 1 : left; column <= right; column++) this.#rows.text(column, value)
    }
    this.#open = this.#open.filter(({ bottom }) => bottom > row)
  }
}
