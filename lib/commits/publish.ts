/**
 * Tells of commits: the log is the outbox. A commit's events are derived from its log entry, stored, put on the bus, and only
 * then is the entry taken off the outbox; what a crash interrupts the sweeper repeats with the same event ids.
 */
import type { Event } from '../../schemas/events.ts'
import { log } from '../core/log.ts'
import { Sheets } from '../entities/sheets.ts'
import { publish } from '../events/publish.ts'
import { storeEvents } from '../events/store.ts'
import {
  counts,
  type LogEntry,
  markPublished,
  PENDING_SHARDS,
  pendingPages,
  recordsOfCommit,
  type SheetRef,
  unpublished,
  type WriteResult,
} from '../records/index.ts'
import { type CommitEffect, eventsOf } from './events.ts'
import { sheetRef } from './sheet-ref.ts'

const NOTHING = { created: [], updated: [], deleted: [], changes: [] }

/** Tells of the commit just made. A bus that cannot be reached does not fail the write: the sweeper tells of it later. */
export async function publishWrite(
  sheet: SheetRef,
  result: WriteResult,
  effect: Partial<Omit<CommitEffect, 'counts'>>,
): Promise<void> {
  const { outbox, commitId } = result
  if (!outbox) return
  try {
    const own = outbox.entries.find((entry) => entry.commitId === commitId)
    const events = own ? eventsOf(own, { ...NOTHING, ...effect, counts: result.counts }) : []
    await tell(events)
    if (own) await markPublished(sheet.sheetId, [own])
  } catch (error) {
    log.error('The events of a commit stay in the log until the next sweep', {
      sheetId: sheet.sheetId,
      commitId,
      error: error as Error,
    })
  }
}

/** Publishes what is left in the logs of all sheets and is older than `before`. Returns how many commits were told of. */
export async function publishLeftCommits(before: Date): Promise<number> {
  const shards = await Promise.all(
    Array.from({ length: PENDING_SHARDS }, (_, shard) => pendingPages(shard, { before })),
  )
  let told = 0
  for (const { sheetId, page } of shards.flat()) {
    const stored = await Sheets.get(sheetId)
    const { entries } = await unpublished(sheetId, page)
    // Of a sheet that is gone nothing is told; its entries are only taken off.
    const done = entries.filter((entry) => !stored || Date.parse(entry.at) < before.getTime())
    if (stored) for (const entry of done) await tell(await rebuilt(sheetRef(stored), entry))
    await markPublished(sheetId, done)
    told += done.length
  }
  return told
}

/** The events of an entry whose writer is gone: its effect is read back from the log. */
async function rebuilt(sheet: SheetRef, entry: LogEntry): Promise<Event[]> {
  const effect = await recordsOfCommit(sheet, entry.commitId)
  if (!effect) return []
  return eventsOf(entry, {
    created: [...effect.created],
    updated: effect.updated,
    deleted: [...effect.deleted],
    changes: effect.changes,
    counts: await counts(sheet),
  })
}

/** Stored first: who is called by an event can read it. */
async function tell(events: Event[]): Promise<void> {
  if (events.length === 0) return
  await storeEvents(events)
  await publish(events, { marked: false })
}
