/** Reads stored events of a time window in order, for replays. */
import { MAX_EVENTS_PER_REPLAY } from '../../schemas/events/shape.ts'
import { firstIdAt } from './id-time.ts'
import { Events, type StoredEvent } from './store.ts'

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
  const [index, facets] = spaceId
    ? (['inSpace', { spaceId }] as const)
    : (['inEnvironment', { environmentId }] as const)
  const endId = until === undefined ? undefined : firstIdAt(new Date(until))
  const events: StoredEvent[] = []
  for (let after = window.after ?? firstIdAt(new Date(since ?? 0)); ; ) {
    const batch = await Events.list(index, facets, { order: 'asc', after, limit: ITEMS_PER_READ })
    for (const event of batch) {
      if (endId !== undefined && event.id >= endId) return { events }
      if ((topic === undefined || event.topic === topic) && test(event)) events.push(event)
      if (events.length === MAX_EVENTS_PER_REPLAY) return { events, next: event.id }
    }
    if (batch.length === 0) return { events }
    after = batch.at(-1)!.id
  }
}
