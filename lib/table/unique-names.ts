/** Values that may exist once (an email address, a slug in its parent): one small item each, written with its owner. */

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'
import type { Write } from './write.ts'

const buildKey = (kind: string, value: string) => ({ pk: `unique#${kind}#${value}`, sk: '-' })

export const claimUnique = (kind: string, value: string, owner: string): Write => ({
  Put: {
    TableName: getTableName(),
    Item: { ...buildKey(kind, value), owner },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
})

export const releaseUnique = (kind: string, value: string): Write => ({
  Delete: { TableName: getTableName(), Key: buildKey(kind, value) },
})

export async function findOwner(kind: string, value: string): Promise<string | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: buildKey(kind, value), ConsistentRead: true }),
  )
  return Item?.owner as string | undefined
}
