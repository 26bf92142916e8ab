/** Reads lists of events page by page in id order, with the filter in the database; holds no more than one page of it. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { PageRequest } from '../../schemas/page.ts'
import { documents, tableName } from '../table/client.ts'
import { firstIdAt } from './ids.ts'
import { Events, type StoredEvent } from './store.ts'

/** Whose events: of one environment or of one space. */
export type EventList = { environmentId: string } | { spaceId: string }
/** Those of an account are about its environments that are gone. */
export type AccountList = { accountId: string }

export interface EventFilter {
  topic?: string | undefined
  domain?: string | undefined
  /** Only events made at this moment or later; ISO-8601. */
  since?: string | undefined
  includeAcknowledged?: boolean | undefined
  /** Only events whose id is larger. */
  after?: string | undefined
}

/** Most items one request to the database reads; it begins smaller. */
const LARGEST_READ = 1000
const SMALLEST_READ = 25

/** One page of those events of the lists that pass `test`, oldest first. */
export async function eventsPage(
  lists: (EventList | AccountList)[],
  filter: EventFilter,
  page: PageRequest,
  test: (event: StoredEvent) => boolean = () => true,
): Promise<StoredEvent[]> {
  const first = (page.pageNumber - 1) * page.pageSize
  const found: StoredEvent[] = []
  let position = 0
  for await (const event of merged(lists.map((list) => eventsOf(list, filter, first + page.pageSize)))) {
    if (test(event) && position++ >= first) found.push(event)
    if (found.length === page.pageSize) break
  }
  return found
}

/** Several lists as one, in id order; an event of two lists comes once. */
async function* merged(lists: AsyncGenerator<StoredEvent>[]): AsyncGenerator<StoredEvent> {
  const heads = await Promise.all(lists.map((list) => list.next()))
  let last: string | undefined
  for (;;) {
    let least = -1
    for (const [index, head] of heads.entries()) {
      const best = heads[least]?.value as StoredEvent | undefined
      if (!head.done && (best === undefined || head.value.id < best.id)) least = index
    }
    if (least < 0) return
    const { value } = heads[least]!
    if (value.id !== last) yield value
    last = value.id
    heads[least] = await lists[least]!.next()
  }
}

/** Events of one list, oldest first; reads about as many as are `wanted`, and on from there. */
export async function* eventsOf(
  list: EventList | AccountList,
  filter: EventFilter,
  wanted: number,
): AsyncGenerator<StoredEvent> {
  let from: Record<string, unknown> | undefined
  let size = Math.min(LARGEST_READ, Math.max(SMALLEST_READ, wanted))
  do {
    const command = new QueryCommand({
      ...eventQuery(list, filter),
      TableName: tableName(),
      Limit: size,
      ExclusiveStartKey: from,
    })
    const { Items = [], LastEvaluatedKey } = await documents.send(command)
    for (const item of Items) yield Events.parse(item)
    from = LastEvaluatedKey
    size = Math.min(LARGEST_READ, size * 2)
  } while (from)
}

/** When the latest event of a space was made, ISO-8601; undefined when it has none any more. */
export async function latestIn(spaceId: string): Promise<string | undefined> {
  const [latest] = await Events.list('inSpace', { spaceId }, { order: 'desc', limit: 1 })
  return latest?.createdAt
}

/** The query of a list and its filter, without table and paging. */
export function eventQuery(list: EventList | AccountList, filter: EventFilter) {
  const [index, owner] =
    'environmentId' in list ? ['gsi1', list.environmentId] : ['gsi2', 'spaceId' in list ? list.spaceId : list.accountId]
  const names: Record<string, string> = { '#list': `${index}pk` }
  const values: Record<string, string> = { ':list': `${owner}#${Events.name}` }
  const keys = ['#list = :list']
  const tests: string[] = []
  const test = (field: 'createdAt' | 'topic' | 'domain', operator: '=' | '>=', value: string | undefined) => {
    if (value === undefined) return
    names[`#${field}`] = field
    values[`:${field}`] = value
    tests.push(`#${field} ${operator} :${field}`)
  }
  if (filter.since !== undefined) {
    const since = new Date(filter.since)
    names['#id'] = `${index}sk`
    values[':from'] = firstIdAt(since)
    keys.push('#id >= :from')
    test('createdAt', '>=', since.toISOString())
  }
  if (filter.after !== undefined) {
    names['#id'] = `${index}sk`
    values[':after'] = filter.after
    keys.push('#id > :after')
  }
  test('topic', '=', filter.topic)
  test('domain', '=', filter.domain)
  if (!filter.includeAcknowledged) tests.push('attribute_not_exists(acknowledgedAt)')
  return {
    IndexName: index!,
    KeyConditionExpression: keys.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ...(tests.length > 0 ? { FilterExpression: tests.join(' AND ') } : {}),
  }
}
