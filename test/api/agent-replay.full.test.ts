import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { deployAgent, emitEvent } from '../support/activity.ts'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

interface Run {
  eventId: string
  success: boolean
  topic: string
  error?: string
  errorStack?: string
  log?: string
  requestCount?: number
  bytesSent?: number
  bytesReceived?: number
}

const deploy = async (slug: string, topics: string[], source: string): Promise<string> =>
  (await deployAgent(slug, topics, source)).id
const emit = async (topic: string, payload: object = {}, context: object = {}): Promise<string> =>
  (await emitEvent(topic, context, payload)).id
const page = async (agentId: string, query = '') =>
  (await call('GET', `/agents/${agentId}/executions?pageSize=100${query}`)).body as {
    data: Run[]
    pagination: { totalCount: number }
  }
const logsOf = async (agentId: string): Promise<Run[]> => await must('GET', `/agents/${agentId}/logs?pageSize=100`)
const countRuns = async (agentId: string, query = ''): Promise<number> =>
  (await page(agentId, query)).pagination.totalCount
const edition = (name: string, poison = -1) =>
  `exports.routeEvent = async ({ payload }) => { if (payload.number === ${poison}) throw new Error('poison'); console.log('${name}', payload.number) }`

describe('one bad event among a hundred', () => {
  it('leaves 99 runs done and one failed; after a fix, replay makes it succeed', { timeout: 120_000 }, async () => {
    const id = await deploy('poisoned', ['poison:event'], edition('first', 42))
    const ids = await Promise.all(Array.from({ length: 100 }, (_, number) => emit('poison:event', { number })))
    await waitUntil(
      async () => (await countRuns(id, '&success=true')) + (await countRuns(id, '&success=false')) === 100,
      90,
    )
    expect(await countRuns(id, '&success=true')).toBe(99)
    const failed = await page(id, '&success=false')
    expect(failed.data).toMatchObject([{ eventId: ids[42], success: false, error: 'Error: poison', attempts: 3 }])
    expect(failed.data[0]!.errorStack).toMatch(/^Error: poison\n\s+at .*bundle\.cjs:1:/)
    expect(failed.pagination.totalCount).toBe(1)

    await deploy('poisoned', ['poison:event'], edition('second'))
    const replayed = await call('POST', `/agents/${id}/replay`, { failed: true })
    expect(replayed.body).toEqual({ data: { success: true, replayed: 1 } })
    await waitUntil(async () => (await countRuns(id, '&success=true')) === 100, 30)
    expect(await countRuns(id, '&success=false')).toBe(0)
    expect(await countRuns(id)).toBe(100)
    const mended = (await logsOf(id)).find(({ eventId }) => eventId === ids[42])
    expect(mended!.log).toContain('second 42')
    expect((await must('POST', `/agents/${id}/replay`, { failed: true })).replayed).toBe(0)
  })
})

describe('replay of a time window', () => {
  it('reaches one agent filtered by topic and space, or all agents on the bus', { timeout: 60_000 }, async () => {
    const source = edition('seen')
    const one = await deploy('windowed', ['window:a', 'window:b'], source)
    const other = await deploy('bystander', ['window:a'], source)
    const spaceId = (await must('POST', '/spaces', { name: 'Window' })).id
    const before = await emit('window:a', { number: 0 })
    const since = (await must('GET', `/events/${before}`)).createdAt
    await sleep(5)
    await emit('window:a', { number: 1 }, { spaceId })
    await emit('window:b', { number: 2 })
    await emit('window:c', { number: 3 })
    await waitUntil(async () => (await countRuns(one)) === 3 && (await countRuns(other)) === 2, 20)

    const first = new Date(Date.parse(since) + 1).toISOString()
    await deploy('windowed', ['window:a', 'window:b'], edition('again'))
    await deploy('bystander', ['window:a'], edition('again'))
    const replayedNumbers = async (agentId: string) =>
      (await logsOf(agentId)).filter(({ log }) => log?.includes('again')).map(({ log }) => Number(log!.slice(-1)))
    const replay = async (path: string, body: object) => {
      const answer = await call('POST', path, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.data.replayed
    }
    expect(await replay(`/agents/${one}/replay`, { since: first, topic: 'window:b' })).toBe(1)
    await waitUntil(async () => (await replayedNumbers(one)).join() === '2', 20)
    expect(await replay(`/agents/${one}/replay`, { since: first, spaceId })).toBe(1)
    await waitUntil(async () => (await replayedNumbers(one)).join() === '2,1', 20)
    expect(await replay(`/agents/${one}/replay`, { since, until: first })).toBe(1)
    await waitUntil(async () => (await replayedNumbers(one)).join() === '2,1,0', 20)
    expect(await replayedNumbers(other)).toEqual([])

    expect(await replay('/events/replay', { since: first, topic: 'window:a' })).toBe(1)
    await waitUntil(async () => (await replayedNumbers(other)).join() === '1', 20)
    expect(await replay('/events/replay', { eventIds: [before] })).toBe(1)
    await waitUntil(async () => (await replayedNumbers(other)).join() === '1,0', 20)
    expect(await countRuns(other)).toBe(2)
  })

  it('reports its problems and never reaches another account', async () => {
    const id = await deploy('guarded', ['guarded:now'], edition('x'))
    const eventId = await emit('guarded:now')
    for (const path of [`/agents/${id}/replay`, '/events/replay']) {
      const nothing = await call('POST', path, {})
      expect([nothing.status, nothing.body.errors[0].key]).toEqual([400, 'since'])
      const both = await call('POST', path, { eventIds: [eventId], since: '2026-01-01T00:00:00Z', topic: 'a:b' })
      expect(pluck(both.body.errors, 'key')).toEqual(['since', 'topic'])
      expect((await call('POST', path, { eventIds: [`${eventId.slice(0, -1)}!`] })).status).toBe(404)
    }
    const stranger = createCaller((await createTestAccount()).secretKey)
    expect((await stranger('POST', `/agents/${id}/replay`, { eventIds: [eventId] })).status).toBe(404)
    expect((await stranger('POST', '/events/replay', { eventIds: [eventId] })).status).toBe(404)
  })

  it('with many events is replayed in batches, each event once', { timeout: 60_000 }, async () => {
    const { readEventWindow } = await import('../../lib/events/replay-window.ts')
    const { storeEvents } = await import('../../lib/events/store.ts')
    const { deriveId } = await import('../../lib/core/ids.ts')
    const at = Date.parse('2026-03-01T00:00:00.000Z')
    const context = { accountId: account.accountId, environmentId }
    const made = Array.from({ length: 1234 }, (_, number) => ({
      id: deriveId('event', { time: at + number, sequence: 0, of: 'many' }),
      topic: 'many:event',
      domain: 'many',
      context,
      payload: { number },
      createdAt: new Date(at + number).toISOString(),
    }))
    await storeEvents(made)
    const [since, end] = [new Date(at).toISOString(), new Date(at + 1234).toISOString()]
    const found: string[] = []
    const sizes: number[] = []
    for (let after: string | undefined; ; ) {
      const { events, next } = await readEventWindow({ environmentId, since, until: end, after })
      found.push(...events.map(({ id }) => id))
      sizes.push(events.length)
      after = next
      if (next === undefined) break
    }
    expect(sizes).toEqual([500, 500, 234])
    expect(found).toEqual(made.map(({ id }) => id))
  })
})

describe('a recorded run', () => {
  it('contains no key, token or secret, whatever the agent logged', async () => {
    const value = 'a "quoted" value\nof two lines'
    await call('POST', '/secrets', { name: 'QUOTED', value, environmentId })
    const source = `exports.routeEvent = async () => {
      const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN }
      const answer = await fetch(process.env.AGENT_INTERNAL_URL + '/v1/secrets', { headers })
      const { data } = await answer.json()
      console.log('told', headers, JSON.stringify(data), data[0].value)
      throw new Error('with ' + data[0].value + ' and ' + process.env.FLATFILE_API_KEY)
    }`
    const id = await deploy('talking', ['talking:now'], source)
    await emit('talking:now')
    const [run] = await waitUntil(async () => {
      const runs = await logsOf(id)
      return runs.length > 0 && runs
    }, 30)
    expect(run!.success).toBe(false)
    expect(run!.requestCount).toBe(1)
    expect(run!.bytesSent).toBeGreaterThan(100)
    expect(run!.bytesReceived).toBeGreaterThan(100)
    expect(run!.log).toContain('told')
    expect(run!.error).toBe('Error: with [redacted] and [redacted]')
    expect(JSON.stringify(run)).not.toMatch(/agk_|quoted|of two lines/)
  })

  it('can be found by topic and by event time', async () => {
    const id = await deploy('filtered', ['filtered:a', 'filtered:b'], edition('x'))
    const first = await emit('filtered:a')
    await sleep(5)
    const second = await emit('filtered:b')
    await waitUntil(async () => (await countRuns(id)) === 2, 20)
    const { createdAt } = await must('GET', `/events/${second}`)
    const ids = async (query: string) => (await page(id, query)).data.map(({ eventId }) => eventId)
    expect(await ids('&topic=filtered:a')).toEqual([first])
    expect(await ids(`&since=${createdAt}`)).toEqual([second])
    expect(await ids(`&until=${createdAt}`)).toEqual([first])
    expect(await ids('')).toEqual([second, first])
  })
})
