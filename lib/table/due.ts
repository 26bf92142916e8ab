/**
 * Things that are due at a time, found by the sparse index `pending`: an item carries its queue and time as long as it
 * waits. Whoever works on one claims it by a conditional write that moves its time on: what dies at its work comes back.
 */
import type { Write } from './entity.ts'
import { pendingBefore } from './query.ts'

/** A queue is spread over this many keys, so that one busy moment does not heat one partition. */
const SHARDS = 4

const queueKey = (queue: string, shard: number) => `due#${queue}#${shard}`

/** The same write of the thing's item, which waits in the queue until `at` (ISO-8601). */
export function dueAt(write: Write, queue: string, id: string, at: string): Write {
  if (!('Put' in write)) throw new Error('Only a whole item is put into a queue.')
  write.Put.Item.pendingpk = queueKey(queue, id.charCodeAt(id.length - 1) % SHARDS)
  write.Put.Item.pendingsk = `${at}#${id}`
  return write
}

/**
 * Ids of what was due at `before` or earlier, page by page, the longest waiting first in each shard. The index follows the
 * table within moments: read the thing before believing it.
 */
export async function* due(queue: string, before: Date): AsyncGenerator<string[]> {
  for (let shard = 0; shard < SHARDS; shard++)
    for await (const keys of pendingBefore(queueKey(queue, shard), `${before.toISOString()}~`))
      yield keys.map((key) => key.slice(key.indexOf('#') + 1))
}
