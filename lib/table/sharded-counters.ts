/** Counters that add each cause once: noted in a transaction, or by its number in the counter's own item. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { getShard } from '../core/ids.ts'
import { documents, getTableName } from './client.ts'
import { tryWrite } from './condition.ts'
import { queryPages } from './query.ts'
import { ConditionFailedError, listCancellationCodes, transact } from './transact.ts'
import type { Write } from './write.ts'

const SHARDS = 8
const MAX_ATTEMPTS = 20
const MAX_WAIT_MS = 400

export type Deltas = Record<string, number>

export interface ShardedCounter {
  name: string
  part: string
}

const buildAppliedKey = (cause: string) => ({ pk: `counted#${cause}`, sk: '-' })
const buildCounterPk = (name: string): string => `sum#${name}`

const CAUSES_PER_BLOCK = 256

function buildAddition(amounts: Deltas) {
  const names = Object.keys(amounts)
  return {
    UpdateExpression: `ADD ${names.map((_, i) => `#a${i} :a${i}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((key, i) => [`#a${i}`, key])),
    ExpressionAttributeValues: Object.fromEntries(names.map((key, i) => [`:a${i}`, amounts[key]])),
  }
}

export async function addNumberedOnce(
  { name, part }: ShardedCounter,
  cause: { source: string; number: number },
  amounts: Deltas,
): Promise<boolean> {
  const addition = buildAddition(amounts)
  const index = cause.number % CAUSES_PER_BLOCK
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: { pk: buildCounterPk(name), sk: `${part}#${cause.source}.${Math.floor(cause.number / CAUSES_PER_BLOCK)}` },
    UpdateExpression: `${addition.UpdateExpression}, done :cause`,
    ConditionExpression: 'NOT contains(done, :index)',
    ExpressionAttributeNames: addition.ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...addition.ExpressionAttributeValues,
      ':cause': new Set([index]),
      ':index': index,
    },
  })
  return tryWrite(documents.send(command))
}

/** @param expires seconds since 1970; the cause must not repeat after that */
export async function addOnce(
  counter: ShardedCounter,
  cause: string,
  amounts: Deltas,
  expires: number,
): Promise<boolean> {
  const Put = {
    TableName: getTableName(),
    Item: { ...buildAppliedKey(cause), expires },
    ConditionExpression: 'attribute_not_exists(pk)',
  }
  try {
    await addWith([{ Put }], counter, cause, amounts)
    return true
  } catch (error) {
    if (listCodes(error).includes('ConditionalCheckFailed')) return false
    throw error
  }
}

/** Adds in one transaction with writes whose conditions let the cause count once. @throws ConditionFailedError */
export async function addWith(
  writes: readonly Write[],
  { name, part }: ShardedCounter,
  cause: string,
  amounts: Deltas,
): Promise<void> {
  const Key = { pk: buildCounterPk(name), sk: `${part}#${getShard(cause, SHARDS)}` }
  const addition: Write = { Update: { TableName: getTableName(), Key, ...buildAddition(amounts) } }
  for (let attempt = 1; ; attempt++)
    try {
      return await transact([...writes, addition])
    } catch (error) {
      const codes = listCodes(error)
      const isBusy = codes.includes('TransactionConflict') && !codes.includes('ConditionalCheckFailed')
      if (attempt === MAX_ATTEMPTS || !isBusy) throw error
      await sleep(Math.random() * Math.min(MAX_WAIT_MS, 10 * 2 ** attempt))
    }
}

const listCodes = (error: unknown): (string | undefined)[] =>
  error instanceof ConditionFailedError ? listCancellationCodes(error.cause) : []

export async function readCounters(name: string, prefix: string): Promise<Map<string, Deltas>> {
  const sums = new Map<string, Deltas>()
  const pages = queryPages({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': buildCounterPk(name), ':prefix': prefix },
    ConsistentRead: true,
  })
  for await (const items of pages)
    for (const { pk: _pk, done: _done, sk, ...amounts } of items) {
      const part = String(sk).slice(0, String(sk).lastIndexOf('#'))
      const sum = sums.get(part) ?? {}
      for (const [key, amount] of Object.entries(amounts)) sum[key] = (sum[key] ?? 0) + Number(amount)
      sums.set(part, sum)
    }
  return sums
}
