/** Events too large to be carried whole: they travel with an empty payload and a `dataUrl` to claim it by. */
import { EVENT_BUS_BYTES, type Event } from '../../schemas/events.ts'

export const claimed = (event: Event): Event => ({
  ...event,
  payload: {},
  dataUrl: `v1/events/${event.id}/payload?for=${event.id}`,
})

/** The event as it travels: one too large for the bus and for Lambda's queue without its payload. @param whole its JSON */
export const carried = (event: Event, whole = JSON.stringify(event)): Event =>
  Buffer.byteLength(whole) <= EVENT_BUS_BYTES ? event : claimed(event)

/** The same as JSON, which is made once. */
export function detailOf(event: Event): string {
  const whole = JSON.stringify(event)
  const travels = carried(event, whole)
  return travels === event ? whole : JSON.stringify(travels)
}

/** Bytes of payloads a list carries: with the rest of its events it stays below what an answer may have. */
const LIST_BYTES = 3 * 1024 * 1024
/** A smaller payload is always carried. */
const SMALL_BYTES = 2 * 1024

/** The events of a list that fits an answer: once it is full, large payloads are left to be claimed. */
export function fitting(events: readonly Event[]): Event[] {
  let bytes = 0
  return events.map((event) => {
    const size = JSON.stringify(event.payload ?? null).length
    if (size > SMALL_BYTES && bytes + size > LIST_BYTES) return claimed(event)
    bytes += size
    return event
  })
}
