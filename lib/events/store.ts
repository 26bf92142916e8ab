/**
 * The event store: items of packed-event.ts, listed by environment and space. Until the events of a transaction are published,
 * a mark (pk `pending#<shard>`, sk the first id) lists their items: unlike an attribute, its removal rewrites no index entry.
 */

import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { Event } from '../../schemas/events/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { getGroupIndex, withGroupIndex } from '../core/ids.ts'
import { batchGet, batchWrite, getItem, type Item } from '../table/batch.ts'
import { documents, getTableName, MARSHALL_OPTIONS, UNMARSHALL_OPTIONS } from '../table/client.ts'
import { entity, type Stored } from '../table/entity.ts'
import { queryPages } from '../table/query.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { findPartEvent, parsePartId } from './commit-parts.ts'
import { firstIdAt } from './id-time.ts'
import {
  decodePayload,
  getAcknowledgementNames,
  getFirstId,
  groupEvents,
  packEvents,
  packEventsInPool,
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

const Mark = z.object({ sk: z.string(), items: z.array(z.string()) })

const getEventId = (id: string): string => parsePartId(id)?.eventId ?? id

const listItemIds = (id: string): string[] => (getFirstId(id) === id ? [id] : [id, getFirstId(id)])

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
  const items = await readItems([...new Set(ids.flatMap(listItemIds))])
  return new Map(items.flat().map((event) => [event.id, event]))
}

const readItems = async (ids: readonly string[]): Promise<StoredEvent[][]> =>
  (await batchGet(ids.map(toItemKey))).map((item) => parseAll(unmarshall(item, UNMARSHALL_OPTIONS)))

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

const SHARDS = 8
const buildShardKey = (shard: number) => `pending#${shard}`
const buildMarkKey = (id: string) => ({ pk: buildShardKey(id.charCodeAt(id.length - 1) % SHARDS), sk: id })

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

export interface PendingEvents {
  id: string
  events: Event[]
}

export function buildPendingPuts(events: readonly [Event, ...Event[]]): Write[] {
  const groups = groupEvents(events)
  const mark = { ...buildMarkKey(events[0].id), items: groups.map(([first]) => first.id) }
  return [
    ...groups.map(([first, ...following]) => buildPut(first, packEvents(first, following))),
    { Put: { TableName: getTableName(), Item: mark } },
  ]
}

/** Stores events of another outbox (a sheet's log), without a pending mark. Idempotent. */
export async function storeEvents(events: readonly Event[]): Promise<void> {
  const puts = await Promise.all(
    groupEvents(events).map(async ([first, ...following]) => buildPut(first, await packEventsInPool(first, following))),
  )
  await batchWrite(puts.map(({ Put }) => ({ PutRequest: { Item: marshall(Put.Item, MARSHALL_OPTIONS) } })))
}

export async function markPublished(id: string): Promise<void> {
  await documents.send(new DeleteCommand({ TableName: getTableName(), Key: buildMarkKey(id) }))
}

export function buildAcknowledgement(
  { id, following }: Pick<StoredEvent, 'id' | 'following'>,
  by: string,
  at: string,
): Write {
  const eventId = getEventId(id)
  const itemId = following === undefined ? eventId : withGroupIndex(eventId, getGroupIndex(eventId) - following)
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

export async function* readPendingEvents(before: Date): AsyncGenerator<PendingEvents[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => readPendingShard(shard, before))
  for (let activeShards = shards; activeShards.length > 0; ) {
    const results = await Promise.all(activeShards.map((shard) => shard.next()))
    const batch = results.flatMap((result) => (result.done ? [] : result.value))
    if (batch.length > 0) yield batch.sort((a, b) => (a.id < b.id ? -1 : 1))
    activeShards = activeShards.filter((_, index) => !results[index]!.done)
  }
}

const MARKS_PER_READ = 100

async function* readPendingShard(shard: number, before: Date): AsyncGenerator<PendingEvents[]> {
  const pages = queryPages({
    KeyConditionExpression: 'pk = :pk AND sk < :before',
    ExpressionAttributeValues: { ':pk': buildShardKey(shard), ':before': firstIdAt(before) },
    Limit: MARKS_PER_READ,
  })
  for await (const page of pages) {
    const marks = page.map((mark) => Mark.parse(mark))
    const events = new Map((await readItems(marks.flatMap(({ items }) => items))).map((item) => [item[0]!.id, item]))
    yield marks.map(({ sk, items }) => ({ id: sk, events: items.flatMap((id) => events.get(id) ?? []).map(toEvent) }))
  }
}

export const toEvent = (stored: z.infer<typeof Shape>): Event => Event.parse(stored)
