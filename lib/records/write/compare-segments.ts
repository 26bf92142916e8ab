/** Compares updates by segment. Few changed rows become patches in the log; with many, columns are rewritten. */

import { measure } from '../../core/stopwatch.ts'
import { bitsToRows } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import { MESSAGES, valueColumn } from '../format/column-names.ts'
import { createRecordIdParser } from '../format/ids.ts'
import { cacheChunk, type Store } from '../log/store.ts'
import { type OpenSegment, openAll, openSegments } from '../segments/open.ts'
import {
  type ColumnChanges,
  listEditedColumns,
  rewrite,
  type StoredRewrite,
  storeRewrite,
  withEdits,
} from '../segments/rewrite.ts'
import type { RecordUpdate } from '../sheet.ts'
import { findRow, isLive, type RowEdit, type Segment, type State } from '../state/state.ts'
import { listChangedRows } from './compare-columns.ts'
import { findChangedColumns } from './compare-many.ts'
import {
  applyChange,
  findMoves,
  findOutcomes,
  findRowChanges,
  listTouchedColumns,
  type Moves,
  type RowChange,
  type RowOutcomes,
  type Target,
} from './compare-rows.ts'
import { exceedsEditLimit } from './limits.ts'
import type { RemovedRows } from './plan-removal.ts'

export interface SegmentChange {
  segment: Segment
  rows: readonly number[]
  cells: ReadonlyMap<string, readonly number[]>
  moves: ReadonlyMap<string, Moves>
  outcomes: ReadonlyMap<string, RowOutcomes>
  /** The patches; for a rewrite undefined unless `keepChanges` is `all`. */
  changes: readonly RowChange[] | undefined
  rewritten: StoredRewrite | undefined
}

export interface CompareOptions {
  rewrite: boolean
  /** `none` if only their effects on other rows are wanted. */
  keepChanges: 'all' | 'patches' | 'none'
  /** Searched for changes at the same time; 1 by default. */
  segments?: number
}

/** Larger values are rewritten, because patches are part of every state. */
const MAX_PATCH_CHARACTERS = 100_000

const exceedsPatchLimits = (store: Store, { segment }: OpenSegment, changes: readonly RowChange[]): boolean => {
  if (exceedsEditLimit(store, segment, changes.length)) return true
  let characters = 0
  for (const { values } of changes) for (const { after } of values.values()) characters += after.length
  return characters > MAX_PATCH_CHARACTERS
}

async function buildSegmentChange(
  store: Store,
  rules: SheetRules,
  open: OpenSegment,
  changes: readonly RowChange[],
  options: CompareOptions,
): Promise<SegmentChange> {
  const cells = new Map<string, number[]>()
  for (const { row, values } of changes)
    for (const key of values.keys()) getOrInsert(cells, key, (): number[] => []).push(row)
  const moves = new Map<string, Moves>()
  for (const rule of [...rules.unique, ...rules.references]) {
    if (!rule.fields.some((key) => cells.has(key))) continue
    const moved = findMoves(open, rules, rule, changes)
    if (moved) moves.set(rule.id, moved)
  }
  const needsRewrite = options.rewrite && exceedsPatchLimits(store, open, changes)
  return {
    segment: open.segment,
    rows: changes.map(({ row }) => row),
    cells,
    moves,
    outcomes: findOutcomes(open, rules, changes),
    changes: options.keepChanges === 'none' ? [] : options.keepChanges === 'all' || !needsRewrite ? changes : undefined,
    rewritten: needsRewrite ? await rewriteChangedRows(store, rules, open, changes) : undefined,
  }
}

async function buildColumnsChange(
  store: Store,
  rules: SheetRules,
  { segment }: OpenSegment,
  columns: ColumnChanges,
  isOnlySegment: boolean,
): Promise<SegmentChange> {
  const rows = listChangedRows(columns)
  const cells = new Map<string, readonly number[]>()
  for (const { field, changed } of columns.values()) {
    const changedRows = bitsToRows(changed)
    // Share the list: it may have a million rows.
    if (changedRows.length) cells.set(field, changedRows.length === rows.length ? rows : changedRows)
  }
  const edited = listEditedColumns(segment)
  const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => edited.has(valueColumn(key))))
  const needed = [...edited, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
  const [fullSegment] = await openSegments(store, [segment], [...new Set(needed)])
  const rewriteResult = rewrite(fullSegment!, rules, { revalidate: false, hashRules, columns })
  const stored = await storeRewrite(store, rules, rewriteResult)
  if (isOnlySegment)
    for (const [index, { raw }] of rewriteResult.chunks.entries()) cacheChunk(store, { blob: stored.blob, index }, raw)
  return { segment, rows, cells, moves: new Map(), outcomes: new Map(), changes: undefined, rewritten: stored }
}

async function rewriteChangedRows(
  store: Store,
  rules: SheetRules,
  open: OpenSegment,
  changes: readonly RowChange[],
): Promise<StoredRewrite> {
  const edits = new Map<number, RowEdit>(open.segment.edits)
  for (const change of changes) edits.set(change.row, applyChange(edits.get(change.row), change))
  const columns = listEditedColumns({ ...open.segment, edits })
  const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => columns.has(valueColumn(key))))
  const needed = [...columns, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
  const [fullSegment] = await openSegments(store, [open.segment], [...new Set(needed)])
  const rewriteResult = rewrite(withEdits(fullSegment!, edits), rules, { revalidate: false, hashRules })
  // Return the original segment; the edited copy would keep every changed row in memory.
  return { ...(await storeRewrite(store, rules, rewriteResult)), segment: open.segment }
}

export type SegmentChanges = readonly RowChange[] | ColumnChanges

const isRowChanges = (changes: SegmentChanges): changes is readonly RowChange[] => Array.isArray(changes)

export interface UpdateComparison {
  changes: SegmentChange[]
  missing: string[]
  /** The changes depend on current values, so no other entry may come in between. */
  exact?: boolean
  /** Stored on the entry, see format/entries.ts. */
  unwritten?: readonly number[]
}

export type ChangeCache = Map<Segment, SegmentChange | undefined>

const PREFETCHED_SEGMENTS = 4
const MAX_CONCURRENT_REWRITES = 4

export async function compareSegments(
  store: Store,
  rules: SheetRules,
  segments: readonly Segment[],
  names: readonly string[],
  findChanges: (open: OpenSegment) => SegmentChanges | Promise<SegmentChanges>,
  options: CompareOptions,
  cache: ChangeCache,
): Promise<SegmentChange[]> {
  const uncached = segments.filter((segment) => !cache.has(segment))
  const { segments: searchedSegments = 1 } = options
  const buildChange = async (open: OpenSegment, found: SegmentChanges): Promise<void> => {
    cache.set(open.segment, undefined)
    if (!isRowChanges(found))
      cache.set(open.segment, await buildColumnsChange(store, rules, open, found, segments.length === 1))
    else if (found.length) cache.set(open.segment, await buildSegmentChange(store, rules, open, found, options))
  }
  const searches: Promise<SegmentChanges>[] = []
  const running: Promise<void>[] = []
  for await (const open of openAll(store, uncached, names, PREFETCHED_SEGMENTS)) {
    const search = Promise.resolve(findChanges(open))
    const work = search.then((found) => buildChange(open, found))
    // Failures surface when the promise is awaited; this only prevents an unhandled rejection.
    work.catch(() => {})
    running.push(work)
    searches.push(search)
    // The list forgets a search, because it retains what was found.
    if (searches.length >= searchedSegments) await searches.shift()
    if (running.length > MAX_CONCURRENT_REWRITES)
      await measure('writing', async () => running[running.length - 1 - MAX_CONCURRENT_REWRITES])
  }
  // In order, so that the failure of the earliest segment is reported.
  await measure('writing', async () => {
    for (const work of running) await work
  })
  return segments.flatMap((segment) => cache.get(segment) ?? [])
}

export async function compareUpdates(
  store: Store,
  state: State,
  rules: SheetRules,
  updates: readonly RecordUpdate[],
  removed: RemovedRows,
  options: CompareOptions,
  cache: ChangeCache,
): Promise<UpdateComparison> {
  const { targets, missing } = groupTargets(state, rules, updates, removed)
  const columns = listTouchedColumns(rules, updates)
  const findChanges = (open: OpenSegment): SegmentChanges => {
    const sorted = targets.get(open.segment)!.sort((a, b) => a.row - b.row)
    const changed =
      options.rewrite && exceedsEditLimit(store, open.segment, sorted.length) && findChangedColumns(open, rules, sorted)
    if (!changed) return findRowChanges(open, rules, sorted, columns)
    const rows = listChangedRows(changed)
    if (!rows.length) return []
    if (exceedsEditLimit(store, open.segment, rows.length)) return changed
    const changedRows = new Set(rows)
    const changedTargets = sorted.filter(({ row }) => changedRows.has(row))
    return findRowChanges(open, rules, changedTargets, columns)
  }
  const names = [...columns, MESSAGES]
  return {
    changes: await compareSegments(store, rules, [...targets.keys()], names, findChanges, options, cache),
    missing,
  }
}

function groupTargets(
  state: State,
  rules: SheetRules,
  updates: readonly RecordUpdate[],
  removed: RemovedRows,
): { targets: Map<Segment, Target[]>; missing: string[] } {
  const targets = new Map<Segment, Target[]>()
  const missing: string[] = []
  const parseId = createRecordIdParser(rules.sheetId)
  const createList = (): Target[] => []
  for (const update of updates) {
    const at = parseId(update.id)
    const rowRef = at && findRow(state, at)
    if (!rowRef || !isLive(rowRef.segment, rowRef.row)) missing.push(update.id)
    else if (!removed.has(rowRef.segment, rowRef.row))
      getOrInsert(targets, rowRef.segment, createList).push({ update, row: rowRef.row })
  }
  return { targets, missing }
}
