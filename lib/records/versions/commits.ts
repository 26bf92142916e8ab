/** Lists, reads and completes commits, and tracks which are published. */
import { decompressJson } from '../../core/compressed-json.ts'
import {
  buildCompletionWrite,
  clearPending,
  getContexts,
  type LogPage,
  markEmitted,
  PENDING_SHARDS,
  putCompletion,
  readCompletions,
  readPage,
  readPagesBackward,
  readPagesFrom,
  readPendingPages,
} from '../../table/record-log.ts'
import type { Write } from '../../table/write.ts'
import { getOrInsert } from '../columns/maps.ts'
import { rulesOf } from '../fields/rules.ts'
import { ENTRIES_PER_PAGE, type Entry, isFullReset } from '../format/entries.ts'
import { type Coordinate, formatCommitId, formatRecordId, parseCommitSeq } from '../format/ids.ts'
import { loadEntries, sync } from '../log/log.ts'
import { listEffectiveEntries, type PageEntry } from '../log/page-entries.ts'
import { readEntries, readEntry } from '../log/read-entries.ts'
import { processStore, type Store } from '../log/store.ts'
import { readCellChanges } from '../read/changed-cells.ts'
import { findTouchedRecords, type TouchedRecords } from '../read/changed-records.ts'
import type { ChangeBatch } from '../segments/change-batch.ts'
import type { Commit, SheetRef } from '../sheet.ts'
import { isPublished, type LogEntry, loadOutbox, type Outbox } from '../write/outbox.ts'

export interface CommitQuery {
  completed?: boolean
  createdBy?: string
  /** Older entries of the log are not read. */
  maxEntries?: number
  pageSize?: number
  pageNumber?: number
}

const PAGES_PER_BATCH = 50

export async function listCommits(sheetId: string, query: CommitQuery = {}): Promise<Commit[]> {
  const size = query.pageSize ?? 100
  let skip = ((query.pageNumber ?? 1) - 1) * size
  const foundCommits: Commit[] = []
  let lastPage: number | undefined
  for (let toPage: number | undefined; foundCommits.length < size; ) {
    const { pages } = await readPagesBackward(sheetId, toPage, PAGES_PER_BATCH)
    const first = pages[0]
    if (!first) break
    const completions = await readCompletions(
      sheetId,
      first.page * ENTRIES_PER_PAGE,
      (pages.at(-1)!.page + 1) * ENTRIES_PER_PAGE,
    )
    for (const { seq, entry } of listCommitEntries(pages)) {
      const completion = completions.get(seq)
      if (query.completed !== undefined && query.completed !== (completion !== undefined)) continue
      if (query.createdBy !== undefined && query.createdBy !== entry.w) continue
      if (skip-- > 0) continue
      if (foundCommits.length < size) foundCommits.push(toCommit(sheetId, seq, entry, completion))
    }
    lastPage ??= pages.at(-1)!.page
    if (first.page === 0 || (lastPage - first.page) * ENTRIES_PER_PAGE >= (query.maxEntries ?? Infinity)) break
    toPage = first.page - 1
  }
  return foundCommits
}

const listCommitEntries = (pages: readonly LogPage[]): PageEntry[] =>
  pages
    .flatMap(listEffectiveEntries)
    .filter(({ entry }) => !entry.x)
    .reverse()

const toCommit = (
  sheetId: string,
  seq: number,
  entry: Entry,
  completion: { by: string; at: number } | undefined,
): Commit => ({
  id: formatCommitId(sheetId, seq),
  sheetId,
  createdBy: entry.w,
  createdAt: new Date(entry.t).toISOString(),
  op: entry.o,
  ...(completion ? { completedBy: completion.by, completedAt: new Date(completion.at).toISOString() } : {}),
})

export async function readCommit(sheetId: string, commitId: string): Promise<Commit | undefined> {
  const seq = parseCommitSeq(sheetId, commitId)
  if (seq === undefined) return undefined
  const [entry, completions] = await Promise.all([readEntry(sheetId, seq), readCompletions(sheetId, seq, seq)])
  return entry && !entry.x ? toCommit(sheetId, seq, entry, completions.get(seq)) : undefined
}

/** `null` if the operation made no commit, undefined if it was not found from entry `from` on. */
export async function findCommitOfOperation(
  sheetId: string,
  op: string,
  from: number,
): Promise<string | null | undefined> {
  for (let page = Math.floor(from / ENTRIES_PER_PAGE); ; page += PAGES_PER_BATCH) {
    const pages = await readPagesFrom(sheetId, page, page + PAGES_PER_BATCH - 1)
    const found = pages.flatMap(listEffectiveEntries).find(({ entry }) => entry.o === op)
    if (found) return found.entry.x ? null : formatCommitId(sheetId, found.seq)
    if (pages.length < PAGES_PER_BATCH) return undefined
  }
}

export interface LaterCommit {
  seq: number
  op: string
  addsOnly: boolean
  event: object | undefined
  restored: number | undefined
}

/** The commits after another one, oldest first; undefined if there are more than `limit` entries. */
export async function listLaterCommits(
  { sheetId }: SheetRef,
  commitId: string,
  limit: number,
  store: Store = processStore,
): Promise<LaterCommit[] | undefined> {
  const { seq: end } = await sync(store, sheetId)
  const first = (parseCommitSeq(sheetId, commitId) ?? end) + 1
  if (first >= end) return []
  if (end - first > limit) return undefined
  const pages = await readPagesFrom(
    sheetId,
    Math.floor(first / ENTRIES_PER_PAGE),
    Math.floor((end - 1) / ENTRIES_PER_PAGE),
  )
  const found = pages.flatMap(listEffectiveEntries).filter(({ seq, entry }) => seq >= first && !entry.x)
  const resets = await loadEntries(
    store,
    sheetId,
    found.filter(({ entry }) => entry.k === 'r'),
  )
  const restored = new Map(resets.flatMap(({ seq, body }) => (isFullReset(body) ? [[seq, body.to] as const] : [])))
  const ids = found.flatMap(({ entry }) => (typeof entry.e === 'string' ? [entry.e] : []))
  const contexts = await getContexts(sheetId, [...new Set(ids)])
  const loadEvent = (event: Entry['e']): object | undefined =>
    typeof event === 'string' ? (decompressJson(contexts.get(event)!) as object) : event
  return found.map(({ seq, entry }) => ({
    seq,
    op: entry.o,
    addsOnly: entry.k === 'a',
    event: loadEvent(entry.e),
    restored: restored.get(seq),
  }))
}

export function planCompletion(sheetId: string, commitId: string, by: { actorId: string; at: string }): Write {
  const seq = parseCommitSeq(sheetId, commitId)!
  return buildCompletionWrite(sheetId, { seq, by: by.actorId, at: new Date(by.at).getTime() })
}

/** Completing a commit again changes nothing. Undefined when the sheet has no such commit. */
export async function completeCommit(
  sheetId: string,
  commitId: string,
  by: { actorId: string; at: string | Date },
): Promise<Commit | undefined> {
  const seq = parseCommitSeq(sheetId, commitId)
  const entry = seq === undefined ? undefined : await readEntry(sheetId, seq)
  if (seq === undefined || !entry || entry.x) return undefined
  const completion = await putCompletion(sheetId, { seq, by: by.actorId, at: new Date(by.at).getTime() })
  return toCommit(sheetId, seq, entry, completion)
}

export interface CommitCounts {
  created: number
  updated: number
  deleted: number
}

export async function countCommitRecords(
  { sheetId }: SheetRef,
  commitIds: readonly string[],
  store: Store = processStore,
): Promise<Map<string, CommitCounts>> {
  const state = await sync(store, sheetId)
  const counts = await Promise.all(
    commitIds.map(async (commitId) => {
      const seq = parseCommitSeq(sheetId, commitId)
      const [loaded] = seq === undefined ? [] : await readEntries(store, state, seq, seq + 1)
      return [commitId, loaded && countTouched(await findTouchedRecords(store, sheetId, loaded))] as const
    }),
  )
  return new Map(counts.flatMap(([id, found]) => (found ? [[id, found] as const] : [])))
}

const countTouched = ({ added, restored, updated, deleted }: TouchedRecords): CommitCounts => ({
  created: added.reduce((sum, { rows }) => sum + rows, restored.length),
  updated: updated.length,
  deleted: deleted.length,
})

export interface CommitRecords {
  created: Iterable<string>
  createdCount: number
  updated: string[]
  deleted: string[]
  changes: AsyncIterable<ChangeBatch>
}

/** Rebuilds the effect of a commit from the log; undefined when the sheet has no such commit. */
export async function readCommitRecords(
  sheet: SheetRef,
  commitId: string,
  store: Store = processStore,
): Promise<CommitRecords | undefined> {
  const seq = parseCommitSeq(sheet.sheetId, commitId)
  const state = await sync(store, sheet.sheetId)
  const [loaded] = seq === undefined ? [] : await readEntries(store, state, seq, seq + 1)
  if (!loaded || loaded.entry.x) return undefined
  const touched = await findTouchedRecords(store, sheet.sheetId, loaded)
  const toRecordId = (at: Coordinate): string => formatRecordId(sheet.sheetId, at)
  function* generateCreatedIds(): Generator<string> {
    for (const { key, rows } of touched.added) for (let row = 0; row < rows; row++) yield toRecordId({ key, row })
    for (const at of touched.restored) yield toRecordId(at)
  }
  return {
    created: { [Symbol.iterator]: generateCreatedIds },
    createdCount: countTouched(touched).created,
    updated: touched.updated.map(toRecordId),
    deleted: touched.deleted.map(toRecordId),
    changes: readCellChanges(store, rulesOf(sheet), loaded.seq, touched.updated),
  }
}

export { PENDING_SHARDS }

const END_OF_TIME = new Date('9999-12-31T23:59:59.999Z')

export const listPendingPages = (
  shard: number,
  options: { before?: Date; limit?: number } = {},
): Promise<{ sheetId: string; page: number; since: string }[]> =>
  readPendingPages(shard, (options.before ?? END_OF_TIME).toISOString(), options.limit ?? 100)

export async function loadUnpublished(sheetId: string, page: number): Promise<Outbox> {
  const found = await readPage(sheetId, page)
  return found ? loadOutbox(sheetId, found) : { page, entries: [] }
}

/**
 * Commits of a page may be marked by several processes, in any order and repeatedly.
 * @returns false while other commits of these pages are pending
 */
export async function markPublished(sheetId: string, entries: readonly LogEntry[]): Promise<boolean> {
  const byPage = new Map<number, LogEntry[]>()
  for (const entry of entries)
    getOrInsert(byPage, Math.floor(entry.seq / ENTRIES_PER_PAGE), (): LogEntry[] => []).push(entry)
  const results = await Promise.all([...byPage].map(([page, list]) => markPagePublished(sheetId, page, list)))
  return results.every(Boolean)
}

async function markPagePublished(sheetId: string, page: number, entries: readonly LogEntry[]): Promise<boolean> {
  const last = entries.reduce((a, b) => (b.seq > a.seq ? b : a))
  const marked = await markEmitted(sheetId, page, {
    indexes: entries.map(({ seq }) => seq % ENTRIES_PER_PAGE),
    entries: (last.seq % ENTRIES_PER_PAGE) + 1,
    others: Math.max(0, last.commitsBefore - (entries.length - 1)),
  })
  if (marked === 'done') return true
  if (!isPublished(sheetId, marked)) return false
  return clearPending(sheetId, page, marked.entries.length, marked.emitted.size)
}
