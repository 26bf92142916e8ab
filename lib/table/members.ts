/** Sets kept as small items, one a member: joined and left in the transaction of what makes the member one. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'
import type { Write } from './entity.ts'
import { queried } from './query.ts'

const key = (set: string, member: string) => ({ pk: `set#${set}`, sk: member })

/** A member with what was told of it. */
export interface Member {
  member: string
  told: Record<string, string>
}

/** The member is in the set from now on, with this told of it; again to the same effect. */
export const join = (set: string, member: string, told: Record<string, string>): Write => ({
  Put: { TableName: tableName(), Item: { ...key(set, member), told } },
})

/** The member is not in the set from now on, whether it was or not. */
export const leave = (set: string, member: string): Write => ({
  Delete: { TableName: tableName(), Key: key(set, member) },
})

/** Commits only if the member is in the set. */
export const stays = (set: string, member: string): Write => ({
  ConditionCheck: { TableName: tableName(), Key: key(set, member), ConditionExpression: 'attribute_exists(pk)' },
})

/** Whether it is in the set; strongly consistent. */
export async function isMember(set: string, member: string): Promise<boolean> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key(set, member), ConsistentRead: true }),
  )
  return Item !== undefined
}

/** All members in the order of their names, answer by answer; strongly consistent. */
export async function* membersOf(set: string, pageSize = 1000): AsyncGenerator<Member[]> {
  const answers = queried({
    KeyConditionExpression: 'pk = :set',
    ExpressionAttributeValues: { ':set': `set#${set}` },
    ConsistentRead: true,
    Limit: pageSize,
  })
  for await (const items of answers)
    yield items.map(({ sk, told }) => ({ member: String(sk), told: told as Record<string, string> }))
}
