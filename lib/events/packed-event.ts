/**
 * The stored form of events: compressed JSON without the fields that follow from the id or context, so that an item is one
 * write unit. Small events of one commit share the item of the first one, as `following`; `grouped` counts them.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Event, MAX_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { domainOfTopic } from '../../schemas/kit/topic.ts'
import { message } from '../../schemas/messages/index.ts'
import { compressJsonText, compressLargeJsonText, decompressJson } from '../core/compressed-json.ts'
import { tooLarge } from '../core/errors.ts'
import { getGroupIndex, withGroupIndex } from '../core/ids.ts'
import { joinElements } from '../core/json-bytes.ts'
import { buildCallbackUrl } from './envelope.ts'
import { formatIdTime } from './id-time.ts'
import { serializePayload } from './packed-payload.ts'
import { findUnread } from './unread-payload.ts'

type StoredItem = Record<string, unknown>
type PackedEvent = Partial<Event> & Pick<Event, 'payload'>
type PackedItem = PackedEvent & Pick<Event, 'context'> & { following?: PackedEvent[] }

export const UNPACKED: ReadonlySet<string> = new Set(['topic', 'acknowledgedAt', 'acknowledgedBy'])

/** A divisor of IDS_PER_GROUP. Items start at its multiples, so that the item of an event follows from its id. */
export const EVENTS_PER_ITEM = 32
const MAX_GROUP_CHARACTERS = 12_000

export const getAcknowledgementNames = (following: number | undefined): [at: string, by: string] =>
  following === undefined
    ? ['acknowledgedAt', 'acknowledgedBy']
    : [`acknowledgedAt${following}`, `acknowledgedBy${following}`]

export const getFirstId = (id: string): string =>
  withGroupIndex(id, getGroupIndex(id) - (getGroupIndex(id) % EVENTS_PER_ITEM))

export function groupEvents(events: readonly Event[]): [Event, ...Event[]][] {
  const groups: [Event, ...Event[]][] = []
  let characters = 0
  for (const event of events) {
    const group = groups.at(-1)
    const size = measureStored(event)
    if (group && isNext(event, group) && characters + size <= MAX_GROUP_CHARACTERS) {
      group.push(event)
      characters += size
    } else {
      groups.push([event])
      characters = size
    }
  }
  return groups
}

const isNext = (event: Event, [first, ...following]: [Event, ...Event[]]): boolean =>
  !event.acknowledgedAt &&
  following.length + 1 < EVENTS_PER_ITEM &&
  first.id === getFirstId(first.id) &&
  !first.acknowledgedAt &&
  event.id === withGroupIndex(first.id, getGroupIndex(first.id) + following.length + 1) &&
  areListedTogether(event.context, first.context)

const areListedTogether = (one: Event['context'], other: Event['context']): boolean =>
  one.accountId === other.accountId && one.environmentId === other.environmentId && one.spaceId === other.spaceId

const measureStored = ({ payload, attributes }: Event): number =>
  (findUnread(payload)?.storedBytes ?? JSON.stringify(payload ?? null).length) +
  JSON.stringify(attributes ?? null).length

const describeId = (id: string, topic: string) => ({
  domain: domainOfTopic(topic),
  callbackUrl: buildCallbackUrl(id),
  createdAt: formatIdTime(id),
})

function serializeEvent({ payload, ...event }: Event, known: StoredItem): Buffer {
  const derived: StoredItem = { ...known, id: event.id, ...describeId(event.id, event.topic) }
  const fields = Object.entries(event).filter(([name, value]) => !isDeepStrictEqual(value, derived[name]))
  const json = JSON.stringify(Object.fromEntries(fields))
  if (payload === undefined) return Buffer.from(json)
  const start = json === '{}' ? '{' : `${json.slice(0, -1)},`
  return Buffer.concat([Buffer.from(`${start}"payload":`), serializePayload(payload), Buffer.from('}')])
}

const pickShared = ({ context, namespaces, traceparent, tracestate }: Partial<Event>): StoredItem => ({
  context,
  ...(namespaces ? { namespaces } : {}),
  ...(traceparent ? { traceparent } : {}),
  ...(tracestate ? { tracestate } : {}),
})

const LARGE_BYTES = 10_000

const buildItem = (packed: Buffer, { length }: readonly Event[]): StoredItem => ({
  packed,
  ...(length > 0 ? { grouped: 1 + length } : {}),
})

export const packEvents = (first: Event, following: readonly Event[] = []): StoredItem =>
  buildItem(compressJsonText(serializeEvents(first, following)), following)

export async function packEventsInPool(first: Event, following: readonly Event[]): Promise<StoredItem> {
  const json = serializeEvents(first, following)
  const isLarge = json.length > LARGE_BYTES
  return buildItem(isLarge ? await compressLargeJsonText(json) : compressJsonText(json), following)
}

function serializeEvents(first: Event, following: readonly Event[]): Buffer {
  const { topic, acknowledgedAt, acknowledgedBy } = first
  const own = serializeEvent(first, { topic, acknowledgedAt, acknowledgedBy })
  const others = following.map((event) => serializeEvent(event, pickShared(first)))
  const json =
    others.length > 0
      ? Buffer.concat([own.subarray(0, -1), Buffer.from(',"following":['), ...joinElements(others), Buffer.from(']}')])
      : own
  const bytes = json.length
  if (bytes > MAX_EVENT_BYTES)
    throw tooLarge(message('requests.eventTooLarge', { limit: MAX_EVENT_BYTES, topic, bytes }))
  return json
}

interface UnpackedPayload {
  unpacked: unknown
}

/** In items that are not packed: JSON text, because DynamoDB numbers are narrower than JavaScript numbers. */
export function decodePayload(stored: unknown): unknown {
  if (typeof stored === 'object' && stored !== null && 'unpacked' in stored) return (stored as UnpackedPayload).unpacked
  if (stored instanceof Uint8Array) return decompressJson(stored)
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

export function unpackEvents(item: StoredItem): StoredItem[] {
  const { following = [], ...first } = decompressJson(item.packed as Uint8Array) as PackedItem
  const id = String(item.pk).slice(String(item.pk).indexOf('#') + 1)
  const shared = pickShared(first)
  const { topic, acknowledgedAt, acknowledgedBy, rev } = item
  return [
    restore(id, { ...first, topic, acknowledgedAt, acknowledgedBy, rev }),
    ...following.map((event, index) => {
      const [at, by] = getAcknowledgementNames(index + 1)
      const acknowledgement = { acknowledgedAt: item[at], acknowledgedBy: item[by] }
      return restore(withGroupIndex(id, getGroupIndex(id) + index + 1), {
        ...shared,
        ...event,
        ...acknowledgement,
        following: index + 1,
        rev,
      })
    }),
  ]
}

function restore(id: string, fields: StoredItem): StoredItem {
  const { accountId, environmentId, spaceId } = fields.context as Event['context']
  const location = { accountId, environmentId, ...(spaceId ? { spaceId } : {}) }
  const payload: UnpackedPayload = { unpacked: fields.payload }
  return { id, ...describeId(id, String(fields.topic)), ...location, ...fields, payload }
}
