/** Sets of small items, one per member, changed in the caller's transaction. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'
import { queryPages } from './query.ts'
import type { Write } from './write.ts'

const buildKey = (set: string, member: string) => ({ pk: `set#${set}`, sk: member })

export interface Member {
  member: string
  attributes: Record<string, string>
}

/** @param expires when the item may be removed, in seconds since 1970 */
export const addMember = (
  set: string,
  member: string,
  attributes: Record<string, string>,
  expires?: number,
): Write => ({
  Put: {
    TableName: getTableName(),
    Item: { ...buildKey(set, member), attributes, ...(expires === undefined ? {} : { expires }) },
  },
})

export const removeMember = (set: string, member: string): Write => ({
  Delete: { TableName: getTableName(), Key: buildKey(set, member) },
})

export const assertMember = (set: string, member: string): Write => ({
  ConditionCheck: {
    TableName: getTableName(),
    Key: buildKey(set, member),
    ConditionExpression: 'attribute_exists(pk)',
  },
})

export async function isMember(set: string, member: string): Promise<boolean> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: buildKey(set, member), ConsistentRead: true }),
  )
  return Item !== undefined
}

export async function* listMembers(set: string, pageSize = 1000): AsyncGenerator<Member[]> {
  const pages = queryPages({
    KeyConditionExpression: 'pk = :set',
    ExpressionAttributeValues: { ':set': `set#${set}` },
    ConsistentRead: true,
    Limit: pageSize,
  })
  for await (const items of pages)
    yield items.map(({ sk, attributes }) => ({
      member: String(sk),
      attributes: attributes as Record<string, string>,
    }))
}
