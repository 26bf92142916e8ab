import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import type { Secret } from '../../schemas/secrets/shape.ts'
import { emitEvent, waitForRun } from '../support/activity.ts'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, admin, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'

let production: string

beforeAll(async () => {
  await createFreshAccount()
  production = account.environments[1]!.environment.id
})

const write = async (body: object, as = call): Promise<Secret> => {
  const answer = await as('POST', '/secrets', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body.data).toHaveLength(1)
  return answer.body.data[0]
}
const valuesOf = async (query: string, as = call): Promise<Record<string, string>> => {
  const answer = await as('GET', `/secrets?${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return Object.fromEntries(answer.body.data.map(({ name, value }: Secret) => [name, value]))
}
const makeSpace = async (): Promise<string> => (await must('POST', '/spaces', { name: 'Secrets' })).id
const eventsOf = async (secretId: string) =>
  (await must('GET', `/events?domain=secret&pageSize=1000`)).filter(
    ({ payload }: { payload: { secretId: string } }) => payload.secretId === secretId,
  )

describe('a secret', () => {
  it('is written, overwritten and deleted by name in one request each, with events without name or value', async () => {
    const first = await write({ name: 'API_KEY', value: 'one', environmentId })
    expect(first).toMatchObject({ id: expect.stringMatching(/^us_sec_/), name: 'API_KEY', value: 'one', environmentId })
    expect((await write({ name: 'API_KEY', value: 'two' })).id).toBe(first.id)
    await write({ name: 'API_KEY', value: 'two' })
    await write({ name: 'OTHER', value: 'stays' })
    expect(await valuesOf(`environmentId=${environmentId}`)).toEqual({ API_KEY: 'two', OTHER: 'stays' })

    const left = await call('DELETE', `/secrets/${first.id}`)
    expect(pluck(left.body.data, 'name')).toEqual(['OTHER'])
    expect((await call('DELETE', `/secrets/${first.id}`)).status).toBe(404)
    expect(await valuesOf(`environmentId=${environmentId}`)).toEqual({ OTHER: 'stays' })
    expect((await write({ name: 'API_KEY', value: 'three' })).id).not.toBe(first.id)

    const emitted = await eventsOf(first.id)
    expect(pluck(emitted, 'topic')).toEqual(['secret:created', 'secret:updated', 'secret:deleted'])
    for (const { payload, context } of emitted) {
      expect(payload).toEqual({ secretId: first.id, spaceId: '', environmentId })
      expect(context).toMatchObject({ accountId: account.accountId, environmentId, actorId: expect.any(String) })
    }
    expect(JSON.stringify(emitted)).not.toMatch(/API_KEY|"(one|two)"/)
  })

  it('in a space overrides that of the environment, only in this space', async () => {
    const [space, other] = [await makeSpace(), await makeSpace()]
    await write({ name: 'PLACE', value: 'environment' })
    const inSpace = await write({ name: 'PLACE', value: 'space', spaceId: space })
    await write({ name: 'ONLY_HERE', value: 'yes', spaceId: space, environmentId })
    expect(await valuesOf(`environmentId=${environmentId}&spaceId=${space}`)).toMatchObject({
      PLACE: 'space',
      ONLY_HERE: 'yes',
    })
    expect(await valuesOf(`spaceId=${other}`)).toMatchObject({ PLACE: 'environment' })
    expect(await valuesOf(`spaceId=${other}`)).not.toHaveProperty('ONLY_HERE')
    expect((await valuesOf(`environmentId=${environmentId}`)).PLACE).toBe('environment')
    expect((await eventsOf(inSpace.id))[0].payload).toEqual({ secretId: inSpace.id, spaceId: space, environmentId })

    await call('DELETE', `/spaces/${space}`)
    await waitUntil(async () =>
      (await eventsOf(inSpace.id)).some(({ topic }: { topic: string }) => topic === 'secret:deleted'),
    )
    expect((await call('DELETE', `/secrets/${inSpace.id}`)).status).toBe(404)
    expect((await valuesOf('')).PLACE).toBe('environment')
  })

  it('in a space is reported to listeners of its namespace, even after the space is deleted', async () => {
    const space = (await must('POST', '/spaces', { name: 'S', environmentId, namespace: 'red' })).id
    const secret = await write({ name: 'NAMED', value: 'one', spaceId: space })
    await write({ name: 'NAMED', value: 'two', spaceId: space })
    await call('DELETE', `/spaces/${space}`)
    const listEvents = () => eventsOf(secret.id)
    await waitUntil(async () => (await listEvents()).some(({ topic }: { topic: string }) => topic === 'secret:deleted'))
    expect((await listEvents()).map(({ topic, namespaces }: Event) => [topic, namespaces])).toEqual(
      ['secret:created', 'secret:updated', 'secret:deleted'].map((topic) => [topic, ['space:red']]),
    )
  })

  it('for an actor overrides both, for the actor who asks for it', async () => {
    await write({ name: 'WHO', value: 'everybody' })
    await write({ name: 'WHO', value: 'ada', actorId: account.userId, environmentId }, admin)
    expect((await valuesOf(`environmentId=${environmentId}&actorId=${account.userId}`, admin)).WHO).toBe('ada')
    expect((await valuesOf(`environmentId=${environmentId}&actorId=us_usr_of_nobody`)).WHO).toBe('everybody')
    const unknown = { name: 'WHO', value: 'x', actorId: 'us_usr_of_nobody', environmentId }
    expect((await admin('POST', '/secrets', unknown)).status).toBe(404)
  })

  it('is encrypted at rest: its value is nowhere in the table', async () => {
    const value = `needle-${'0123456789abcdef'.repeat(4)}`
    await write({ name: 'SEALED', value })
    const { documents, getTableName } = await import('../../lib/table/client.ts')
    let pages = 0
    let from: Record<string, unknown> | undefined
    do {
      const page = await documents.send(new ScanCommand({ TableName: getTableName(), ExclusiveStartKey: from }))
      expect(JSON.stringify(page.Items)).not.toContain('needle-')
      pages += page.Items!.length
      from = page.LastEvaluatedKey
    } while (from)
    expect(pages).toBeGreaterThan(0)
    expect((await valuesOf('')).SEALED).toBe(value)
  })

  it('written concurrently is one secret with one of the values', async () => {
    const values = ['a', 'b', 'c', 'd']
    const written = await Promise.all(values.map((value) => call('POST', '/secrets', { name: 'RACED', value })))
    expect(written.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const found = (await must('GET', '/secrets')).filter(({ name }: Secret) => name === 'RACED')
    expect(found).toHaveLength(1)
    expect(values).toContain(found[0].value)
  })

  it('is rejected with every problem named, and when its scope is missing', async () => {
    const bad = await call('POST', '/secrets', { name: '', value: 'x'.repeat(4097), environmentId })
    expect(bad.status).toBe(400)
    expect(pluck(bad.body.errors, 'key')).toEqual(['name', 'value'])
    const placeless = await admin('POST', '/secrets', { name: 'A', value: 'b' })
    expect([placeless.status, placeless.body.errors[0].key]).toEqual([400, 'environmentId'])
  })
})

describe('access to secrets', () => {
  it('is allowed for members and the key of the environment, in their environments', async () => {
    await write({ name: 'PROD', value: 'p', environmentId: production }, admin)
    expect(await valuesOf(`environmentId=${production}`, admin)).toEqual({ PROD: 'p' })
    expect((await call('GET', `/secrets?environmentId=${production}`)).status).toBe(404)
    expect((await call('POST', '/secrets', { name: 'X', value: 'x', environmentId: production })).status).toBe(404)
    const space = await makeSpace()
    const mixed = { name: 'X', value: 'x', environmentId: production, spaceId: space }
    expect((await admin('POST', '/secrets', mixed)).status).toBe(404)
    expect((await createCaller(account.publishableKey)('GET', '/secrets')).status).toBe(403)
    const stranger = createCaller((await createTestAccount()).secretKey)
    expect((await stranger('GET', `/secrets?spaceId=${space}`)).status).toBe(404)
  })

  it("lets an agent read its environment's secrets with its key, as the public listener does, and no other environment's", async () => {
    await write({ name: 'FOR_AGENTS', value: 'inside' })
    const source = `exports.routeEvent = async (event) => {
      const ask = async (environmentId) => {
        const url = process.env.AGENT_INTERNAL_URL + '/v1/secrets?environmentId=' + environmentId + '&actorId=' + event.context.actorId
        const answer = await fetch(url, { headers: { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN } })
        return [answer.status, (await answer.json()).data?.find(({ name }) => name === 'FOR_AGENTS')?.value.length]
      }
      console.log(JSON.stringify([await ask(event.context.environmentId), await ask('${production}')]))
    }`
    const body = { slug: 'reader', topics: ['vault:asked'], source }
    const agent = await must('POST', `/agents?environmentId=${environmentId}`, body)
    const run = await waitForRun(agent.id, (await emitEvent('vault:asked')).id)
    expect(run.log).toContain('[[200,6],[404,null]]')
  })
})
