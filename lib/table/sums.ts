/**
 * Sums that many processes add to, each cause once: what a cause adds and the note that it has are one transaction. A sum is
 * spread over several items, so that a busy one does not make its writers wait for each other.
 */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { shardOf } from '../core/ids.ts'
import { documents, tableName } from './client.ts'
import { queried } from './query.ts'

const SHARDS = 8
/** Who meets another writer of the same item tries again, this often, after at most so many milliseconds. */
const TRIES = 20
const WAIT_MS = 400

export type Amounts = Record<string, number>

/** Where a sum stands: `part` is one of a `name`'s, listed in the order of parts. */
export interface Sum {
  name: string
  part: string
}

const noteKey = (cause: string) => ({ pk: `counted#${cause}`, sk: '-' })
const sumPk = (name: string): string => `sum#${name}`

/**
 * Adds what the cause amounts to, unless it has been added before.
 * @param expires when it may be forgotten that it has, in seconds since 1970: it must not come again after that
 * @returns whether it was added now
 */
export async function addOnce({ name, part }: Sum, cause: string, amounts: Amounts, expires: number): Promise<boolean> {
  const names = Object.keys(amounts)
  const TableName = tableName()
  const command = new TransactWriteCommand({
    TransactItems: [
      {
        Put: {
          TableName,
          Item: { ...noteKey(cause), expires },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      {
        Update: {
          TableName,
          Key: { pk: sumPk(name), sk: `${part}#${shardOf(cause, SHARDS)}` },
          UpdateExpression: `ADD ${names.map((_, i) => `#a${i} :a${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((key, i) => [`#a${i}`, key])),
          ExpressionAttributeValues: Object.fromEntries(names.map((key, i) => [`:a${i}`, amounts[key]])),
        },
      },
    ],
  })
  for (let attempt = 1; ; attempt++)
    try {
      await documents.send(command)
      return true
    } catch (error) {
      const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []
      if (reasons[0]?.Code === 'ConditionalCheckFailed') return false
      if (attempt === TRIES || !reasons.some(({ Code }) => Code === 'TransactionConflict')) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(WAIT_MS, 10 * 2 ** attempt)))
    }
}

/** The sums of a name whose parts begin so, each part once. */
export async function sumsOf(name: string, prefix: string): Promise<Map<string, Amounts>> {
  const sums = new Map<string, Amounts>()
  const answers = queried({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': sumPk(name), ':prefix': prefix },
    ConsistentRead: true,
  })
  for await (const items of answers)
    for (const { pk: _, sk, ...amounts } of items) {
      const part = String(sk).slice(0, String(sk).lastIndexOf('#'))
      const sum = sums.get(part) ?? {}
      for (const [key, amount] of Object.entries(amounts)) sum[key] = (sum[key] ?? 0) + Number(amount)
      sums.set(part, sum)
    }
  return sums
}
