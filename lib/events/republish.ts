/** Publishes events that a crash left pending. The caller passes the time. */
import { publish } from './publish.ts'
import { readPendingEvents, toEvent } from './store.ts'

/** Younger events are still being published by their request. */
export const PENDING_GRACE_MS = 5_000

export async function publishPendingEvents(before: Date): Promise<number> {
  let count = 0
  for await (const events of readPendingEvents(before)) {
    await publish(events.map(toEvent))
    count += events.length
  }
  return count
}
