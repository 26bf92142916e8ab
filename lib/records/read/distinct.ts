/** The distinct values of fields. */
import { cellValue } from '../bytes/cells.ts'
import { NULL } from '../bytes/columns.ts'
import { newTally, type Tally, tallied, tallyColumn, tallyText } from '../bytes/tally.ts'
import { isEdited, liveRows, type Segment } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import type { FieldRules } from '../rules/rules.ts'
import { textOf } from '../rules/values.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { cellTexts, type OpenSegment, openAll } from './reader.ts'
import { fieldOf, select } from './select.ts'
import { sortKey } from './sort.ts'

export interface DistinctValue {
  /** Null for empty cells. */
  value: unknown
  /** Records that have it. */
  count: number
}

export interface DistinctQuery extends Selection {
  /** Field keys; default all. */
  fields?: readonly string[]
  /** By how many records have a value (the default), or by value, as records sort. Equals keep the sheet's order. */
  order?: { by: 'count' | 'value'; direction: 'asc' | 'desc' }
  /** Only values whose text holds this one, in any case. */
  valueText?: string
}

/** The values of one field, the most frequent first. */
export async function distinct(
  sheet: SheetRef,
  field: string,
  query: Omit<DistinctQuery, 'fields'> = {},
  store: Store = processStore,
): Promise<DistinctValue[]> {
  return (await distinctValues(sheet, { ...query, fields: [field] }, store)).get(field)!
}

/** The values of several fields by field key, in one scan of their columns. */
export async function distinctValues(
  sheet: SheetRef,
  query: DistinctQuery = {},
  store: Store = processStore,
): Promise<Map<string, DistinctValue[]>> {
  const { state, rules } = await viewOf(store, sheet, query.asOf)
  const fields = query.fields?.map((key) => rules.byKey.get(fieldOf(rules, key, 'field')!)!) ?? rules.fields
  const rowsOf = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of select(store, state, rules, query)) rowsOf.set(segment, rows)
  const tallies = fields.map((field) => ({ field, tally: newTally() }))
  const columns = fields.map(({ column }) => column)
  for await (const open of openAll(store, [...rowsOf.keys()], columns)) {
    const counted = countedRows(open.segment, rowsOf.get(open.segment))
    for (const { field, tally } of tallies) tallyCells(tally, open, field.column, counted)
  }
  return new Map(tallies.map(({ field, tally }) => [field.key, valuesOf(tally, field, query)]))
}

/** 1 for each row that is chosen, or live when none were; undefined when all rows count. */
function countedRows(segment: Segment, chosen: readonly number[] | undefined): Uint8Array | undefined {
  const rows = chosen ?? (segment.deletedCount ? liveRows(segment) : undefined)
  if (!rows) return undefined
  const counted = new Uint8Array(segment.rows)
  for (const row of rows) counted[row] = 1
  return counted
}

function tallyCells(tally: Tally, open: OpenSegment, column: string, counted: Uint8Array | undefined): void {
  const { segment, raw } = open
  const chunk = raw.get(column)
  if (chunk && !isEdited(segment, column)) {
    tallyColumn(tally, chunk, counted)
    return
  }
  const cells = cellTexts(open, column)
  for (let row = 0; row < segment.rows; row++)
    if (!counted || counted[row] === 1) tallyText(tally, cells?.[row] ?? NULL)
}

function valuesOf(tally: Tally, { type }: FieldRules, { order, valueText }: DistinctQuery): DistinctValue[] {
  const part = valueText?.toLowerCase()
  const values: DistinctValue[] = []
  for (const { text, count } of tallied(tally)) {
    const value = cellValue(text)
    if (!part || (value !== null && textOf(value).toLowerCase().includes(part))) values.push({ value, count })
  }
  const sign = order?.direction === 'asc' ? 1 : -1
  if (order?.by !== 'value') return values.sort((a, b) => sign * (a.count - b.count))
  return values
    .map((one) => ({ one, key: sortKey(type, one.value) }))
    .sort((a, b) => compareKeys(a.key, b.key, sign))
    .map(({ one }) => one)
}

/** As records sort: numbers before texts, empty last in either direction. */
function compareKeys(x: number | string | null, y: number | string | null, sign: number): number {
  if (x === y) return 0
  if (x === null) return 1
  if (y === null) return -1
  if (typeof x !== typeof y) return typeof x === 'number' ? -sign : sign
  return x < y ? -sign : sign
}
