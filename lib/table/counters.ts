/** Counts that many processes share, each an item that goes when its time is over. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'

/** `total` is a word of DynamoDB's own. */
const NAMES = { '#total': 'total' }

const keyOf = (name: string) => ({ pk: `count#${name}`, sk: '-' })

/**
 * Adds to a count and answers its total.
 * @param expires when it may be forgotten, in seconds since 1970
 */
export async function add(name: string, by: number, expires: number): Promise<number> {
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keyOf(name),
      UpdateExpression: 'ADD #total :by SET expires = :expires',
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':by': by, ':expires': expires },
      ReturnValues: 'UPDATED_NEW',
    }),
  )
  return Number(Attributes?.total)
}

export interface Tally {
  total: number
  /** When it was last added to, in milliseconds since 1970. */
  last: number
}

/** A count with the time of its last change; nothing counted where there is none or its time is over. */
export async function tally(name: string, now: number): Promise<Tally> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: keyOf(name), ConsistentRead: true }),
  )
  if (!Item || Number(Item.expires) * 1000 < now) return { total: 0, last: 0 }
  return { total: Number(Item.total), last: Number(Item.last ?? 0) }
}

/** Counts one more onto what was read; false when somebody else counted in between. */
export async function next(name: string, before: Tally, now: number, expires: number): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf(name),
    UpdateExpression: 'SET #total = :next, #last = :now, expires = :expires',
    ConditionExpression:
      before.total === 0 ? 'attribute_not_exists(pk) OR expires < :seconds' : '#total = :total AND #last = :last',
    ExpressionAttributeNames: { ...NAMES, '#last': 'last' },
    ExpressionAttributeValues: {
      ':next': before.total + 1,
      ':now': now,
      ':expires': expires,
      ...(before.total === 0
        ? { ':seconds': Math.floor(now / 1000) }
        : { ':total': before.total, ':last': before.last }),
    },
  })
  try {
    await documents.send(command)
    return true
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false
    throw error
  }
}

/** Begins the count anew. */
export async function reset(name: string, now: number): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keyOf(name),
      UpdateExpression: 'SET expires = :past',
      ExpressionAttributeValues: { ':past': Math.floor(now / 1000) - 1 },
    }),
  )
}
