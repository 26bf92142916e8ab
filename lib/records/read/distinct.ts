import { NULL } from '../columns/columns.ts'
import {
  countColumn,
  countText,
  createValueCounts,
  getValueCount,
  listValueCounts,
  type PlainText,
  scanPlainTexts,
  type ValueCounts,
} from '../columns/value-counts.ts'
import type { FieldRules } from '../fields/rules.ts'
import { valueToText } from '../fields/values.ts'
import { processStore, type Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import { getColumnTexts, type OpenSegment, openAll } from '../segments/open.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { isEdited, listLiveRows, type Segment } from '../state/state.ts'
import { selectRows, validateField } from './select.ts'
import { compareSortKeys, toSortKey } from './sort.ts'
import { openView } from './view.ts'

export interface DistinctValue {
  value: unknown
  count: number
}

export interface DistinctQuery extends Selection {
  fields?: readonly string[]
  order?: { by: 'count' | 'value'; direction: 'asc' | 'desc' }
  valueText?: string
}

export async function listDistinctValues(
  sheet: SheetRef,
  field: string,
  query: Omit<DistinctQuery, 'fields'> = {},
  store: Store = processStore,
): Promise<DistinctValue[]> {
  return (await listDistinctValuesByField(sheet, { ...query, fields: [field] }, store)).get(field)!
}

export async function listDistinctValuesByField(
  sheet: SheetRef,
  query: DistinctQuery = {},
  store: Store = processStore,
): Promise<Map<string, DistinctValue[]>> {
  const { countsByField } = await countValues(sheet, query, store)
  return new Map(
    countsByField.map(({ field, tally: valueCounts }) => [field.key, toDistinctValues(valueCounts, field, query)]),
  )
}

export interface DistinctColumn {
  field: string
  size: number
  values: () => Iterable<DistinctValue>
  getValue: (index: number) => DistinctValue
  /** Visits all values; of texts of printable ASCII characters, it gets the bytes. */
  scan: (visit: (index: number, plainText: PlainText | undefined) => void) => void
}

export async function readDistinctColumns(
  sheet: SheetRef,
  query: Omit<DistinctQuery, 'order' | 'valueText'> = {},
  store: Store = processStore,
): Promise<{ version: number; columns: DistinctColumn[] }> {
  const { version, countsByField } = await countValues(sheet, query, store)
  const columns = countsByField.map(({ field, tally }) => ({
    field: field.key,
    size: tally.values,
    values: () => decodeValues(tally),
    getValue: (index: number) => decodeValue(tally, index),
    scan: (visit: Parameters<DistinctColumn['scan']>[0]) => scanPlainTexts(tally, visit),
  }))
  return { version, columns }
}

function* decodeValues(tally: ValueCounts): Generator<DistinctValue> {
  for (const { text, count } of listValueCounts(tally)) yield { value: parseCellValue(text), count }
}

function decodeValue(tally: ValueCounts, index: number): DistinctValue {
  const { text, count } = getValueCount(tally, index)
  return { value: parseCellValue(text), count }
}

async function countValues(sheet: SheetRef, query: DistinctQuery, store: Store) {
  const { state, rules } = await openView(store, sheet, query.asOf)
  const fields = query.fields?.map((key) => rules.byKey.get(validateField(rules, key, 'field')!)!) ?? rules.fields
  const rowsBySegment = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of selectRows(store, state, rules, query)) rowsBySegment.set(segment, rows)
  const countsByField = fields.map((field) => ({ field, tally: createValueCounts() }))
  const columns = fields.map(({ column }) => column)
  for await (const open of openAll(store, [...rowsBySegment.keys()], columns)) {
    const includedRows = markIncludedRows(open.segment, rowsBySegment.get(open.segment))
    for (const { field, tally } of countsByField) countCells(tally, open, field.column, includedRows)
  }
  return { version: state.seq, countsByField }
}

function markIncludedRows(segment: Segment, selectedRows: readonly number[] | undefined): Uint8Array | undefined {
  const rows = selectedRows ?? (segment.deletedCount ? listLiveRows(segment) : undefined)
  if (!rows) return undefined
  const includedRows = new Uint8Array(segment.rows)
  for (const row of rows) includedRows[row] = 1
  return includedRows
}

function countCells(
  valueCounts: ValueCounts,
  open: OpenSegment,
  column: string,
  includedRows: Uint8Array | undefined,
): void {
  const { segment, raw } = open
  const chunk = raw.get(column)
  if (chunk && !isEdited(segment, column)) {
    countColumn(valueCounts, chunk, includedRows)
    return
  }
  const cells = getColumnTexts(open, column)
  for (let row = 0; row < segment.rows; row++)
    if (!includedRows || includedRows[row] === 1) countText(valueCounts, cells?.[row] ?? NULL)
}

function toDistinctValues(
  valueCounts: ValueCounts,
  { type }: FieldRules,
  { order, valueText }: DistinctQuery,
): DistinctValue[] {
  const searchText = valueText?.toLowerCase()
  const values: DistinctValue[] = []
  for (const { value, count } of decodeValues(valueCounts)) {
    if (!searchText || (value !== null && valueToText(value).toLowerCase().includes(searchText)))
      values.push({ value, count })
  }
  const sign = order?.direction === 'asc' ? 1 : -1
  if (order?.by !== 'value') return values.sort((a, b) => sign * (a.count - b.count))
  return values
    .map((distinctValue) => ({ one: distinctValue, key: toSortKey(type, distinctValue.value) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, order.direction))
    .map(({ one: distinctValue }) => distinctValue)
}
