import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CloudEvent, HTTP } from 'cloudevents'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emitEvent } from '../support/activity.ts'
import { createCaller, createTestAccount, getServer, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

interface Posted {
  path: string
  headers: IncomingHttpHeaders
  body: string
}
interface Delivery {
  id: string
  eventId: string
  topic: string
  status: string
  attempts: { statusCode?: number; error?: string; answer?: string; success: boolean; durationMs: number }[]
  nextAttemptAt?: string
}

let receiver: Server
let address: string
let posted: Posted[] = []
const answers = new Map<string, { status: number; body?: string; headers?: Record<string, string> }>()
const gates = new Map<string, Promise<void>>()
let paths = 0

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    posted.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() })
    await gates.get(request.url!)
    const { status, body, headers } = answers.get(request.url!) ?? { status: 200, body: 'thanks' }
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  await createFreshAccount()
  posted = []
})

const subscribe = async (topics: string[], more: object = {}) => {
  const path = `/hook-${++paths}`
  const { secret, ...webhook } = await must('POST', '/webhooks', { url: address + path, topics, ...more })
  return { ...webhook, secret, path } as { id: string; secret: string; path: string }
}
const emit = (topic: string, context: object = {}): Promise<{ id: string }> =>
  emitEvent(topic, context, { said: 'hello' })
const postsTo = (path: string) => posted.filter((each) => each.path === path)
const listDeliveries = (id: string, query = ''): Promise<Delivery[]> =>
  must('GET', `/webhooks/${id}/deliveries${query}`)
const waitForDelivery = (id: string, eventId: string, attempts = 1) =>
  waitUntil(async () =>
    (await listDeliveries(id)).find((each) => each.eventId === eventId && each.attempts.length >= attempts),
  )

const sweep = async (laterMs = 0): Promise<number> =>
  (await invokePlatformFunction('webhook-tries', { time: new Date(Date.now() + laterMs).toISOString() })).tries
const HOUR = 3_600_000

describe('a delivery', () => {
  it("is the event as JSON, signed with the secret, with the event's id", async () => {
    const webhook = await subscribe(['hello:said'])
    const event = await emit('hello:said')
    const delivery = await waitForDelivery(webhook.id, event.id)
    expect(delivery).toMatchObject({ status: 'delivered', topic: 'hello:said' })
    expect(delivery.attempts).toMatchObject([{ success: true, statusCode: 200, answer: 'thanks' }])
    expect(delivery).not.toHaveProperty('nextAttemptAt')

    const [request] = postsTo(webhook.path)
    expect(request!.headers['webhook-id']).toBe(event.id)
    expect(request!.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    const verified = new Verifier(webhook.secret).verify(request!.body, request!.headers as Record<string, string>)
    expect(verified).toEqual(await must('GET', `/events/${event.id}`))
    expect(() =>
      new Verifier(webhook.secret).verify(request!.body.replace('hello', 'hullo'), request!.headers as never),
    ).toThrow()
  })

  it('is a valid CloudEvent, signed, if that is the format', async () => {
    const space = await must('POST', '/spaces', { name: 'Mine' })
    const webhook = await subscribe(['space:deleted', 'hello:*'], { format: 'cloudevents' })
    const event = await emit('hello:said')
    await waitForDelivery(webhook.id, event.id)
    await must('DELETE', `/spaces/${space.id}`)
    await waitUntil(async () => postsTo(webhook.path).length === 2)

    const [said, deleted] = postsTo(webhook.path).map(({ headers, body }) => {
      expect(headers['content-type']).toBe('application/cloudevents+json')
      expect(() => new Verifier(webhook.secret).verify(body, headers as Record<string, string>)).not.toThrow()
      const cloudEvent = HTTP.toEvent({ headers, body }) as CloudEvent<{ createdAt: string }>
      expect(cloudEvent.validate()).toBe(true)
      return cloudEvent
    })
    expect(said).toMatchObject({
      id: event.id,
      source: `/api/v1/environments/${environmentId}`,
      type: 'wharf.hello:said',
      time: said!.data!.createdAt,
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    })
    expect(said!.data).toEqual(await must('GET', `/events/${event.id}`))
    expect(said!.subject).toBeUndefined()
    expect(deleted).toMatchObject({ type: 'wharf.space:deleted', subject: space.id })
  })

  it('changes its format with the webhook, and only to a known one', async () => {
    const webhook = await subscribe(['hello:said'])
    expect(await must('GET', `/webhooks/${webhook.id}`)).toMatchObject({ format: 'json' })
    expect((await call('PATCH', `/webhooks/${webhook.id}`, { format: 'xml' })).status).toBe(400)
    expect(await must('PATCH', `/webhooks/${webhook.id}`, { format: 'cloudevents' })).toMatchObject({
      format: 'cloudevents',
      topics: ['hello:said'],
    })
    await must('POST', `/webhooks/${webhook.id}/ping`)
    const [{ headers, body }] = postsTo(webhook.path) as [Posted]
    expect(HTTP.toEvent({ headers, body })).toMatchObject({
      type: 'wharf.webhook:ping',
      data: { payload: { webhookId: webhook.id } },
    })
  })

  it('goes to the matching webhooks of its environment and its space, and to no other', async () => {
    const space = await must('POST', '/spaces', { name: 'Mine' })
    const other = await must('POST', '/spaces', { name: 'Other' })
    const [exact, domain, all, mine, inactive] = await Promise.all([
      subscribe(['deed:done']),
      subscribe(['deed:*']),
      subscribe(['**']),
      subscribe(['deed:done'], { spaceId: space.id }),
      subscribe(['deed:done'], { active: false }),
    ])
    const production = createCaller(account.environments[1]!.secret.rawKey!)
    const elsewhere = await must(
      'POST',
      '/webhooks',
      { url: `${address}/elsewhere`, topics: ['**'], environmentId: account.environments[1]!.environment.id },
      production,
    )
    const here = await emit('deed:done', { spaceId: other.id })
    const there = await emit('deed:done', { spaceId: space.id })
    await emit('cron:hourly')
    await emit('deed:undone')
    const last = await emit('deed:over')
    await waitForDelivery(all!.id, last.id)
    await waitForDelivery(domain!.id, last.id)
    const ids = async (webhook: { id: string }) => (await listDeliveries(webhook.id)).map(({ eventId }) => eventId)
    await waitForDelivery(mine!.id, there.id)
    await waitForDelivery(exact!.id, there.id)
    expect((await ids(exact!)).toSorted()).toEqual([here.id, there.id].toSorted())
    expect(await ids(mine!)).toEqual([there.id])
    expect((await listDeliveries(domain!.id)).map(({ topic }) => topic)).toEqual([
      'deed:over',
      'deed:undone',
      'deed:done',
      'deed:done',
    ])
    expect((await listDeliveries(all!.id)).some(({ topic }) => topic === 'cron:hourly')).toBe(false)
    expect(await ids(inactive!)).toEqual([])
    expect(
      (await createCaller(account.environments[1]!.secret.rawKey!)('GET', `/webhooks/${elsewhere.id}/deliveries`)).body,
    ).toEqual({ data: [] })
  })

  it('has the dataUrl of an event too large for the bus', async () => {
    const webhook = await subscribe(['large:event'])
    const payload = { text: 'x'.repeat(300_000) }
    const event = await must('POST', '/events', { topic: 'large:event', domain: 'x', context: {}, payload })
    await waitForDelivery(webhook.id, event.id)
    const body = JSON.parse(postsTo(webhook.path)[0]!.body)
    expect(body).toMatchObject({ id: event.id, payload: {} })
    expect(await must('GET', body.dataUrl.replace(/^v1/, ''))).toEqual(payload)
  })

  it('that fails is retried when it is due, with the same id and body, until it succeeds', async () => {
    const webhook = await subscribe(['flaky:event'])
    answers.set(webhook.path, { status: 503, body: `busy ${'x'.repeat(3000)}` })
    const event = await emit('flaky:event')
    const first = await waitForDelivery(webhook.id, event.id)
    expect(first).toMatchObject({ status: 'pending', attempts: [{ success: false, statusCode: 503 }] })
    expect(first.attempts[0]!.answer).toHaveLength(1024)
    const wait = Date.parse(first.nextAttemptAt!) - Date.now()
    expect(wait).toBeLessThan(5500)
    expect(wait).toBeGreaterThan(2000)
    await must('POST', `/events/${event.id}/ack`)
    await sweep(6000)
    const second = await waitForDelivery(webhook.id, event.id, 2)
    expect(Date.parse(second.nextAttemptAt!) - Date.now() - 6000).toBeGreaterThan(265_000)
    await sweep(100_000)
    expect(postsTo(webhook.path), 'nothing is tried before it is due').toHaveLength(2)
    answers.delete(webhook.path)
    await sweep(HOUR)
    const third = await waitForDelivery(webhook.id, event.id, 3)
    expect(third.status).toBe('delivered')
    const [one, two, three] = postsTo(webhook.path)
    expect([two!.headers['webhook-id'], three!.headers['webhook-id']]).toEqual([event.id, event.id])
    expect([two!.body, three!.body]).toEqual([one!.body, one!.body])
    await sweep(48 * HOUR)
    expect(postsTo(webhook.path)).toHaveLength(3)
  })

  it('is given up after eight attempts', async () => {
    const webhook = await subscribe(['hopeless:event'])
    answers.set(webhook.path, { status: 302, headers: { location: `${address}/moved` } })
    const event = await emit('hopeless:event')
    await waitForDelivery(webhook.id, event.id)
    for (let hours = 12; hours <= 12 * 8; hours += 12) await sweep(hours * HOUR)
    const [delivery] = await listDeliveries(webhook.id)
    expect(delivery).toMatchObject({ status: 'failed' })
    expect(delivery!.attempts).toHaveLength(8)
    expect(postsTo(webhook.path)).toHaveLength(8)
    expect(postsTo('/moved'), 'redirects are not followed').toEqual([])
  })

  it('is sent once by two concurrent runs', async () => {
    const webhook = await subscribe(['raced:event'])
    answers.set(webhook.path, { status: 500 })
    const events = await Promise.all(Array.from({ length: 5 }, () => emit('raced:event')))
    for (const { id } of events) await waitForDelivery(webhook.id, id)
    await Promise.all(Array.from({ length: 4 }, () => sweep(10_000)))
    for (const { id } of events) await waitForDelivery(webhook.id, id, 2)
    const counts = events.map(
      ({ id }) => postsTo(webhook.path).filter(({ headers }) => headers['webhook-id'] === id).length,
    )
    expect(counts).toEqual([2, 2, 2, 2, 2])
  })

  it('whose first run dies is sent again once its lease has expired, and not before', async () => {
    const event = await emit('crash:event')
    const webhook = await subscribe(['crash:event'])
    const whole = await must('GET', `/events/${event.id}`)
    let puts = 0
    const death = await runWithKill('run-webhook-event.ts', [JSON.stringify(whole)], ({ headers }) =>
      headers['x-amz-target'] === 'DynamoDB_20120810.PutItem' && ++puts === 2 ? 'before' : undefined,
    )
    expect(death.killed).toBe(true)
    expect(postsTo(webhook.path), 'it died between the try and its result').toHaveLength(1)
    expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'pending', attempts: [] }])
    await sweep(30_000)
    expect(postsTo(webhook.path)).toHaveLength(1)
    await sweep(61_000)
    expect(await waitForDelivery(webhook.id, event.id)).toMatchObject({ status: 'delivered' })
    expect(postsTo(webhook.path)).toHaveLength(2)
    expect(postsTo(webhook.path)[1]!.body).toBe(postsTo(webhook.path)[0]!.body)
  })

  it('can be listed by status and page by page, and replayed manually', async () => {
    const webhook = await subscribe(['listed:event'])
    answers.set(webhook.path, { status: 500 })
    const failed = await emit('listed:event')
    await waitForDelivery(webhook.id, failed.id)
    for (let hours = 12; hours <= 12 * 8; hours += 12) await sweep(hours * HOUR)
    answers.delete(webhook.path)
    const fine = [await emit('listed:event'), await emit('listed:event'), await emit('listed:event')]
    for (const { id } of fine) await waitForDelivery(webhook.id, id)
    const ids = (deliveries: Delivery[]) => deliveries.map(({ eventId }) => eventId)
    const newest = fine.map(({ id }) => id).toReversed()
    expect(ids(await listDeliveries(webhook.id))).toEqual([...newest, failed.id])
    expect(ids(await listDeliveries(webhook.id, '?pageSize=3'))).toEqual(newest)
    expect(ids(await listDeliveries(webhook.id, '?pageSize=3&pageNumber=2'))).toEqual([failed.id])
    expect(ids(await listDeliveries(webhook.id, '?status=delivered'))).toEqual(newest)
    expect(await listDeliveries(webhook.id, '?status=pending')).toEqual([])
    const [dead] = await listDeliveries(webhook.id, '?status=failed')
    const replayed = await must('POST', `/webhooks/${webhook.id}/deliveries/${dead!.id}/replay`)
    expect(replayed).toMatchObject({ id: dead!.id, status: 'delivered' })
    expect(replayed.attempts).toHaveLength(9)
    expect(ids(await listDeliveries(webhook.id, '?status=delivered'))).toEqual([...newest, failed.id])
    const missing = await call('POST', `/webhooks/${webhook.id}/deliveries/us_whd_nothing/replay`)
    expect(missing.status).toBe(404)
  })

  const closeGate = (path: string): (() => void) => {
    let open = () => {}
    gates.set(path, new Promise((resolve) => (open = resolve)))
    return open
  }
  const replay = (id: string, deliveryId: string) => call('POST', `/webhooks/${id}/deliveries/${deliveryId}/replay`)

  it('is not replayed while its first attempt is in progress', async () => {
    const webhook = await subscribe(['slow:event'])
    const open = closeGate(webhook.path)
    await emit('slow:event')
    await waitUntil(async () => postsTo(webhook.path).length === 1)
    const [delivery] = await listDeliveries(webhook.id)
    expect((await replay(webhook.id, delivery!.id)).status).toBe(409)
    open()
    await waitUntil(async () => (await listDeliveries(webhook.id, '?status=delivered')).length === 1)
    expect(postsTo(webhook.path)).toHaveLength(1)
  })

  it('is replayed once when requested twice concurrently', async () => {
    const webhook = await subscribe(['twice:event'])
    const { id } = await waitForDelivery(webhook.id, (await emit('twice:event')).id)
    const open = closeGate(webhook.path)
    const first = replay(webhook.id, id)
    await waitUntil(async () => postsTo(webhook.path).length === 2)
    expect((await replay(webhook.id, id)).status).toBe(409)
    open()
    expect((await first).status).toBe(200)
    expect(postsTo(webhook.path)).toHaveLength(2)
  })

  it('is not replayed through another webhook, even by its owner', async () => {
    const [one, two] = [await subscribe(['own:event']), await subscribe(['none:event'])]
    const event = await emit('own:event')
    const { id } = await waitForDelivery(one.id, event.id)
    expect((await call('POST', `/webhooks/${two.id}/deliveries/${id}/replay`)).status).toBe(404)
  })
})

describe('a webhook', () => {
  it('shows its secret once, and signs with both during a rotation', async () => {
    const webhook = await subscribe(['sign:event'])
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const path of [`/webhooks/${webhook.id}`, '/webhooks'])
      expect(JSON.stringify((await call('GET', path)).body)).not.toMatch(/whsec_|sealed|secret/)
    const rotated = await must('POST', `/webhooks/${webhook.id}/rotate-secret`, { overlapSeconds: 3600 })
    expect(rotated.secret).not.toBe(webhook.secret)
    const event = await emit('sign:event')
    await waitForDelivery(webhook.id, event.id)
    const { body, headers } = postsTo(webhook.path)[0]!
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of [webhook.secret, rotated.secret])
      expect(new Verifier(secret).verify(body, headers as never)).toMatchObject({ id: event.id })

    const third = await must('POST', `/webhooks/${webhook.id}/rotate-secret`)
    expect(third.secret).not.toBe(rotated.secret)
    const last = await must('POST', `/webhooks/${webhook.id}/rotate-secret`, { overlapSeconds: 0 })
    const next = await emit('sign:event')
    await waitForDelivery(webhook.id, next.id)
    const second = postsTo(webhook.path)[1]!
    expect(new Verifier(last.secret).verify(second.body, second.headers as never)).toMatchObject({ id: next.id })
    expect(() => new Verifier(rotated.secret).verify(second.body, second.headers as never)).toThrow()
  })

  it('becomes inactive after five days of only failures, says so, and works again when reactivated', async () => {
    const webhook = await subscribe(['down:event'])
    answers.set(webhook.path, { status: 500 })
    const event = await emit('down:event')
    await waitForDelivery(webhook.id, event.id)
    await waitUntil(async () => (await must('GET', `/webhooks/${webhook.id}`)).failingSince)
    await sweep(119 * HOUR)
    expect(await must('GET', `/webhooks/${webhook.id}`)).toMatchObject({ active: true })
    await sweep(121 * HOUR)
    const down = await must('GET', `/webhooks/${webhook.id}`)
    expect(down).toMatchObject({ active: false, disabledReason: 'failing', disabledAt: expect.any(String) })
    await sweep(150 * HOUR)
    const [delivery] = await listDeliveries(webhook.id)
    expect(delivery).toMatchObject({ status: 'failed' })
    expect(delivery!.attempts.at(-1)).toMatchObject({ error: 'The webhook is not active.' })
    expect((await call('POST', `/webhooks/${webhook.id}/deliveries/${delivery!.id}/replay`)).status).toBe(409)
    answers.delete(webhook.path)
    const up = await must('PATCH', `/webhooks/${webhook.id}`, { active: true })
    expect(up.active).toBe(true)
    for (const key of ['failingSince', 'disabledAt', 'disabledReason']) expect(up).not.toHaveProperty(key)
    const later = await emit('down:event')
    expect(await waitForDelivery(webhook.id, later.id)).toMatchObject({ status: 'delivered' })
  })

  it('becomes inactive immediately when its URL returns gone', async () => {
    const webhook = await subscribe(['gone:event'])
    answers.set(webhook.path, { status: 410 })
    await waitForDelivery(webhook.id, (await emit('gone:event')).id)
    await waitUntil(async () => (await must('GET', `/webhooks/${webhook.id}`)).disabledReason === 'gone')
  })

  it('returns the result of a ping', async () => {
    const webhook = await subscribe(['never:event'])
    expect(await must('POST', `/webhooks/${webhook.id}/ping`)).toMatchObject({ success: true, statusCode: 200 })
    const { body, headers } = postsTo(webhook.path)[0]!
    const event = new Verifier(webhook.secret).verify(body, headers as never)
    expect(event).toMatchObject({
      topic: 'webhook:ping',
      payload: { webhookId: webhook.id },
      context: { environmentId },
    })
    await must('PATCH', `/webhooks/${webhook.id}`, { url: 'http://127.0.0.1:9/' })
    expect(await must('POST', `/webhooks/${webhook.id}/ping`)).toMatchObject({
      success: false,
      error: 'The request failed: ECONNREFUSED.',
    })
    expect(await listDeliveries(webhook.id)).toEqual([])
  })

  it('cannot target the ports of the platform, while other ports of this machine are allowed', async () => {
    const { cloud, baseUrl } = getServer()
    const { port } = new URL(cloud)
    const create = `/2015-03-31/functions/${getServer().environment.PLATFORM_PREFIX}create-account/invocations`
    const problem = { errors: [{ key: 'url', message: 'must not be an address of the platform itself' }] }
    const taken = await subscribe(['never:event'])
    for (const url of [cloud + create, baseUrl, `http://localhost:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`]) {
      expect(await call('POST', '/webhooks', { url, topics: ['**'] })).toMatchObject({ status: 400, body: problem })
      expect(await call('PATCH', `/webhooks/${taken.id}`, { url })).toMatchObject({ status: 400, body: problem })
    }
    expect((await must('GET', `/webhooks/${taken.id}`)).url).toBe(address + taken.path)
  })

  it('rejects an address that is not on the internet, invalid topics, and a foreign space, each by name', async () => {
    const getRejection = async (body: object) => {
      const answer = await call('POST', '/webhooks', { url: 'https://example.com/', topics: ['a:b'], ...body })
      return [answer.status, answer.body.errors]
    }
    const problem = (key: string, message: string) => [400, [{ key, message }]]
    expect(await getRejection({ url: 'http://example.com/' })).toEqual(problem('url', 'must start with https://'))
    const internal = problem('url', 'must be a public internet address')
    expect(await getRejection({ url: 'https://169.254.169.254/latest' })).toEqual(internal)
    expect(await getRejection({ topics: ['space:cre*'] })).toEqual(
      problem('topics.0', 'must be <domain>:<event>, <domain>:* or **'),
    )
    expect((await getRejection({ topics: [] }))[0]).toBe(400)
    const stranger = await createTestAccount()
    const foreign = await must('POST', '/spaces', { name: 'x' }, createCaller(stranger.secretKey))
    expect((await getRejection({ spaceId: foreign.id }))[0]).toBe(404)
    const webhook = await subscribe(['a:b'])
    expect((await call('PATCH', `/webhooks/${webhook.id}`, { url: 'https://10.0.0.1/' })).status).toBe(400)
  })

  it('is limited to 50 per environment', async () => {
    for (let count = 0; count < 50; count++) await subscribe(['a:b'])
    const over = await call('POST', '/webhooks', { url: 'https://example.com/', topics: ['a:b'] })
    expect(over.status).toBe(409)
    expect(over.body.errors[0].message).toBe('This environment already has 50 webhooks, the maximum.')
    expect((await call('GET', '/webhooks?pageSize=10')).body.pagination.totalCount).toBe(50)
  })

  it('is deleted with its space, and delivers nothing once it is deleted', async () => {
    const space = await must('POST', '/spaces', { name: 'Short' })
    const inSpace = await subscribe(['**'], { spaceId: space.id })
    const webhook = await subscribe(['late:event'])
    answers.set(webhook.path, { status: 500 })
    await waitForDelivery(webhook.id, (await emit('late:event')).id)
    await must('DELETE', `/webhooks/${webhook.id}`)
    await sweep(24 * HOUR)
    expect(postsTo(webhook.path)).toHaveLength(1)
    await must('DELETE', `/spaces/${space.id}`)
    await waitUntil(async () => (await call('GET', `/webhooks/${inSpace.id}`)).status === 404)
  })
})

describe('an event', () => {
  it('written after the response to the creation of a webhook is delivered, while other events are written', async () => {
    let isWriting = true
    const write = async (): Promise<void> => {
      while (isWriting) await emit('busy:event')
    }
    const writers = [write(), write()]
    for (let round = 0; round < 5; round++) {
      const webhook = await subscribe(['busy:event'])
      const { id } = await emit('busy:event')
      expect(await waitForDelivery(webhook.id, id)).toMatchObject({ status: 'delivered' })
      await must('DELETE', `/webhooks/${webhook.id}`)
    }
    isWriting = false
    await Promise.all(writers)
  })

  it('is delivered from the moment in which a webhook gets its topic or is activated', async () => {
    const webhook = await subscribe(['first:topic'], { active: false })
    const skipped = await emit('first:topic')
    await must('PATCH', `/webhooks/${webhook.id}`, { active: true })
    const first = await emit('first:topic')
    await waitForDelivery(webhook.id, first.id)
    await must('PATCH', `/webhooks/${webhook.id}`, { topics: ['second:*'] })
    const second = await emit('second:topic')
    await waitForDelivery(webhook.id, second.id)
    expect((await listDeliveries(webhook.id)).map(({ eventId }) => eventId)).not.toContain(skipped.id)
  })
})
