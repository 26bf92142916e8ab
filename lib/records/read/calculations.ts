/** Sums and shares over the cells of each field. */
import { emptyCells, isNullCell, visitCells } from '../bytes/cells.ts'
import { plainNumber } from '../bytes/numbers.ts'
import { stateAt } from '../log/log.ts'
import { chunkOf, coordinateIn, placeOf, type Segment, type State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import type { FieldRules } from '../rules/rules.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { numberOf } from './ffql/compare.ts'
import { cellsAt, type OpenSegment, openAll, openSegments } from './reader.ts'
import { commitSeq, type Selected, select, selectedCount, selectedRows } from './select.ts'

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
  /** Percentages from 0 to 100; 0 when no record is selected. */
  value: number
}

/** What is gathered of one field. */
interface Tally {
  total: number
  empty: number
  changed: number
  numbers: number
  sum: number
  /** What `sum` lost to rounding (Neumaier). */
  lost: number
  min: number
  max: number
}

/**
 * All calculations that apply to each field, over the selected records. Number fields also sum up numbers and texts that
 * are numbers; without any, those are left out. With `sinceCommitId`, a cell has changed when it differs from what it was
 * right after that commit; of records created since, when it has a value.
 */
export async function calculations(
  sheet: SheetRef,
  selection: Selection = {},
  store: Store = processStore,
): Promise<Calculation[]> {
  const { state, rules } = await viewOf(store, sheet, selection.asOf)
  const since = selection.sinceCommitId
  const before =
    since === undefined ? undefined : await stateAt(store, sheet.sheetId, commitSeq(state, since, 'sinceCommitId') + 1)
  const tallies = rules.fields.map((field) => ({ field, tally: newTally() }))
  const scanned = new Map<Segment, Selected>()
  const columnsOf = new Set<string>()
  for await (const selected of select(store, state, rules, selection)) {
    const unread = before ? tallies : tallies.filter(({ field, tally }) => !quickTally(tally, field, selected))
    if (unread.length) scanned.set(selected.segment, selected)
    for (const { field } of unread) columnsOf.add(field.column)
  }
  for await (const open of openAll(store, [...scanned.keys()], [...columnsOf])) {
    const selected = scanned.get(open.segment)!
    for (const { field, tally } of tallies)
      if (before || !isQuick(field, selected)) addCells(tally, field, open, selected.rows)
    if (before) await addChanges(store, before, open, selectedRows(selected), tallies)
  }
  return tallies.flatMap(({ field, tally }) => calculationsOf(field, tally, before !== undefined))
}

const newTally = (): Tally => ({
  total: 0,
  empty: 0,
  changed: 0,
  numbers: 0,
  sum: 0,
  lost: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
})

/** The state knows how many cells of a whole segment are empty; numbers are only in its chunks. */
const isQuick = (field: FieldRules, { segment, rows }: Selected): boolean =>
  field.type !== 'number' && !rows && !segment.deletedCount && emptyCells(segment, field) !== undefined

function quickTally(tally: Tally, field: FieldRules, selected: Selected): boolean {
  if (!isQuick(field, selected)) return false
  tally.total += selectedCount(selected)
  tally.empty += emptyCells(selected.segment, field)!
  return true
}

function addCells(tally: Tally, field: FieldRules, open: OpenSegment, rows: readonly number[] | undefined): void {
  const numeric = field.type === 'number'
  visitCells(open, field.column, rows, (bytes, start, end) => {
    tally.total++
    if (isNullCell(bytes, start)) tally.empty++
    else if (numeric) addNumber(tally, cellNumber(bytes, start, end))
  })
}

function cellNumber(bytes: Buffer, start: number, end: number): number {
  const plain = plainNumber(bytes, start, end)
  return Number.isNaN(plain) ? numberOf(JSON.parse(bytes.toString('utf8', start, end))) : plain
}

function addNumber(tally: Tally, value: number): void {
  if (!Number.isFinite(value)) return
  const sum = tally.sum + value
  tally.lost += Math.abs(tally.sum) >= Math.abs(value) ? tally.sum - sum + value : value - sum + tally.sum
  tally.sum = sum
  tally.numbers++
  if (value < tally.min) tally.min = value
  if (value > tally.max) tally.max = value
}

/** Counts the cells that differ from an earlier state's; columns that share their chunk and have no edits cannot. */
async function addChanges(
  store: Store,
  before: State,
  open: OpenSegment,
  rows: readonly number[],
  tallies: readonly { field: FieldRules; tally: Tally }[],
): Promise<void> {
  const places = rows.map((row) => placeOf(before, coordinateIn(open.segment, row)))
  const former = [...new Set(places.flatMap((place) => (place ? [place.segment] : [])))]
  const changing = tallies.filter(
    ({ field }) => !former.length || former.some((one) => !isSame(one, open.segment, field)),
  )
  const columns = changing.map(({ field }) => field.column)
  const opened = await openSegments(store, former, columns)
  for (const { field, tally } of changing) {
    const now = cellsAt(open, field.column, rows)
    const then = formerCells(opened, field.column, places)
    now.forEach((text, i) => {
      if (text !== then[i]) tally.changed++
    })
  }
}

/** Does a segment have the very same column as an earlier form of it? */
function isSame(former: Segment, segment: Segment, { column }: FieldRules): boolean {
  if (former.key !== segment.key) return false
  const [own, other] = [chunkOf(segment, column), chunkOf(former, column)]
  const edited = [segment, former].some(({ edits }) => [...edits.values()].some(({ values }) => values.has(column)))
  return !edited && own?.blob.id === other?.blob.id && own?.index === other?.index
}

type Places = readonly (ReturnType<typeof placeOf> | undefined)[]

/** Cell texts at places of an earlier state; null where there was no record yet. */
function formerCells(opened: readonly OpenSegment[], column: string, places: Places): string[] {
  const texts = new Array<string>(places.length).fill('null')
  for (const open of opened) {
    const own = places.flatMap((place, i) => (place?.segment === open.segment ? [{ row: place.row, i }] : []))
    own.sort((a, b) => a.row - b.row)
    const cells = cellsAt(
      open,
      column,
      own.map(({ row }) => row),
    )
    own.forEach(({ i }, at) => {
      texts[i] = cells[at]!
    })
  }
  return texts
}

function calculationsOf({ key, type }: FieldRules, tally: Tally, withChanges: boolean): Calculation[] {
  const { total, empty, changed, numbers } = tally
  const percent = (count: number): number => (total ? (count / total) * 100 : 0)
  const values: [CalculationType, number][] = [
    ['COUNT_EMPTY', empty],
    ['COUNT_NON_EMPTY', total - empty],
    ['PERCENT_EMPTY', percent(empty)],
    ['PERCENT_NON_EMPTY', percent(total - empty)],
  ]
  if (withChanges) values.push(['COUNT_CHANGED', changed], ['PERCENT_CHANGED', percent(changed)])
  if (type === 'number' && numbers) {
    const sum = tally.sum + tally.lost
    values.push(['SUM', sum], ['AVERAGE', sum / numbers], ['MIN', tally.min], ['MAX', tally.max])
  }
  return values.map(([one, value]) => ({ fieldKey: key, type: one, value }))
}
