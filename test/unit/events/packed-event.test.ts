import { expect, it } from 'vitest'
import { deriveGroupId, getGroupIndex, newGroupId, newId, withGroupIndex } from '../../../lib/core/ids.ts'
import type { Event } from '../../../schemas/events/shape.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

await startAuthCloud()
const { buildAcknowledgement, buildPendingPuts, Events, markPublished, readPendingEvents, storeEvents, toEvent } =
  await import('../../../lib/events/store.ts')
const { readEvents, readEventsPage } = await import('../../../lib/events/list.ts')
const { EVENTS_PER_ITEM, groupEvents } = await import('../../../lib/events/packed-event.ts')
const { buildEvent, declareTopic } = await import('../../../lib/events/envelope.ts')
const { transact } = await import('../../../lib/table/transact.ts')

const TOPICS = ['records:updated', 'commit:created', 'sheet:counts-updated']
let environments = 0

function createGroup(commitId: string, time: number, sequence: number, environmentId: string): Event[] {
  const context = { accountId: 'us_acc_1', environmentId, spaceId: 'us_sp_1', commitId }
  return TOPICS.map((topic, index) =>
    buildEvent(
      declareTopic(topic),
      index === 1 ? { ...context, answeredBy: 'us_ag_1' } : context,
      { commitId, changes: [{ previousValue: null, newValue: 1e300 }] },
      {
        id: deriveGroupId('event', { time, sequence, of: commitId }, index),
        namespaces: ['space:a'],
        cause: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=value' },
      },
    ),
  )
}

async function listIds(environmentId: string, filter: Parameters<typeof readEvents>[1] = {}): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of readEvents({ environmentId }, { includeAcknowledged: true, ...filter }, 1)) ids.push(id)
  return ids
}
const newEnvironment = () => `us_env_packed${++environments}`

it('an id of a group tells the others', () => {
  for (const sequence of [0, 1, 7, 262_143]) {
    const ids = [0, 1, 2, 4095].map((index) =>
      deriveGroupId('event', { time: 1_795_666_893_854, sequence, of: 'us_vr_1' }, index),
    )
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(getGroupIndex)).toEqual([0, 1, 2, 4095])
    expect(ids.map((id) => withGroupIndex(id, 0))).toEqual(ids.map(() => ids[0]))
    expect(withGroupIndex(ids[0]!, 4095)).toBe(ids[3])
  }
})

it('events are returned as they were stored, by id and in a list', async () => {
  const environmentId = newEnvironment()
  const group = createGroup('us_vr_read', Date.now(), 3, environmentId)
  expect(groupEvents(group)).toEqual([group])
  await storeEvents(group)
  for (const event of group) expect(toEvent((await Events.get(event.id))!)).toEqual(event)
  const ids = group.map(({ id }) => id)
  const unknown = withGroupIndex(ids[0]!, 3)
  expect(await Events.get(unknown)).toBeUndefined()
  const reversed = [...ids, unknown].toReversed()
  expect((await Events.getMany(reversed)).map(toEvent)).toEqual(group.toReversed())
  const listed = await readEventsPage([{ environmentId }], {}, { pageSize: 10, pageNumber: 1 })
  expect(listed.map(toEvent)).toEqual(group)
})

it('ids of later groups sort after all ids of earlier ones, also within a millisecond', () => {
  const groups = Array.from({ length: 2000 }, () => newGroupId('event'))
  const ids = groups.flatMap((id) => [id, withGroupIndex(id, 1), withGroupIndex(id, 4095)])
  expect(groups.map(getGroupIndex).every((index) => index === 0)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
})

it('only small events in sequence share an item', async () => {
  const group = createGroup('us_vr_whole', Date.now(), 0, newEnvironment())
  const sizes = (events: Event[]): number[] => groupEvents(events).map(({ length }) => length)
  expect(sizes(group.slice(1))).toEqual([1, 1])
  expect(sizes([group[0]!, group[2]!])).toEqual([1, 1])
  expect(sizes([{ ...group[0]!, payload: 'x'.repeat(20_000) }, group[1]!])).toEqual([1, 1])
  for (const other of [{ environmentId: newEnvironment() }, { spaceId: 'us_sp_2' }, { spaceId: undefined }])
    expect(sizes([group[0]!, { ...group[1]!, context: { ...group[1]!.context, ...other } as never }])).toEqual([1, 1])
  await storeEvents(group.slice(1))
  await storeEvents(group)
  const { environmentId } = group[0]!.context
  expect(await listIds(environmentId)).toEqual(group.map(({ id }) => id))
})

it('the many events of a large commit share few items', async () => {
  const environmentId = newEnvironment()
  const [first] = createGroup('us_vr_large', Date.now(), 0, environmentId)
  const events = Array.from({ length: 100 }, (_, index): Event => {
    const id = withGroupIndex(first!.id, index)
    const payload = index === 70 ? { text: 'x'.repeat(20_000) } : { part: index }
    return buildEvent(declareTopic('commit:created'), first!.context, payload, { id })
  })
  expect(groupEvents(events).map(({ length }) => length)).toEqual([32, 32, 6, 1, ...Array(25).fill(1), 4])
  for (let start = 0; start < events.length; start += EVENTS_PER_ITEM)
    await storeEvents(events.slice(start, start + EVENTS_PER_ITEM))
  expect((await Events.getMany(events.map(({ id }) => id))).map(toEvent)).toEqual(events)
  for (const index of [0, 31, 32, 69, 70, 71, 99]) {
    expect(toEvent((await Events.get(events[index]!.id))!)).toEqual(events[index])
    await transact([buildAcknowledgement((await Events.get(events[index]!.id))!, 'us_usr_1', new Date().toISOString())])
  }
  const unseen = events.filter((_, index) => ![0, 31, 32, 69, 70, 71, 99].includes(index))
  expect(await listIds(environmentId, { includeAcknowledged: false })).toEqual(unseen.map(({ id }) => id))
})

it('the events of a transaction are pending together until they are published', async () => {
  const events = createGroup('us_vr_pending', Date.now(), 0, newEnvironment())
  events.push({ ...events[0]!, id: newId('event') })
  const { id } = events[0]!
  const writes = buildPendingPuts(events as [Event, ...Event[]])
  expect(writes).toHaveLength(3)
  await transact(writes)
  const readPending = async () => {
    const found = new Map<string, Event[]>()
    for await (const batch of readPendingEvents(new Date(Date.now() + 60_000)))
      for (const pending of batch) found.set(pending.id, pending.events)
    return found.get(id)
  }
  expect(await readPending()).toEqual(events)
  await markPublished(id)
  expect(await readPending()).toBeUndefined()
  expect(await listIds(events[0]!.context.environmentId)).toEqual(events.map((event) => event.id))
})

it('lists are in the order of ids, from any event on, with commits and single events of the same millisecond', async () => {
  const environmentId = newEnvironment()
  const now = Date.now()
  const groups = [0, 0, 1].flatMap((later) =>
    ['a', 'b', 'c'].map((of) => createGroup(`us_vr_${of}${later}`, now + later, 5, environmentId)),
  )
  for (const group of groups) await storeEvents(group)
  const single = buildEvent(
    declareTopic('a:b'),
    { accountId: 'us_acc_1', environmentId },
    {},
    { id: newId('event', now) },
  )
  await storeEvents([single])
  const ids = [...new Set([...groups.flat().map(({ id }) => id), single.id])].sort()
  expect(await listIds(environmentId)).toEqual(ids)
  expect(await listIds(environmentId, { sortDirection: 'desc' })).toEqual(ids.toReversed())
  for (const [index, after] of ids.entries()) {
    expect(await listIds(environmentId, { after })).toEqual(ids.slice(index + 1))
    expect(await listIds(environmentId, { before: after })).toEqual(ids.slice(0, index))
  }
  expect(await listIds(environmentId, { after: ids[5], before: ids[1] })).toEqual([])
  const [late, early] = [new Date(now + 60_000), new Date(now - 60_000)]
  const none = { since: late.toISOString(), before: newId('event', early.getTime()) }
  expect(await listIds(environmentId, none)).toEqual([])
  const ofTopic = ids.filter((id) => getGroupIndex(id) === 1 && id !== single.id)
  expect(await listIds(environmentId, { topic: 'commit:created' })).toEqual(ofTopic)
  expect(await listIds(environmentId, { domain: 'commit' })).toEqual(ofTopic)
})

it('an acknowledgement is of one event of its commit, and the first one remains', async () => {
  const environmentId = newEnvironment()
  const group = createGroup('us_vr_seen', Date.now(), 1, environmentId)
  await storeEvents(group)
  for (const [index, { id }] of group.entries()) {
    const event = (await Events.get(id))!
    for (const by of ['us_usr_1', 'us_usr_2'])
      await transact([buildAcknowledgement(event, by, `2026-01-01T00:00:0${index}.000Z`)])
    expect(await Events.get(id)).toMatchObject({
      acknowledgedBy: 'us_usr_1',
      acknowledgedAt: `2026-01-01T00:00:0${index}.000Z`,
    })
    const unseen = group.slice(index + 1).map((later) => later.id)
    expect(await listIds(environmentId, { includeAcknowledged: false })).toEqual(unseen)
  }
})
