/** Reads lists of events in the order of their ids or its reverse, filtered in the database, with at most one page in memory. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { PageRequest } from '../../schemas/kit/page.ts'
import { documents, getTableName } from '../table/client.ts'
import { firstIdAt } from './id-time.ts'
import { Events, type StoredEvent } from './store.ts'

export type EventList = { environmentId: string } | { spaceId: string }
export type AccountList = { accountId: string }

export interface EventFilter {
  topic?: string | undefined
  domain?: string | undefined
  since?: string | undefined
  includeAcknowledged?: boolean | undefined
  after?: string | undefined
  sortDirection?: 'asc' | 'desc' | undefined
}

const MAX_ITEMS_PER_READ = 1000
const MIN_ITEMS_PER_READ = 25

export async function readEventsPage(
  lists: (EventList | AccountList)[],
  filter: EventFilter,
  page: PageRequest,
  matches: (event: StoredEvent) => boolean = () => true,
): Promise<StoredEvent[]> {
  const offset = (page.pageNumber - 1) * page.pageSize
  const found: StoredEvent[] = []
  let position = 0
  const isNewestFirst = filter.sortDirection === 'desc'
  const readers = lists.map((list) => readEvents(list, filter, offset + page.pageSize))
  for await (const event of mergeLists(readers, isNewestFirst)) {
    if (matches(event) && position++ >= offset) found.push(event)
    if (found.length === page.pageSize) break
  }
  return found
}

async function* mergeLists(lists: AsyncGenerator<StoredEvent>[], isNewestFirst: boolean): AsyncGenerator<StoredEvent> {
  const heads = await Promise.all(lists.map((list) => list.next()))
  let last: string | undefined
  for (;;) {
    let next = -1
    for (const [index, head] of heads.entries()) {
      const best = heads[next]?.value as StoredEvent | undefined
      if (!head.done && (best === undefined || head.value.id < best.id !== isNewestFirst)) next = index
    }
    if (next < 0) return
    const { value } = heads[next]!
    if (value.id !== last) yield value
    last = value.id
    heads[next] = await lists[next]!.next()
  }
}

export async function* readEvents(
  list: EventList | AccountList,
  filter: EventFilter,
  expected: number,
): AsyncGenerator<StoredEvent> {
  let startKey: Record<string, unknown> | undefined
  let size = Math.min(MAX_ITEMS_PER_READ, Math.max(MIN_ITEMS_PER_READ, expected))
  do {
    const command = new QueryCommand({
      ...buildEventQuery(list, filter),
      TableName: getTableName(),
      Limit: size,
      ExclusiveStartKey: startKey,
    })
    const { Items = [], LastEvaluatedKey } = await documents.send(command)
    for (const item of Items) yield Events.parse(item)
    startKey = LastEvaluatedKey
    size = Math.min(MAX_ITEMS_PER_READ, size * 2)
  } while (startKey)
}

export async function getLatestEventTime(spaceId: string): Promise<string | undefined> {
  const [latest] = await Events.list('inSpace', { spaceId }, { order: 'desc', limit: 1 })
  return latest?.createdAt
}

export function buildEventQuery(list: EventList | AccountList, filter: EventFilter) {
  const [index, owner] =
    'environmentId' in list ? ['gsi1', list.environmentId] : ['gsi2', 'spaceId' in list ? list.spaceId : list.accountId]
  const names: Record<string, string> = { '#list': `${index}pk` }
  const values: Record<string, string> = { ':list': `${owner}#${Events.name}` }
  const keys = ['#list = :list']
  const tests: string[] = []
  if (filter.since !== undefined) {
    names['#id'] = `${index}sk`
    values[':from'] = firstIdAt(new Date(filter.since))
    keys.push('#id >= :from')
  }
  if (filter.after !== undefined) {
    names['#id'] = `${index}sk`
    values[':after'] = filter.after
    keys.push('#id > :after')
  }
  if (filter.topic !== undefined) {
    values[':topic'] = filter.topic
    tests.push('topic = :topic')
  }
  if (filter.domain !== undefined) {
    values[':domain'] = `${filter.domain}:`
    tests.push('begins_with(topic, :domain)')
  }
  if (!filter.includeAcknowledged) tests.push('attribute_not_exists(acknowledgedAt)')
  return {
    IndexName: index!,
    KeyConditionExpression: keys.join(' AND '),
    ScanIndexForward: filter.sortDirection !== 'desc',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(tests.length > 0 ? { FilterExpression: tests.join(' AND ') } : {}),
  }
}
