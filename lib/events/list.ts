/** Reads lists of events in the order of their ids or its reverse, filtered in the database, with at most one page in memory. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { ID_PREFIXES } from '../../schemas/kit/ids.ts'
import type { PageRequest } from '../../schemas/kit/page.ts'
import { documents, getTableName } from '../table/client.ts'
import { firstIdAt, parseEventTime } from './id-time.ts'
import { Events, type StoredEvent } from './store.ts'

export type EventList = { environmentId: string } | { spaceId: string }
export type AccountList = { accountId: string }

export interface EventFilter {
  topic?: string | undefined
  domain?: string | undefined
  since?: string | undefined
  includeAcknowledged?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
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
  for await (const group of groupByTime(readItems(list, filter, expected)))
    for (const event of sortById(group, filter.sortDirection)) if (matchesFilter(event, filter)) yield event
}

/** An item has events of one time, which may be between those of other items of that time. */
async function* groupByTime(items: AsyncGenerator<StoredEvent[]>): AsyncGenerator<StoredEvent[]> {
  let group: StoredEvent[] = []
  for await (const events of items) {
    if (group.length > 0 && group[0]!.createdAt !== events[0]!.createdAt) {
      yield group
      group = []
    }
    group.push(...events)
  }
  if (group.length > 0) yield group
}

function sortById(events: StoredEvent[], direction: EventFilter['sortDirection']): StoredEvent[] {
  const sorted = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  return direction === 'desc' ? sorted.reverse() : sorted
}

const matchesFilter = (
  event: StoredEvent,
  { topic, domain, includeAcknowledged, after, before }: EventFilter,
): boolean =>
  (topic === undefined || event.topic === topic) &&
  (domain === undefined || event.domain === domain) &&
  (includeAcknowledged || event.acknowledgedAt === undefined) &&
  (after === undefined || event.id > after) &&
  (before === undefined || event.id < before)

async function* readItems(
  list: EventList | AccountList,
  filter: EventFilter,
  expected: number,
): AsyncGenerator<StoredEvent[]> {
  const bounds = getIdBounds(filter)
  if (bounds && bounds.from > bounds.to) return
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
    for (const item of Items) yield Events.parseAll(item)
    startKey = LastEvaluatedKey
    size = Math.min(MAX_ITEMS_PER_READ, size * 2)
  } while (startKey)
}

export async function getLatestEventTime(spaceId: string): Promise<string | undefined> {
  const [latest] = await Events.list('inSpace', { spaceId }, { order: 'desc', limit: 1 })
  return latest?.createdAt
}

const LAST_ID = `${ID_PREFIXES.event}_~`

function startOfTime(id: string): string {
  const time = parseEventTime(id)
  return time === undefined ? id : firstIdAt(new Date(time))
}

function getIdBounds({ since, after, before }: EventFilter): { from: string; to: string } | undefined {
  const lower = [
    ...(since === undefined ? [] : [firstIdAt(new Date(since))]),
    ...(after === undefined ? [] : [startOfTime(after)]),
  ]
  if (lower.length === 0 && before === undefined) return undefined
  return { from: lower.sort().at(-1) ?? firstIdAt(new Date(0)), to: before ?? LAST_ID }
}

export function buildEventQuery(list: EventList | AccountList, filter: EventFilter) {
  const [index, owner] =
    'environmentId' in list ? ['gsi1', list.environmentId] : ['gsi2', 'spaceId' in list ? list.spaceId : list.accountId]
  const names: Record<string, string> = { '#list': `${index}pk` }
  const values: Record<string, string> = { ':list': `${owner}#${Events.name}` }
  const keys = ['#list = :list']
  const tests: string[] = []
  const bounds = getIdBounds(filter)
  if (bounds) {
    names['#id'] = `${index}sk`
    values[':from'] = bounds.from
    values[':to'] = bounds.to
    keys.push('#id BETWEEN :from AND :to')
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
    ...(tests.length > 0 ? { FilterExpression: `(${tests.join(' AND ')}) OR attribute_exists(grouped)` } : {}),
  }
}
