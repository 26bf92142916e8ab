/** Counts of records, whole or by field. */

import { emptyCells } from '../bytes/cells.ts'
import { NULL } from '../bytes/columns.ts'
import { errorCount, liveCount, type Segment, type State, totalRows } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import { hasError } from '../rules/messages.ts'
import { type FieldRules, isErrorRule, type SheetRules } from '../rules/rules.ts'
import type { Counts, FieldCounts, Selection, SheetRef } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import { cellTexts, effectiveMessages, type OpenSegment, openAll } from './reader.ts'
import { type Selected, select, selectedCount, selectedRows } from './select.ts'

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
  const { state, rules } = await viewOf(store, sheet, query.asOf)
  const { byField, asOf: _, ...selection } = query
  const known = byField ? undefined : knownCounts(state, selection)
  if (known) return known
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

/** Counts of all records, or of those with or without an error, are in the state. */
function knownCounts(state: State, { filter, ...more }: Selection): Counts | undefined {
  if (Object.values(more).some((value) => value !== undefined)) return undefined
  const { total, valid, error } = countsIn(state)
  if (filter === 'none') return { total: 0, valid: 0, error: 0 }
  if (filter === 'error') return { total: error, valid: 0, error }
  return filter === 'valid' ? { total: valid, valid, error: 0 } : { total, valid, error }
}

function countsIn(state: State): Counts {
  let error = 0
  for (const segment of state.segments) error += errorCount(segment)
  const total = totalRows(state)
  return { total, valid: total - error, error }
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
  const [told, written] = partition(scanned, (selected) => isWhole(selected) && asWritten(selected.segment))
  for await (const open of openAll(store, told, [MESSAGES]))
    yield scannedPart(rules, open, rowsOf.get(open.segment)!, byField && toldEmpty)
  for await (const open of openAll(store, written, [...columns, MESSAGES]))
    yield scannedPart(rules, open, rowsOf.get(open.segment)!, byField && countedEmpty)
}

/** The segments of which the test holds, and the others. */
function partition(selected: readonly Selected[], test: (one: Selected) => boolean): [Segment[], Segment[]] {
  const sides: [Segment[], Segment[]] = [[], []]
  for (const one of selected) sides[test(one) ? 0 : 1].push(one.segment)
  return sides
}

const isWhole = (selected: Selected): boolean => selectedCount(selected) === liveCount(selected.segment)
/** Cells are those of the chunks: what the segment says of its empty ones is true. */
const asWritten = (segment: Segment): boolean => segment.edits.size === 0 && segment.deletedCount === 0

/** How many of some rows' cells are empty. */
type EmptyCells = (open: OpenSegment, field: FieldRules, rows: readonly number[]) => number

const toldEmpty: EmptyCells = ({ segment }, field) => emptyCells(segment, field)!

const countedEmpty: EmptyCells = (open, { column }, rows) => {
  const cells = cellTexts(open, column)
  return cells ? rows.filter((row) => cells[row] === NULL).length : rows.length
}

/** A whole segment that nothing was written over is counted by its own counts; one without errors has none. */
function quickPart(rules: SheetRules, selected: Selected, byField: boolean): Part | undefined {
  const { segment } = selected
  const total = selectedCount(selected)
  const error = errorCount(segment)
  const all = isWhole(selected)
  if (!byField && (all || error === 0)) return { total, error, fields: new Map() }
  if (!all || !byField || !asWritten(segment) || flagsErrors(segment)) return undefined
  const fields = rules.fields.map((field): [string, { error: number; empty: number }] => [
    field.key,
    { error: segment.errors.get(field.key) ?? 0, empty: emptyCells(segment, field)! },
  ])
  return { total, error, fields: new Map(fields) }
}

const flagsErrors = (segment: Segment): boolean => [...segment.flags.keys()].some(isErrorRule)

/** @param empty how empty cells are counted; false where fields do not matter */
function scannedPart(rules: SheetRules, open: OpenSegment, rows: readonly number[], empty: EmptyCells | false): Part {
  const messagesOf = effectiveMessages(open, rules)
  const fields = new Map(rules.fields.map(({ key }) => [key, { error: 0, empty: 0 }]))
  let error = 0
  for (const row of rows) {
    let bad = false
    for (const [key, messages] of messagesOf(row) ?? []) {
      if (!hasError(messages)) continue
      bad = true
      // A past state may have messages on a field that is no more.
      const field = fields.get(key)
      if (field) field.error++
    }
    if (bad) error++
  }
  if (!empty) return { total: rows.length, error, fields: new Map() }
  for (const field of rules.fields) fields.get(field.key)!.empty = empty(open, field, rows)
  return { total: rows.length, error, fields }
}
