/** The first rows of a text, for those who judge how it is written. Pure. */
import { type Dialect, RowScanner } from '../extract/scanner.ts'

export interface Row {
  cells: string[]
  /** Bytes of UTF-8 before the next row. */
  end: number
}

/** Rows that are looked at. */
export const ROWS = 200

/** Characters in which they mostly are: the rest of a text is only encoded when it is needed. */
const FIRST_CHARACTERS = 32 * 1024

/** @param whole false when the last row may be cut; it is left out unless it is the only one */
export function firstRows(text: string, dialect: Dialect, whole: boolean, limit = ROWS): Row[] {
  if (text.length > FIRST_CHARACTERS) {
    const rows = rowsIn(text.slice(0, FIRST_CHARACTERS), dialect, false, limit)
    if (rows.length === limit) return rows
  }
  const rows = rowsIn(text, dialect, whole, limit)
  return rows.length === 0 && !whole ? rowsIn(text, dialect, true, limit) : rows
}

function rowsIn(text: string, dialect: Dialect, whole: boolean, limit: number): Row[] {
  const scanner = new RowScanner(dialect)
  scanner.push(Buffer.from(text), whole)
  const rows: Row[] = []
  for (let count = scanner.next(); count > 0 && rows.length < limit; count = scanner.next())
    rows.push({ cells: Array.from({ length: count }, (_, cell) => scanner.text(cell)), end: scanner.at })
  return rows
}

export const isBlank = (cell: string): boolean => cell.trim() === ''
export const isBlankRow = ({ cells }: Row): boolean => cells.every(isBlank)

/** Cells up to the last that is not blank. */
export const widthOf = ({ cells }: Row): number => cells.findLastIndex((cell) => !isBlank(cell)) + 1

/** The value that occurs most often; of equally frequent ones the largest. 0 when there is none. */
export function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best = 0
  for (const [value, count] of counts) {
    const most = counts.get(best) ?? 0
    if (count > most || (count === most && value > best)) best = value
  }
  return best
}
