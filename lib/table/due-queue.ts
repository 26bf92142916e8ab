/** Queues of due items. Claiming an item postpones it, so items of crashed workers come back. */

import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'
import { tryWrite } from './condition.ts'
import { listPendingKeys } from './query.ts'
import type { PutWrite } from './write.ts'

const SHARDS = 4

const buildQueueKey = (queue: string, shard: number) => `due#${queue}#${shard}`

const formatDue = (id: string, at: string): string => `${at}#${id}`

export function enqueueAt(write: PutWrite, queue: string, id: string, at: string): PutWrite {
  write.Put.Item.pendingpk = buildQueueKey(queue, id.charCodeAt(id.length - 1) % SHARDS)
  write.Put.Item.pendingsk = formatDue(id, at)
  return write
}

/** Oldest first per shard. The index lags behind the table, so read the item before acting on it. */
export async function* dueBefore(queue: string, before: Date): AsyncGenerator<string[]> {
  for (let shard = 0; shard < SHARDS; shard++)
    for await (const keys of listPendingKeys(buildQueueKey(queue, shard), `${before.toISOString()}~`))
      yield keys.map((key) => key.slice(key.indexOf('#') + 1))
}

type Key = Record<string, string>

/** Returns the claim, unless another process has it. */
export async function claimDue(key: Key, id: string, now: Date, retryMs: number): Promise<string | undefined> {
  const claim = formatDue(id, new Date(now.getTime() + retryMs).toISOString())
  return (await moveDue(key, claim, { is: '<=', value: formatDue(id, now.toISOString()) })) ? claim : undefined
}

/** Leaves the time of the item if it was enqueued again after the claim. */
export async function postponeDue(key: Key, id: string, claim: string, at: Date): Promise<void> {
  await moveDue(key, formatDue(id, at.toISOString()), { is: '=', value: claim })
}

function moveDue(key: Key, due: string, earlier: { is: '=' | '<='; value: string }): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: key,
    UpdateExpression: 'SET pendingsk = :due',
    ConditionExpression: `pendingsk ${earlier.is} :earlier`,
    ExpressionAttributeValues: { ':due': due, ':earlier': earlier.value },
  })
  return tryWrite(documents.send(command))
}

/** Leaves the item in the queue if it was enqueued again after the claim. */
export async function completeDue(key: Key, claim: string): Promise<void> {
  const command = new DeleteCommand({
    TableName: getTableName(),
    Key: key,
    ConditionExpression: 'pendingsk = :claim',
    ExpressionAttributeValues: { ':claim': claim },
  })
  await tryWrite(documents.send(command))
}
