/** The event store: one item per event, listed by environment and space, with a sparse index of unpublished events. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { Event, MAX_EVENT_BYTES } from '../../schemas/events/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
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
import { packPayload, unpackPayload } from './id-ranges.ts'
import { firstIdAt } from './id-time.ts'

const Shape = Event.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  /** JSON text, because DynamoDB numbers are narrower than JavaScript numbers. Long payloads are compressed. */
  payload: z.unknown().transform((stored) => unpackPayload(decodePayload(stored))),
})

function decodePayload(stored: unknown): unknown {
  if (stored instanceof Uint8Array) return decompressJson(stored)
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

const stored = entity({
  name: 'event',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
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

const MAX_UNCOMPRESSED_CHARACTERS = 4096

const DELETED_ENVIRONMENT = 'environment:deleted'
const buildAccountKey = (accountId: string, id: string) => ({ gsi2pk: `${accountId}#${Events.name}`, gsi2sk: id })

function buildPut(event: Event): PutWrite {
  const { payload: rawPayload, ...envelope } = event
  const payload = JSON.stringify(packPayload(rawPayload))
  const bytes = Buffer.byteLength(JSON.stringify(envelope)) + Buffer.byteLength(payload)
  if (bytes > MAX_EVENT_BYTES)
    throw tooLarge(message('requests.eventTooLarge', { limit: MAX_EVENT_BYTES, topic: event.topic, bytes }))
  const { accountId, environmentId, spaceId } = event.context
  const stored = payload.length > MAX_UNCOMPRESSED_CHARACTERS ? compressJsonText(payload) : payload
  const write = Events.create({ ...event, payload: stored, accountId, environmentId, ...(spaceId ? { spaceId } : {}) })
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
