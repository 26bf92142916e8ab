/** Values that may exist once (an e-mail address, a slug in its parent): one small item each, written with its owner. */

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'
import type { Write } from './entity.ts'

const key = (what: string, value: string) => ({ pk: `unique#${what}#${value}`, sk: '-' })

/** Takes the value for `owner`; the transaction fails when it is taken. */
export const claim = (what: string, value: string, owner: string): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...key(what, value), owner },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
})

export const release = (what: string, value: string): Write => ({
  Delete: { TableName: tableName(), Key: key(what, value) },
})

/** The id of the thing that holds the value. */
export async function ownerOf(what: string, value: string): Promise<string | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key(what, value), ConsistentRead: true }),
  )
  return Item?.owner as string | undefined
}
