/**
 * Changes of all selected records in one commit: the same cells for each, or a text replaced. Segments stream through;
 * those with many changes are written anew, so that a million records take memory for a few segments.
 */

import { textReplacer } from '../../core/find-text.ts'
import { NULL } from '../bytes/columns.ts'
import { recordIdOf } from '../log/ids.ts'
import { coordinateIn, liveRows } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { cellTexts, columnValues, type OpenSegment } from '../read/reader.ts'
import { fieldOf } from '../read/select.ts'
import { rulesOf, type SheetRules, valueColumn } from '../rules/rules.ts'
import { textOf } from '../rules/values.ts'
import type { CellInputs, Selection, SheetRef, WriteContext } from '../sheet.ts'
import { changesIn, columnsTouched, type RowUpdate, type Target } from './changes.ts'
import { columnChangesIn, rowsOfColumns } from './column-changes.ts'
import { type CompareOptions, changeSegments, type KnownChanges } from './compare.ts'
import type { RecordsWritten } from './outcome.ts'
import { chosenRows } from './removal.ts'
import { MESSAGES } from './segment.ts'
import { begin, type Comparison, commitWrites, REWRITE_ATTEMPTS, unknownFields } from './write.ts'

export interface BulkResult extends Pick<RecordsWritten, 'commitId' | 'changed' | 'counts' | 'outbox' | 'changes'> {
  /** Records whose values changed. */
  updated: number
  /** Their ids; made on demand. */
  ids: Iterable<string>
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/** Applies the same cells to every selected record, as one commit. */
export async function bulkUpdate(
  sheet: SheetRef,
  selection: Selection,
  cells: CellInputs,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const update: RowUpdate = { values: cells }
  const targetsIn: TargetsIn = (_, rows) => rows.map((row) => ({ row, update }))
  const ignored = unknownFields(rulesOf(sheet), [update])
  const exact = restsOnValues(selection)
  return bulk(store, sheet, selection, ctx, { fields: Object.keys(cells), targetsIn, exact }, ignored)
}

export interface Replacement {
  field: string
  /**
   * A text: part of a value, ignoring case, every occurrence; numbers, true and false are met as a whole only. In double
   * quotes: the whole value. `""`, null or undefined: empty cells. Any other value: cells of that value.
   */
  find?: unknown
  /** Null or undefined clears the cell. */
  replace?: unknown
}

/** Replaces what is found in a field of the selected records, as one commit. @throws ApiError invalid for an unknown field */
export async function findReplace(
  sheet: SheetRef,
  selection: Selection,
  replacement: Replacement,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const rules = rulesOf(sheet)
  const field = fieldOf(rules, replacement.field, 'field')!
  const replaced = replacer(replacement)
  const column = valueColumn(field)
  const targetsIn: TargetsIn = (open, rows) => {
    const values = columnValues(open, column)
    const targets: Target[] = []
    for (const row of rows) {
      const value = replaced(values[row])
      if (value !== undefined) targets.push({ row, update: { values: { [field]: { value } } } })
    }
    return targets
  }
  return bulk(store, sheet, selection, ctx, { fields: [field], targetsIn, exact: true }, [])
}

/** Selected rows of one segment, their values as JSON: who hands them on need not read them. */
export interface TextBatch {
  ids: string[]
  /** By field key. */
  columns: Map<string, string[]>
}

/** New cells for some of these records, in their order; undefined for one that stays as it is. */
export type Mutate = (records: TextBatch) => Promise<readonly (CellInputs | undefined)[]>

/**
 * Changes selected records by what `mutate` makes of their values, as one commit. It is asked segment by segment, and again
 * for records that somebody else changes meanwhile; nothing is to be seen before it was asked for all.
 */
export async function mutate(
  sheet: SheetRef,
  selection: Selection,
  mutate: Mutate,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const { fields, sheetId } = rulesOf(sheet)
  const targetsIn: TargetsIn = async (open, rows) => {
    const ids = rows.map((row) => recordIdOf(sheetId, coordinateIn(open.segment, row)))
    const columns = new Map(
      fields.map(({ key, column }): [string, string[]] => {
        const texts = cellTexts(open, column)
        return [key, rows.map((row) => texts?.[row] ?? NULL)]
      }),
    )
    const cells = await mutate({ ids, columns })
    return rows.flatMap((row, i) => (cells[i] ? [{ row, update: { values: cells[i] } }] : []))
  }
  return bulk(store, sheet, selection, ctx, { fields: fields.map(({ key }) => key), targetsIn, exact: true }, [])
}

/** What to set in which of the selected rows of a segment. */
type TargetsIn = (open: OpenSegment, rows: readonly number[]) => Target[] | Promise<Target[]>

interface Change {
  /** All that it may change. */
  fields: readonly string[]
  targetsIn: TargetsIn
  /** It follows from values: a record that somebody else changes meanwhile is looked at again. */
  exact: boolean
}

/** Are records selected by what is in them? */
const restsOnValues = ({ filter, search, q, where, commitId, sinceCommitId }: Selection): boolean =>
  filter === 'valid' || filter === 'error' || [search, q, where, commitId, sinceCommitId].some((by) => by !== undefined)

async function bulk(
  store: Store,
  sheet: SheetRef,
  selection: Selection,
  ctx: WriteContext,
  change: Change,
  ignoredFields: string[],
): Promise<BulkResult> {
  const begun = await begin(store, sheet, ctx)
  const compare = bulkComparison(store, rulesOf(sheet), selection, change)
  const { commitId, changed, counts, outbox, changes, updated, updatedIds } =
    'earlier' in begun ? begun.earlier : await commitWrites(store, sheet, begun.state, ctx, { compare })
  return { commitId, changed, counts, outbox, changes, updated, ids: updatedIds, ignoredFields }
}

/** Patches of more rows would weigh on every state of the sheet: such a change goes on trying to be appended exactly. */
const PATCHED_ROWS = 5000

function bulkComparison(
  store: Store,
  rules: SheetRules,
  selection: Selection,
  { fields, targetsIn, exact }: Change,
): Comparison {
  const known: KnownChanges = new Map()
  const touched: RowUpdate = { values: Object.fromEntries(fields.map((key) => [key, {}])) }
  const columns = columnsTouched(rules, [touched])
  // Rows whose values are compared with others' are told one by one.
  const isCompared = (key: string): boolean => rules.flagRules.some((rule) => rule.fields.includes(key))
  let options: CompareOptions = { rewrite: true, keep: false }
  return async (state, _removed, attempt) => {
    if (attempt === REWRITE_ATTEMPTS && changedRows(known) <= PATCHED_ROWS) {
      options = { ...options, rewrite: false }
      known.clear()
    }
    const chosen = await chosenRows(store, state, rules, selection)
    const changesOf = async (open: OpenSegment) => {
      const { segment } = open
      const targets = await targetsIn(open, chosen.get(segment) ?? liveRows(segment))
      const isMany = (rows: number): boolean => segment.edits.size + rows > store.editedRows
      if (options.rewrite && isMany(targets.length)) {
        const named = fieldsOf(targets, fields)
        const whole = named.some(isCompared) ? undefined : columnChangesIn(open, rules, targets, named)
        if (whole && isMany(rowsOfColumns(whole).length)) return whole
      }
      return changesIn(open, rules, targets, columns)
    }
    const names = [...columns, MESSAGES]
    const changes = await changeSegments(store, rules, [...chosen.keys()], names, changesOf, options, known)
    return { changes, missing: [], exact }
  }
}

/** Those of the fields that targets really name: only their columns are written anew. */
function fieldsOf(targets: readonly Target[], fields: readonly string[]): string[] {
  const named = new Set<string>()
  for (const { update } of targets) for (const key in update.values) named.add(key)
  return fields.filter((key) => named.has(key))
}

function changedRows(known: KnownChanges): number {
  let rows = 0
  for (const change of known.values()) rows += change?.rows.length ?? 0
  return rows
}

/** The value to be instead of a value; undefined when it stays. */
function replacer({ find, replace = null }: Replacement): (value: unknown) => unknown {
  if (find != null && typeof find !== 'string') {
    const one = wholeReplacer(textOf(find).toLowerCase(), replace)
    return (value) => (Array.isArray(value) && !Array.isArray(find) ? replacedList(value, one) : one(value))
  }
  const quoted = find == null ? null : /^"(.*)"$/s.exec(find)
  if (!find || quoted?.[1] === '') return (value) => (value === null ? replace : undefined)
  const whole = (quoted?.[1] ?? find).toLowerCase()
  const one = quoted ? wholeReplacer(whole, replace) : partReplacer(find, whole, replace)
  return (value) => (Array.isArray(value) ? replacedList(value, one) : one(value))
}

/** In a list each value by itself; one that is cleared leaves it. */
function replacedList(list: readonly unknown[], one: (value: unknown) => unknown): unknown[] | undefined {
  const replaced = list.map(one)
  if (replaced.every((value) => value === undefined)) return undefined
  return replaced.map((value, i) => (value === undefined ? list[i] : value)).filter((value) => value !== null)
}

const wholeReplacer =
  (whole: string, replace: unknown) =>
  (value: unknown): unknown =>
    value !== null && textOf(value).toLowerCase() === whole ? replace : undefined

function partReplacer(find: string, whole: string, replace: unknown): (value: unknown) => unknown {
  const replaceParts = textReplacer(find, replace === null ? '' : textOf(replace))
  const asWhole = wholeReplacer(whole, replace)
  return (value) => {
    if (typeof value !== 'string') return asWhole(value)
    const replaced = replaceParts(value)
    if (replaced === value) return undefined
    return replace === null ? null : replaced
  }
}
