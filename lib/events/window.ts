/** Stored events of a window of time, in their order, some at a time: what a replay delivers again. */
import { REPLAYED_AT_ONCE } from '../../schemas/events.ts'
import { firstIdAt } from './ids.ts'
import { Events, type StoredEvent } from './store.ts'

/** Items one request reads. */
const READ = 100

export interface EventWindow {
  environmentId: string
  spaceId?: string | undefined
  /** ISO-8601; inclusive, and exclusive. */
  since?: string | undefined
  until?: string | undefined
  topic?: string | undefined
  /** Only events after the one with this id. */
  after?: string | undefined
}

/**
 * The first events of the window that pass `test`, at most as many as one call replays.
 * @returns `next` when there may be more: `after` for the next call
 */
export async function eventsWithin(
  window: EventWindow,
  test: (event: StoredEvent) => boolean = () => true,
): Promise<{ events: StoredEvent[]; next?: string | undefined }> {
  const { environmentId, spaceId, since, until, topic } = window
  const [by, facets] = spaceId ? (['inSpace', { spaceId }] as const) : (['inEnvironment', { environmentId }] as const)
  const end = until === undefined ? undefined : firstIdAt(new Date(until))
  const events: StoredEvent[] = []
  for (let after = window.after ?? firstIdAt(new Date(since ?? 0)); ; ) {
    const some = await Events.list(by, facets, { order: 'asc', after, limit: READ })
    for (const event of some) {
      if (end !== undefined && event.id >= end) return { events }
      if ((topic === undefined || event.topic === topic) && test(event)) events.push(event)
      if (events.length === REPLAYED_AT_ONCE) return { events, next: event.id }
    }
    if (some.length === 0) return { events }
    after = some.at(-1)!.id
  }
}
