/** Meters commits, by records and not by cells. A commit that is published again counts once. */
import type { Event } from '../../schemas/events/shape.ts'
import { recordUsage } from '../entities/usage.ts'
import type { LogEntry } from '../records/index.ts'
import type { CommitEffect, CommitOrigin, CommitRecordCounts } from './events.ts'

/** @param event the commit's event with the counts of its records */
export async function recordCommitUsage({ id, createdAt, context, attributes }: Event): Promise<void> {
  const { created, updated, deleted } = attributes as CommitRecordCounts
  const { accountId, environmentId } = context
  const usage = { recordsCreated: created, recordsUpdated: updated, recordsDeleted: deleted }
  await recordUsage({ id, at: createdAt, accountId, environmentId }, usage)
}

/** For a commit that emits no events. */
export async function recordSilentUsage(entry: LogEntry, { created, changes, deleted }: CommitEffect): Promise<void> {
  const origin = entry.event as CommitOrigin | undefined
  if (!origin) return
  const { accountId, environmentId } = origin.context
  const changedIds = new Set<string>()
  for await (const batch of changes) for (const { recordId } of batch) changedIds.add(recordId)
  await recordUsage(
    { id: entry.commitId, at: entry.at, accountId, environmentId },
    { recordsCreated: countItems(created), recordsUpdated: changedIds.size, recordsDeleted: countItems(deleted) },
  )
}

function countItems(items: Iterable<unknown>): number {
  let number = 0
  for (const _ of items) number++
  return number
}
