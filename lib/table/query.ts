/** Reads what a query finds answer by answer, as many as the database needs to tell all of it. */
import { paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'

/** @param query of this table; `Limit` is the most items an answer has */
export async function* queried(
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>[]> {
  const answers = paginateQuery({ client: documents }, { ...query, TableName: tableName() })
  for await (const { Items = [] } of answers) yield Items
}

/** How many items a query of this table finds. */
export async function counted(query: Omit<QueryCommandInput, 'TableName' | 'Select'>): Promise<number> {
  let found = 0
  const answers = paginateQuery({ client: documents }, { ...query, TableName: tableName(), Select: 'COUNT' })
  for await (const { Count = 0 } of answers) found += Count
  return found
}

/** Sort keys of a queue of the sparse index `pending` before this one, in order. The index holds keys alone. */
export async function* pendingBefore(queue: string, before: string, pageSize = 100): AsyncGenerator<string[]> {
  const answers = queried({
    IndexName: 'pending',
    KeyConditionExpression: 'pendingpk = :queue AND pendingsk < :before',
    ExpressionAttributeValues: { ':queue': queue, ':before': before },
    Limit: pageSize,
  })
  for await (const items of answers) yield items.map(({ pendingsk }) => String(pendingsk))
}
