/** Sets the same cells or replaces text in all selected records, as one commit. Segments are streamed. */

import { createTextReplacer } from '../../core/find-text.ts'
import { joinTexts, NULL } from '../columns/columns.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { valueToText } from '../fields/values.ts'
import { MESSAGES, valueColumn } from '../format/column-names.ts'
import { createRecordIdPrefixer } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { validateField } from '../read/select.ts'
import { parseCellValue } from '../segments/cells.ts'
import { addToRuns, type IdRun } from '../segments/change-batch.ts'
import { getColumnTexts, type OpenSegment, openColumns } from '../segments/open.ts'
import type { CellInput, CellInputs, Selection, SheetRef, WriteContext } from '../sheet.ts'
import { isEdited, listLiveRows, type Segment, toCoordinate } from '../state/state.ts'
import { type ColumnInputs, findColumnChanges, listChangedRows } from './compare-columns.ts'
import { findRowChanges, isCompared, listTouchedColumns, type Target } from './compare-rows.ts'
import { type ChangeCache, type CompareOptions, compareSegments } from './compare-segments.ts'
import { exceedsEditLimit } from './limits.ts'
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
  const findInputs: FindInputs = (_, rows) => ({ rows, getCell: (field) => cells[field] })
  const ignored = listUnknownFields(rulesOf(sheet), [{ values: cells }])
  const exact = dependsOnValues(selection)
  return runBulkChange(store, sheet, selection, ctx, { fields: Object.keys(cells), findInputs, exact }, ignored)
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
  const rules = rulesOf(sheet)
  const fields = keys.map((key) => validateField(rules, key, 'field')!)
  const replaceText = memoizeByText(replaceValue)
  const findInputs: FindInputs = (open, rows) => {
    const cells = new Map(
      fields.map((field) => {
        const texts = getColumnTexts(open, valueColumn(field))
        return [field, rows.map((row) => replaceText(texts?.[row] ?? NULL))] as const
      }),
    )
    return { rows, getCell: (field, index) => cells.get(field)![index] }
  }
  return runBulkChange(store, sheet, selection, ctx, { fields, findInputs, exact: true }, [])
}

const MEMOIZED_TEXTS = { count: 10_000, characters: 256 }

/** Columns have few distinct values, or ones that are too many to be worth storing. */
function memoizeByText(replaceValue: (value: unknown) => unknown): (text: string) => CellInput | undefined {
  const inputs = new Map<string, CellInput | undefined>()
  return (text) => {
    const known = inputs.get(text)
    if (known || inputs.has(text)) return known
    const value = replaceValue(parseCellValue(text))
    const input = value === undefined ? undefined : { value }
    if (inputs.size < MEMOIZED_TEXTS.count && text.length <= MEMOIZED_TEXTS.characters) inputs.set(text, input)
    return input
  }
}

export interface TextBatch {
  length: number
  /** The ids of the records from one index to another, without the latter. */
  getIdRuns(from: number, to: number): IdRun[]
  fields: readonly string[]
  /** The JSON values of the records joined as in a stored column, so a caller that only forwards them need not parse them. */
  readTexts(fields: readonly string[]): Promise<string[]>
}

/** By field: new cells of some records, by their index in the batch. */
type BatchChanges = ReadonlyMap<string, readonly (CellInput | undefined)[]>
export type MutateBatch = (records: TextBatch) => Promise<BatchChanges>

/** One commit. `mutate` is called per segment, some at the same time, and again for records changed concurrently. */
export async function mutate(
  sheet: SheetRef,
  selection: Selection,
  mutateBatch: MutateBatch,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<BulkResult> {
  const rules = rulesOf(sheet)
  const fields = rules.fields.map(({ key }) => key)
  const findInputs: FindInputs = async (open, rows) => {
    const cells = await mutateBatch({
      length: rows.length,
      getIdRuns: (from, to) => listIdRuns(rules.sheetId, open.segment, rows.slice(from, to)),
      fields,
      async readTexts(fields) {
        const columns = fields.map(valueColumn)
        await openColumns(store, open, columns)
        return columns.map((column) => joinCells(open, column, rows))
      },
    })
    const named = fields.filter((field) => cells.has(field))
    return { rows, getCell: (field, index) => cells.get(field)![index], named }
  }
  const change = { fields, findInputs, exact: true, opensNamed: true, segments: MUTATED_SEGMENTS }
  return runBulkChange(store, sheet, selection, ctx, change, [])
}

const MUTATED_SEGMENTS = 4

function listIdRuns(sheetId: string, segment: Segment, rows: readonly number[]): IdRun[] {
  const runs: IdRun[] = []
  const getPrefix = createRecordIdPrefixer(sheetId)
  for (const row of rows) {
    const at = toCoordinate(segment, row)
    addToRuns(runs, getPrefix(at.key), at.row)
  }
  return runs
}

function joinCells(open: OpenSegment, column: string, rows: readonly number[]): string {
  const raw = open.raw.get(column)
  if (raw && rows.length === open.segment.rows && !isEdited(open.segment, column)) return raw.toString('utf8')
  const texts = getColumnTexts(open, column)
  return joinTexts(rows.map((row) => texts?.[row] ?? NULL))
}

interface BulkInputs extends ColumnInputs {
  /** The fields that can have cells; all of the change by default. */
  named?: readonly string[]
}

type FindInputs = (open: OpenSegment, rows: readonly number[]) => BulkInputs | Promise<BulkInputs>

interface Change {
  fields: readonly string[]
  findInputs: FindInputs
  /** The change depends on values, so concurrently changed records are computed again. */
  exact: boolean
  /** Segments are opened without columns at first, and then with those of changed fields. */
  opensNamed?: boolean
  segments?: number
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
  { fields, findInputs, exact, opensNamed = false, segments = 1 }: Change,
): Comparison {
  const cache: ChangeCache = new Map()
  const listColumns = (keys: readonly string[]): Set<string> =>
    listTouchedColumns(rules, [{ values: Object.fromEntries(keys.map((key) => [key, {}])) }])
  const allColumns = listColumns(fields)
  let options: CompareOptions = { rewrite: true, keepChanges: 'patches', segments }
  return async (state, _removed, attempt) => {
    if (attempt === REWRITE_ATTEMPTS && countChangedRows(cache) <= MAX_PATCHED_ROWS) {
      options = { ...options, rewrite: false }
      cache.clear()
    }
    const selectedRows = await findSelectedRows(store, state, rules, selection)
    const findChanges = async (open: OpenSegment) => {
      const { segment } = open
      const inputs = await findInputs(open, selectedRows.get(segment) ?? listLiveRows(segment))
      const { namedFields, namedRows } = findNamed(inputs, inputs.named ?? fields)
      const columns = opensNamed ? listColumns(namedFields) : allColumns
      if (opensNamed) await openColumns(store, open, [...columns])
      if (options.rewrite && exceedsEditLimit(store, segment, namedRows)) {
        const columnChanges = namedFields.some((key) => isCompared(rules, key))
          ? undefined
          : findColumnChanges(open, rules, inputs, namedFields)
        if (columnChanges && exceedsEditLimit(store, segment, listChangedRows(columnChanges).length))
          return columnChanges
      }
      return findRowChanges(open, rules, toTargets(inputs, namedFields), columns)
    }
    const columnNames = opensNamed ? [MESSAGES] : [...allColumns, MESSAGES]
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

function findNamed(
  { rows, getCell }: ColumnInputs,
  fields: readonly string[],
): { namedFields: string[]; namedRows: number } {
  const isNamed = new Uint8Array(rows.length)
  let namedRows = 0
  const namedFields = fields.filter((field) => {
    let hasCell = false
    for (let i = 0; i < rows.length; i++) {
      if (!getCell(field, i)) continue
      hasCell = true
      namedRows += 1 - isNamed[i]!
      isNamed[i] = 1
    }
    return hasCell
  })
  return { namedFields, namedRows }
}

function toTargets({ rows, getCell }: ColumnInputs, fields: readonly string[]): Target[] {
  return rows.flatMap((row, i) => {
    const cells = fields.flatMap((field) => {
      const cell = getCell(field, i)
      return cell ? [[field, cell] as const] : []
    })
    return cells.length > 0 ? [{ row, update: { values: Object.fromEntries(cells) } }] : []
  })
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
