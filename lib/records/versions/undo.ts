/** Undoes a commit by another one, unless its records were changed since. Without later commits, it stores a pointer. */
import { MAX_UNDONE_CHANGES } from '../../../schemas/records/limits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import type { LoadedEntry } from '../format/entries.ts'
import { type Coordinate, formatRecordId, parseCommitSeq } from '../format/ids.ts'
import { append, type Plan, stateAt } from '../log/log.ts'
import { readEntries } from '../log/read-entries.ts'
import { processStore, type Store } from '../log/store.ts'
import { findDifferences, findTouchedRecords, type TouchedRecords } from '../read/changed-records.ts'
import { computeErrorCounts } from '../segments/open.ts'
import type { SheetRef, WriteContext } from '../sheet.ts'
import { type State, SYSTEM_ACTOR } from '../state/state.ts'
import type { CommitResult } from '../write/write-result.ts'
import { finishRestore, loadEarlierRestore, planFullRestore, planPartialRestore } from './restore.ts'

export interface LaterChange {
  actorId: string
  updated: number
  deleted: number
  examples: string[]
}

export interface UndoneCounts {
  created: number
  updated: number
  deleted: number
}

/** Without `later`, the commit is too large to be undone after the commits of `others`. */
export type UndoResult = { result: CommitResult; records: UndoneCounts } | { later: LaterChange[]; others: string[] }

export interface UndoneCommit {
  commitId: string
  isOperation: (op: string) => boolean
  isIgnored?: (op: string) => boolean
}

class UndoRefusedError extends Error {
  readonly later: LaterChange[]
  readonly others: string[]
  constructor(later: LaterChange[], others: string[]) {
    super('The commit cannot be undone')
    this.later = later
    this.others = others
  }
}

export async function undoCommit(
  sheet: SheetRef,
  commit: UndoneCommit,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<UndoResult | undefined> {
  const state = await loadValidatedState(store, sheet)
  const undone = await readUndone(store, state, commit)
  if (!undone) return undefined
  const touched = await findTouchedRecords(store, sheet.sheetId, undone)
  const records = countUndone(touched)
  const earlier = await loadEarlierRestore(store, sheet, state, ctx)
  if (earlier) return { result: earlier, records }
  try {
    const appending = await append(store, state, ctx, async (current) => ({
      plan: await planUndo(store, sheet, current, undone, touched, commit.isIgnored),
    }))
    return { result: await finishRestore(store, sheet, state, ctx, appending), records }
  } catch (error) {
    if (error instanceof UndoRefusedError) return { later: error.later, others: error.others }
    throw error
  }
}

export async function findChangesAfter(
  sheet: SheetRef,
  commit: UndoneCommit,
  store: Store = processStore,
): Promise<LaterChange[]> {
  const state = await loadValidatedState(store, sheet)
  const undone = await readUndone(store, state, commit)
  if (!undone) return []
  const touched = await findTouchedRecords(store, sheet.sheetId, undone)
  const entries = await readLaterEntries(store, state, undone, commit.isIgnored)
  return findLaterChanges(store, sheet.sheetId, entries, indexRecords(touched))
}

async function readUndone(store: Store, state: State, commit: UndoneCommit): Promise<LoadedEntry | undefined> {
  const seq = parseCommitSeq(state.sheetId, commit.commitId)
  const [undone] = seq === undefined ? [] : await readEntries(store, state, seq, seq + 1)
  return undone && !undone.entry.x && commit.isOperation(undone.entry.o) ? undone : undefined
}

async function readLaterEntries(
  store: Store,
  state: State,
  { seq }: LoadedEntry,
  isIgnored: UndoneCommit['isIgnored'] = () => false,
): Promise<LoadedEntry[]> {
  return (await readEntries(store, state, seq + 1)).filter(({ entry }) => !isIgnored(entry.o))
}

const countUndone = ({ added, updated, deleted }: TouchedRecords): UndoneCounts => ({
  created: deleted.length,
  updated: updated.length,
  deleted: added.reduce((sum, { rows }) => sum + rows, 0),
})

async function planUndo(
  store: Store,
  sheet: SheetRef,
  current: State,
  undone: LoadedEntry,
  touched: TouchedRecords,
  isIgnored: UndoneCommit['isIgnored'],
): Promise<Plan | undefined> {
  const { seq } = undone
  const entries = await readLaterEntries(store, current, undone, isIgnored)
  const records = indexRecords(touched)
  const later = await findLaterChanges(store, sheet.sheetId, entries, records)
  if (later.length) throw new UndoRefusedError(later, [])
  const others = entries.filter((entry) => !isUndoneByPointer(entry, records))
  if (!others.length) return planFullRestore(store, current, seq)
  if (touched.updated.length + touched.deleted.length > MAX_UNDONE_CHANGES)
    throw new UndoRefusedError([], [...new Set(others.map(({ entry }) => entry.w))])
  const [before, after] = await Promise.all([seq, seq + 1].map((at) => stateAt(store, sheet.sheetId, at)))
  const older = await computeErrorCounts(store, before!)
  const differences = await findDifferences(store, older, await computeErrorCounts(store, after!))
  const kinds = { created: true, updated: true, deleted: true }
  return planPartialRestore(
    store,
    await computeErrorCounts(store, current),
    sheet,
    { to: seq, ...kinds },
    older,
    differences,
  )
}

interface RecordSet {
  has(at: Coordinate): boolean
}

function indexRecords({ added, updated, deleted, restored }: TouchedRecords): RecordSet {
  const segments = new Set(added.map(({ key }) => key))
  const rows = new Map<string, Set<number>>()
  for (const list of [updated, deleted, restored])
    for (const { key, row } of list) getOrInsert(rows, key, () => new Set<number>()).add(row)
  return { has: ({ key, row }) => segments.has(key) || (rows.get(key)?.has(row) ?? false) }
}

const MAX_EXAMPLES = 3

async function findLaterChanges(
  store: Store,
  sheetId: string,
  entries: readonly LoadedEntry[],
  records: RecordSet,
): Promise<LaterChange[]> {
  const byActor = new Map<string, { updated: Set<string>; deleted: Set<string> }>()
  for (const loaded of entries) {
    if (loaded.entry.x) continue
    const touched = await findTouchedRecords(store, sheetId, loaded)
    const note = (kind: 'updated' | 'deleted', coordinates: readonly Coordinate[]): void => {
      for (const at of coordinates) {
        if (!records.has(at)) continue
        const changes = getOrInsert(byActor, loaded.entry.w, () => ({ updated: new Set(), deleted: new Set() }))
        const id = formatRecordId(sheetId, at)
        changes[kind === 'updated' ? 'deleted' : 'updated'].delete(id)
        changes[kind].add(id)
      }
    }
    note('updated', [...touched.updated, ...touched.restored])
    note('deleted', touched.deleted)
  }
  return [...byActor].map(([actorId, { updated, deleted }]) => ({
    actorId,
    updated: updated.size,
    deleted: deleted.size,
    examples: [...updated, ...deleted].slice(0, MAX_EXAMPLES),
  }))
}

/** A pointer would lose nothing of the entry: it wrote no value of another record. */
function isUndoneByPointer({ entry, body }: LoadedEntry, records: RecordSet): boolean {
  if (entry.w === SYSTEM_ACTOR) return true
  if (!entry.x || !('p' in body) || 'c' in body || 'to' in body) return false
  return body.p.every(([key, rows]) => rows.every(({ r }) => records.has({ key, row: r })))
}
