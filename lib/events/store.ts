/** Events as stored: one item each, listed by environment and by space, with a sparse key while not yet published. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import { EVENT_BYTES, Event } from '../../schemas/events.ts'
import { Id } from '../../schemas/ids.ts'
import { tooLarge } from '../core/errors.ts'
import { packText, unpackJson } from '../core/packed.ts'
import { batchWrite } from '../table/batch.ts'
import { documents, MARSHALL, tableName } from '../table/client.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { pendingBefore } from '../table/query.ts'
import { packPayload, unpackPayload } from './id-runs.ts'
import { firstIdAt } from './ids.ts'

const Shape = Event.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  /**
   * Kept as JSON text: DynamoDB's own numbers are narrower than JavaScript's, and a text is quicker read and written. A long one
   * is packed: changed cells of many records take a tenth of the write units.
   */
  payload: z.unknown().transform((stored) => unpackPayload(payloadOf(stored))),
})

function payloadOf(stored: unknown): unknown {
  if (stored instanceof Uint8Array) return unpackJson(stored)
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

export const Events = entity({
  name: 'event',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
})
export type StoredEvent = Stored<typeof Shape>

/** Unpublished events are spread over this many keys, so that one busy moment does not heat one partition. */
const SHARDS = 8
const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % SHARDS
const pendingKey = (shard: number) => `event#${shard}`
const keyOf = (id: string) => ({ pk: `event#${id}`, sk: '-' })

/** Characters of a payload that is kept as text: packing a shorter one saves no write unit to speak of. */
const PLAIN_PAYLOAD = 4096

const DELETED_ENVIRONMENT = 'environment:deleted'
/** The index of a space's events, with the account in place of the space. */
const accountKey = (accountId: string, id: string) => ({ gsi2pk: `${accountId}#${Events.name}`, gsi2sk: id })

/** The event's item. Throws a 413 for an event too large to be stored. */
function itemOf(event: Event): { Put: { TableName: string; Item: Record<string, unknown> } } {
  const { payload: told, ...rest } = event
  const payload = JSON.stringify(packPayload(told))
  const bytes = Buffer.byteLength(JSON.stringify(rest)) + Buffer.byteLength(payload)
  if (bytes > EVENT_BYTES)
    throw tooLarge(`An event may have ${EVENT_BYTES} bytes as JSON; this ${event.topic} has ${bytes}.`)
  const { accountId, environmentId, spaceId } = event.context
  const stored = payload.length > PLAIN_PAYLOAD ? packText(payload) : payload
  const write = Events.create({ ...event, payload: stored, accountId, environmentId, ...(spaceId ? { spaceId } : {}) })
  if (!('Put' in write)) throw new Error('Creating an item is a Put.')
  // Its environment is gone: it is listed by the account, which is in no space.
  if (event.topic === DELETED_ENVIRONMENT) Object.assign(write.Put.Item, accountKey(accountId, event.id))
  return write
}

/** The event's item, marked as not yet published. */
export function pendingEvent(event: Event): Write {
  const write = itemOf(event)
  write.Put.Item.pendingpk = pendingKey(shardOf(event.id))
  write.Put.Item.pendingsk = event.id
  return write
}

/** Stores events that another outbox keeps (a sheet's log): without a mark, and again to the same effect. */
export const storeEvents = (events: readonly Event[]): Promise<void> =>
  batchWrite(events.map((event) => ({ PutRequest: { Item: marshall(itemOf(event).Put.Item, MARSHALL) } })))

/** Takes the mark off: the bus has accepted the event. An event deleted meanwhile is left alone. */
export async function markPublished(id: string): Promise<void> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf(id),
    UpdateExpression: 'REMOVE pendingpk, pendingsk',
    ConditionExpression: 'attribute_exists(pk)',
  })
  await documents.send(command).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error
  })
}

/**
 * Acknowledges the event; who came first stays on record. An update of these two attributes, never a replacement of the
 * item: that would take off the mark of an event not yet published.
 */
export const acknowledgement = (id: string, by: string, at: string): Write => ({
  Update: {
    TableName: tableName(),
    Key: keyOf(id),
    UpdateExpression:
      'SET acknowledgedAt = if_not_exists(acknowledgedAt, :at), acknowledgedBy = if_not_exists(acknowledgedBy, :by)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':at': at, ':by': by },
  },
})

/** Batches of events made before `before` and still marked, oldest first in each shard. */
export async function* pendingEvents(before: Date): AsyncGenerator<StoredEvent[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => pendingOfShard(shard, before))
  for (let open = shards; open.length > 0; ) {
    const rounds = await Promise.all(open.map((shard) => shard.next()))
    const batch = rounds.flatMap((round) => (round.done ? [] : round.value))
    if (batch.length > 0) yield batch.sort((a, b) => (a.id < b.id ? -1 : 1))
    open = open.filter((_, index) => !rounds[index]!.done)
  }
}

async function* pendingOfShard(shard: number, before: Date): AsyncGenerator<StoredEvent[]> {
  // The index holds keys alone: with whole items every append to a sheet's log would copy its page into it.
  for await (const ids of pendingBefore(pendingKey(shard), firstIdAt(before))) yield await Events.getMany(ids)
}

/** What leaves: the envelope without the keys of storage. */
export const asEvent = (stored: z.infer<typeof Shape>): Event => Event.parse(stored)
