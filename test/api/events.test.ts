import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, pluck } from '../support/api.ts'
import { account, admin, call, createFreshSpace, must, signIn, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

const newSpace = async (caller = call) => (await caller('POST', '/spaces', { name: 'Events' })).body.data.id as string

beforeAll(() => createFreshSpace())

const custom = (topic: string, context: object = {}, payload: object = {}) => ({
  topic,
  domain: 'space',
  context,
  payload,
})
const emit = async (topic: string, context: object = {}, payload: object = {}) => {
  const answer = await call('POST', '/events', custom(topic, context, payload))
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('a custom event', () => {
  it('is stored under the domain of its topic with the caller as actor, and listed immediately', async () => {
    const event = await emit(
      'shop:order-placed',
      { environmentId: account.environmentId, spaceId, actorId: 'us_usr_somebody' },
      { total: 5 },
    )
    expect(event).toMatchObject({
      domain: 'shop',
      payload: { total: 5 },
      context: { accountId: account.accountId, environmentId: account.environmentId, spaceId, actorId: account.userId },
      callbackUrl: `v1/events/${event.id}/ack`,
    })
    expect(ids(await call('GET', `/events?spaceId=${spaceId}&topic=shop:order-placed`))).toEqual([event.id])
    expect(await must('GET', `/events/${event.id}`)).toEqual(event)
    expect(await must('GET', `/events/${event.id}/payload`)).toEqual({ total: 5 })
  })

  it('gets the space of the workbook or sheet it is about', async () => {
    const { workbookId, sheetId } = await createSheet([{ key: 'k', type: 'string' }])
    const event = await emit('shop:restocked', { workbookId, sheetId })
    expect(event.context.spaceId).toBe(spaceId)
  })

  it('cannot be emitted into a space of another account or environment, or into two spaces', async () => {
    const stranger = await createTestAccount()
    const foreign = await newSpace(createCaller(stranger.secretKey))
    const intoForeign = await call(
      'POST',
      '/events',
      custom('a:b', { environmentId: account.environmentId, spaceId: foreign }),
    )
    expect(intoForeign.status).toBe(404)
    const intoMissing = await call('POST', '/events', custom('a:b', { spaceId: 'us_sp_nothing' }))
    expect(intoMissing.status).toBe(404)
    expect((await call('POST', '/events', custom('a:b', { environmentId: stranger.environmentId }))).status).toBe(404)
    expect(ids(await createCaller(stranger.secretKey)('GET', `/events?spaceId=${foreign}&topic=a:b`))).toEqual([])

    const production = account.environments[1]!.environment.id
    expect((await admin('POST', '/events', custom('a:b', { environmentId: production, spaceId }))).status).toBe(404)
    const other = await newSpace()
    const workbook = await must('POST', '/workbooks', { spaceId: other, name: 'W' })
    const mixed = await call('POST', '/events', custom('a:b', { spaceId, workbookId: workbook.id }))
    expect(mixed).toMatchObject({ status: 400, body: { errors: [{ key: 'context.workbookId' }] } })
  })

  it('is rejected with every problem named', async () => {
    const { status, body } = await call('POST', '/events', {
      topic: 'nocolon',
      domain: 'x',
      context: {},
      payload: 'text',
    })
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key').sort()).toEqual(['payload', 'topic'])
    const large = await call('POST', '/events', custom('a:b', {}, { text: 'x'.repeat(400_000) }))
    expect(large.status).toBe(413)
    expect((await admin('POST', '/events', custom('a:b'))).body.errors[0].key).toBe('environmentId')
  })
})

describe('the list', () => {
  it('shows one environment oldest first, page by page, and filters by topic, domain and time', async () => {
    const own = await createTestAccount()
    const mine = createCaller(own.secretKey)
    const made: { id: string; domain: string; createdAt: string }[] = []
    for (let number = 0; number < 7; number++) {
      made.push((await mine('POST', '/events', custom(number % 2 ? 'odd:one' : 'even:one', {}, { number }))).body.data)
    }
    const list = (query: string) => mine('GET', `/events?${query}`)
    const all = ids(await list('pageSize=100&topic=even:one')).concat(ids(await list('pageSize=100&domain=odd')))
    expect(all.toSorted()).toEqual(made.map(({ id }) => id))
    const since = encodeURIComponent(made[3]!.createdAt)
    const later = ids(await list(`since=${since}&pageSize=100`))
    expect(later).toEqual(later.toSorted())
    expect(later).toEqual(made.filter(({ createdAt }) => createdAt >= made[3]!.createdAt).map(({ id }) => id))
    const pages = await Promise.all([1, 2, 3, 4].map((number) => list(`domain=even&pageSize=2&pageNumber=${number}`)))
    expect(pages.flatMap(ids)).toEqual(made.filter(({ domain }) => domain === 'even').map(({ id }) => id))
    expect(ids(await list(''))).toHaveLength(8)
    const newest = await Promise.all(
      [1, 2].map((number) => list(`domain=even&sortDirection=desc&pageSize=2&pageNumber=${number}`)),
    )
    expect(newest.flatMap(ids)).toEqual(pages.flatMap(ids).toReversed())
    expect((await list('sortDirection=down')).status).toBe(400)
  })

  it('shows an administrator all environments in one order, and a key only its own', async () => {
    const own = await createTestAccount()
    const owner = await signIn(own)
    const [development, production] = own.environments.map(({ environment }) => environment.id) as [string, string]
    for (const environmentId of [production, development, production])
      await owner('POST', '/events', custom('mixed:up', { environmentId }))
    const both = await owner('GET', '/events?topic=mixed:up')
    expect(both.body.data.map(({ context }: { context: { environmentId: string } }) => context.environmentId)).toEqual([
      production,
      development,
      production,
    ])
    expect(ids(await owner('GET', '/events?topic=mixed:up&pageSize=1&pageNumber=3'))).toEqual(ids(both).slice(2))
    expect(ids(await owner('GET', '/events?topic=mixed:up&sortDirection=desc'))).toEqual(ids(both).toReversed())
    expect(ids(await createCaller(own.secretKey)('GET', '/events?topic=mixed:up'))).toHaveLength(1)
    expect((await createCaller(own.secretKey)('GET', `/events?environmentId=${production}`)).status).toBe(404)
  })

  it('hides a space outside the named environment', async () => {
    const production = account.environments[1]!.environment.id
    expect((await admin('GET', `/events?spaceId=${spaceId}&environmentId=${production}`)).status).toBe(404)
  })

  it("shows an embedded token only its space's events", async () => {
    const created = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Embedded' })).body.data
    const events = (
      await createCaller(created.accessToken)('GET', `/events?environmentId=${account.environmentId}&pageSize=100`)
    ).body.data
    expect(events.length).toBeGreaterThan(0)
    expect(events.every(({ context }: { context: { spaceId?: string } }) => context.spaceId === created.id)).toBe(true)
  })
})

describe('acknowledging', () => {
  it('removes an event from the list, records who was first, and can be repeated', async () => {
    const event = await emit('to:do', { spaceId })
    expect((await call('POST', `/events/${event.id}/ack`)).body).toEqual({ data: { success: true } })
    const first = await must('GET', `/events/${event.id}`)
    expect(first).toMatchObject({ acknowledgedBy: account.userId, acknowledgedAt: expect.any(String) })
    expect((await admin('POST', `/events/${event.id}/ack`)).status).toBe(200)
    expect(await must('GET', `/events/${event.id}`)).toEqual(first)
    expect(ids(await call('GET', `/events?spaceId=${spaceId}&topic=to:do`))).toEqual([])
    expect(ids(await call('GET', `/events?spaceId=${spaceId}&topic=to:do&includeAcknowledged=true`))).toEqual([
      event.id,
    ])
  })
})
