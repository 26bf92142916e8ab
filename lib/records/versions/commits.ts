/** Commits as the API shows them, and what each of them did. */
import {
  clearPending,
  completionsIn,
  type LogPage,
  markEmitted,
  PENDING_SHARDS,
  pageAt,
  pagesBack,
  pagesFrom,
  pendingIn,
  putCompletion,
} from '../../table/log.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { Entry } from '../log/entries.ts'
import { PAGE_ENTRIES } from '../log/fold.ts'
import { countedOn, entriesIn, entryAt, type PageEntry, touchedBy } from '../log/history.ts'
import { type Coordinate, commitIdOf, recordIdOf, seqOfCommit } from '../log/ids.ts'
import { sync } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { rulesOf } from '../rules/rules.ts'
import type { CellChange, Commit, SheetRef } from '../sheet.ts'
import { changesOf } from '../write/cells-changed.ts'
import { isPublished, type LogEntry, type Outbox, outboxOf } from '../write/results.ts'

export interface CommitQuery {
  /** Only completed ones, or only open ones. */
  completed?: boolean
  /** Default 100. */
  pageSize?: number
  /** From 1, the default. */
  pageNumber?: number
}

/** Pages of the log read at a time, manifests among them. */
const LOG_PAGES = 50

/** Commits of a sheet, the newest first. */
export async function commits(sheetId: string, query: CommitQuery = {}): Promise<Commit[]> {
  const size = query.pageSize ?? 100
  let skip = ((query.pageNumber ?? 1) - 1) * size
  const found: Commit[] = []
  for (let toPage: number | undefined; found.length < size; ) {
    const { pages } = await pagesBack(sheetId, toPage, LOG_PAGES)
    const first = pages[0]
    if (!first) break
    const completions = await completionsIn(sheetId, first.page * PAGE_ENTRIES, (pages.at(-1)!.page + 1) * PAGE_ENTRIES)
    for (const { seq, entry } of commitsOn(pages)) {
      const completion = completions.get(seq)
      if (query.completed !== undefined && query.completed !== (completion !== undefined)) continue
      if (skip-- > 0) continue
      if (found.length < size) found.push(commitOf(sheetId, seq, entry, completion))
    }
    if (first.page === 0) break
    toPage = first.page - 1
  }
  return found
}

/** Entries that are commits, the newest first. */
const commitsOn = (pages: readonly LogPage[]): PageEntry[] =>
  pages
    .flatMap(countedOn)
    .filter(({ entry }) => !entry.x)
    .reverse()

const commitOf = (
  sheetId: string,
  seq: number,
  entry: Entry,
  completion: { by: string; at: number } | undefined,
): Commit => ({
  id: commitIdOf(sheetId, seq),
  sheetId,
  createdBy: entry.w,
  createdAt: new Date(entry.t).toISOString(),
  ...(completion ? { completedBy: completion.by, completedAt: new Date(completion.at).toISOString() } : {}),
})

/** One commit; undefined when the sheet has no such. */
export async function commit(sheetId: string, commitId: string): Promise<Commit | undefined> {
  const seq = seqOfCommit(sheetId, commitId)
  if (seq === undefined) return undefined
  const [entry, completions] = await Promise.all([entryAt(sheetId, seq), completionsIn(sheetId, seq, seq)])
  return entry && !entry.x ? commitOf(sheetId, seq, entry, completions.get(seq)) : undefined
}

/** The commit an operation made since the log had `from` entries; `null` when it made none, undefined when it was not done. */
export async function commitOfOperation(sheetId: string, op: string, from: number): Promise<string | null | undefined> {
  for (let page = Math.floor(from / PAGE_ENTRIES); ; page += LOG_PAGES) {
    const pages = await pagesFrom(sheetId, page, page + LOG_PAGES - 1)
    const found = pages.flatMap(countedOn).find(({ entry }) => entry.o === op)
    if (found) return found.entry.x ? null : commitIdOf(sheetId, found.seq)
    if (pages.length < LOG_PAGES) return undefined
  }
}

/** Marks a commit completed; completing it again changes nothing. Undefined when the sheet has no such commit. */
export async function completeCommit(
  sheetId: string,
  commitId: string,
  by: { actorId: string; at: string | Date },
): Promise<Commit | undefined> {
  const seq = seqOfCommit(sheetId, commitId)
  const entry = seq === undefined ? undefined : await entryAt(sheetId, seq)
  if (seq === undefined || !entry || entry.x) return undefined
  const completion = await putCompletion(sheetId, { seq, by: by.actorId, at: new Date(by.at).getTime() })
  return commitOf(sheetId, seq, entry, completion)
}

/** What a commit did, as its events tell it. */
export interface CommitRecords {
  created: Iterable<string>
  createdCount: number
  updated: string[]
  deleted: string[]
  /** Every changed cell of updated records, with both values; read when asked for. */
  changes: AsyncIterable<CellChange[]>
}

/** Rebuilds what a commit did from the log; undefined when the sheet has no such commit. */
export async function recordsOfCommit(
  sheet: SheetRef,
  commitId: string,
  store: Store = processStore,
): Promise<CommitRecords | undefined> {
  const seq = seqOfCommit(sheet.sheetId, commitId)
  const state = await sync(store, sheet.sheetId)
  const [loaded] = seq === undefined ? [] : await entriesIn(store, state, seq, seq + 1)
  if (!loaded || loaded.entry.x) return undefined
  const touched = await touchedBy(store, sheet.sheetId, loaded)
  const idOf = (at: Coordinate): string => recordIdOf(sheet.sheetId, at)
  function* created(): Generator<string> {
    for (const { key, rows } of touched.added) for (let row = 0; row < rows; row++) yield idOf({ key, row })
    for (const at of touched.returned) yield idOf(at)
  }
  return {
    created: { [Symbol.iterator]: created },
    createdCount: touched.added.reduce((sum, { rows }) => sum + rows, touched.returned.length),
    updated: touched.updated.map(idOf),
    deleted: touched.deleted.map(idOf),
    changes: changesOf(store, rulesOf(sheet), loaded.seq, touched.updated),
  }
}

/** Shards of pages that wait to be published: 0 to this, excluded. */
export { PENDING_SHARDS }

/** The last moment whose ISO text sorts after all earlier ones. */
const END_OF_TIME = new Date('9999-12-31T23:59:59.999Z')

/** Log pages holding unpublished entries, oldest first. */
export const pendingPages = (
  shard: number,
  options: { before?: Date; limit?: number } = {},
): Promise<{ sheetId: string; page: number; since: string }[]> =>
  pendingIn(shard, (options.before ?? END_OF_TIME).toISOString(), options.limit ?? 100)

/** The commits of a page still to be published. */
export async function unpublished(sheetId: string, page: number): Promise<Outbox> {
  const found = await pageAt(sheetId, page)
  return found ? outboxOf(sheetId, found) : { page, entries: [] }
}

/**
 * Notes commits as published, and takes their pages off the pending list once nothing is left on them. Commits of one page
 * may be noted by different processes in any order, and more than once.
 * @returns false while other commits of these pages wait
 */
export async function markPublished(sheetId: string, entries: readonly LogEntry[]): Promise<boolean> {
  const byPage = new Map<number, LogEntry[]>()
  for (const entry of entries) getOrMake(byPage, Math.floor(entry.seq / PAGE_ENTRIES), (): LogEntry[] => []).push(entry)
  const done = await Promise.all([...byPage].map(([page, list]) => pageDone(sheetId, page, list)))
  return done.every(Boolean)
}

async function pageDone(sheetId: string, page: number, entries: readonly LogEntry[]): Promise<boolean> {
  const last = entries.reduce((a, b) => (b.seq > a.seq ? b : a))
  const noted = await markEmitted(sheetId, page, {
    indexes: entries.map(({ seq }) => seq % PAGE_ENTRIES),
    entries: (last.seq % PAGE_ENTRIES) + 1,
    others: Math.max(0, last.commitsBefore - (entries.length - 1)),
  })
  if (noted === 'done') return true
  if (!isPublished(sheetId, noted)) return false
  return clearPending(sheetId, page, noted.entries.length, noted.emitted.size)
}
