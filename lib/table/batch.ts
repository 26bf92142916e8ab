/** Reads and writes items and batches; retries what DynamoDB left unprocessed. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { dynamo, getTableName } from './client.ts'

export type Item = Record<string, AttributeValue>
const FORMAT_VERSION = { N: '1' }

export async function putItem(item: Item): Promise<void> {
  await dynamo.send(new PutItemCommand({ TableName: getTableName(), Item: { ...item, f: FORMAT_VERSION } }))
}

export const batchPut = (items: readonly Item[]): Promise<void> =>
  batchWrite(items.map((item) => ({ PutRequest: { Item: { ...item, f: FORMAT_VERSION } } })))

export const batchDelete = (keys: readonly Item[]): Promise<void> =>
  batchWrite(keys.map((Key) => ({ DeleteRequest: { Key } })))

const MAX_WRITES_PER_REQUEST = 25

/** @throws when DynamoDB keeps refusing some writes; others may be done */
export async function batchWrite(writes: readonly WriteRequest[]): Promise<void> {
  for (let first = 0; first < writes.length; first += MAX_WRITES_PER_REQUEST) {
    let requests = writes.slice(first, first + MAX_WRITES_PER_REQUEST)
    for (let attempt = 0; requests.length; attempt++) {
      await backOff(attempt)
      const command = new BatchWriteItemCommand({ RequestItems: { [getTableName()]: requests } })
      requests = (await dynamo.send(command)).UnprocessedItems?.[getTableName()] ?? []
    }
  }
}

interface PendingRead {
  key: Item
  resolve: (item: Item | undefined) => void
  reject: (error: unknown) => void
}
let pendingReads: PendingRead[] = []

/** Strongly consistent. All reads of one event loop turn share a request. */
export function getItem(key: Item): Promise<Item | undefined> {
  return new Promise((resolve, reject) => {
    if (pendingReads.length === 0) process.nextTick(flushPendingReads)
    pendingReads.push({ key, resolve, reject })
  })
}

const formatKey = ({ pk, sk }: Item): string => `${pk!.S}\n${sk!.S}`

async function flushPendingReads(): Promise<void> {
  const batch = pendingReads
  pendingReads = []
  try {
    // BatchGetItem rejects duplicate keys.
    const keys = new Map(batch.map(({ key }) => [formatKey(key), key]))
    const items = keys.size === 1 ? await getSingleItem(batch[0]!.key) : await batchGet([...keys.values()])
    const found = new Map(items.map((item) => [formatKey(item), item]))
    for (const { key, resolve } of batch) resolve(found.get(formatKey(key)))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

async function getSingleItem(Key: Item): Promise<Item[]> {
  const { Item } = await dynamo.send(new GetItemCommand({ TableName: getTableName(), Key, ConsistentRead: true }))
  return Item ? [Item] : []
}

export async function batchGet(keys: readonly Item[], ConsistentRead = true): Promise<Item[]> {
  const items: Item[] = []
  for (let i = 0; i < keys.length; i += 100) {
    let Keys: Item[] = keys.slice(i, i + 100)
    for (let attempt = 0; Keys.length; attempt++) {
      await backOff(attempt)
      const response = await dynamo.send(
        new BatchGetItemCommand({ RequestItems: { [getTableName()]: { Keys, ConsistentRead } } }),
      )
      const found = response.Responses?.[getTableName()] ?? []
      items.push(...found)
      Keys = response.UnprocessedKeys?.[getTableName()]?.Keys ?? []
      // Responses are cut at 16 MB; the remaining keys follow immediately while there is progress.
      if (found.length) attempt = -1
    }
  }
  return items
}

async function backOff(attempt: number): Promise<void> {
  if (attempt === 0) return
  if (attempt > 8) {
    const error = new Error('DynamoDB kept refusing part of a batch')
    throw Object.assign(error, { $retryable: { throttling: true } })
  }
  await sleep(25 * 2 ** attempt)
}
