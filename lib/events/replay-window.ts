/** Reads stored events of a time window in order, for replays. */
import { MAX_EVENTS_PER_REPLAY } from '../../schemas/events/shape.ts'
import { firstIdAt } from './id-time.ts'
import { readEvents } from './list.ts'
import type { StoredEvent } from './store.ts'

const ITEMS_PER_READ = 100

export interface EventWindow {
  environmentId: string
  spaceId?: string | undefined
  /** ISO-8601: `since` is inclusive, `until` exclusive. */
  since?: string | undefined
  until?: string | undefined
  topic?: string | undefined
  after?: string | undefined
}

export async function readEventWindow(
  window: EventWindow,
  test: (event: StoredEvent) => boolean = () => true,
): Promise<{ events: StoredEvent[]; next?: string | undefined }> {
  const { environmentId, spaceId, since, until, topic } = window
  const before = until === undefined ? undefined : firstIdAt(new Date(until))
  const after = window.after ?? firstIdAt(new Date(since ?? 0))
  const filter = { after, before, topic, includeAcknowledged: true }
  const events: StoredEvent[] = []
  for await (const event of readEvents(spaceId ? { spaceId } : { environmentId }, filter, ITEMS_PER_READ)) {
    if (test(event)) events.push(event)
    if (events.length === MAX_EVENTS_PER_REPLAY) return { events, next: event.id }
  }
  return { events }
}
