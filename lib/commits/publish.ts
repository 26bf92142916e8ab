/**
 * Publishes commits with the log as outbox: events are derived from the entry, stored, put on the bus, and only then is
 * the entry marked as published. A retry after a crash yields the same event ids.
 */
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import * as records from '../../schemas/records/events.ts'
import { log } from '../core/log.ts'
import { getTraceFields } from '../core/trace-context.ts'
import { Sheets } from '../entities/sheets.ts'
import { TableUpdates } from '../entities/table-updates.ts'
import { EVENTS_PER_ITEM } from '../events/packed-event.ts'
import { publish } from '../events/publish.ts'
import { storeEvents } from '../events/store.ts'
import {
  type CommitResult,
  completeCommit,
  countRecords,
  type LogEntry,
  listPendingPages,
  loadUnpublished,
  markPublished,
  PENDING_SHARDS,
  readCommitRecords,
  type SheetRef,
} from '../records/index.ts'
import { transact } from '../table/transact.ts'
import { buildCommitEvents, type CommitEffect, type CommitOrigin } from './events.ts'
import { createPublishLease, LeaseHeldError, type PublishLease } from './publish-lease.ts'
import { toSheetRef } from './sheet-ref.ts'
import { recordCommitUsage, recordSilentUsage } from './usage.ts'

const NO_EFFECT = { created: [], deleted: [], changes: [] }

const getNumberFields = ({ fields }: SheetRef): string[] =>
  fields.filter(({ type }) => type === 'number').map(({ key }) => key)

class DeadlineError extends Error {}

/** Never fails the write: what is not published by `until` (epoch milliseconds) is left to the sweep. */
export async function publishWrite(
  sheet: SheetRef,
  result: CommitResult,
  effect: Partial<Omit<CommitEffect, 'counts' | 'numberFields'>>,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { outbox, commitId } = result
  if (!outbox) return
  let lease: PublishLease | undefined
  try {
    const ownEntry = outbox.entries.find((entry) => entry.commitId === commitId)
    if (!ownEntry) return
    const own = { counts: result.counts, numberFields: getNumberFields(sheet), cause: getTraceFields() }
    const fullEffect = { ...NO_EFFECT, ...effect, ...own }
    await publishInBatches(withCompletion(sheet.sheetId, ownEntry, fullEffect), async () => {
      if (Date.now() > until) throw new DeadlineError()
      lease ??= createPublishLease(ownEntry.commitId)
      await lease.renew()
    })
    await markPublished(sheet.sheetId, [ownEntry])
  } catch (error) {
    if (error instanceof DeadlineError) return
    log.error('Publishing the events of a commit failed; the next sweep retries', {
      sheetId: sheet.sheetId,
      commitId,
      error: error as Error,
    })
  } finally {
    await lease?.release().catch(() => log.warn('The publish lease of a commit was not released', { commitId }))
  }
}

export async function publishPendingCommits(before: Date): Promise<number> {
  const shards = await Promise.all(
    Array.from({ length: PENDING_SHARDS }, (_, shard) => listPendingPages(shard, { before })),
  )
  let published = 0
  for (const { sheetId, page } of shards.flat())
    try {
      published += await publishPage(sheetId, page, before)
    } catch (error) {
      log.error('Publishing the commits of a sheet failed', { sheetId, page, error: error as Error })
    }
  return published
}

async function publishPage(sheetId: string, page: number, before: Date): Promise<number> {
  const stored = await Sheets.get(sheetId)
  const { entries } = await loadUnpublished(sheetId, page)
  const pending = entries.filter((entry) => !stored || Date.parse(entry.at) < before.getTime())
  let published = 0
  for (const entry of pending) if (!stored || (await publishPendingEntry(toSheetRef(stored), entry))) published++
  if (!stored) await markPublished(sheetId, pending)
  return published
}

async function publishPendingEntry(sheet: SheetRef, entry: LogEntry): Promise<boolean> {
  const lease = createPublishLease(entry.commitId)
  try {
    await lease.renew()
    await publishInBatches(await readEventsFromLog(sheet, entry), lease.renew)
    await markPublished(sheet.sheetId, [entry])
    return true
  } catch (error) {
    if (error instanceof LeaseHeldError) return false
    throw error
  } finally {
    await lease.release()
  }
}

async function readEventsFromLog(sheet: SheetRef, entry: LogEntry): Promise<AsyncIterable<Event> | Event[]> {
  const effect = await readCommitRecords(sheet, entry.commitId)
  if (!effect) return []
  const { created, changes, deleted } = effect
  const fullEffect = {
    created,
    changes,
    deleted,
    counts: await countRecords(sheet),
    numberFields: getNumberFields(sheet),
  }
  return withCompletion(sheet.sheetId, entry, fullEffect)
}

/** Completes and meters the commit before announcing it. Silent ones emit no events: they are completed and metered here. */
async function* withCompletion(sheetId: string, entry: LogEntry, effect: CommitEffect): AsyncGenerator<Event> {
  const events = buildCommitEvents(entry, effect)
  const origin = entry.event as CommitOrigin | undefined
  if (origin?.table) await transact([TableUpdates.request(sheetId)])
  if (entry.silent) {
    if (origin?.trackChanges) await completeCommit(sheetId, entry.commitId, entry)
    await recordSilentUsage(entry, effect)
  }
  for await (const event of events) {
    if (event.topic === commits.updated.topic) await completeCommit(sheetId, entry.commitId, entry)
    if (event.topic === records.countsUpdated.topic) await recordCommitUsage(entry, event, effect)
    yield event
  }
}

/** Publishes a batch while the next one is built. `beforeBatch` runs before all but the last one. */
export async function publishInBatches(
  events: Iterable<Event> | AsyncIterable<Event>,
  beforeBatch: () => Promise<void> = async () => {},
): Promise<void> {
  let batch: Event[] = []
  let publishing = Promise.resolve()
  try {
    for await (const event of events) {
      if (batch.length === EVENTS_PER_ITEM) {
        await publishing
        await beforeBatch()
        publishing = publishBatch(batch)
        publishing.catch(() => {})
        batch = []
      }
      batch.push(event)
    }
  } finally {
    await publishing
  }
  if (batch.length > 0) await publishBatch(batch)
}

async function publishBatch(events: Event[]): Promise<void> {
  await storeEvents(events)
  await publish(events)
}
