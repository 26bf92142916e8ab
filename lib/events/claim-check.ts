/** The claim check pattern for large events: they travel with an empty payload and a `dataUrl` to fetch it. */

import { type Event, MAX_BUS_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { findUnread } from './unread-payload.ts'

export const toClaimCheck = (event: Event): Event => ({
  ...event,
  payload: {},
  dataUrl: `v1/events/${event.id}/payload?for=${event.id}`,
})

export const truncateForBus = (event: Event, json = JSON.stringify(event)): Event =>
  Buffer.byteLength(json) <= MAX_BUS_EVENT_BYTES ? event : toClaimCheck(event)

export function serializeDetail(event: Event): string {
  const bytes = findUnread(event.payload)?.minJsonBytes ?? measureAtLeast(event.payload)
  if (bytes > MAX_BUS_EVENT_BYTES) return JSON.stringify(toClaimCheck(event))
  const json = JSON.stringify(event)
  const truncated = truncateForBus(event, json)
  return truncated === event ? json : JSON.stringify(truncated)
}

/** A lower bound of the bytes of its JSON, which takes a tenth of the time of serializing it. */
function measureAtLeast(value: unknown): number {
  if (typeof value === 'string') return value.length
  let bytes = 0
  if (Array.isArray(value)) for (const item of value) bytes += 1 + measureAtLeast(item)
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key]
      if (item !== undefined) bytes += key.length + measureAtLeast(item)
    }
  return bytes
}

/** Payload bytes per list, so that the whole list stays below the response limit. */
const MAX_PAYLOAD_BYTES_PER_LIST = 3 * 1024 * 1024
const INLINE_PAYLOAD_BYTES = 2 * 1024

export function truncateList(events: readonly Event[]): Event[] {
  let bytes = 0
  return events.map((event) => {
    const size = JSON.stringify(event.payload ?? null).length
    if (size > INLINE_PAYLOAD_BYTES && bytes + size > MAX_PAYLOAD_BYTES_PER_LIST) return toClaimCheck(event)
    bytes += size
    return event
  })
}
