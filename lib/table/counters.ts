/** Counters shared by many processes, each an item that expires. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'
import { tryWrite } from './condition.ts'

/** `total` is a reserved word of DynamoDB. */
const ATTRIBUTE_NAMES = { '#total': 'total' }

const buildCounterKey = (name: string) => ({ pk: `count#${name}`, sk: '-' })

export async function incrementCounter(name: string, by: number, expires: number): Promise<number> {
  const { Attributes } = await documents.send(
    new UpdateCommand({
      TableName: getTableName(),
      Key: buildCounterKey(name),
      UpdateExpression: 'ADD #total :by SET expires = :expires',
      ExpressionAttributeNames: ATTRIBUTE_NAMES,
      ExpressionAttributeValues: { ':by': by, ':expires': expires },
      ReturnValues: 'UPDATED_NEW',
    }),
  )
  return Number(Attributes?.total)
}

export interface Counter {
  total: number
  /** Time of the last change, in milliseconds since 1970. */
  last: number
}

export async function readCounter(name: string, now: number): Promise<Counter> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: buildCounterKey(name), ConsistentRead: true }),
  )
  if (!Item || Number(Item.expires) * 1000 < now) return { total: 0, last: 0 }
  return { total: Number(Item.total), last: Number(Item.last ?? 0) }
}

/** Optimistic: false if another process counted in between. */
export async function advanceCounter(name: string, before: Counter, now: number, expires: number): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: buildCounterKey(name),
    UpdateExpression: 'SET #total = :next, #last = :now, expires = :expires',
    ConditionExpression:
      before.total === 0 ? 'attribute_not_exists(pk) OR expires < :seconds' : '#total = :total AND #last = :last',
    ExpressionAttributeNames: { ...ATTRIBUTE_NAMES, '#last': 'last' },
    ExpressionAttributeValues: {
      ':next': before.total + 1,
      ':now': now,
      ':expires': expires,
      ...(before.total === 0
        ? { ':seconds': Math.floor(now / 1000) }
        : { ':total': before.total, ':last': before.last }),
    },
  })
  return tryWrite(documents.send(command))
}

export async function resetCounter(name: string, now: number): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: getTableName(),
      Key: buildCounterKey(name),
      UpdateExpression: 'SET expires = :past',
      ExpressionAttributeValues: { ':past': Math.floor(now / 1000) - 1 },
    }),
  )
}
