import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { LONG_POLL_MS } from '../../schemas/live/shape.ts'
import { createCaller } from '../support/api.ts'
import { account, admin, call, createFreshAccount, must, mustAsAdmin } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

interface Polled {
  t: { t: string; r: number }
  m: { c: string; k: string; d: Event }[]
}

const newSpace = async (name = 'Live') => (await must('POST', '/spaces', { name })).id as string
const emit = async (topic: string, context: object = {}, payload: object = {}) =>
  (await must('POST', '/events', { topic, domain: 'x', context, payload })) as Event

async function subscriber(scope: string, caller = call) {
  const { status, body } = await caller('GET', `/subscription?scope=${scope}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const channel = `${scope.includes('env') ? 'environment' : 'space'}.${scope}`
  const poll = (tt: string, token = body.data.token) =>
    createCaller(undefined)<Polled>(
      'GET',
      `/v2/subscribe/${body.data.subscribeKey}/${channel}/0?tt=${tt}&auth=${token}`,
    )
  const first = await poll('0')
  expect(first).toMatchObject({ status: 200, body: { t: { t: expect.stringMatching(/^\d{17}$/), r: 1 }, m: [] } })
  let tt = first.body.t.t
  return {
    poll,
    token: body.data.token as string,
    channel,
    position: () => tt,
    async next(): Promise<Event[]> {
      const answer = await poll(tt)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      tt = answer.body.t.t
      for (const { c, k } of answer.body.m) expect([c, k]).toEqual([channel, body.data.subscribeKey])
      return answer.body.m.map(({ d }) => d)
    },
  }
}

const ids = (events: Event[]) => events.map(({ id }) => id)

describe('a subscription token', () => {
  it('has the account, the key of the paths and its lifetime in minutes', async () => {
    const { body } = await call('GET', `/subscription?scope=${account.environmentId}`)
    expect(body.data).toMatchObject({ accountId: account.accountId, subscribeKey: account.accountId, ttl: 15 })
    const other = await call('GET', `/environments/subscription-token?environmentId=${account.environmentId}`)
    expect(other.body.data).toMatchObject({ accountId: account.accountId, ttl: 15, token: expect.any(String) })
  })

  it('is for the environment of the key, or the named space, when it has no scope', async () => {
    const spaceId = await newSpace()
    const channels = await Promise.all(
      ['', `?spaceId=${spaceId}`].map(async (query) => {
        const { token } = await must('GET', `/subscription${query}`)
        return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).channel
      }),
    )
    expect(channels).toEqual([account.environmentId, spaceId])
    expect((await admin('GET', '/subscription')).body.errors[0].key).toBe('scope')
    expect((await call('GET', '/subscription?scope=us_wb_nothing')).status).toBe(404)
  })

  it('gives an embedded token its space and not the environment', async () => {
    const created = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Embedded' })).body.data
    const embedded = createCaller(created.accessToken)
    expect((await embedded('GET', `/subscription?scope=${account.environmentId}`)).status).toBe(404)
    const live = await subscriber(created.id, embedded)
    const event = await emit('for:me', { spaceId: created.id })
    expect(ids(await live.next())).toEqual([event.id])
  })
})

describe('the long poll', () => {
  it('waits for an event and returns it immediately, in the format of the API', async () => {
    const live = await subscriber(account.environmentId)
    const waiting = live.next()
    const event = await emit('shop:opened', {}, { hello: 'world' })
    const emitted = Date.now()
    expect(await waiting).toEqual([event])
    expect(Date.now() - emitted).toBeLessThan(1_500)
  })

  it('returns events between two requests, in order, each once, and none from before', async () => {
    const spaceId = await newSpace()
    await emit('too:early', { spaceId })
    const live = await subscriber(spaceId)
    const made: string[] = []
    const seen: string[] = []
    for (let round = 0; round < 4; round++) {
      const some = await Promise.all([1, 2, 3].map((number) => emit('round:one', { spaceId }, { number })))
      made.push(...ids(some))
      const events = ids(await live.next())
      expect(events).toEqual(events.toSorted())
      seen.push(...events)
    }
    while (seen.length < made.length) seen.push(...ids(await live.next()))
    expect(seen.toSorted()).toEqual(made.toSorted())
  })

  it('repeats a response that got lost, and no event returned before it', async () => {
    const spaceId = await newSpace()
    const live = await subscriber(spaceId)
    await emit('first:one', { spaceId })
    await live.next()
    const position = live.position()
    const second = await emit('second:one', { spaceId })
    const [lost, again] = [await live.poll(position), await live.poll(position)]
    expect(lost.body.m.map(({ d }) => d.id)).toEqual([second.id])
    expect(again.body.m).toEqual(lost.body.m.map((each) => ({ ...each, p: expect.anything() })))
  })

  it('returns the events that did not fit one response in the next', async () => {
    const spaceId = await newSpace()
    const live = await subscriber(spaceId)
    const made: string[] = []
    for (let batch = 0; batch < 13; batch++)
      made.push(...ids(await Promise.all(Array.from({ length: 10 }, () => emit('many:of-them', { spaceId })))))
    const [first, second] = [await live.next(), await live.next()]
    expect(first).toHaveLength(100)
    expect(ids([...first, ...second])).toEqual(made.toSorted())
  })

  it('returns no events after its timeout, and the same position', async () => {
    const live = await subscriber(await newSpace())
    const started = Date.now()
    const answer = await live.poll(live.position())
    expect(answer.body).toEqual({ t: { t: live.position(), r: 1 }, m: [] })
    expect(Date.now() - started).toBeGreaterThan(LONG_POLL_MS - 500)
    expect(Date.now() - started).toBeLessThan(LONG_POLL_MS + 5_000)
  })

  it('accepts an unknown position: it repeats rather than loses events', async () => {
    const spaceId = await newSpace()
    const event = await emit('a:b', { spaceId })
    const live = await subscriber(spaceId)
    const answer = await live.poll(`${Date.parse(event.createdAt) - 1}0000`)
    expect(answer.body.m.map(({ d }) => d.id)).toContain(event.id)
    expect((await live.poll('12')).status).toBe(400)
  })

  it('uses the format of published clients', async () => {
    const spaceId = await newSpace()
    const live = await subscriber(spaceId)
    const job = await must('POST', '/jobs', { type: 'space', operation: 'tidy', source: spaceId })
    for (const step of ['execute', 'ack', 'complete']) await call('POST', `/jobs/${job.id}/${step}`, {})
    const events: Event[] = []
    while (!events.some(({ topic }) => topic === 'job:completed')) events.push(...(await live.next()))
    expect(events.at(-1)!.payload).toMatchObject({ operation: 'tidy', status: 'complete' })
  })

  it('ends when the key behind its token is deleted, even while waiting', async () => {
    const key = (await mustAsAdmin('POST', `/auth/api-key?type=SECRET&environmentId=${account.environmentId}`))[0]
    const live = await subscriber(account.environmentId, createCaller(key.rawKey))
    const waiting = live.poll(live.position())
    const removed = await admin('DELETE', `/auth/api-key?key=${key.id}&environmentId=${account.environmentId}`)
    expect(removed.status).toBe(200)
    await emit('not:for-you')
    const answer = await waiting
    expect(answer.status).toBe(403)
    expect(JSON.stringify(answer.body)).not.toContain('not:for-you')
    expect((await live.poll(live.position())).status).toBe(403)
    expect((await live.poll('0')).status).toBe(403)
  })

  it('supports the handshake, heartbeat, leave and time calls', async () => {
    const live = await subscriber(account.environmentId)
    for (const word of ['heartbeat', 'leave']) {
      const path = `/v2/presence/sub-key/${account.accountId}/channel/${live.channel}/${word}?auth=${live.token}`
      expect((await createCaller(undefined)('GET', path)).body).toMatchObject({ status: 200 })
    }
    const { body } = await createCaller(undefined)('GET', '/time/0')
    expect(Math.abs(body[0] / 10_000 - Date.now())).toBeLessThan(60_000)
  })
})
