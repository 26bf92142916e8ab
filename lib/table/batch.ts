/** Single items and batches of plain ones, batches asked again for what DynamoDB left over. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { dynamo, tableName } from './client.ts'

export type Item = Record<string, AttributeValue>
/** The form of items written here, on each of them. */
const FORM = { N: '1' }

/** Writes an item, replacing one of its key. */
export async function put(item: Item): Promise<void> {
  await dynamo.send(new PutItemCommand({ TableName: tableName(), Item: { ...item, f: FORM } }))
}

/** Writes items, replacing those of their keys. */
export const batchPut = (items: readonly Item[]): Promise<void> =>
  batchWrite(items.map((item) => ({ PutRequest: { Item: { ...item, f: FORM } } })))

/** Deletes items; what is not there counts as deleted. */
export const batchDelete = (keys: readonly Item[]): Promise<void> =>
  batchWrite(keys.map((Key) => ({ DeleteRequest: { Key } })))

/** DynamoDB takes this many a request. */
const WRITES = 25

/** Any number of writes, one request after the other. @throws when DynamoDB keeps refusing some: then others may be done */
export async function batchWrite(writes: readonly WriteRequest[]): Promise<void> {
  for (let first = 0; first < writes.length; first += WRITES) {
    let requests = writes.slice(first, first + WRITES)
    for (let attempt = 0; requests.length; attempt++) {
      await backOff(attempt)
      const command = new BatchWriteItemCommand({ RequestItems: { [tableName()]: requests } })
      requests = (await dynamo.send(command)).UnprocessedItems?.[tableName()] ?? []
    }
  }
}

interface Asked {
  key: Item
  resolve: (item: Item | undefined) => void
  reject: (error: unknown) => void
}
let asked: Asked[] = []

/** The item of a key as it is now. What is asked for in the same turn of the event loop is one request. */
export function get(key: Item): Promise<Item | undefined> {
  return new Promise((resolve, reject) => {
    if (asked.length === 0) process.nextTick(answerAsked)
    asked.push({ key, resolve, reject })
  })
}

const nameOf = ({ pk, sk }: Item): string => `${pk!.S}\n${sk!.S}`

async function answerAsked(): Promise<void> {
  const now = asked
  asked = []
  try {
    // DynamoDB takes no key twice.
    const keys = new Map(now.map(({ key }) => [nameOf(key), key]))
    const items = keys.size === 1 ? await getOne(now[0]!.key) : await batchGet([...keys.values()])
    const found = new Map(items.map((item) => [nameOf(item), item]))
    for (const { key, resolve } of now) resolve(found.get(nameOf(key)))
  } catch (error) {
    for (const { reject } of now) reject(error)
  }
}

async function getOne(Key: Item): Promise<Item[]> {
  const { Item } = await dynamo.send(new GetItemCommand({ TableName: tableName(), Key, ConsistentRead: true }))
  return Item ? [Item] : []
}

/** Items by key, in any order; missing ones are left out. */
export async function batchGet(keys: readonly Item[], ConsistentRead = true): Promise<Item[]> {
  const items: Item[] = []
  for (let i = 0; i < keys.length; i += 100) {
    let Keys: Item[] = keys.slice(i, i + 100)
    for (let attempt = 0; Keys.length; attempt++) {
      await backOff(attempt)
      const answer = await dynamo.send(
        new BatchGetItemCommand({ RequestItems: { [tableName()]: { Keys, ConsistentRead } } }),
      )
      const found = answer.Responses?.[tableName()] ?? []
      items.push(...found)
      Keys = answer.UnprocessedKeys?.[tableName()]?.Keys ?? []
      // An answer is cut at 16 MB: the rest is asked for at once as long as there is progress.
      if (found.length) attempt = -1
    }
  }
  return items
}

/** Batches may be cut by throttling: waits 50 ms, 100 ms, ... before asking again, and gives up after 8 times. */
async function backOff(attempt: number): Promise<void> {
  if (attempt === 0) return
  if (attempt > 8) {
    const refused = new Error('DynamoDB kept refusing a part of a batch')
    throw Object.assign(refused, { $retryable: { throttling: true } })
  }
  await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt))
}
