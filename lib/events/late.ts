/**
 * Events that show up long after their ids were made: of a commit the sweeper tells of, of a write that took long. Those who
 * follow events no longer look back so far; a mark, in the order of arrival, leads them there. Few are written.
 */
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { ulid } from 'ulid'
import type { Event } from '../../schemas/events.ts'
import { documents, tableName } from '../table/client.ts'
import { OVERLAP_MS } from './cursors.ts'
import { timeOfEventId } from './ids.ts'

/** Later than this an event is marked; the rest of the look back is for the index, which follows the table. */
const LATE_MS = OVERLAP_MS / 3
/** A mark is read once it is this old: until then an older one may still be on its way. */
export const SETTLE_MS = 2_000
const KEPT_SECONDS = 86_400
/** Marks read at a time. */
export const MARKS = 100

const listKey = (list: string) => `late#${list}`

/**
 * Marks the event when it is late.
 * @throws Error when the mark itself took too long to be surely found: to be tried again
 */
export async function markLate({ id, context }: Pick<Event, 'id' | 'context'>, now = Date.now()): Promise<boolean> {
  const made = timeOfEventId(id)
  if (made === undefined || now - made < LATE_MS) return false
  for (const list of [context.environmentId, context.spaceId]) {
    if (!list) continue
    const started = Date.now()
    const expires = Math.floor(started / 1000) + KEPT_SECONDS
    const Item = { pk: listKey(list), sk: ulid(started), eventId: id, expires }
    await documents.send(new PutCommand({ TableName: tableName(), Item }))
    if (Date.now() - started >= SETTLE_MS) throw new Error(`Marking the event ${id} as late took too long.`)
  }
  return true
}

/** Marks above `after` that have settled, oldest first. */
export async function lateMarks(
  list: string,
  after: string,
  now = Date.now(),
): Promise<{ mark: string; eventId: string }[]> {
  const above = `${after}!`
  const before = settled(now)
  // A position that another machine, its clock ahead, has just made: nothing settled lies above it yet.
  if (before < above) return []
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :list AND sk BETWEEN :after AND :before',
      ExpressionAttributeValues: { ':list': listKey(list), ':after': above, ':before': before },
      ConsistentRead: true,
      Limit: MARKS,
    }),
  )
  return Items.map(({ sk, eventId }) => ({ mark: String(sk), eventId: String(eventId) }))
}

/** The mark below which everything has settled. */
export const settled = (now = Date.now()): string => ulid(Math.max(0, now - SETTLE_MS)).slice(0, 10)
