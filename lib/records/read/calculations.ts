import { parsePlainNumber } from '../columns/numbers.ts'
import { parseNumber } from '../fields/ffql/compare.ts'
import type { FieldRules } from '../fields/rules.ts'
import { stateAt } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { countEmptyCells, isNullCell, visitCells } from '../segments/cells.ts'
import { getCellTexts, type OpenSegment, openAll, openSegments } from '../segments/open.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { findChunk, findRow, type Segment, type State, toCoordinate } from '../state/state.ts'
import { countSelected, listSelectedRows, resolveCommitSeq, type Selected, selectRows } from './select.ts'
import { openView } from './view.ts'

export type CalculationType =
  | 'COUNT_EMPTY'
  | 'COUNT_NON_EMPTY'
  | 'PERCENT_EMPTY'
  | 'PERCENT_NON_EMPTY'
  | 'COUNT_CHANGED'
  | 'PERCENT_CHANGED'
  | 'SUM'
  | 'AVERAGE'
  | 'MIN'
  | 'MAX'

export interface Calculation {
  fieldKey: string
  type: CalculationType
  /** Percentages are 0 to 100, and 0 when no record is selected. */
  value: number
}

interface FieldTotals {
  total: number
  empty: number
  changed: number
  numbers: number
  sum: number
  /** Rounding error of `sum` (Neumaier). */
  roundingError: number
  min: number
  max: number
}

/**
 * Calculations of each field over the selected records. Number fields also include texts that are numbers.
 * With `sinceCommitId`, cells that differ from their value after that commit count as changed.
 */
export async function calculate(
  sheet: SheetRef,
  selection: Selection = {},
  store: Store = processStore,
): Promise<Calculation[]> {
  const { state, rules } = await openView(store, sheet, selection.asOf)
  const sinceCommitId = selection.sinceCommitId
  const before =
    sinceCommitId === undefined
      ? undefined
      : await stateAt(store, sheet.sheetId, resolveCommitSeq(state, sinceCommitId, 'sinceCommitId') + 1)
  const totalsByField = rules.fields.map((field) => ({ field, totals: createFieldTotals() }))
  const scanned = new Map<Segment, Selected>()
  const unreadColumns = new Set<string>()
  for await (const selected of selectRows(store, state, rules, selection)) {
    const unread = before
      ? totalsByField
      : totalsByField.filter(({ field, totals }) => !addStateCounts(totals, field, selected))
    if (unread.length) scanned.set(selected.segment, selected)
    for (const { field } of unread) unreadColumns.add(field.column)
  }
  for await (const open of openAll(store, [...scanned.keys()], [...unreadColumns])) {
    const selected = scanned.get(open.segment)!
    for (const { field, totals } of totalsByField)
      if (before || !isCountedInState(field, selected)) addCells(totals, field, open, selected.rows)
    if (before) await addChanges(store, before, open, listSelectedRows(selected), totalsByField)
  }
  return totalsByField.flatMap(({ field, totals }) => toCalculations(field, totals, before !== undefined))
}

const createFieldTotals = (): FieldTotals => ({
  total: 0,
  empty: 0,
  changed: 0,
  numbers: 0,
  sum: 0,
  roundingError: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
})

const isCountedInState = (field: FieldRules, { segment, rows }: Selected): boolean =>
  field.type !== 'number' && !rows && !segment.deletedCount && countEmptyCells(segment, field) !== undefined

function addStateCounts(totals: FieldTotals, field: FieldRules, selected: Selected): boolean {
  if (!isCountedInState(field, selected)) return false
  totals.total += countSelected(selected)
  totals.empty += countEmptyCells(selected.segment, field)!
  return true
}

function addCells(
  totals: FieldTotals,
  field: FieldRules,
  open: OpenSegment,
  rows: readonly number[] | undefined,
): void {
  const numeric = field.type === 'number'
  visitCells(open, field.column, rows, (bytes, start, end) => {
    totals.total++
    if (isNullCell(bytes, start)) totals.empty++
    else if (numeric) addNumber(totals, parseCellNumber(bytes, start, end))
  })
}

function parseCellNumber(bytes: Buffer, start: number, end: number): number {
  const parsed = parsePlainNumber(bytes, start, end)
  return Number.isNaN(parsed) ? parseNumber(JSON.parse(bytes.toString('utf8', start, end))) : parsed
}

function addNumber(totals: FieldTotals, value: number): void {
  if (!Number.isFinite(value)) return
  const sum = totals.sum + value
  totals.roundingError += Math.abs(totals.sum) >= Math.abs(value) ? totals.sum - sum + value : value - sum + totals.sum
  totals.sum = sum
  totals.numbers++
  if (value < totals.min) totals.min = value
  if (value > totals.max) totals.max = value
}

async function addChanges(
  store: Store,
  before: State,
  open: OpenSegment,
  rows: readonly number[],
  totalsByField: readonly { field: FieldRules; totals: FieldTotals }[],
): Promise<void> {
  const formerRows = rows.map((row) => findRow(before, toCoordinate(open.segment, row)))
  const formerSegments = [...new Set(formerRows.flatMap((rowRef) => (rowRef ? [rowRef.segment] : [])))]
  const changedFields = totalsByField.filter(
    ({ field }) =>
      !formerSegments.length ||
      formerSegments.some((formerSegment) => !hasSameColumn(formerSegment, open.segment, field)),
  )
  const columns = changedFields.map(({ field }) => field.column)
  const opened = await openSegments(store, formerSegments, columns)
  for (const { field, totals } of changedFields) {
    const currentTexts = getCellTexts(open, field.column, rows)
    const formerTexts = readFormerCells(opened, field.column, formerRows)
    currentTexts.forEach((text, i) => {
      if (text !== formerTexts[i]) totals.changed++
    })
  }
}

function hasSameColumn(former: Segment, segment: Segment, { column }: FieldRules): boolean {
  if (former.key !== segment.key) return false
  const [chunk, formerChunk] = [findChunk(segment, column), findChunk(former, column)]
  const edited = [segment, former].some(({ edits }) => [...edits.values()].some(({ values }) => values.has(column)))
  return !edited && chunk?.blob.id === formerChunk?.blob.id && chunk?.index === formerChunk?.index
}

type RowRefs = readonly (ReturnType<typeof findRow> | undefined)[]

function readFormerCells(opened: readonly OpenSegment[], column: string, formerRows: RowRefs): string[] {
  const texts = new Array<string>(formerRows.length).fill('null')
  for (const open of opened) {
    const segmentRows = formerRows.flatMap((rowRef, i) =>
      rowRef?.segment === open.segment ? [{ row: rowRef.row, i }] : [],
    )
    segmentRows.sort((a, b) => a.row - b.row)
    const cells = getCellTexts(
      open,
      column,
      segmentRows.map(({ row }) => row),
    )
    segmentRows.forEach(({ i }, at) => {
      texts[i] = cells[at]!
    })
  }
  return texts
}

function toCalculations({ key, type }: FieldRules, totals: FieldTotals, withChanges: boolean): Calculation[] {
  const { total, empty, changed, numbers } = totals
  const toPercent = (count: number): number => (total ? (count / total) * 100 : 0)
  const values: [CalculationType, number][] = [
    ['COUNT_EMPTY', empty],
    ['COUNT_NON_EMPTY', total - empty],
    ['PERCENT_EMPTY', toPercent(empty)],
    ['PERCENT_NON_EMPTY', toPercent(total - empty)],
  ]
  if (withChanges) values.push(['COUNT_CHANGED', changed], ['PERCENT_CHANGED', toPercent(changed)])
  if (type === 'number' && numbers) {
    const sum = totals.sum + totals.roundingError
    values.push(['SUM', sum], ['AVERAGE', sum / numbers], ['MIN', totals.min], ['MAX', totals.max])
  }
  return values.map(([calculationType, value]) => ({ fieldKey: key, type: calculationType, value }))
}
