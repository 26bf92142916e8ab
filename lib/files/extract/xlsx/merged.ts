/** Fills merged cells with the value of their first cell, if the job requests it. Reads the sheet twice. */

import { MAX_MERGED_CELLS } from '../../../../schemas/files/shape.ts'
import type { MergedCellOptions } from '../../../../schemas/jobs/operations.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { localName, parseXml } from '../xml.ts'
import type { SheetPart } from './parts.ts'
import { parseColumn, type Row } from './sheet.ts'

interface MergedRange {
  top: number
  bottom: number
  left: number
  right: number
  value?: string
}

export async function fillMergedRows(part: SheetPart, options: MergedCellOptions | undefined, rows: Row): Promise<Row> {
  if (!Object.values(options ?? {}).some((option) => option?.treatment === 'applyToAll')) return rows
  const ranges = (await readMergedRanges(part)).filter((range) => shouldFill(range, options!))
  return ranges.length === 0 ? rows : new FilledRows(rows, ranges)
}

function shouldFill({ top, bottom, left, right }: MergedRange, options: MergedCellOptions): boolean {
  const direction = top === bottom ? 'acrossColumns' : left === right ? 'acrossRows' : 'acrossRanges'
  return options[direction]?.treatment === 'applyToAll'
}

async function readMergedRanges({ name, entry }: SheetPart): Promise<MergedRange[]> {
  const ranges: MergedRange[] = []
  let cells = 0
  const createSheetError = (reason: string) => unprocessable(message('files.sheetReason', { sheet: name, reason }))
  const open = (qualified: string, { ref = '' }: Readonly<Record<string, string>>) => {
    if (localName(qualified) !== 'mergeCell') return
    const range = parseRange(ref)
    if (!range) throw createSheetError(message('files.invalidMergedRange', { range: ref }))
    cells += (range.bottom - range.top + 1) * (range.right - range.left + 1)
    if (cells > MAX_MERGED_CELLS)
      throw createSheetError(message('files.tooManyMergedCells', { count: MAX_MERGED_CELLS }))
    ranges.push(range)
  }
  const stream = await entry.stream()
  try {
    for await (const _ of parseXml(stream, { open, close: () => {}, text: () => {} }, { part: entry.name }));
  } finally {
    stream.destroy()
  }
  return ranges.sort((a, b) => a.top - b.top)
}

function parseRange(reference: string): MergedRange | undefined {
  const [first = '', last = first] = reference.split(':')
  const [left, right] = [parseColumn(first), parseColumn(last)]
  const [top, bottom] = [first, last].map((cellReference) => Number(/\d+$/.exec(cellReference)?.[0] ?? 0)) as [
    number,
    number,
  ]
  return left < 0 || top < 1 || right < left || bottom < top ? undefined : { top, bottom, left, right }
}

class FilledRows implements Row {
  readonly #rows: Row
  readonly #ranges: readonly MergedRange[]
  #startedCount = 0
  #open: MergedRange[] = []
  readonly #first = new Map<number, MergedRange>()
  #row = 0

  constructor(rows: Row, ranges: readonly MergedRange[]) {
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
