/** Meters commits, by records and not by cells. A commit that is published again counts once. */

import type { MeterTotals } from '../../schemas/accounts/usage.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { recordUsageOfCommit } from '../entities/usage.ts'
import type { LogEntry } from '../records/index.ts'
import type { CommitEffect, CommitOrigin, CommitRecordCounts } from './events.ts'

export async function recordCommitUsage(entry: LogEntry, { attributes }: Event): Promise<void> {
  const { created, updated, deleted } = attributes as CommitRecordCounts
  await recordEntry(entry, { recordsCreated: created, recordsUpdated: updated, recordsDeleted: deleted })
}

export async function recordSilentUsage(entry: LogEntry, { created, changes, deleted }: CommitEffect): Promise<void> {
  const changedIds = new Set<string>()
  for await (const batch of changes) for (const { recordId } of batch) changedIds.add(recordId)
  await recordEntry(entry, {
    recordsCreated: countItems(created),
    recordsUpdated: changedIds.size,
    recordsDeleted: countItems(deleted),
  })
}

async function recordEntry({ sheetId, seq, at, event }: LogEntry, used: Partial<MeterTotals>): Promise<void> {
  const origin = event as CommitOrigin | undefined
  if (!origin) return
  const { accountId, environmentId } = origin.context
  await recordUsageOfCommit({ sheetId, version: seq, at, accountId, environmentId }, used)
}

function countItems(items: Iterable<unknown>): number {
  let number = 0
  for (const _ of items) number++
  return number
}
