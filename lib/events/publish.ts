/** Puts stored events on the bus, if they have listeners, and clears their pending mark: after a commit, or by the sweep. */
import { type Event, MAX_BUS_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { env } from '../core/env.ts'
import { lazy } from '../core/lazy.ts'
import { CORRELATION_PREFIX, getCorrelationId, log, REPLAYED_RESOURCE } from '../core/log.ts'
import { findListeners, formatListenerResource, type Listener, readAudience } from './audience.ts'
import type { BusEntry } from './bus.ts'
import { serializeDetail } from './claim-check.ts'
import { recordPublication } from './event-metrics.ts'
import { markIfLate } from './late.ts'
import { isForPlatform } from './platform-topics.ts'
import { markPublished, type PendingEvents } from './store.ts'

const loadBus = lazy(() => import('./bus.ts'))

/** AWS limits are 10 entries and 256 KB per request; EVENT_BUS_BYTES leaves room for the overhead. */
const MAX_ENTRIES_PER_REQUEST = 10

/** Events of another outbox: a rejection throws. */
export async function publish(events: readonly Event[], { replayed = false } = {}): Promise<void> {
  const rejected = await tryPublish(events, replayed)
  if (rejected.size > 0) throw new Error(`The bus rejected ${rejected.size} events`)
  if (!replayed) recordPublication(events, new Date())
}

/** After a rejection, all events of the transaction stay pending for the sweep. */
export async function publishPending(pending: readonly PendingEvents[]): Promise<void> {
  const events = pending.flatMap((one) => one.events)
  const rejected = await tryPublish(events, false)
  const published = pending.filter((one) => !one.events.some((event) => rejected.has(event)))
  await Promise.all(published.map(({ id }) => markPublished(id)))
  recordPublication(events, new Date())
}

async function tryPublish(events: readonly Event[], replayed: boolean): Promise<Set<Event>> {
  if (events.length === 0) return new Set()
  await Promise.all(events.map((event) => markIfLate(event)))
  const addressed = await findAddressees(events)
  return putOnBus(addressed.filter(needsBus), replayed)
}

interface AddressedEvent {
  event: Event
  listeners: readonly Listener[]
}

async function findAddressees(events: readonly Event[]): Promise<AddressedEvent[]> {
  return Promise.all(
    events.map(async (event) => ({
      event,
      listeners: findListeners(await readAudience(event.context.environmentId), event),
    })),
  )
}

const needsBus = ({ event, listeners }: AddressedEvent): boolean =>
  listeners.length > 0 || isForPlatform(event) || env().BUS_EVENTS === 'all'

async function putOnBus(events: readonly AddressedEvent[], replayed: boolean): Promise<Set<Event>> {
  const rejected = new Set<Event>()
  for (const batch of splitIntoBatches(events, buildBusResources(replayed))) {
    const { putEvents } = await loadBus()
    const results = await putEvents(batch.map(({ entry }) => entry))
    for (const [index, { event }] of batch.entries()) {
      const { EventId, ErrorCode } = results[index] ?? {}
      if (EventId) continue
      rejected.add(event)
      log.warn('The bus rejected an event', { eventId: event.id, code: ErrorCode })
    }
  }
  return rejected
}

export async function publishOrDefer(pending: PendingEvents): Promise<void> {
  try {
    await publishPending([pending])
  } catch (error) {
    log.error('Publishing failed; the events stay pending until the next sweep', {
      count: pending.events.length,
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

function* splitIntoBatches(events: readonly AddressedEvent[], resources: string[]): Generator<BatchItem[]> {
  let batch: BatchItem[] = []
  let bytes = 0
  for (const { event, listeners } of events) {
    const detail = serializeDetail(event)
    const size = Buffer.byteLength(detail)
    if (batch.length > 0 && (batch.length === MAX_ENTRIES_PER_REQUEST || bytes + size > MAX_BUS_EVENT_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    bytes += size
    const Resources = [...resources, ...listeners.map(formatListenerResource)]
    const entry = { Source: 'wharf', DetailType: event.topic, Detail: detail, Resources }
    batch.push({ event, entry })
  }
  if (batch.length > 0) yield batch
}
