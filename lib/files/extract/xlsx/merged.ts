/** Fills merged cells with the value of their first one, where a job asks for it: the sheet is read twice then. */
import { MERGED_CELLS } from '../../../../schemas/files.ts'
import type { MergedCellOptions } from '../../../../schemas/operations.ts'
import { unprocessable } from '../../../core/errors.ts'
import { localName, parseXml } from '../xml.ts'
import type { SheetPart } from './parts.ts'
import { columnOf, type Row } from './sheet.ts'

interface Merged {
  top: number
  bottom: number
  left: number
  right: number
  /** Of its first cell, once that was met. */
  value?: string
}

/** `rows` itself where nothing is to be filled. @throws ApiError unprocessable for more cells than are filled */
export async function mergedRows(part: SheetPart, options: MergedCellOptions | undefined, rows: Row): Promise<Row> {
  if (!Object.values(options ?? {}).some((one) => one?.treatment === 'applyToAll')) return rows
  const merged = (await mergedIn(part)).filter((one) => isFilled(one, options!))
  return merged.length === 0 ? rows : new FilledRows(rows, merged)
}

function isFilled({ top, bottom, left, right }: Merged, options: MergedCellOptions): boolean {
  const direction = top === bottom ? 'acrossColumns' : left === right ? 'acrossRows' : 'acrossRanges'
  return options[direction]?.treatment === 'applyToAll'
}

async function mergedIn({ name, entry }: SheetPart): Promise<Merged[]> {
  const found: Merged[] = []
  let cells = 0
  const open = (qualified: string, { ref = '' }: Readonly<Record<string, string>>) => {
    if (localName(qualified) !== 'mergeCell') return
    const one = rangeOf(ref)
    if (!one) throw unprocessable(`Sheet ${name}: ${ref} is no range of cells.`)
    cells += (one.bottom - one.top + 1) * (one.right - one.left + 1)
    if (cells > MERGED_CELLS)
      throw unprocessable(`Sheet ${name}: there are more than ${MERGED_CELLS} merged cells, which are not filled.`)
    found.push(one)
  }
  const stream = await entry.stream()
  try {
    for await (const _ of parseXml(stream, { open, close: () => {}, text: () => {} }, { part: entry.name }));
  } finally {
    stream.destroy()
  }
  return found.sort((a, b) => a.top - b.top)
}

/** Of `A1:B2`; undefined for what is none. */
function rangeOf(reference: string): Merged | undefined {
  const [first = '', last = first] = reference.split(':')
  const [left, right] = [columnOf(first), columnOf(last)]
  const [top, bottom] = [first, last].map((one) => Number(/\d+$/.exec(one)?.[0] ?? 0)) as [number, number]
  return left < 0 || top < 1 || right < left || bottom < top ? undefined : { top, bottom, left, right }
}

class FilledRows implements Row {
  readonly #rows: Row
  /** By their first row. */
  readonly #merged: readonly Merged[]
  /** How many of them were begun. */
  #begun = 0
  /** Those that are not over. */
  #open: Merged[] = []
  /** Those that begin in this row, by their first column. */
  readonly #first = new Map<number, Merged>()
  #row = 0

  constructor(rows: Row, merged: readonly Merged[]) {
    this.#rows = rows
    this.#merged = merged
  }

  startRow(row: number): void {
    this.#until(row)
    this.#row = row
    this.#first.clear()
    for (; this.#merged[this.#begun] && this.#merged[this.#begun]!.top <= row; this.#begun++) {
      const one = this.#merged[this.#begun]!
      if (one.top < row) continue
      this.#open.push(one)
      this.#first.set(one.left, one)
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
    this.#until(Number.POSITIVE_INFINITY)
    this.#rows.end?.()
  }

  /** Rows before `row` that are not in the file, as far as merged cells reach into them. */
  #until(row: number): void {
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
