/** Counts of records, whole or by field, and the distinct values of a field. */
import { NULL } from './columns.ts'
import { cellTexts, effectiveMessages, type OpenSegment, openAll, resolve } from './reader.ts'
import { countsOf } from './results.ts'
import { isErrorRule, rulesOf, type SheetRules } from './rules.ts'
import { MESSAGES } from './segment.ts'
import { fieldOf, type Selected, select, selectedCount, selectedRows } from './select.ts'
import type { Counts, FieldCounts, Selection, SheetRef } from './sheet.ts'
import { errorCount, liveCount, liveRows, type Segment, type State } from './state.ts'
import { processStore, type Store } from './store.ts'
import { validated } from './validate.ts'

export interface SheetCounts extends Counts {
  /** Cells in error by field; fields without one are left out. */
  errorsByField?: { [field: string]: number }
  byField?: { [field: string]: FieldCounts }
}

/** Exact counts. Without a selection and fields nothing but the log is read. */
export async function counts(
  sheet: SheetRef,
  query: Selection & { byField?: boolean } = {},
  store: Store = processStore,
): Promise<SheetCounts> {
  const rules = rulesOf(sheet)
  const state = await resolve(store, await validated(store, sheet))
  const { byField, ...selection } = query
  if (!byField && !Object.values(selection).some((value) => value !== undefined)) return countsOf(store, state)
  const fields = new Map(rules.fields.map(({ key }) => [key, { total: 0, valid: 0, error: 0, empty: 0 }]))
  const sum: Counts = { total: 0, valid: 0, error: 0 }
  for await (const part of counted(store, state, rules, selection, byField === true)) {
    sum.total += part.total
    sum.error += part.error
    for (const [key, { error, empty }] of part.fields) {
      const field = fields.get(key)!
      field.total += part.total
      field.error += error
      field.empty += empty
    }
  }
  sum.valid = sum.total - sum.error
  return byField ? { ...sum, ...fieldForms(fields) } : sum
}

function fieldForms(fields: Map<string, FieldCounts>): Pick<SheetCounts, 'byField' | 'errorsByField'> {
  for (const field of fields.values()) field.valid = field.total - field.error
  const inError = [...fields].filter(([, { error }]) => error > 0).map(([key, { error }]) => [key, error])
  return { errorsByField: Object.fromEntries(inError), byField: Object.fromEntries(fields) }
}

interface Part {
  total: number
  error: number
  fields: ReadonlyMap<string, { error: number; empty: number }>
}

async function* counted(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
  byField: boolean,
): AsyncGenerator<Part> {
  const scanned: Selected[] = []
  for await (const selected of select(store, state, rules, selection)) {
    const quick = quickPart(rules, selected, byField)
    if (quick) yield quick
    else scanned.push(selected)
  }
  const columns = byField ? rules.fields.map(({ column }) => column) : []
  const rowsOf = new Map(scanned.map((selected) => [selected.segment, selectedRows(selected)]))
  for await (const open of openAll(store, [...rowsOf.keys()], [...columns, MESSAGES]))
    yield scannedPart(rules, open, rowsOf.get(open.segment)!, byField)
}

/** A whole segment that nothing was written over is counted by its own counts. */
function quickPart(rules: SheetRules, selected: Selected, byField: boolean): Part | undefined {
  const { segment } = selected
  const all = selected.rows === undefined || selected.rows.length === liveCount(segment)
  if (!all) return undefined
  const total = selectedCount(selected)
  const error = errorCount(segment)
  if (!byField) return { total, error, fields: new Map() }
  if (segment.edits.size || segment.deletedCount || flagsErrors(segment)) return undefined
  const fields = rules.fields.map(({ key }): [string, { error: number; empty: number }] => [
    key,
    { error: segment.errors.get(key) ?? 0, empty: segment.nulls.get(key) ?? 0 },
  ])
  return { total, error, fields: new Map(fields) }
}

const flagsErrors = (segment: Segment): boolean => [...segment.flags.keys()].some(isErrorRule)

function scannedPart(rules: SheetRules, open: OpenSegment, rows: readonly number[], byField: boolean): Part {
  const messagesOf = effectiveMessages(open, rules)
  const fields = new Map(rules.fields.map(({ key }) => [key, { error: 0, empty: 0 }]))
  let error = 0
  for (const row of rows) {
    let bad = false
    for (const [key, messages] of messagesOf(row) ?? []) {
      if (!messages.some((message) => message.type === 'error')) continue
      bad = true
      fields.get(key)!.error++
    }
    if (bad) error++
  }
  if (!byField) return { total: rows.length, error, fields: new Map() }
  for (const { key, column } of rules.fields) {
    const cells = cellTexts(open, column)
    fields.get(key)!.empty = cells ? rows.filter((row) => cells[row] === NULL).length : rows.length
  }
  return { total: rows.length, error, fields }
}

/** The values of a field and how many records have each, the most frequent first. */
export async function distinct(
  sheet: SheetRef,
  field: string,
  selection: Selection = {},
  store: Store = processStore,
): Promise<{ value: unknown; count: number }[]> {
  const rules = rulesOf(sheet)
  const state = await resolve(store, await validated(store, sheet))
  const { column } = rules.byKey.get(fieldOf(rules, field, 'field')!)!
  const rowsOf = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of select(store, state, rules, selection)) rowsOf.set(segment, rows)
  const byText = new Map<string, number>()
  for await (const open of openAll(store, [...rowsOf.keys()], [column])) {
    const cells = cellTexts(open, column)
    const rows = rowsOf.get(open.segment) ?? liveRows(open.segment)
    for (const row of rows) {
      const text = cells?.[row] ?? NULL
      byText.set(text, (byText.get(text) ?? 0) + 1)
    }
  }
  return [...byText].sort((a, b) => b[1] - a[1]).map(([text, count]) => ({ value: JSON.parse(text), count }))
}
