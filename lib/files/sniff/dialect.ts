/** Detects quote, line ends and the delimiter, for which rows agree most on their number of cells. Pure. */
import type { Dialect } from '../extract/scanner.ts'
import { detectKind } from './kinds.ts'
import { findMostCommon, isBlankRow, isRulerRow, readFirstRows } from './rows.ts'

/** In order of preference for equal scores. The last two come from database exports and never occur in text. */
const COMMON_DELIMITERS = [',', ';', '\t', '|', '\u001f', '\u0001']
/** They also occur in text, so every row must agree. */
const RARE_DELIMITERS = ['^', '~', '¦', '§', ':']
const DELIMITER_BY_EXTENSION: Record<string, string> = { tsv: '\t', tab: '\t', psv: '|' }
/** Bonus when all rows agree, including the header: a character that occurs only in values is missing there. */
const UNANIMITY_BONUS = 0.5
const MIN_SCORE = 0.4

/** Excel's `sep=;` line; `length` includes the line end. */
export function parseSeparatorLine(text: string): { delimiter: string; length: number } | undefined {
  const match = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i.exec(text)
  return match ? { delimiter: match[1]!, length: match[0].length } : undefined
}

interface DialectHints {
  isComplete: boolean
  ext: string
  delimiter?: string | undefined
  quote?: string | undefined
  escape?: string | undefined
}

export function detectDialect(text: string, hints: DialectHints): Dialect {
  const { isComplete, ext, delimiter } = hints
  const newline = detectNewline(text)
  const toDialect = (candidate: string): Dialect => {
    const quote = hints.quote ?? detectQuote(text, candidate, newline)
    const dialect = { delimiter: candidate, quote, newline, escape: hints.escape }
    return isPadded(text, dialect, isComplete) ? { ...dialect, isPadded: true } : dialect
  }
  if (delimiter !== undefined) return toDialect(delimiter)
  const findBest = (candidates: readonly string[], minScore: number): Dialect | undefined =>
    candidates
      .filter((candidate) => text.includes(candidate))
      .map(toDialect)
      .map((dialect) => ({ dialect, score: computeScore(text, dialect, isComplete) }))
      .filter(({ score }) => score >= minScore)
      .sort((a, b) => b.score - a.score)[0]?.dialect
  return (
    findBest(COMMON_DELIMITERS, MIN_SCORE) ??
    findBest(RARE_DELIMITERS, 1 + UNANIMITY_BONUS) ?? {
      ...toDialect(DELIMITER_BY_EXTENSION[ext] ?? ','),
      isAssumed: true,
    }
  )
}

/** Needs a quoted cell as evidence, because only there the space decides where cells end. */
function isPadded(text: string, dialect: Dialect, isComplete: boolean): boolean {
  const { delimiter, quote } = dialect
  if (delimiter === ' ' || !text.includes(`${delimiter} ${quote}`)) return false
  const rows = readFirstRows(text, { ...dialect, delimiter: `${delimiter} ` }, isComplete)
  return rows.length > 1 && rows.every(({ cells }) => cells.length > 1 && cells.length === rows[0]!.cells.length)
}

const detectNewline = (text: string): Dialect['newline'] => (!text.includes('\n') && text.includes('\r') ? '\r' : '\n')

/** Apostrophes are text, so single quotes need evidence: a delimiter inside them, or a fully quoted column. */
function detectQuote(text: string, delimiter: string, newline: Dialect['newline']): Dialect['quote'] {
  const edge = delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const startsCell = (quote: string): boolean => new RegExp(`(?:^|${edge})${quote}`, 'm').test(text)
  if (!text.includes("'") || !startsCell("'") || startsCell('"')) return '"'
  const cells = text.match(new RegExp(`(?<=^|${edge})'[^'\\r\\n]*'(?=${edge}|[\\r\\n]|$)`, 'gm')) ?? []
  if (cells.length < 2) return '"'
  return cells.some((cell) => cell.includes(delimiter)) || hasQuotedColumn(text, { delimiter, quote: '"', newline })
    ? "'"
    : '"'
}

function hasQuotedColumn(text: string, dialect: Dialect): boolean {
  const [first, ...rows] = readFirstRows(text, dialect, true)
  return (first?.cells ?? []).some((_, column) => {
    const cells = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length >= 2 && cells.every((cell) => /^'.*'$/s.test(cell) && cell.length > 1)
  })
}

function computeScore(text: string, dialect: Dialect, isComplete: boolean): number {
  const rows = readFirstRows(text, dialect, isComplete).filter((row) => !isBlankRow(row) && !isRulerRow(row))
  const splitRows = rows.filter(({ cells }) => cells.length > 1)
  if (splitRows.length === 0) return 0
  const width = findMostCommon(splitRows.map(({ cells }) => cells.length))
  const agreeingRows = splitRows.filter(({ cells }) => cells.length === width)
  const unsplitShare = (rows.length - splitRows.length) / rows.length
  const cells = agreeingRows.flatMap((row) => row.cells)
  const cleanShare = cells.filter(isClean).length / cells.length
  const bonus = agreeingRows.length === rows.length ? UNANIMITY_BONUS : 0
  return agreeingRows.length / rows.length - unsplitShare + 0.02 * Math.min(width, 10) + 0.1 * cleanShare + bonus
}

const isClean = (cell: string): boolean =>
  !COMMON_DELIMITERS.some((delimiter) => cell.includes(delimiter)) || detectKind(cell) !== 'text'
