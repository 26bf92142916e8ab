/** Puts stored events on the bus and takes their mark off. Called right after a commit, and by the sweeper after a crash. */
import { EVENT_BUS_BYTES, type Event } from '../../schemas/events.ts'
import { CORRELATION, correlationId, log, REPLAYED } from '../core/log.ts'
import { onDemand } from '../core/on-demand.ts'
import type { Entry } from './bus.ts'
import { detailOf } from './claimed.ts'
import { markPublished } from './store.ts'

const bus = onDemand(() => import('./bus.ts'))

/** AWS takes at most 10 entries and 256 KB a request: EVENT_BUS_BYTES leaves room for what is sent with the details of ten. */
const ENTRIES_PER_REQUEST = 10

/**
 * Publishes in order; what the bus refuses stays marked and is published by the next sweep.
 * @param options.marked false for events another outbox keeps: then a refusal throws, and that outbox repeats them.
 * @param options.replayed they were delivered before
 */
export async function publish(events: readonly Event[], { marked = true, replayed = false } = {}): Promise<void> {
  for (const batch of batches(events, resourcesNow(replayed))) {
    const { putEvents } = await bus()
    const answers = await putEvents(batch.map(({ entry }) => entry))
    const accepted = batch.filter((_, index) => answers[index]?.EventId)
    for (const [index, answer] of answers.entries()) {
      if (answer.ErrorCode)
        log.warn('The bus refused an event', { eventId: batch[index]?.event.id, code: answer.ErrorCode })
    }
    if (marked) await Promise.all(accepted.map(({ event }) => markPublished(event.id)))
    else if (accepted.length < batch.length) throw new Error(`The bus refused ${batch.length - accepted.length} events`)
  }
}

/** Publishes, and leaves the events to the sweeper when the bus cannot be reached: they are stored already. */
export async function publishOrLeave(events: readonly Event[]): Promise<void> {
  try {
    await publish(events)
  } catch (error) {
    log.error('Events stay pending until the next sweep', { count: events.length, error: error as Error })
  }
}

/** What an event put on the bus now carries beside itself. */
function resourcesNow(replayed: boolean): string[] {
  const id = correlationId()
  return [...(id === undefined ? [] : [`${CORRELATION}${id}`]), ...(replayed ? [REPLAYED] : [])]
}

interface Batched {
  event: Event
  entry: Entry
}

/** One at a time: what is sent need not be in memory any more. */
function* batches(events: readonly Event[], resources: string[]): Generator<Batched[]> {
  let batch: Batched[] = []
  let bytes = 0
  for (const event of events) {
    const detail = detailOf(event)
    const size = Buffer.byteLength(detail)
    if (batch.length > 0 && (batch.length === ENTRIES_PER_REQUEST || bytes + size > EVENT_BUS_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    bytes += size
    const entry = { Source: 'wharf', DetailType: event.topic, Detail: detail, Resources: resources }
    batch.push({ event, entry })
  }
  if (batch.length > 0) yield batch
}
