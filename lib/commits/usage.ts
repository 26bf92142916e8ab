/** Meters commits, by records and not by cells. A commit that is published again counts once. */

import type { MeterTotals } from '../../schemas/accounts/usage.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { recordUsageOfCommit } from '../entities/usage.ts'
import type { LogEntry } from '../records/index.ts'
import type { CommitEffect, CommitOrigin, CommitRecordCounts } from './events.ts'

export async function recordCommitUsage(
  entry: LogEntry,
  { attributes }: Event,
  { isProd }: Pick<CommitEffect, 'isProd'>,
): Promise<void> {
  const { created, updated, deleted } = attributes as CommitRecordCounts
  await recordEntry(entry, { recordsCreated: created, recordsUpdated: updated, recordsDeleted: deleted }, isProd)
}

export async function recordSilentUsage(entry: LogEntry, effect: CommitEffect): Promise<void> {
  const { created, changes, deleted, isProd } = effect
  const changedIds = new Set<string>()
  for await (const batch of changes) for (const { recordId } of batch) changedIds.add(recordId)
  const counts = { recordsCreated: countItems(created), recordsDeleted: countItems(deleted) }
  await recordEntry(entry, { ...counts, recordsUpdated: changedIds.size }, isProd)
}

async function recordEntry(
  { sheetId, seq, at, event }: LogEntry,
  used: Partial<MeterTotals>,
  isProd: Promise<boolean> | undefined,
): Promise<void> {
  const origin = event as CommitOrigin | undefined
  if (!origin) return
  const { accountId, environmentId } = origin.context
  await recordUsageOfCommit({ sheetId, version: seq, at, accountId, environmentId, isProd }, used)
}

function countItems(items: Iterable<unknown>): number {
  let number = 0
  for (const _ of items) number++
  return number
}
