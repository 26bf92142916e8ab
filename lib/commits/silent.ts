/** Counts a commit of which nobody is told, as its events would have been counted; its records, not its cells. */
import { count } from '../entities/usage.ts'
import type { LogEntry } from '../records/index.ts'
import type { CommitEffect, CommitOrigin } from './events.ts'

export async function countSilent(entry: LogEntry, { created, changes, deleted }: CommitEffect): Promise<void> {
  const origin = entry.event as CommitOrigin | undefined
  if (!origin) return
  const { accountId, environmentId } = origin.context
  const changed = new Set<string>()
  for await (const some of changes) for (const { recordId } of some) changed.add(recordId)
  await count(
    { id: entry.commitId, at: entry.at, accountId, environmentId },
    { recordsCreated: numberOf(created), recordsUpdated: changed.size, recordsDeleted: numberOf(deleted) },
  )
}

function numberOf(things: Iterable<unknown>): number {
  let number = 0
  for (const _ of things) number++
  return number
}
