/** Finds the tables of one sheet, which blank rows or columns separate. Splits only with evidence. Pure. */
import { detectKind } from '../../sniff/kinds.ts'
import { isBlank } from '../../sniff/rows.ts'

export interface SheetRow {
  row: number
  cells: readonly string[]
}

export interface Region {
  top: number
  bottom: number
  left: number
  right: number
}

const { POSITIVE_INFINITY } = Number
export const WHOLE_SHEET: Region = { top: 1, bottom: POSITIVE_INFINITY, left: 0, right: POSITIVE_INFINITY }
const MAX_REGIONS = 10
const MAX_GAPS = 20
const MAX_TITLE_ROWS = 3
const MAX_NAME_CHARACTERS = 60
const MIN_BODY_ROWS = 2
const TYPED_SHARE = 0.8
/** Two columns of texts can be labels and values. */
const MIN_TEXT_COLUMNS = 3
const MAX_FACT_ROWS = 5

export function findRegions(rows: readonly SheetRow[]): Region[] {
  const stacked = splitColumns(rows, WHOLE_SHEET).flatMap((region) => splitRows(rows, region))
  if (stacked.length > MAX_REGIONS) return [WHOLE_SHEET]
  const regions = stacked.length > 1 ? stacked.flatMap((region) => splitColumns(rows, region)) : stacked
  return regions.length > MAX_REGIONS ? [WHOLE_SHEET] : regions
}

export const cropRows = (rows: readonly SheetRow[], { top, bottom, left, right }: Region): SheetRow[] =>
  rows
    .filter(({ row }) => row >= top && row <= bottom)
    .map(({ row, cells }) => ({
      row,
      cells: left === 0 && right === POSITIVE_INFINITY ? cells : cells.slice(left, right + 1),
    }))

const listFilledRows = (rows: readonly SheetRow[], region: Region): SheetRow[] =>
  cropRows(rows, region).filter(({ cells }) => !cells.every(isBlank))

interface TableShape {
  headerRow: number
  lastRow: number
  first: number
  last: number
  names: readonly string[]
  bodyRows: number
  typedColumns: readonly number[]
  isDense: boolean
}

function findTable(rows: readonly SheetRow[]): TableShape | undefined {
  const at = rows.slice(0, MAX_TITLE_ROWS + 1).findIndex(({ cells }) => countFilled(cells) > 1)
  if (at < 0) return undefined
  return toTable(rows, at) ?? toTable(rows, at + 1)
}

const countFilled = (cells: readonly string[]): number => cells.filter((cell) => !isBlank(cell)).length

function toTable(rows: readonly SheetRow[], at: number): TableShape | undefined {
  const header = rows[at]
  if (!header) return undefined
  const first = header.cells.findIndex((cell) => !isBlank(cell))
  const last = header.cells.findLastIndex((cell) => !isBlank(cell))
  const names = header.cells.slice(first, last + 1).map((cell) => cell.trim().toLowerCase())
  const areNames = names.every(isName) && new Set(names).size === names.length
  if (names.length < 2 || !areNames) return undefined
  const body = rows.slice(at + 1).filter(({ row }, index) => row === header.row + 1 + index)
  if (body.length < MIN_BODY_ROWS || !body.every(({ cells }) => isWithin(cells, first, last))) return undefined
  const typedColumns = names.map((_, index) => first + index).filter((column) => isTyped(body, column))
  const isDense = body.every(({ cells }) => countFilled(cells) === names.length)
  if (typedColumns.length === 0 && (names.length < MIN_TEXT_COLUMNS || !isDense)) return undefined
  const shape = { headerRow: header.row, lastRow: header.row + body.length, bodyRows: body.length }
  return { ...shape, first, last, names, typedColumns, isDense }
}

const isName = (name: string): boolean =>
  detectKind(name) === 'text' && name.length <= MAX_NAME_CHARACTERS && !name.endsWith(':')

const isWithin = (cells: readonly string[], first: number, last: number): boolean =>
  cells.every((cell, column) => isBlank(cell) || (column >= first && column <= last))

function isTyped(body: readonly SheetRow[], column: number): boolean {
  const kinds = body.map(({ cells }) => detectKind(cells[column] ?? '')).filter((kind) => kind !== 'blank')
  const typed = kinds.filter((kind) => kind !== 'text').length
  return kinds.length >= MIN_BODY_ROWS && typed >= kinds.length * TYPED_SHARE
}

function splitRows(rows: readonly SheetRow[], region: Region): Region[] {
  const tops: number[] = []
  let table: TableShape | undefined
  let titleTop: number | undefined
  for (const block of splitBlocks(listFilledRows(rows, region))) {
    const next = findTable(block)
    if (next && table && isOther(next, table)) tops.push(titleTop ?? block[0]!.row)
    table = next ?? table
    titleTop =
      block.length <= MAX_TITLE_ROWS && block.every(({ cells }) => countFilled(cells) === 1) ? block[0]!.row : undefined
  }
  return [region.top, ...tops].map((top, index) => ({ ...region, top, bottom: (tops[index] ?? region.bottom + 1) - 1 }))
}

function splitBlocks(rows: readonly SheetRow[]): SheetRow[][] {
  const blocks: SheetRow[][] = []
  for (const [at, row] of rows.entries()) {
    if (at > 0 && row.row === rows[at - 1]!.row + 1) blocks.at(-1)!.push(row)
    else blocks.push([row])
  }
  return blocks
}

/** A section with the same header continues its table, and a few facts above a table are its title. */
function isOther(next: TableShape, table: TableShape): boolean {
  if (next.names.join('\n') === table.names.join('\n')) return false
  const areFacts = table.names.length === 2 && next.names.length > 2 && table.bodyRows < MAX_FACT_ROWS
  if (areFacts) return false
  const isElsewhere = next.first !== table.first || next.last !== table.last
  if (next.typedColumns.length === 0 && !isElsewhere) return false
  const hasNameOverValues = table.typedColumns.some((column) => column >= next.first && column <= next.last)
  const hasOtherKinds = next.typedColumns.some((column) => !table.typedColumns.includes(column))
  return isElsewhere || hasNameOverValues || hasOtherKinds
}

function splitColumns(rows: readonly SheetRow[], region: Region): Region[] {
  const filled = listFilledRows(rows, region)
  const width = Math.max(0, ...filled.map(({ cells }) => cells.length))
  const isGap = (column: number): boolean => filled.every(({ cells }) => isBlank(cells[column] ?? ''))
  const gaps = Array.from({ length: Math.max(0, width - 2) }, (_, index) => index + 1).filter(isGap)
  for (const gap of gaps.slice(0, MAX_GAPS)) {
    const before = { ...region, right: region.left + gap - 1 }
    const after = { ...region, left: region.left + gap + 1 }
    const [left, right] = [before, after].map((part) => findTable(listFilledRows(rows, part)))
    if (left && right && areSeparate(left, right, rows, before, after)) return [before, ...splitColumns(rows, after)]
  }
  return [region]
}

/** A blank column can be a spacer in one table, so the two sides must differ in more than that. */
function areSeparate(
  left: TableShape,
  right: TableShape,
  rows: readonly SheetRow[],
  before: Region,
  after: Region,
): boolean {
  if (left.headerRow !== right.headerRow || left.names[0] === right.names[0]) return true
  const [short, region] = left.lastRow < right.lastRow ? [left, before] : [right, after]
  const isLast = listFilledRows(rows, region).at(-1)!.row === short.lastRow
  return short.isDense && isLast && Math.abs(left.lastRow - right.lastRow) >= MIN_BODY_ROWS
}
