/** What a commit means in events: derived from the log entry alone, so that any process makes the same ones. */

import * as commits from '../../schemas/commits.ts'
import type { Event } from '../../schemas/events.ts'
import * as records from '../../schemas/records.ts'
import { IDS_PER_EVENT, RECORDS_PER_CALL } from '../../schemas/records.ts'
import type { Topic } from '../../schemas/topic.ts'
import { derivedId } from '../core/ids.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { type EventExtras, envelope } from '../events/envelope.ts'
import type { CellChange, Counts, LogEntry } from '../records/index.ts'

/** Kept on the log entry: what events need to know of the sheet as it was when the commit was made. */
export interface CommitOrigin {
  context: ReturnType<typeof sheetContext> & { accountId: string }
  namespaces: string[]
  trackChanges: boolean
  /** The write answers an event: it does not call the listeners of commits again. */
  quiet?: boolean
}

export const originOf = (sheet: StoredSheet, quiet: boolean): CommitOrigin => ({
  context: { accountId: sheet.accountId, ...sheetContext(sheet) },
  namespaces: sheet.namespaces ?? [],
  trackChanges: sheet.trackChanges ?? false,
  ...(quiet ? { quiet } : {}),
})

/** What the commit did to records. */
export interface CommitEffect {
  created: readonly string[]
  updated: readonly string[]
  deleted: readonly string[]
  changes: readonly CellChange[]
  counts: Counts
}

/** All events of one commit, in order; their ids are derived from the commit, so that a repeat makes the same. */
export function eventsOf(entry: LogEntry, effect: CommitEffect): Event[] {
  if (entry.silent || !entry.isCommit) return []
  const origin = entry.event as CommitOrigin
  const { sheetId, workbookId } = origin.context
  const time = Date.parse(entry.at)
  const context = { ...origin.context, actorId: entry.actorId, commitId: entry.commitId, versionId: entry.commitId }
  const out: Event[] = []
  const add = <T extends Topic>(topic: T, payload: object, extras: (id: string) => EventExtras = () => ({})) => {
    const id = derivedId('event', {
      time,
      sequence: entry.seq * 4096 + out.length,
      of: `${entry.commitId} ${topic.topic}`,
    })
    out.push(
      envelope(topic, context as never, payload as never, {
        id,
        createdAt: entry.at,
        namespaces: origin.namespaces,
        ...extras(id),
      }),
    )
  }

  for (const recordIds of chunks(effect.created, IDS_PER_EVENT))
    add(records.created, { sheetId, recordIds, recordCount: recordIds.length })
  for (const part of changeChunks(effect)) add(records.updated, { sheetId, ...part })
  for (const recordIds of chunks(effect.deleted, IDS_PER_EVENT))
    add(records.deleted, { sheetId, recordIds, recordCount: recordIds.length })
  const touched = effect.created.length + effect.updated.length
  if (touched > 0 && !origin.quiet) {
    const payload = {
      sheetId,
      workbookId,
      versionId: entry.commitId,
      commitId: entry.commitId,
      sheetSlug: origin.context.sheetSlug,
      trackChanges: origin.trackChanges,
    }
    const pages = Math.ceil(touched / RECORDS_PER_CALL)
    for (let page = 1; page <= pages; page++)
      add(commits.created, payload, (id) => ({
        dataUrl: dataUrlOf(sheetId, entry.commitId, id, pages > 1 ? page : undefined),
      }))
  }
  const updated = touched + effect.deleted.length
  add(records.countsUpdated, { sheetId, workbookId, counts: { ...effect.counts, updated } })
  return out
}

/** Where a listener reads exactly the records of the commit; of a larger commit each event has a page of its own. */
const dataUrlOf = (sheetId: string, commitId: string, eventId: string, page: number | undefined): string =>
  `v1/sheets/${sheetId}/records?commitId=${commitId}&includeMessages=true&includeLinks=true${page ? `&pageSize=${RECORDS_PER_CALL}&pageNumber=${page}` : ''}&for=${eventId}`

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let first = 0; first < items.length; first += size) yield items.slice(first, first + size)
}

/** A part of an update event stays below this many bytes of changed values, so that the event fits the bus. */
const CHANGE_BYTES = 150 * 1024

/** Splits an update so that no event has too many ids or too large values. */
function* changeChunks({ updated, changes }: CommitEffect): Generator<{ recordIds: string[]; changes: CellChange[] }> {
  const byRecord = grouped(changes)
  let part: { recordIds: string[]; changes: CellChange[] } = { recordIds: [], changes: [] }
  let bytes = 0
  for (const recordId of updated) {
    const own = byRecord.get(recordId) ?? []
    const size = JSON.stringify(own).length + recordId.length
    if (part.recordIds.length > 0 && (part.recordIds.length >= IDS_PER_EVENT || bytes + size > CHANGE_BYTES)) {
      yield part
      part = { recordIds: [], changes: [] }
      bytes = 0
    }
    part.recordIds.push(recordId)
    part.changes.push(...own)
    bytes += size
  }
  if (part.recordIds.length > 0) yield part
}

function grouped(changes: readonly CellChange[]): Map<string, CellChange[]> {
  const out = new Map<string, CellChange[]>()
  for (const change of changes) {
    const own = out.get(change.recordId)
    if (own) own.push(change)
    else out.set(change.recordId, [change])
  }
  return out
}
