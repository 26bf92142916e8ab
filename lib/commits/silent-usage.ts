/** Meters a commit that emits no events, by records and not by cells. */
import { recordUsage } from '../entities/usage.ts'
import type { LogEntry } from '../records/index.ts'
import type { CommitEffect, CommitOrigin } from './events.ts'

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
