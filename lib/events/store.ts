/**
 * The event store: one item per event, listed by environment and space, with a sparse index of unpublished events.
 * An item is its keys, `topic`, `acknowledgedAt`, `acknowledgedBy`, `rev` and `packed`: the other fields as compressed
 * JSON, so that it and its entry in each index are one write unit. Packed fields leave out what the id and context say.
 */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { Event, MAX_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { domainOfTopic } from '../../schemas/kit/topic.ts'
import { message } from '../../schemas/messages/index.ts'
import { compressJsonText, decompressJson } from '../core/compressed-json.ts'
import { tooLarge } from '../core/errors.ts'
import { batchWrite } from '../table/batch.ts'
import { documents, getTableName, MARSHALL_OPTIONS } from '../table/client.ts'
import { tryWrite } from '../table/condition.ts'
import { entity, type Stored } from '../table/entity.ts'
import { listPendingKeys } from '../table/query.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { findPartEvent, parsePartId } from './commit-parts.ts'
import { buildCallbackUrl } from './envelope.ts'
import { packPayload, unpackPayload } from './id-ranges.ts'
import { firstIdAt, formatIdTime } from './id-time.ts'

const Shape = Event.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  /** In items that are not packed: JSON text, because DynamoDB numbers are narrower than JavaScript numbers. */
  payload: z.unknown().transform((stored) => unpackPayload(decodePayload(stored))),
})

interface UnpackedPayload {
  unpacked: unknown
}

function decodePayload(stored: unknown): unknown {
  if (typeof stored === 'object' && stored !== null && 'unpacked' in stored) return (stored as UnpackedPayload).unpacked
  if (stored instanceof Uint8Array) return decompressJson(stored)
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

const EVENT = 'event'

const stored = entity({
  name: EVENT,
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
  restore: unpackItem,
})
export type StoredEvent = Stored<typeof Shape>

const getEventId = (id: string): string => parsePartId(id)?.eventId ?? id

export const Events = {
  ...stored,
  async get(id: string): Promise<StoredEvent | undefined> {
    const part = parsePartId(id)
    const event = await stored.get(part?.eventId ?? id)
    return event && part ? findPartEvent(event, part) : event
  },
  async getMany(ids: readonly string[]): Promise<StoredEvent[]> {
    const events = new Map((await stored.getMany([...new Set(ids.map(getEventId))])).map((event) => [event.id, event]))
    return ids.flatMap((id) => {
      const event = events.get(getEventId(id))
      const part = parsePartId(id)
      return (event && part ? findPartEvent(event, part) : event) ?? []
    })
  },
}

/** Spreads unpublished events over several keys to avoid a hot partition. */
const SHARDS = 8
const getShard = (id: string): number => id.charCodeAt(id.length - 1) % SHARDS
const buildPendingKey = (shard: number) => `event#${shard}`

const DELETED_ENVIRONMENT = 'environment:deleted'
const buildAccountKey = (accountId: string, id: string) => ({ gsi2pk: `${accountId}#${Events.name}`, gsi2sk: id })

/** The fields that follow from the id and topic. */
const describeId = (id: string, topic: string) => ({
  domain: domainOfTopic(topic),
  callbackUrl: buildCallbackUrl(id),
  createdAt: formatIdTime(id),
})

const KEPT = ['topic', 'acknowledgedAt', 'acknowledgedBy'] as const

function packEvent(event: Event): Uint8Array {
  const known: Record<string, unknown> = { id: event.id, ...describeId(event.id, event.topic) }
  const fields = Object.entries(event).filter(
    ([name, value]) => value !== known[name] && !(KEPT as readonly string[]).includes(name),
  )
  const text = JSON.stringify({ ...Object.fromEntries(fields), payload: packPayload(event.payload) })
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_EVENT_BYTES)
    throw tooLarge(message('requests.eventTooLarge', { limit: MAX_EVENT_BYTES, topic: event.topic, bytes }))
  return compressJsonText(text)
}

function unpackItem(item: Record<string, unknown>): Record<string, unknown> {
  if (item.packed === undefined) return item
  const { payload, ...fields } = decompressJson(item.packed as Uint8Array) as Pick<Event, 'context' | 'payload'>
  const id = String(item.pk).slice(`${EVENT}#`.length)
  const { accountId, environmentId, spaceId } = fields.context
  const location = { accountId, environmentId, ...(spaceId ? { spaceId } : {}) }
  const unpacked: UnpackedPayload = { unpacked: payload }
  return { id, ...describeId(id, String(item.topic)), ...location, ...fields, ...item, payload: unpacked }
}

function buildPut(event: Event): PutWrite {
  const { accountId, environmentId, spaceId } = event.context
  const write = Events.create({ ...event, accountId, environmentId, ...(spaceId ? { spaceId } : {}) })
  const { Item } = write.Put
  const packed = packEvent(event)
  for (const name of Object.keys(Shape.shape)) if (!(KEPT as readonly string[]).includes(name)) delete Item[name]
  Item.packed = packed
  // Its environment is gone, so the event is listed under the account instead of a space.
  if (event.topic === DELETED_ENVIRONMENT) Object.assign(write.Put.Item, buildAccountKey(accountId, event.id))
  return write
}

export function buildPendingPut(event: Event): Write {
  const write = buildPut(event)
  write.Put.Item.pendingpk = buildPendingKey(getShard(event.id))
  write.Put.Item.pendingsk = event.id
  return write
}

/** Stores events of another outbox (a sheet's log), without a pending mark. Idempotent. */
export const storeEvents = (events: readonly Event[]): Promise<void> =>
  batchWrite(events.map((event) => ({ PutRequest: { Item: marshall(buildPut(event).Put.Item, MARSHALL_OPTIONS) } })))

export async function markPublished(id: string): Promise<void> {
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: Events.buildKey(id),
    UpdateExpression: 'REMOVE pendingpk, pendingsk',
    ConditionExpression: 'attribute_exists(pk)',
  })
  await tryWrite(documents.send(command))
}

/** The first acknowledgement wins. An update, because replacing the item would clear the pending mark. */
export const buildAcknowledgement = (id: string, actorId: string, at: string): Write => ({
  Update: {
    TableName: getTableName(),
    Key: Events.buildKey(getEventId(id)),
    UpdateExpression:
      'SET acknowledgedAt = if_not_exists(acknowledgedAt, :at), acknowledgedBy = if_not_exists(acknowledgedBy, :by)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':at': at, ':by': actorId },
  },
})

export async function* readPendingEvents(before: Date): AsyncGenerator<StoredEvent[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => readPendingShard(shard, before))
  for (let activeShards = shards; activeShards.length > 0; ) {
    const results = await Promise.all(activeShards.map((shard) => shard.next()))
    const batch = results.flatMap((result) => (result.done ? [] : result.value))
    if (batch.length > 0) yield batch.sort((a, b) => (a.id < b.id ? -1 : 1))
    activeShards = activeShards.filter((_, index) => !results[index]!.done)
  }
}

async function* readPendingShard(shard: number, before: Date): AsyncGenerator<StoredEvent[]> {
  // The index has only keys: with whole items, every append to a sheet's log would copy its page into the index.
  for await (const ids of listPendingKeys(buildPendingKey(shard), firstIdAt(before))) yield await Events.getMany(ids)
}

export const toEvent = (stored: z.infer<typeof Shape>): Event => Event.parse(stored)
