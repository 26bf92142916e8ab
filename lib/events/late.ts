/** Marks events, in order of arrival, that appear too late for readers' look-back: after a crash or a slow write. */
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { ulid } from 'ulid'
import type { Event } from '../../schemas/events/shape.ts'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { documents, getTableName } from '../table/client.ts'
import { OVERLAP_MS } from './cursors.ts'
import { parseEventTime } from './id-time.ts'

const LATE_MS = OVERLAP_MS / 3
/** Younger marks are not read yet, because an older one may still be in flight. */
export const STABLE_AFTER_MS = 2_000
const RETENTION_SECONDS = DAY_SECONDS
export const MAX_MARKS_PER_READ = 100

const buildListKey = (list: string) => `late#${list}`

export async function markIfLate({ id, context }: Pick<Event, 'id' | 'context'>, now = Date.now()): Promise<boolean> {
  const createdMs = parseEventTime(id)
  if (createdMs === undefined || now - createdMs < LATE_MS) return false
  for (const list of [context.environmentId, context.spaceId]) {
    if (!list) continue
    const started = Date.now()
    const expires = Math.floor(started / 1000) + RETENTION_SECONDS
    const Item = { pk: buildListKey(list), sk: ulid(started), eventId: id, expires }
    await documents.send(new PutCommand({ TableName: getTableName(), Item }))
    if (Date.now() - started >= STABLE_AFTER_MS) throw new Error(`Marking event ${id} as late took too long.`)
  }
  return true
}

export async function readLateMarks(
  list: string,
  after: string,
  now = Date.now(),
): Promise<{ mark: string; eventId: string }[]> {
  const lowerBound = `${after}!`
  const upperBound = getStableMark(now)
  // The cursor was made by a machine whose clock is ahead; there is no stable mark above it yet.
  if (upperBound < lowerBound) return []
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: getTableName(),
      KeyConditionExpression: 'pk = :list AND sk BETWEEN :after AND :before',
      ExpressionAttributeValues: { ':list': buildListKey(list), ':after': lowerBound, ':before': upperBound },
      ConsistentRead: true,
      Limit: MAX_MARKS_PER_READ,
    }),
  )
  return Items.map(({ sk, eventId }) => ({ mark: String(sk), eventId: String(eventId) }))
}

export const getStableMark = (now = Date.now()): string => ulid(Math.max(0, now - STABLE_AFTER_MS)).slice(0, 10)
