/** Following events misses none that appear late, from a slow writer or from the sweep. */
import { ulid } from 'ulid'
import { beforeAll, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { createCaller, getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

let lib: {
  follow: typeof import('../../lib/events/tail.ts')
  storeEvents: typeof import('../../lib/events/store.ts').storeEvents
  publish: typeof import('../../lib/events/publish.ts').publish
}

beforeAll(async () => {
  await createFreshAccount()
  getServer()
  const [follow, { storeEvents }, { publish }] = await Promise.all([
    import('../../lib/events/tail.ts'),
    import('../../lib/events/store.ts'),
    import('../../lib/events/publish.ts'),
  ])
  lib = { follow, storeEvents, publish }
})

/** Ids of other processes do not increase monotonically. */
const newIdAt = (time: number): string => `us_evt_${ulid(time)}`

const listScope = () => ({ spaceId: `us_sp_${account.accountId}` })

const newEventAt = (time: number): Event => ({
  id: newIdAt(time),
  topic: 'slow:writer',
  domain: 'slow',
  context: { accountId: account.accountId, environmentId: account.environmentId, ...listScope() },
  payload: {},
  createdAt: new Date(time).toISOString(),
})

it('returns each event once, in whatever order they appear within the lookback', async () => {
  const { createCurrentCursor, readCursor, saveCursor, readNewEvents } = lib.follow
  const now = Date.now()
  const before = newEventAt(now - 2_000)
  await lib.storeEvents([before])
  let timetoken = await createCurrentCursor(listScope(), now)
  const told: string[] = []
  const made = Array.from({ length: 120 }, () => newEventAt(now - 10_000 + Math.floor(Math.random() * 20_000)))
  const shuffled = made.toSorted(() => Math.random() - 0.5)
  while (shuffled.length > 0) {
    await lib.storeEvents(shuffled.splice(0, 1 + Math.floor(Math.random() * 12)))
    const { events, cursor } = await readNewEvents(listScope(), await readCursor(listScope(), timetoken), 7)
    told.push(...events.map(({ id }) => id))
    timetoken = await saveCursor(listScope(), cursor)
  }
  for (let more = true; more; ) {
    const { events, cursor } = await readNewEvents(listScope(), await readCursor(listScope(), timetoken), 7)
    told.push(...events.map(({ id }) => id))
    timetoken = await saveCursor(listScope(), cursor)
    more = events.length > 0
  }
  expect(told).toHaveLength(made.length)
  expect(told.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
})

it('returns an event that leaves the bus long after its id was made, once', async () => {
  const { body } = await createCaller(account.secretKey)('GET', '/subscription')
  const poll = async (tt: string) => {
    const path = `/v2/subscribe/${account.accountId}/environment.${account.environmentId}/0?tt=${tt}&auth=${body.data.token}`
    const answer = await createCaller(undefined)('GET', path)
    return { tt: answer.body.t.t as string, ids: answer.body.m.map(({ d }: { d: Event }) => d.id) as string[] }
  }
  const { tt } = await poll('0')
  const late = newEventAt(Date.now() - 600_000)
  await lib.storeEvents([late])
  await lib.publish([late])
  const told = await poll(tt)
  expect(told.ids).toEqual([late.id])
  const fresh = newEventAt(Date.now())
  await lib.storeEvents([fresh])
  expect((await poll(told.tt)).ids).toEqual([fresh.id])
})

it('shortens the lookback when more happened than a position can hold, and never goes before processed events', async () => {
  const { advanceCursor, createCursor } = await import('../../lib/events/cursors.ts')
  const now = Date.now()
  const ids = Array.from({ length: 1_500 }, (_, number) => newIdAt(now + number)).sort()
  const start = createCursor(now)
  const few = advanceCursor(start, ids.slice(0, 500))
  expect([few.seenIds.size, few.at]).toEqual([500, now + 499])
  expect(few.from >= start.from).toBe(true)
  const many = advanceCursor(few, ids.slice(500))
  expect([...many.seenIds]).toEqual(ids.slice(500))
  expect(many.from).toBe(ids[499])
  const later = advanceCursor(many, [newIdAt(now + 60_000)])
  expect(later.seenIds.size).toBe(1)
  expect(later.from > ids.at(-1)!).toBe(true)
  expect(advanceCursor(later, [ids[3]!])).toEqual(later)
})
