/** Finds headers of two lines, such as groups over names or names split over two lines, and joins them. Pure. */
import { isMissingWord } from '../../values/missing.ts'
import { detectKind } from './kinds.ts'
import { isBlank, isBlankRow, type Row } from './rows.ts'

export interface HeaderLines {
  first: number
  last: number
}

const MIN_GROUPS = 3
const MAX_GROUP_CHARACTERS = 40
const MIN_EVIDENCE = 2
/** If both lines name every column, the second one may be the first record. */
const MIN_EVIDENCE_OF_FULL_LINES = 3
const DIGIT_SHARE = 0.8

/** @param at index of the row that looks like a header */
export function findHeaderLines(rows: readonly Row[], at: number): HeaderLines {
  if (isGroupRow(rows[at - 1], rows[at]!)) return { first: at - 1, last: at }
  if (!continuesHeader(rows, at)) return { first: at, last: at }
  return { first: hasFacts(rows[at]!) ? at + 1 : at, last: at + 1 }
}

/** Such as `Period:` and a month. */
const hasFacts = ({ cells }: Row): boolean => cells.some((cell) => cell.includes(':'))

const listFilled = ({ cells }: Row): string[] => cells.filter((cell) => !isBlank(cell))
const hasTypedCells = ({ cells }: Row): boolean =>
  cells.map(detectKind).some((kind) => kind !== 'blank' && kind !== 'text')

function isGroupRow(row: Row | undefined, names: Row): boolean {
  if (!row || hasTypedCells(row) || hasFacts(row)) return false
  const groups = listFilled(row)
  const known = listFilled(names)
  const areOverNames = row.cells.every((cell, column) => isBlank(cell) || !isBlank(names.cells[column] ?? ''))
  const areShort = groups.every((cell) => cell.length <= MAX_GROUP_CHARACTERS)
  const needsGroups = groups.length >= MIN_GROUPS || (groups.length > 1 && new Set(known).size < known.length)
  return areOverNames && areShort && needsGroups && groups.length < known.length
}

/** Its second line has words where the columns below have digits. */
function continuesHeader(rows: readonly Row[], at: number): boolean {
  const [row, next] = [rows[at]!, rows[at + 1]]
  if (!next || hasTypedCells(next) || listFilled(row).length < 2 || listFilled(next).length < 2) return false
  const body = rows.slice(at + 2).filter((other) => !isBlankRow(other))
  const columns = next.cells.map((cell, column) => compareWithColumn(cell, body, column))
  if (columns.includes('value')) return false
  const isFull = next.cells.every((cell, column) => isBlank(cell) === isBlank(row.cells[column] ?? ''))
  const isHyphenated = row.cells.some((cell, column) => endsWithHyphen(cell) && !isBlank(next.cells[column] ?? ''))
  const needed = isFull && !isHyphenated ? MIN_EVIDENCE_OF_FULL_LINES : MIN_EVIDENCE
  return columns.filter((result) => result === 'name').length >= needed
}

function compareWithColumn(cell: string, body: readonly Row[], column: number): 'name' | 'value' | undefined {
  if (isBlank(cell)) return undefined
  const texts = body.map(({ cells }) => cells[column] ?? '').filter((text) => !isBlank(text))
  const withDigits = texts.filter(hasDigit).length
  if (texts.length < 2 || withDigits < texts.length * DIGIT_SHARE) return undefined
  if (isMissingWord(cell) || texts.includes(cell)) return 'value'
  if (!hasDigit(cell)) return 'name'
  if (isText(cell) && !texts.some(isText)) return undefined
  const shape = toShape(cell)
  return texts.some((text) => toShape(text) === shape) ? 'value' : undefined
}

/** `24/25` is not written like `6º A`. */
const toShape = (text: string): string =>
  text
    .trim()
    .replace(/\d+/g, '9')
    .replace(/\p{L}+/gu, 'a')

const isText = (cell: string): boolean => detectKind(cell) === 'text'
const hasDigit = (text: string): boolean => /\d/.test(text)
const endsWithHyphen = (text: string): boolean => /\p{L}-\s*$/u.test(text)

export interface JoinedHeader {
  names: string[]
  labels: string[]
}

export function joinHeaderLines(lines: readonly (readonly string[])[]): JoinedHeader {
  const [last = [], ...upper] = lines.toReversed()
  return upper.reduce<JoinedHeader>(joinLine, { names: [...last], labels: [...last] })
}

const isFilled = (cells: readonly string[], column: number): boolean => !isBlank(cells[column] ?? '')

function joinLine({ names, labels }: JoinedHeader, line: readonly string[]): JoinedHeader {
  const columns = Array.from({ length: Math.max(line.length, names.length) }, (_, column) => column)
  const countFilled = (cells: readonly string[]): number => columns.filter((at) => isFilled(cells, at)).length
  const hasGroups = countFilled(names) > countFilled(line) && !areContinued(line, names)
  const groups = hasGroups ? spreadGroups(line, names, columns) : line
  const isRepeated = (name: string): boolean => names.filter((other) => other.trim() === name.trim()).length > 1
  return {
    names: columns.map((at) => {
      const name = names[at] ?? ''
      return hasGroups && !isBlank(name) && !isRepeated(name) ? name : joinNames(groups[at] ?? '', name)
    }),
    labels: columns.map((at) => joinNames(groups[at] ?? '', labels[at] ?? '')),
  }
}

const CONTINUATION = /^\s*(?:[([]|\p{Ll}|\d)/u

/** `Surface` over `(m²)` and `Date` over `d'acquisition` are names that were split. */
function areContinued(line: readonly string[], names: readonly string[]): boolean {
  const below = names.filter((name, at) => isFilled(line, at) && !isBlank(name))
  return below.length > 1 && below.filter((name) => CONTINUATION.test(name)).length * 2 > below.length
}

/** The last group of a text file has no known end, so it has only columns whose names need one. */
function spreadGroups(line: readonly string[], names: readonly string[], columns: readonly number[]): string[] {
  const last = columns.findLast((at) => isFilled(line, at)) ?? -1
  const first = columns.map((at) => names.findIndex((name) => name.trim() === (names[at] ?? '').trim()))
  let group = ''
  return columns.map((at) => {
    if (isFilled(line, at)) group = line[at]!
    else if (!isFilled(names, at) || (at > last && first[at] === at)) return ''
    return group
  })
}

function joinNames(first: string, second: string): string {
  const [start, end] = [first.trim(), second.trim()]
  if (start === '' || end === '' || start === end) return start || end
  return endsWithHyphen(start) && /^\p{Ll}/u.test(end) ? start.slice(0, -1) + end : `${start} ${end}`
}
