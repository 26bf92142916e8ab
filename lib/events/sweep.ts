/** Publishes what a crash left between commit and bus. Runs by the clock; the clock is passed in. */
import { publish } from './publish.ts'
import { asEvent, pendingEvents } from './store.ts'

/** Younger events are still being published by the request that made them. */
export const PENDING_GRACE_MS = 5_000

/**
 * Publishes all events still marked and made before `before`, oldest first.
 * @returns how many were handed to the bus; those it refused stay for the next sweep
 * @throws when the bus or the table cannot be reached
 */
export async function publishPending(before: Date): Promise<number> {
  let count = 0
  for await (const events of pendingEvents(before)) {
    await publish(events.map(asEvent))
    count += events.length
  }
  return count
}
