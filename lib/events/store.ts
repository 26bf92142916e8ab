/** The event store: items of packed-event.ts, listed by environment and space, with a sparse index of unpublished ones. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { Event } from '../../schemas/events/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { getGroupIndex, withGroupIndex } from '../core/ids.ts'
import { batchGet, batchWrite, getItem, type Item } from '../table/batch.ts'
import { documents, getTableName, MARSHALL_OPTIONS, UNMARSHALL_OPTIONS } from '../table/client.ts'
import { tryWrite } from '../table/condition.ts'
import { entity, type Stored } from '../table/entity.ts'
import { listPendingKeys } from '../table/query.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { findPartEvent, parsePartId } from './commit-parts.ts'
import { firstIdAt } from './id-time.ts'
import {
  decodePayload,
  getAcknowledgementNames,
  isSmallGroup,
  packEventInPool,
  packEvents,
  UNPACKED,
  unpackEvents,
} from './packed-event.ts'
import { unpackPayload } from './packed-payload.ts'

const Shape = Event.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  payload: z.unknown().transform((stored) => unpackPayload(decodePayload(stored))),
  following: z.number().int().optional(),
})

const stored = entity({
  name: 'event',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
  restore: (item) => (item.packed === undefined ? item : unpackEvents(item)[0]!),
})
export type StoredEvent = Stored<typeof Shape>

const getEventId = (id: string): string => parsePartId(id)?.eventId ?? id

const listItemIds = (id: string): string[] => (getGroupIndex(id) === 0 ? [id] : [id, withGroupIndex(id, 0)])

const parseAll = (item: Record<string, unknown>): StoredEvent[] =>
  item.packed === undefined ? [stored.parse(item)] : unpackEvents(item).map(stored.parse)

async function readEvent(id: string): Promise<StoredEvent | undefined> {
  const items = await Promise.all(listItemIds(id).map((itemId) => getItem(toItemKey(itemId))))
  return findEvent(items, id)
}

const toItemKey = (id: string): Item => marshall(stored.buildKey(id))

function findEvent(items: readonly (Item | undefined)[], id: string): StoredEvent | undefined {
  for (const item of items) {
    const found = item && parseAll(unmarshall(item, UNMARSHALL_OPTIONS)).find((event) => event.id === id)
    if (found) return found
  }
  return undefined
}

async function readMany(ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  const items = await batchGet([...new Set(ids.flatMap(listItemIds))].map(toItemKey))
  const events = items.flatMap((item) => parseAll(unmarshall(item, UNMARSHALL_OPTIONS)))
  return new Map(events.map((event) => [event.id, event]))
}

export const Events = {
  name: stored.name,
  parseAll,
  list: stored.list,
  async get(id: string): Promise<StoredEvent | undefined> {
    const part = parsePartId(id)
    const event = await readEvent(part?.eventId ?? id)
    return event && part ? findPartEvent(event, part) : event
  },
  async getMany(ids: readonly string[]): Promise<StoredEvent[]> {
    const events = await readMany(ids.map(getEventId))
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

function buildPut(event: Event, packed: Record<string, unknown>): PutWrite {
  const { accountId, environmentId, spaceId } = event.context
  const write = stored.create({ ...event, payload: null, accountId, environmentId, ...(spaceId ? { spaceId } : {}) })
  const { Item } = write.Put
  for (const name of Object.keys(Shape.shape)) if (!UNPACKED.has(name)) delete Item[name]
  Object.assign(Item, packed)
  // Its environment is gone, so the event is listed under the account instead of a space.
  if (event.topic === DELETED_ENVIRONMENT) Object.assign(Item, buildAccountKey(accountId, event.id))
  return write
}

export function buildPendingPut(event: Event): Write {
  const write = buildPut(event, packEvents(event))
  write.Put.Item.pendingpk = buildPendingKey(getShard(event.id))
  write.Put.Item.pendingsk = event.id
  return write
}

/** Stores events of another outbox (a sheet's log), without a pending mark. Idempotent. */
export async function storeEvents(events: readonly Event[]): Promise<void> {
  const [first, ...following] = events
  const puts =
    first && isSmallGroup(events)
      ? [buildPut(first, packEvents(first, following))]
      : await Promise.all(events.map(async (event) => buildPut(event, await packEventInPool(event))))
  await batchWrite(puts.map(({ Put }) => ({ PutRequest: { Item: marshall(Put.Item, MARSHALL_OPTIONS) } })))
}

export async function markPublished(id: string): Promise<void> {
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: stored.buildKey(id),
    UpdateExpression: 'REMOVE pendingpk, pendingsk',
    ConditionExpression: 'attribute_exists(pk)',
  })
  await tryWrite(documents.send(command))
}

/** The first acknowledgement wins. An update, because replacing the item would clear the pending mark. */
export function buildAcknowledgement(
  { id, following }: Pick<StoredEvent, 'id' | 'following'>,
  by: string,
  at: string,
): Write {
  const eventId = getEventId(id)
  const itemId = following === undefined ? eventId : withGroupIndex(eventId, 0)
  const [atName, byName] = getAcknowledgementNames(following)
  return {
    Update: {
      TableName: getTableName(),
      Key: stored.buildKey(itemId),
      UpdateExpression: 'SET #at = if_not_exists(#at, :at), #by = if_not_exists(#by, :by)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#at': atName, '#by': byName },
      ExpressionAttributeValues: { ':at': at, ':by': by },
    },
  }
}

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
  for await (const ids of listPendingKeys(buildPendingKey(shard), firstIdAt(before))) yield await stored.getMany(ids)
}

export const toEvent = (stored: z.infer<typeof Shape>): Event => Event.parse(stored)
