/** Queues of due items. Claiming an item postpones it, so items of crashed workers come back. */

import { listPendingKeys } from './query.ts'
import type { PutWrite } from './write.ts'

const SHARDS = 4

const buildQueueKey = (queue: string, shard: number) => `due#${queue}#${shard}`

export function enqueueAt(write: PutWrite, queue: string, id: string, at: string): PutWrite {
  write.Put.Item.pendingpk = buildQueueKey(queue, id.charCodeAt(id.length - 1) % SHARDS)
  write.Put.Item.pendingsk = `${at}#${id}`
  return write
}

/** Oldest first per shard. The index lags behind the table, so read the item before acting on it. */
export async function* dueBefore(queue: string, before: Date): AsyncGenerator<string[]> {
  for (let shard = 0; shard < SHARDS; shard++)
    for await (const keys of listPendingKeys(buildQueueKey(queue, shard), `${before.toISOString()}~`))
      yield keys.map((key) => key.slice(key.indexOf('#') + 1))
}
