/** Sets the same cells or replaces text in all selected records, as one commit. Segments are streamed. */

import { createTextReplacer } from '../../core/find-text.ts'
import { NULL } from '../columns/columns.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { valueToText } from '../fields/values.ts'
import { MESSAGES, valueColumn } from '../format/column-names.ts'
import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { validateField } from '../read/select.ts'
import { getColumnTexts, getColumnValues, type OpenSegment } from '../segments/open.ts'
import type { CellInputs, Selection, SheetRef, WriteContext } from '../sheet.ts'
import { listLiveRows, toCoordinate } from '../state/state.ts'
import { findColumnChanges, listChangedRows, toColumnInputs } from './compare-columns.ts'
import { findRowChanges, listTouchedColumns, type RowUpdate, type Target } from './compare-rows.ts'
import { type ChangeCache, type CompareOptions, compareSegments } from './compare-segments.ts'
import { findSelectedRows } from './plan-removal.ts'
import { type Comparison, commitWrites, listUnknownFields, REWRITE_ATTEMPTS, startWrite } from './write.ts'
import type { RecordsWritten } from './write-result.ts'

export interface BulkResult extends Pick<RecordsWritten, 'commitId' | 'changed' | 'counts' | 'outbox' | 'changes'> {
  updated: number
  ids: Iterable<string>
  ignoredFields: string[]
}

export async function bulkUpdate(
  sheet: SheetRef,
  selection: Selection,
  cells: CellInputs,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const update: RowUpdate = { values: cells }
  const findTargets: FindTargets = (_, rows) => rows.map((row) => ({ row, update }))
  const ignored = listUnknownFields(rulesOf(sheet), [update])
  const exact = dependsOnValues(selection)
  return runBulkChange(store, sheet, selection, ctx, { fields: Object.keys(cells), findTargets, exact }, ignored)
}

export interface Replacement {
  fields: readonly string[]
  /**
   * A text matches parts of values, ignoring case; numbers and booleans only match as a whole. A text in double quotes
   * matches whole values; `""`, null and undefined match empty cells, any other value equal cells.
   */
  find?: unknown
  replace?: unknown
}

export async function findReplace(
  sheet: SheetRef,
  selection: Selection,
  replacement: Replacement,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  return replaceValues(sheet, selection, { ...replacement, replaceValue: createReplacer(replacement) }, ctx, store)
}

export interface ValueReplacement {
  fields: readonly string[]
  replaceValue: (value: unknown) => unknown
}

export async function replaceValues(
  sheet: SheetRef,
  selection: Selection,
  { fields: keys, replaceValue }: ValueReplacement,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const fields = keys.map((key) => validateField(rulesOf(sheet), key, 'field')!)
  const findTargets: FindTargets = (open, rows) => {
    const columns = fields.map((field) => [field, getColumnValues(open, valueColumn(field))] as const)
    const targets: Target[] = []
    for (const row of rows) {
      const changed = columns.flatMap(([field, values]) => {
        const value = replaceValue(values[row])
        return value === undefined ? [] : [[field, { value }] as const]
      })
      if (changed.length > 0) targets.push({ row, update: { values: Object.fromEntries(changed) } })
    }
    return targets
  }
  return runBulkChange(store, sheet, selection, ctx, { fields, findTargets, exact: true }, [])
}

/** Selected rows of one segment. Values stay JSON texts, so a caller that only forwards them need not parse them. */
export interface TextBatch {
  ids: string[]
  columns: Map<string, string[]>
}

/** New cells per record, in the same order; undefined leaves a record unchanged. */
export type MutateBatch = (records: TextBatch) => Promise<readonly (CellInputs | undefined)[]>

/** One commit. `mutate` is called per segment, and again for records changed concurrently. */
export async function mutate(
  sheet: SheetRef,
  selection: Selection,
  mutateBatch: MutateBatch,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const { fields, sheetId } = rulesOf(sheet)
  const findTargets: FindTargets = async (open, rows) => {
    const ids = rows.map((row) => formatRecordId(sheetId, toCoordinate(open.segment, row)))
    const columns = new Map(
      fields.map(({ key, column }): [string, string[]] => {
        const texts = getColumnTexts(open, column)
        return [key, rows.map((row) => texts?.[row] ?? NULL)]
      }),
    )
    const cells = await mutateBatch({ ids, columns })
    return rows.flatMap((row, i) => (cells[i] ? [{ row, update: { values: cells[i] } }] : []))
  }
  return runBulkChange(
    store,
    sheet,
    selection,
    ctx,
    { fields: fields.map(({ key }) => key), findTargets, exact: true },
    [],
  )
}

type FindTargets = (open: OpenSegment, rows: readonly number[]) => Target[] | Promise<Target[]>

interface Change {
  fields: readonly string[]
  findTargets: FindTargets
  /** The change depends on values, so concurrently changed records are computed again. */
  exact: boolean
}

const dependsOnValues = ({ filter, search, q, where, commitId, sinceCommitId }: Selection): boolean =>
  filter === 'valid' ||
  filter === 'error' ||
  [search, q, where, commitId, sinceCommitId].some((criterion) => criterion !== undefined)

async function runBulkChange(
  store: Store,
  sheet: SheetRef,
  selection: Selection,
  ctx: WriteContext,
  change: Change,
  ignoredFields: string[],
): Promise<BulkResult> {
  const start = await startWrite(store, sheet, ctx)
  const compare = createBulkComparison(store, rulesOf(sheet), selection, change)
  const { commitId, changed, counts, outbox, changes, updated, updatedIds } =
    'earlier' in start ? start.earlier : await commitWrites(store, sheet, start.state, ctx, { compare })
  return { commitId, changed, counts, outbox, changes, updated, ids: updatedIds, ignoredFields }
}

/** Patches are part of every state; with more rows than this, the rewrite is retried until it can be appended. */
const MAX_PATCHED_ROWS = 5000

function createBulkComparison(
  store: Store,
  rules: SheetRules,
  selection: Selection,
  { fields, findTargets, exact }: Change,
): Comparison {
  const cache: ChangeCache = new Map()
  const touched: RowUpdate = { values: Object.fromEntries(fields.map((key) => [key, {}])) }
  const columns = listTouchedColumns(rules, [touched])
  // Rows whose values are compared with other rows need row-by-row changes.
  const isComparedField = (key: string): boolean => rules.flagRules.some((rule) => rule.fields.includes(key))
  let options: CompareOptions = { rewrite: true, keepChanges: false }
  return async (state, _removed, attempt) => {
    if (attempt === REWRITE_ATTEMPTS && countChangedRows(cache) <= MAX_PATCHED_ROWS) {
      options = { ...options, rewrite: false }
      cache.clear()
    }
    const selectedRows = await findSelectedRows(store, state, rules, selection)
    const findChanges = async (open: OpenSegment) => {
      const { segment } = open
      const targets = await findTargets(open, selectedRows.get(segment) ?? listLiveRows(segment))
      const exceedsEditLimit = (rows: number): boolean => segment.edits.size + rows > store.editedRows
      if (options.rewrite && exceedsEditLimit(targets.length)) {
        const namedFields = listNamedFields(targets, fields)
        const columnChanges = namedFields.some(isComparedField)
          ? undefined
          : findColumnChanges(open, rules, toColumnInputs(targets), namedFields)
        if (columnChanges && exceedsEditLimit(listChangedRows(columnChanges).length)) return columnChanges
      }
      return findRowChanges(open, rules, targets, columns)
    }
    const columnNames = [...columns, MESSAGES]
    const changes = await compareSegments(
      store,
      rules,
      [...selectedRows.keys()],
      columnNames,
      findChanges,
      options,
      cache,
    )
    return { changes, missing: [], exact }
  }
}

function listNamedFields(targets: readonly Target[], fields: readonly string[]): string[] {
  const named = new Set<string>()
  for (const { update } of targets) for (const key in update.values) named.add(key)
  return fields.filter((key) => named.has(key))
}

function countChangedRows(cache: ChangeCache): number {
  let rows = 0
  for (const change of cache.values()) rows += change?.rows.length ?? 0
  return rows
}

export function createReplacer({
  find,
  replace = null,
}: Pick<Replacement, 'find' | 'replace'>): (value: unknown) => unknown {
  if (find != null && typeof find !== 'string') {
    const replaceElement = createWholeReplacer(valueToText(find).toLowerCase(), replace)
    return (value) =>
      Array.isArray(value) && !Array.isArray(find) ? replaceInList(value, replaceElement) : replaceElement(value)
  }
  const quoted = find == null ? null : /^"(.*)"$/s.exec(find)
  if (!find || quoted?.[1] === '') return (value) => (value === null ? replace : undefined)
  const wholeText = (quoted?.[1] ?? find).toLowerCase()
  const replaceElement = quoted ? createWholeReplacer(wholeText, replace) : createPartReplacer(find, wholeText, replace)
  return (value) => (Array.isArray(value) ? replaceInList(value, replaceElement) : replaceElement(value))
}

function replaceInList(list: readonly unknown[], replaceElement: (value: unknown) => unknown): unknown[] | undefined {
  const replaced = list.map(replaceElement)
  if (replaced.every((value) => value === undefined)) return undefined
  return replaced.map((value, i) => (value === undefined ? list[i] : value)).filter((value) => value !== null)
}

const createWholeReplacer =
  (wholeText: string, replace: unknown) =>
  (value: unknown): unknown =>
    value !== null && valueToText(value).toLowerCase() === wholeText ? replace : undefined

function createPartReplacer(find: string, wholeText: string, replace: unknown): (value: unknown) => unknown {
  const replaceParts = createTextReplacer(find, replace === null ? '' : valueToText(replace))
  const replaceWhole = createWholeReplacer(wholeText, replace)
  return (value) => {
    if (typeof value !== 'string') return replaceWhole(value)
    const replaced = replaceParts(value)
    if (replaced === value) return undefined
    return replace === null ? null : replaced
  }
}
