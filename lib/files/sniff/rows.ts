/** Reads the first rows of a text for sniffing. Pure. */
import { type Dialect, RowScanner } from '../extract/scanner.ts'

export interface Row {
  cells: string[]
  end: number
}

export const MAX_SNIFFED_ROWS = 200

const FIRST_CHARACTERS = 32 * 1024

/** @param isComplete false when the last row may be truncated; it is then dropped unless it is the only one */
export function readFirstRows(text: string, dialect: Dialect, isComplete: boolean, limit = MAX_SNIFFED_ROWS): Row[] {
  if (text.length > FIRST_CHARACTERS) {
    const rows = readRows(text.slice(0, FIRST_CHARACTERS), dialect, false, limit)
    if (rows.length === limit) return rows
  }
  const rows = readRows(text, dialect, isComplete, limit)
  return rows.length === 0 && !isComplete ? readRows(text, dialect, true, limit) : rows
}

function readRows(text: string, dialect: Dialect, isComplete: boolean, limit: number): Row[] {
  const scanner = new RowScanner(dialect)
  scanner.push(Buffer.from(text), isComplete)
  const rows: Row[] = []
  for (let count = scanner.next(); count > 0 && rows.length < limit; count = scanner.next())
    rows.push({ cells: Array.from({ length: count }, (_, cell) => scanner.text(cell)), end: scanner.at })
  return rows
}

export const isBlank = (cell: string): boolean => cell.trim() === ''
export const isBlankRow = ({ cells }: Row): boolean => cells.every(isBlank)

const RULER = /^[-=_+|\s]{10,}$/
export const isRulerRow = ({ cells }: Row): boolean => RULER.test(cells.join(''))

export const getWidth = ({ cells }: Row): number => cells.findLastIndex((cell) => !isBlank(cell)) + 1

/** Ties go to the larger value; 0 for an empty list. */
export function findMostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best = 0
  for (const [value, count] of counts) {
    const bestCount = counts.get(best) ?? 0
    if (count > bestCount || (count === bestCount && value > best)) best = value
  }
  return best
}
