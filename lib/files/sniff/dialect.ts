/**
 * Delimiter, quote and line ends of a text: the delimiter under which rows agree most about how many cells they have.
 * Pure.
 */
import type { Dialect } from '../extract/scanner.ts'
import { kindOf } from './kinds.ts'
import { commonest, firstRows, isBlankRow } from './rows.ts'

/** In this order where they are equally likely. The last two are of databases and never occur in text. */
const COMMON = [',', ';', '\t', '|', '\u001f', '\u0001']
/** Occur in text as well: taken when every row agrees. */
const RARE = ['^', '~', '¦', '§', ':']
const BY_EXTENSION: Record<string, string> = { tsv: '\t', tab: '\t', psv: '|' }
/** Added where every row agrees, the header too: a character of the values is not in the header. */
const UNANIMOUS = 0.5
/** Least score of a delimiter that is there, and not a character of some cells. */
const LIKELY = 0.4

/** A first line by which some programs name the delimiter: `sep=;`. `length` is with its line end. */
export function separatorLine(text: string): { delimiter: string; length: number } | undefined {
  const match = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i.exec(text)
  return match ? { delimiter: match[1]!, length: match[0].length } : undefined
}

interface Hints {
  /** False when the last row may be cut. */
  whole: boolean
  /** Of the file's name. */
  ext: string
  /** What the file itself says. */
  delimiter?: string | undefined
}

export function dialectOf(text: string, { whole, ext, delimiter }: Hints): Dialect {
  const newline = newlineOf(text)
  const of = (candidate: string): Dialect => ({
    delimiter: candidate,
    quote: quoteOf(text, candidate, newline),
    newline,
  })
  if (delimiter !== undefined) return of(delimiter)
  /** The likeliest of those that occur and score as much at least. */
  const best = (candidates: readonly string[], least: number): Dialect | undefined =>
    candidates
      .filter((candidate) => text.includes(candidate))
      .map(of)
      .map((dialect) => ({ dialect, score: scoreOf(text, dialect, whole) }))
      .filter(({ score }) => score >= least)
      .sort((a, b) => b.score - a.score)[0]?.dialect
  return best(COMMON, LIKELY) ?? best(RARE, 1 + UNANIMOUS) ?? of(BY_EXTENSION[ext] ?? ',')
}

const newlineOf = (text: string): Dialect['newline'] => (!text.includes('\n') && text.includes('\r') ? '\r' : '\n')

/**
 * Single quotes where cells stand in them: some of those have the delimiter inside, or a column has no other cells. Never where
 * a cell begins with a double quote: apostrophes are text.
 */
function quoteOf(text: string, delimiter: string, newline: Dialect['newline']): Dialect['quote'] {
  const edge = delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const beginsCell = (quote: string): boolean => new RegExp(`(?:^|${edge})${quote}`, 'm').test(text)
  if (!text.includes("'") || !beginsCell("'") || beginsCell('"')) return '"'
  const cells = text.match(new RegExp(`(?<=^|${edge})'[^'\\r\\n]*'(?=${edge}|[\\r\\n]|$)`, 'gm')) ?? []
  if (cells.length < 2) return '"'
  return cells.some((cell) => cell.includes(delimiter)) || hasQuotedColumn(text, { delimiter, quote: '"', newline })
    ? "'"
    : '"'
}

/** All cells below the first row that are not blank, two of them at least, stand in single quotes. */
function hasQuotedColumn(text: string, dialect: Dialect): boolean {
  const [first, ...rows] = firstRows(text, dialect, true)
  return (first?.cells ?? []).some((_, column) => {
    const cells = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length >= 2 && cells.every((cell) => /^'.*'$/s.test(cell) && cell.length > 1)
  })
}

/**
 * How well rows agree on their number of cells, up to 1; less for rows without the delimiter at all, a little more for
 * more columns and for cells that mean something as they are. 0 when it separates nothing.
 */
function scoreOf(text: string, dialect: Dialect, whole: boolean): number {
  const rows = firstRows(text, dialect, whole).filter((row) => !isBlankRow(row))
  const split = rows.filter(({ cells }) => cells.length > 1)
  if (split.length === 0) return 0
  const width = commonest(split.map(({ cells }) => cells.length))
  const agreeing = split.filter(({ cells }) => cells.length === width)
  const undivided = (rows.length - split.length) / rows.length
  const cells = agreeing.flatMap((row) => row.cells)
  const clean = cells.filter(isClean).length / cells.length
  const unanimous = agreeing.length === rows.length ? UNANIMOUS : 0
  return agreeing.length / rows.length - undivided + 0.02 * Math.min(width, 10) + 0.1 * clean + unanimous
}

/** No other delimiter inside, unless the cell is a number or a date as it is. */
const isClean = (cell: string): boolean =>
  !COMMON.some((delimiter) => cell.includes(delimiter)) || kindOf(cell) !== 'text'
