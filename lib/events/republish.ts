/** Publishes events that a crash left pending. The caller passes the time. */
import { publishPending } from './publish.ts'
import { readPendingEvents } from './store.ts'

/** Younger events are still being published by their request. */
export const PENDING_GRACE_MS = 5_000

export async function publishPendingEvents(before: Date): Promise<number> {
  let count = 0
  for await (const pending of readPendingEvents(before)) {
    await publishPending(pending)
    count += pending.reduce((sum, { events }) => sum + events.length, 0)
  }
  return count
}
