/** Run-once work under a name: a lease while it runs, then its stored result until it expires. */
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'
import { tryWrite } from './condition.ts'
import type { Write } from './write.ts'

export interface WorkLease {
  attempt: string
  fingerprint: string
  /** Seconds since 1970; afterwards another worker may take over. */
  leaseUntil: number
  /** Seconds since 1970. */
  expires: number
  reply?: { status: number; headers: Record<string, string>; sealed?: string; objectKey?: string }
}

const buildKey = (name: string) => ({ pk: `once#${name}`, sk: '-' })

/** Returns the existing lease or result instead, if there is one. */
export async function acquireLease(name: string, lease: WorkLease, now: number): Promise<WorkLease | undefined> {
  for (;;) {
    const command = new PutCommand({
      TableName: getTableName(),
      Item: { ...buildKey(name), ...lease },
      ConditionExpression:
        'attribute_not_exists(pk) OR expires < :now OR (attribute_not_exists(reply) AND leaseUntil < :now)',
      ExpressionAttributeValues: { ':now': now },
    })
    if (await tryWrite(documents.send(command))) return undefined
    const { Item } = await documents.send(
      new GetCommand({ TableName: getTableName(), Key: buildKey(name), ConsistentRead: true }),
    )
    // The response to the first request was lost, and the SDK sent it again.
    if (Item?.attempt === lease.attempt) return undefined
    if (Item) return Item as unknown as WorkLease
  }
}

/** For the work's transaction: fails if another worker took over. */
export const completeLease = (name: string, completed: WorkLease): Write => ({
  Put: {
    TableName: getTableName(),
    Item: { ...buildKey(name), ...completed },
    ...buildOwnerCondition(completed.attempt),
  },
})

/** Returns false if another worker took over. */
export async function renewLease(name: string, { attempt, leaseUntil, expires }: WorkLease): Promise<boolean> {
  const { ConditionExpression, ExpressionAttributeValues } = buildOwnerCondition(attempt)
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: buildKey(name),
    UpdateExpression: 'SET leaseUntil = :until, expires = :expires',
    ConditionExpression,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':until': leaseUntil, ':expires': expires },
  })
  return tryWrite(documents.send(command))
}

export async function releaseLease(name: string, attempt: string): Promise<void> {
  const command = new DeleteCommand({ TableName: getTableName(), Key: buildKey(name), ...buildOwnerCondition(attempt) })
  await tryWrite(documents.send(command))
}

const buildOwnerCondition = (attempt: string) => ({
  ConditionExpression: 'attempt = :attempt AND attribute_not_exists(reply)',
  ExpressionAttributeValues: { ':attempt': attempt },
})
