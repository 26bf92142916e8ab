/** The entries of a page of the log whose events are not published yet. */

import { decompressJson } from '../../core/compressed-json.ts'
import { getContexts, type LogPage } from '../../table/record-log.ts'
import { ENTRIES_PER_PAGE, type Entry, type EntryKind } from '../format/entries.ts'
import { formatCommitId } from '../format/ids.ts'
import type { AppendResult } from '../log/log.ts'
import { listEffectiveEntries } from '../log/page-entries.ts'
import type { WriteContext } from '../sheet.ts'

export interface LogEntry {
  sheetId: string
  seq: number
  commitId: string
  op: string
  kind: (typeof KINDS)[EntryKind]
  actorId: string
  at: string
  silent: boolean
  /** False for writes without value changes (messages, metadata, compaction), which emit no events. */
  isCommit: boolean
  commitsBefore: number
  event?: object
}

export interface Outbox {
  page: number
  entries: LogEntry[]
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

const toLogEntry = (sheetId: string, seq: number, entry: Entry, commitsBefore: number): LogEntry => ({
  sheetId,
  seq,
  commitId: formatCommitId(sheetId, seq),
  op: entry.o,
  kind: KINDS[entry.k],
  actorId: entry.w,
  at: new Date(entry.t).toISOString(),
  silent: entry.s === 1,
  isCommit: entry.x !== 1,
  commitsBefore,
  ...(typeof entry.e === 'object' ? { event: entry.e } : {}),
})

/** `context` is the id of an event context that is stored separately. */
interface PageCommit {
  commit: LogEntry
  context: string | undefined
}

function listPageCommits(sheetId: string, page: LogPage): PageCommit[] {
  return listEffectiveEntries(page)
    .filter(({ entry }) => !entry.x)
    .map(({ seq, entry }, i) => ({
      commit: toLogEntry(sheetId, seq, entry, i),
      context: typeof entry.e === 'string' ? entry.e : undefined,
    }))
}

const listUnpublished = (sheetId: string, page: LogPage): PageCommit[] =>
  listPageCommits(sheetId, page).filter(({ commit }) => !page.emitted.has(commit.seq % ENTRIES_PER_PAGE))

export const isPublished = (sheetId: string, page: LogPage): boolean => listUnpublished(sheetId, page).length === 0

export async function loadOutbox(sheetId: string, page: LogPage): Promise<Outbox> {
  const commits = listUnpublished(sheetId, page)
  const ids = commits.flatMap(({ context }) => (context === undefined ? [] : [context]))
  const contexts = ids.length ? await getContexts(sheetId, ids) : new Map<string, Uint8Array>()
  const entries = commits.map(({ commit, context }): LogEntry => {
    const bytes = context === undefined ? undefined : contexts.get(context)
    return bytes ? { ...commit, event: decompressJson(bytes) as object } : commit
  })
  return { page: page.page, entries }
}

export function createOwnOutbox(sheetId: string, appended: AppendResult, ctx: WriteContext): Outbox | undefined {
  const ownCommit =
    appended.page && listPageCommits(sheetId, appended.page).find(({ commit }) => commit.seq === appended.seq)
  if (!ownCommit) return undefined
  return { page: appended.page!.page, entries: [{ ...ownCommit.commit, ...(ctx.event ? { event: ctx.event } : {}) }] }
}
