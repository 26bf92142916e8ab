/** The distinct values of fields. */
import { cellValue } from '../bytes/cells.ts'
import { NULL } from '../bytes/columns.ts'
import { isLive, type Segment } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import type { FieldRules } from '../rules/rules.ts'
import { textOf } from '../rules/values.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { cellTexts, openAll } from './reader.ts'
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
  const tallies = fields.map((field) => ({ field, counts: new Map<string, { count: number }>() }))
  const columns = fields.map(({ column }) => column)
  for await (const open of openAll(store, [...rowsOf.keys()], columns))
    for (const { field, counts } of tallies)
      countCells(counts, open.segment, cellTexts(open, field.column), rowsOf.get(open.segment))
  return new Map(tallies.map(({ field, counts }) => [field.key, valuesOf(counts, field, query)]))
}

/** Adds up cells by their JSON text. */
function countCells(
  counts: Map<string, { count: number }>,
  segment: Segment,
  cells: readonly string[] | undefined,
  rows: readonly number[] | undefined,
): void {
  const add = (row: number): void => {
    const text = cells?.[row] ?? NULL
    const known = counts.get(text)
    if (known) known.count++
    else counts.set(text, { count: 1 })
  }
  if (rows) rows.forEach(add)
  else for (let row = 0; row < segment.rows; row++) if (isLive(segment, row)) add(row)
}

function valuesOf(
  counts: ReadonlyMap<string, { count: number }>,
  { type }: FieldRules,
  { order, valueText }: DistinctQuery,
): DistinctValue[] {
  const part = valueText?.toLowerCase()
  const values: DistinctValue[] = []
  for (const [text, { count }] of counts) {
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
