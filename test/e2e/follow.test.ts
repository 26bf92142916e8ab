/** Following events loses none that shows up after its turn: of a writer that took long, or of one the sweeper stands in for. */
import { ulid } from 'ulid'
import { beforeAll, expect, it } from 'vitest'
import type { Event } from '../../schemas/events.ts'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'

let account: TestAccount
let lib: {
  follow: typeof import('../../lib/events/follow.ts')
  storeEvents: typeof import('../../lib/events/store.ts').storeEvents
  publish: typeof import('../../lib/events/publish.ts').publish
}

beforeAll(async () => {
  account = await mintAccount()
  server()
  const [follow, { storeEvents }, { publish }] = await Promise.all([
    import('../../lib/events/follow.ts'),
    import('../../lib/events/store.ts'),
    import('../../lib/events/publish.ts'),
  ])
  lib = { follow, storeEvents, publish }
})

/** Ids of other processes: unlike those of one, they do not rise from each to the next. */
const idAt = (time: number): string => `us_evt_${ulid(time)}`

const LIST = () => ({ spaceId: `us_sp_${account.accountId}` })

/** An event whose id was made at a time, as it is stored whenever its writer comes to it. */
const eventOf = (time: number): Event => ({
  id: idAt(time),
  topic: 'slow:writer',
  domain: 'slow',
  context: { accountId: account.accountId, environmentId: account.environmentId, ...LIST() },
  payload: {},
  createdAt: new Date(time).toISOString(),
})

it('tells of each event once, in whatever order they show up within the look back', async () => {
  const { present, cursorIn, keptIn, follow } = lib.follow
  const now = Date.now()
  const before = eventOf(now - 2_000)
  await lib.storeEvents([before])
  let timetoken = await present(LIST(), now)
  const told: string[] = []
  const made = Array.from({ length: 120 }, () => eventOf(now - 10_000 + Math.floor(Math.random() * 20_000)))
  const shuffled = made.toSorted(() => Math.random() - 0.5)
  while (shuffled.length > 0) {
    await lib.storeEvents(shuffled.splice(0, 1 + Math.floor(Math.random() * 12)))
    const { events, cursor } = await follow(LIST(), await cursorIn(LIST(), timetoken), 7)
    told.push(...events.map(({ id }) => id))
    timetoken = await keptIn(LIST(), cursor)
  }
  for (let more = true; more; ) {
    const { events, cursor } = await follow(LIST(), await cursorIn(LIST(), timetoken), 7)
    told.push(...events.map(({ id }) => id))
    timetoken = await keptIn(LIST(), cursor)
    more = events.length > 0
  }
  expect(told).toHaveLength(made.length)
  expect(told.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
})

it('brings an event that comes off the bus long after its id was made, once', async () => {
  const { body } = await callerOf(account.secretKey)('GET', '/subscription')
  const poll = async (tt: string) => {
    const path = `/v2/subscribe/${account.accountId}/environment.${account.environmentId}/0?tt=${tt}&auth=${body.data.token}`
    const answer = await callerOf(undefined)('GET', path)
    return { tt: answer.body.t.t as string, ids: answer.body.m.map(({ d }: { d: Event }) => d.id) as string[] }
  }
  const { tt } = await poll('0')
  const late = eventOf(Date.now() - 600_000)
  await lib.storeEvents([late])
  await lib.publish([late], { marked: false })
  const told = await poll(tt)
  expect(told.ids).toEqual([late.id])
  const fresh = eventOf(Date.now())
  await lib.storeEvents([fresh])
  expect((await poll(told.tt)).ids).toEqual([fresh.id])
})

it('looks back less far when more than a position can hold has happened, and never before what is done with', async () => {
  const { advanced, cursorAt } = await import('../../lib/events/cursors.ts')
  const now = Date.now()
  const ids = Array.from({ length: 1_500 }, (_, number) => idAt(now + number)).sort()
  const start = cursorAt(now)
  const few = advanced(start, ids.slice(0, 500))
  expect([few.told.size, few.at]).toEqual([500, now + 499])
  expect(few.from >= start.from).toBe(true)
  const many = advanced(few, ids.slice(500))
  expect([...many.told]).toEqual(ids.slice(500))
  expect(many.from).toBe(ids[499])
  const later = advanced(many, [idAt(now + 60_000)])
  expect(later.told.size).toBe(1)
  expect(later.from > ids.at(-1)!).toBe(true)
  expect(advanced(later, [ids[3]!])).toEqual(later)
})
