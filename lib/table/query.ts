import { paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { documents, getTableName } from './client.ts'

export async function* queryPages(
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>[]> {
  const pages = paginateQuery({ client: documents }, { ...query, TableName: getTableName() })
  for await (const { Items = [] } of pages) yield Items
}

export async function countItems(query: Omit<QueryCommandInput, 'TableName' | 'Select'>): Promise<number> {
  let total = 0
  const pages = paginateQuery({ client: documents }, { ...query, TableName: getTableName(), Select: 'COUNT' })
  for await (const { Count = 0 } of pages) total += Count
  return total
}

export async function* listPendingKeys(queue: string, before: string, pageSize = 100): AsyncGenerator<string[]> {
  const pages = queryPages({
    IndexName: 'pending',
    KeyConditionExpression: 'pendingpk = :queue AND pendingsk < :before',
    ExpressionAttributeValues: { ':queue': queue, ':before': before },
    Limit: pageSize,
  })
  for await (const items of pages) yield items.map(({ pendingsk }) => String(pendingsk))
}

const sharedReads = new Map<string, Promise<unknown>>()

/** All callers in one event loop turn share a read, which starts after it. */
export function shareRead<T>(name: string, read: () => Promise<T>): Promise<T> {
  const sharedRead = sharedReads.get(name)
  if (sharedRead) return sharedRead as Promise<T>
  const reading = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
    sharedReads.delete(name)
    return read()
  })
  sharedReads.set(name, reading)
  return reading
}
