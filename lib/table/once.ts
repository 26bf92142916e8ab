/** Work that is done once for a name: begun by a claim, ended with an answer that is kept for a while. */
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'
import type { Write } from './entity.ts'

/** What is kept of work under its name. */
export interface Once {
  /** Whoever began it last. */
  attempt: string
  /** Of what it is: other work under the same name is told apart by it. */
  fingerprint: string
  /** Until then it counts as being worked on, in seconds since 1970; a worker that died is then replaced. */
  leaseUntil: number
  /** When all of it may be forgotten, in seconds since 1970. */
  expires: number
  answer?: { status: number; headers: Record<string, string>; sealed?: string; objectKey?: string }
}

const keyOf = (name: string) => ({ pk: `once#${name}`, sk: '-' })

/** Begins the work, unless it is being done or was done: then what is kept of that. */
export async function claimWork(name: string, mine: Once, now: number): Promise<Once | undefined> {
  for (;;) {
    try {
      await documents.send(
        new PutCommand({
          TableName: tableName(),
          Item: { ...keyOf(name), ...mine },
          ConditionExpression:
            'attribute_not_exists(pk) OR expires < :now OR (attribute_not_exists(answer) AND leaseUntil < :now)',
          ExpressionAttributeValues: { ':now': now },
        }),
      )
      return undefined
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
    }
    const { Item } = await documents.send(
      new GetCommand({ TableName: tableName(), Key: keyOf(name), ConsistentRead: true }),
    )
    if (Item) return Item as unknown as Once
  }
}

/** The work's end, for the transaction that does it: fails when somebody else has begun it meanwhile. */
export const endWork = (name: string, done: Once): Write => ({
  Put: { TableName: tableName(), Item: { ...keyOf(name), ...done }, ...stillMine(done.attempt) },
})

/** Holds the work for longer. False when somebody else has begun it meanwhile. */
export async function holdWork(name: string, { attempt, leaseUntil, expires }: Once): Promise<boolean> {
  const { ConditionExpression, ExpressionAttributeValues } = stillMine(attempt)
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keyOf(name),
        UpdateExpression: 'SET leaseUntil = :until, expires = :expires',
        ConditionExpression,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':until': leaseUntil, ':expires': expires },
      }),
    )
    return true
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
    return false
  }
}

/** Gives the work up: the next may begin it at once. */
export async function leaveWork(name: string, attempt: string): Promise<void> {
  await documents
    .send(new DeleteCommand({ TableName: tableName(), Key: keyOf(name), ...stillMine(attempt) }))
    .catch((error: Error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error
    })
}

const stillMine = (attempt: string) => ({
  ConditionExpression: 'attempt = :attempt AND attribute_not_exists(answer)',
  ExpressionAttributeValues: { ':attempt': attempt },
})
