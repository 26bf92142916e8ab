/** What writes answer: commit, counts, ids, and the entries whose events are to be published. */

import { unpackJson } from '../../core/packed.ts'
import { getContexts, type LogPage } from '../../table/log.ts'
import type { Entry, EntryKind } from '../log/entries.ts'
import { PAGE_ENTRIES } from '../log/fold.ts'
import { countedOn } from '../log/history.ts'
import { commitIdOf } from '../log/ids.ts'
import type { Appended } from '../log/log.ts'
import { errorCount, type State, totalRows } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { resolve } from '../read/reader.ts'
import type { Counts, WriteContext } from '../sheet.ts'

/** An entry of a sheet's log, as its events are made from it. */
export interface LogEntry {
  sheetId: string
  seq: number
  commitId: string
  op: string
  kind: (typeof KINDS)[EntryKind]
  actorId: string
  /** ISO-8601. */
  at: string
  silent: boolean
  /** False for writes that change no value (messages, metadata, housekeeping): they have no events. */
  isCommit: boolean
  /** Commits before it on its page of the log. */
  commitsBefore: number
  event?: object
}

/** Commits of one log page to be published: of a write its own, of a page all that wait. */
export interface Outbox {
  page: number
  entries: LogEntry[]
}

export interface WriteResult {
  /** Undefined when no value changed. */
  commitId: string | undefined
  changed: boolean
  /** Of the whole sheet, after the write. */
  counts: Counts
  /** Undefined when no commit was made now. */
  outbox: Outbox | undefined
}

const KINDS = {
  a: 'add',
  p: 'patch',
  c: 'columns',
  d: 'delete',
  w: 'write',
  r: 'reset',
  m: 'merge',
} as const satisfies { [kind in EntryKind]: string }

const logEntry = (sheetId: string, seq: number, entry: Entry, commitsBefore: number): LogEntry => ({
  sheetId,
  seq,
  commitId: commitIdOf(sheetId, seq),
  op: entry.o,
  kind: KINDS[entry.k],
  actorId: entry.w,
  at: new Date(entry.t).toISOString(),
  silent: entry.s === 1,
  isCommit: entry.x !== 1,
  commitsBefore,
  ...(typeof entry.e === 'object' ? { event: entry.e } : {}),
})

/** A commit and, when its event context is stored apart, the id of that. */
interface PageCommit {
  commit: LogEntry
  context: string | undefined
}

/** The commits of a page; an operation repeated on it counts once. */
function commitsOn(sheetId: string, page: LogPage): PageCommit[] {
  return countedOn(page)
    .filter(({ entry }) => !entry.x)
    .map(({ seq, entry }, i) => ({
      commit: logEntry(sheetId, seq, entry, i),
      context: typeof entry.e === 'string' ? entry.e : undefined,
    }))
}

const waiting = (sheetId: string, page: LogPage): PageCommit[] =>
  commitsOn(sheetId, page).filter(({ commit }) => !page.emitted.has(commit.seq % PAGE_ENTRIES))

/** Is every commit of the page published? */
export const isPublished = (sheetId: string, page: LogPage): boolean => waiting(sheetId, page).length === 0

/** What of a page is not yet published, with the contexts of its events. */
export async function outboxOf(sheetId: string, page: LogPage): Promise<Outbox> {
  const commits = waiting(sheetId, page)
  const ids = commits.flatMap(({ context }) => (context === undefined ? [] : [context]))
  const contexts = ids.length ? await getContexts(sheetId, ids) : new Map<string, Uint8Array>()
  const entries = commits.map(({ commit, context }): LogEntry => {
    const bytes = context === undefined ? undefined : contexts.get(context)
    return bytes ? { ...commit, event: unpackJson(bytes) as object } : commit
  })
  return { page: page.page, entries }
}

/** What a write has to publish: its own commit. */
function ownOutbox(sheetId: string, appended: Appended, ctx: WriteContext): Outbox | undefined {
  const own = appended.page && commitsOn(sheetId, appended.page).find(({ commit }) => commit.seq === appended.seq)
  if (!own) return undefined
  return { page: appended.page!.page, entries: [{ ...own.commit, ...(ctx.event ? { event: ctx.event } : {}) }] }
}

/** Exact counts of a state; reads message chunks only where a patch and a rewrite met. */
export async function countsOf(store: Store, state: State): Promise<Counts> {
  const settled = await resolve(store, state)
  let error = 0
  for (const segment of settled.segments) error += errorCount(segment)
  const total = totalRows(settled)
  return { total, valid: total - error, error }
}

/** The answer to a write; `appended` is undefined when there was nothing to append. */
export async function writeResult(
  store: Store,
  state: State,
  ctx: WriteContext,
  appended: Appended | undefined,
  changed: boolean,
): Promise<WriteResult> {
  const after = appended?.state ?? state
  return {
    commitId: appended && changed ? commitIdOf(after.sheetId, appended.seq) : undefined,
    changed,
    counts: await countsOf(store, after),
    outbox: appended && ownOutbox(after.sheetId, appended, ctx),
  }
}
