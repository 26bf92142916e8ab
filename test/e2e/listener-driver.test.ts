import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type FlatfileListener } from '@flatfile/listener'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Driver, type DriverOptions, type Status } from '../../packages/listener-driver/src/index.ts'
import { getServer, waitUntil } from '../support/api.ts'
import { account, createFreshAccount, must, signIn } from '../support/fresh-account.ts'
import { startRelay } from '../support/relay.ts'

const open: Driver[] = []

beforeAll(async () => {
  await createFreshAccount()
  const { baseUrl } = getServer()
  Object.assign(process.env, {
    FLATFILE_API_URL: baseUrl,
    AGENT_INTERNAL_URL: baseUrl,
    FLATFILE_API_KEY: account.secretKey,
    FLATFILE_BEARER_TOKEN: account.secretKey,
  })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((driver) => driver.close()))
})

async function mountListener(setUp: (listener: FlatfileListener) => void, options: Partial<DriverOptions> = {}) {
  const statuses: Status[] = []
  const driver = new Driver({
    scope: account.environmentId,
    onStatus: (status) => void statuses.push(status),
    ...options,
  })
  open.push(driver)
  Client.create(setUp).mount(driver)
  await driver.ready
  return { driver, statuses }
}

const newSpace = async () => (await must('POST', '/spaces', { name: 'Driver' })).id as string
const emit = async (topic: string, context: object = {}) =>
  (await must('POST', '/events', { topic, domain: 'x', context, payload: {} })).id as string
const collector = (topic: string, ids: string[]) => (listener: FlatfileListener) => {
  listener.on(topic, ({ src }) => void ids.push(src.id))
}

describe('the connection', () => {
  it('delivers each event once, even if two drivers cover the same time one after the other', async () => {
    const spaceId = await newSpace()
    const ids: string[] = []
    const transport = 'long-poll' as const
    const first = await mountListener(collector('turn:first', ids), { scope: spaceId, transport })
    const made = [await emit('turn:first', { spaceId })]
    await waitUntil(async () => ids.length === 1)
    await first.driver.close()
    made.push(await emit('turn:first', { spaceId }), await emit('turn:first', { spaceId }))
    const rest: string[] = []
    await mountListener(collector('turn:first', rest), { scope: spaceId, transport, since: first.driver.position! })
    await waitUntil(async () => rest.length === 2)
    expect([...ids, ...rest]).toEqual(made)
    const again: string[] = []
    await mountListener(collector('turn:first', again), { scope: spaceId, since: made[1]! })
    await waitUntil(async () => again.includes(made[2]!))
    expect(again).toEqual([...new Set(again)])
  })

  it.each(['websocket', 'long-poll'] as const)(
    'by %s reconnects after a break, and misses nothing',
    async (transport) => {
      const server = await startRelay()
      const ids: string[] = []
      const { statuses } = await mountListener(collector('while:away', ids), { apiUrl: server.apiUrl, transport })
      const before = await emit('while:away')
      await waitUntil(async () => ids.length === 1)
      await server.disconnect()
      await waitUntil(async () => statuses.some(({ state }) => state === 'waiting'))
      const made = [before, await emit('while:away'), await emit('while:away')]
      await server.restore()
      await waitUntil(async () => ids.length === made.length, 20)
      expect(ids).toEqual(made)
      await waitUntil(async () => statuses.filter(({ state }) => state === 'connected').length > 1)
      await server.close()
    },
  )

  it('renews a token that was rejected', async () => {
    const server = await startRelay()
    const ids: string[] = []
    const { statuses } = await mountListener(collector('with:new-token', ids), {
      apiUrl: server.apiUrl,
      transport: 'long-poll',
    })
    server.invalidateTokens()
    const made = [await emit('with:new-token')]
    await waitUntil(async () => server.countTokens() > 1, 40)
    made.push(await emit('with:new-token'))
    await waitUntil(async () => ids.length === 2, 40)
    expect(ids).toEqual(made)
    expect(statuses.some(({ state }) => state === 'closed')).toBe(false)
    await server.close()
  }, 60_000)

  it.each(['websocket', 'long-poll'] as const)(
    'by %s has a new token before the old one expires',
    async (transport) => {
      const server = await startRelay()
      server.shortenTokens(0.02)
      const ids: string[] = []
      const { statuses } = await mountListener(collector('many:tokens', ids), { apiUrl: server.apiUrl, transport })
      const made: string[] = []
      while (server.countTokens() < 4) {
        made.push(await emit('many:tokens'))
        await waitUntil(async () => ids.length === made.length)
      }
      expect(ids).toEqual(made)
      expect(statuses.every(({ state }) => state === 'connected')).toBe(true)
      await server.close()
    },
    60_000,
  )

  it('gives up with a clear message when its key is deleted or was never valid', async () => {
    const admin = await signIn(account)
    const query = `environmentId=${account.environmentId}`
    const key = (await admin('POST', `/auth/api-key?type=SECRET&${query}`)).body.data[0]
    const { statuses } = await mountListener(() => {}, { token: key.rawKey, transport: 'long-poll' })
    const pushed = await mountListener(() => {}, { token: key.rawKey, transport: 'websocket' })
    await admin('DELETE', `/auth/api-key?key=${key.id}&${query}`)
    await waitUntil(async () => statuses.some(({ state }) => state === 'closed'), 15)
    expect(statuses.at(-1)!.error).toMatchObject({ name: 'Refused', status: 401 })
    await emit('for:others')
    await waitUntil(async () => pushed.statuses.some(({ state }) => state === 'closed'), 15)
    expect(pushed.statuses.at(-1)!.error).toMatchObject({ name: 'Refused', status: 401 })

    const lost = new Driver({ scope: 'us_env_nothing' })
    Client.create(() => {}).mount(lost)
    await expect(lost.ready).rejects.toMatchObject({ name: 'Refused', status: 404 })
    expect(() => new Driver({ scope: '' })).toThrow('scope is required')
    expect(() => new Driver({ scope: 'us_env_x', since: 'yesterday' })).toThrow('since is neither')
  })

  it('falls back to long polling when no WebSocket is available', async () => {
    const server = await startRelay()
    server.refuseWebSockets()
    const ids: string[] = []
    const { statuses } = await mountListener(collector('another:way', ids), { apiUrl: server.apiUrl })
    expect(statuses).toEqual([{ state: 'connected', transport: 'long-poll' }])
    const made = [await emit('another:way')]
    await waitUntil(async () => ids.length === 1)
    expect(ids).toEqual(made)
    await server.close()
  })

  it('reads an event too large to be pushed', async () => {
    const events: { id: string; context: { note?: string } }[] = []
    const { statuses } = await mountListener((listener) => {
      listener.on('wide:one', ({ src }) => void events.push(src as never))
    })
    expect(statuses).toEqual([{ state: 'connected', transport: 'websocket' }])
    const note = 'y'.repeat(40_000)
    const id = await emit('wide:one', { note })
    await waitUntil(async () => events.length === 1)
    expect([events[0]!.id, events[0]!.context.note]).toEqual([id, note])
  })

  it('closes immediately after the work in progress of its listeners', async () => {
    let done = false
    const { driver, statuses } = await mountListener((listener) => {
      listener.on('slow:work', async () => {
        await sleep(500)
        done = true
      })
    })
    const started: string[] = []
    await mountListener(collector('slow:work', started))
    await emit('slow:work')
    await waitUntil(async () => started.length === 1)
    await sleep(200)
    const closing = Date.now()
    await driver.close()
    expect(done).toBe(true)
    expect(Date.now() - closing).toBeLessThan(2_000)
    expect(statuses.at(-1)).toEqual({ state: 'closed' })
  })
})
