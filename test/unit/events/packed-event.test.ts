import { expect, it } from 'vitest'
import { deriveGroupId, getGroupIndex, newId, withGroupIndex } from '../../../lib/core/ids.ts'
import type { Event } from '../../../schemas/events/shape.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

await startAuthCloud()
const { buildAcknowledgement, Events, storeEvents, toEvent } = await import('../../../lib/events/store.ts')
const { readEvents, readEventsPage } = await import('../../../lib/events/list.ts')
const { isSmallGroup } = await import('../../../lib/events/packed-event.ts')
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
  expect(isSmallGroup(group)).toBe(true)
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

it('only a whole small group shares an item', async () => {
  const group = createGroup('us_vr_whole', Date.now(), 0, newEnvironment())
  expect(isSmallGroup(group.slice(1))).toBe(false)
  expect(isSmallGroup([group[0]!, group[2]!])).toBe(false)
  expect(isSmallGroup([{ ...group[0]!, payload: 'x'.repeat(10_000) }, group[1]!])).toBe(false)
  await storeEvents(group.slice(1))
  await storeEvents(group)
  const { environmentId } = group[0]!.context
  expect(await listIds(environmentId)).toEqual(group.map(({ id }) => id))
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
