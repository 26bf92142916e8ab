/** Puts stored events on the bus and clears their pending mark, after a commit or by the sweep after a crash. */
import { type Event, MAX_BUS_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { lazy } from '../core/lazy.ts'
import { CORRELATION_PREFIX, getCorrelationId, log, REPLAYED_RESOURCE } from '../core/log.ts'
import type { BusEntry } from './bus.ts'
import { serializeDetail } from './claim-check.ts'
import { markPublished } from './store.ts'

const loadBus = lazy(() => import('./bus.ts'))

/** AWS limits are 10 entries and 256 KB per request; EVENT_BUS_BYTES leaves room for the overhead. */
const MAX_ENTRIES_PER_REQUEST = 10

/** Rejected events stay pending for the sweep. With `marked: false` (events of another outbox) a rejection throws. */
export async function publish(events: readonly Event[], { marked = true, replayed = false } = {}): Promise<void> {
  for (const batch of splitIntoBatches(events, buildBusResources(replayed))) {
    const { putEvents } = await loadBus()
    const results = await putEvents(batch.map(({ entry }) => entry))
    const accepted = batch.filter((_, index) => results[index]?.EventId)
    for (const [index, result] of results.entries()) {
      if (result.ErrorCode)
        log.warn('The bus rejected an event', { eventId: batch[index]?.event.id, code: result.ErrorCode })
    }
    if (marked) await Promise.all(accepted.map(({ event }) => markPublished(event.id)))
    else if (accepted.length < batch.length)
      throw new Error(`The bus rejected ${batch.length - accepted.length} events`)
  }
}

export async function publishOrDefer(events: readonly Event[]): Promise<void> {
  try {
    await publish(events)
  } catch (error) {
    log.error('Publishing failed; the events stay pending until the next sweep', {
      count: events.length,
      error: error as Error,
    })
  }
}

function buildBusResources(replayed: boolean): string[] {
  const id = getCorrelationId()
  return [...(id === undefined ? [] : [`${CORRELATION_PREFIX}${id}`]), ...(replayed ? [REPLAYED_RESOURCE] : [])]
}

interface BatchItem {
  event: Event
  entry: BusEntry
}

function* splitIntoBatches(events: readonly Event[], resources: string[]): Generator<BatchItem[]> {
  let batch: BatchItem[] = []
  let bytes = 0
  for (const event of events) {
    const detail = serializeDetail(event)
    const size = Buffer.byteLength(detail)
    if (batch.length > 0 && (batch.length === MAX_ENTRIES_PER_REQUEST || bytes + size > MAX_BUS_EVENT_BYTES)) {
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
