/**
 * The real changes of existing records, segment by segment. A segment of which few rows change keeps them one by one, as
 * patches for the log; of one with many the changed columns are written anew and stored at once, so that memory holds one
 * segment's changes and not all.
 */

import { rowsIn } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { coordinateOf } from '../log/ids.ts'
import { isLive, placeOf, type RowEdit, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { type OpenSegment, openAll, openSegments } from '../read/reader.ts'
import { type SheetRules, valueColumn } from '../rules/rules.ts'
import type { RecordUpdate } from '../sheet.ts'
import { changesIn, columnsTouched, editAfter, type Moves, movesUnder, type RowChange, type Target } from './changes.ts'
import { type ColumnChanges, rowsOfColumns } from './column-changes.ts'
import type { Removed } from './removal.ts'
import { editedColumns, rewrite, type StoredRewrite, storeRewrite, withEdits } from './rewrite.ts'
import { MESSAGES } from './segment.ts'

/** What a write changes in the rows of one segment. */
export interface SegmentChange {
  segment: Segment
  /** Ascending. */
  rows: readonly number[]
  /** Rows by the field whose value changes. */
  cells: ReadonlyMap<string, readonly number[]>
  /** By rule: rows whose compared value changes. */
  moves: ReadonlyMap<string, Moves>
  /** Row by row: the patches, or what is kept of a rewrite for its answer. */
  changes: readonly RowChange[] | undefined
  rewritten: StoredRewrite | undefined
}

export interface CompareOptions {
  /** Many changes of a segment are its columns written anew; else all are patches. */
  rewrite: boolean
  /** Keep the changes of rewritten segments too. */
  keep: boolean
}

/** Values this large are no patches: those are part of every state. */
const PATCH_CHARACTERS = 100_000

const isBig = (store: Store, { segment }: OpenSegment, changes: readonly RowChange[]): boolean => {
  if (segment.edits.size + changes.length > store.editedRows) return true
  let characters = 0
  for (const { values } of changes) for (const { after } of values.values()) characters += after.length
  return characters > PATCH_CHARACTERS
}

/** What changed rows of an open segment come to. */
async function segmentChange(
  store: Store,
  rules: SheetRules,
  open: OpenSegment,
  changes: readonly RowChange[],
  options: CompareOptions,
): Promise<SegmentChange> {
  const moves = new Map<string, Moves>()
  for (const rule of [...rules.unique, ...rules.references]) {
    const moved = movesUnder(open, rules, rule, changes)
    if (moved) moves.set(rule.id, moved)
  }
  const cells = new Map<string, number[]>()
  for (const { row, values } of changes)
    for (const key of values.keys()) getOrMake(cells, key, (): number[] => []).push(row)
  const big = options.rewrite && isBig(store, open, changes)
  return {
    segment: open.segment,
    rows: changes.map(({ row }) => row),
    cells,
    moves,
    changes: options.keep || !big ? changes : undefined,
    rewritten: big ? await rewritten(store, rules, open, changes) : undefined,
  }
}

/** The same where whole columns change; no rule compares their rows with others. */
async function columnsChange(
  store: Store,
  rules: SheetRules,
  { segment }: OpenSegment,
  columns: ColumnChanges,
): Promise<SegmentChange> {
  const rows = rowsOfColumns(columns)
  const cells = new Map<string, readonly number[]>()
  for (const { field, changed } of columns.values()) {
    const own = rowsIn(changed)
    // One list of a million rows, not two.
    if (own.length) cells.set(field, own.length === rows.length ? rows : own)
  }
  const edited = editedColumns(segment)
  const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => edited.has(valueColumn(key))))
  const needed = [...edited, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
  const [whole] = await openSegments(store, [segment], [...new Set(needed)])
  const made = rewrite(whole!, rules, { rejudge: false, hashRules, columns })
  const stored = await storeRewrite(store, rules, made)
  return { segment, rows, cells, moves: new Map(), changes: undefined, rewritten: stored }
}

async function rewritten(
  store: Store,
  rules: SheetRules,
  open: OpenSegment,
  changes: readonly RowChange[],
): Promise<StoredRewrite> {
  const edits = new Map<number, RowEdit>(open.segment.edits)
  for (const change of changes) edits.set(change.row, editAfter(edits.get(change.row), change))
  const columns = editedColumns({ ...open.segment, edits })
  const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => columns.has(valueColumn(key))))
  const needed = [...columns, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
  const [whole] = await openSegments(store, [open.segment], [...new Set(needed)])
  const made = rewrite(withEdits(whole!, edits), rules, { rejudge: false, hashRules })
  // The segment as it is: with its edits to be, each of a million changed rows would stay in memory.
  return { ...(await storeRewrite(store, rules, made)), segment: open.segment }
}

/** What changes in a segment: row by row, or whole columns. */
export type SegmentChanges = readonly RowChange[] | ColumnChanges

const isRows = (changes: SegmentChanges): changes is readonly RowChange[] => Array.isArray(changes)

export interface Compared {
  changes: SegmentChange[]
  /** Ids of no record of the sheet. */
  missing: string[]
  /** The changes follow from values as they are: not one entry may come in between. */
  exact?: boolean
}

/** What earlier attempts found: of a segment that is as it was it holds. */
export type KnownChanges = Map<Segment, SegmentChange | undefined>

/** Segments opened ahead: an update of some records needs one request. */
const AHEAD = 4
/** Segments being written anew at a time. */
const STORING = 4

/** Has `changesOf` tell what changes in these segments; they stream through. Answers those that change, in order. */
export async function changeSegments(
  store: Store,
  rules: SheetRules,
  segments: readonly Segment[],
  names: readonly string[],
  changesOf: (open: OpenSegment) => SegmentChanges | Promise<SegmentChanges>,
  options: CompareOptions,
  known: KnownChanges,
): Promise<SegmentChange[]> {
  const unknown = segments.filter((segment) => !known.has(segment))
  const running: Promise<unknown>[] = []
  for await (const open of openAll(store, unknown, names, AHEAD)) {
    const changes = await changesOf(open)
    known.set(open.segment, undefined)
    if (isRows(changes) && !changes.length) continue
    const change = isRows(changes)
      ? segmentChange(store, rules, open, changes, options)
      : columnsChange(store, rules, open, changes)
    const work = change.then((made) => known.set(open.segment, made))
    // A failure is met when it is awaited, not as an unhandled rejection before.
    work.catch(() => {})
    running.push(work)
    if (running.length > STORING) await running[running.length - 1 - STORING]
  }
  await Promise.all(running)
  return segments.flatMap((segment) => known.get(segment) ?? [])
}

/** Compares updates (one a record) with the records there are; of a removed record nothing changes. */
export async function compareUpdates(
  store: Store,
  state: State,
  rules: SheetRules,
  updates: readonly RecordUpdate[],
  removed: Removed,
  options: CompareOptions,
  known: KnownChanges,
): Promise<Compared> {
  const { targets, missing } = targetsOf(state, rules, updates, removed)
  const columns = columnsTouched(rules, updates)
  const changesOf = (open: OpenSegment): RowChange[] => {
    const sorted = targets.get(open.segment)!.sort((a, b) => a.row - b.row)
    return changesIn(open, rules, sorted, columns)
  }
  const names = [...columns, MESSAGES]
  return { changes: await changeSegments(store, rules, [...targets.keys()], names, changesOf, options, known), missing }
}

function targetsOf(
  state: State,
  rules: SheetRules,
  updates: readonly RecordUpdate[],
  removed: Removed,
): { targets: Map<Segment, Target[]>; missing: string[] } {
  const targets = new Map<Segment, Target[]>()
  const missing: string[] = []
  for (const update of updates) {
    const at = coordinateOf(rules.sheetId, update.id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) missing.push(update.id)
    else if (!removed.has(place.segment, place.row))
      getOrMake(targets, place.segment, (): Target[] => []).push({ update, row: place.row })
  }
  return { targets, missing }
}
