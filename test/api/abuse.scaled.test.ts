/** Abuse protection: repeated requests, floods, password guessing and foreign pages. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer } from '../support/api.ts'
import { account, anybody, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'
import { runs } from '../support/runs.ts'

let count = 0

beforeAll(async () => {
  getServer()
  // Only in this process: the server's functions have no limit.
  Object.assign(process.env, { RATE_LIMIT: '3', ADDRESS_RATE_LIMIT: '1' })
  const { env } = await import('../../lib/core/env.ts')
  expect(env().RATE_LIMIT).toBe(3)
  await createFreshAccount()
})

const newKey = () => `key-${process.pid}-${Date.now()}-${count++}`
const newSpace = (key: string, body: object = { name: 'Once' }, by = call) =>
  by('POST', '/spaces', body, { 'idempotency-key': key })
const findSpacesByName = async (name: string) =>
  (await call('GET', `/spaces?search=${encodeURIComponent(name)}&pageSize=1000`)).body.pagination.totalCount

describe('a POST with an Idempotency-Key', () => {
  it('runs once and replays its response when repeated', async () => {
    const key = newKey()
    const first = await newSpace(key, { name: key })
    const again = await newSpace(key, { name: key })
    expect(again.body).toEqual(first.body)
    expect(again.status).toBe(200)
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await findSpacesByName(key)).toBe(1)
  })

  it('creates one space from concurrent requests', async () => {
    const key = newKey()
    // Some of this many connections may break. Retrying is safe because of the key.
    const createWithRetry = async (): ReturnType<typeof newSpace> => newSpace(key, { name: key }).catch(createWithRetry)
    const answers = await Promise.all(Array.from({ length: runs(1000) }, createWithRetry))
    expect(await findSpacesByName(key)).toBe(1)
    const done = answers.filter(({ status }) => status === 200)
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1)
    for (const { status, headers } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(headers.get('retry-after')).toBe('1')
    }
    expect((await newSpace(key, { name: key })).body).toEqual(done[0]!.body)
  }, 60_000)

  it('rejects the key for a different request and accepts it from another caller', async () => {
    const key = newKey()
    await newSpace(key)
    expect((await newSpace(key, { name: 'Another' })).status).toBe(422)
    expect((await call('POST', '/guests', { name: 'x' }, { 'idempotency-key': key })).status).toBe(400)
    const stranger = createCaller((await createTestAccount()).secretKey)
    const theirs = await newSpace(key, undefined, stranger)
    expect(theirs.status).toBe(200)
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    expect((await newSpace('not visible', {})).status).toBe(400)
  })

  it('rejects the key for the same body with a different query', async () => {
    const { id: spaceId } = await must('POST', '/spaces', { name: 'Query' })
    const { sheetId } = await createSheet(undefined, { space: spaceId })
    const path = `/sheets/${sheetId}/records`
    const key = newKey()
    const insert = (query: string) => call('POST', path + query, [{ a: { value: 'x' } }], { 'idempotency-key': key })
    expect((await insert('?silent=true')).status).toBe(200)
    expect((await insert('')).status).toBe(422)
    expect((await insert('?silent=false')).status).toBe(422)
    expect((await insert('?silent=true')).headers.get('idempotent-replayed')).toBe('true')
    expect((await must('GET', path)).records).toHaveLength(1)
  })

  it('can be reused in each space embedded with the same publishable key', async () => {
    const key = newKey()
    for (const name of ['One', 'Other']) {
      const space = (await createCaller(account.publishableKey)('POST', '/spaces', { name })).body.data
      const { sheetId } = await createSheet(undefined, { space: space.id })
      const path = `/sheets/${sheetId}/records`
      const insert = () =>
        createCaller(space.accessToken)('POST', path, [{ a: { value: name } }], { 'idempotency-key': key })
      const answers = [await insert(), await insert()]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
      expect((await must('GET', path)).records).toHaveLength(1)
    }
  })

  it('can be reused after an error, and does not replay the response to a caller who lost access', async () => {
    const key = newKey()
    const workbook = (spaceId: string) => call('POST', '/workbooks', { spaceId, name: 'W' }, { 'idempotency-key': key })
    expect((await workbook('us_sp_none')).status).toBe(404)
    const { data: space } = (await call('POST', '/spaces', { name: 'Late' })).body
    expect((await workbook(space.id)).status).toBe(200)
    const made = await call('POST', '/spaces', { name: 'Doomed' })
    const first = await call(
      'POST',
      '/workbooks',
      { spaceId: made.body.data.id, name: 'W' },
      { 'idempotency-key': newKey() },
    )
    expect(first.status).toBe(200)
    const last = newKey()
    const createWorkbook = () =>
      call('POST', '/workbooks', { spaceId: made.body.data.id, name: 'W' }, { 'idempotency-key': last })
    expect((await createWorkbook()).status).toBe(200)
    await call('DELETE', `/spaces/${made.body.data.id}`)
    expect((await createWorkbook()).status).toBe(404)
  })

  it('stores responses encrypted, and long ones in full', async () => {
    const key = newKey()
    const [first, again] = [
      await newSpace(key, { name: 'Sealed zebra' }),
      await newSpace(key, { name: 'Sealed zebra' }),
    ]
    expect(again.body).toEqual(first.body)
    const { documents } = await import('../../lib/table/client.ts')
    const { paginateScan } = await import('@aws-sdk/lib-dynamodb')
    const pages = paginateScan(
      { client: documents },
      {
        TableName: process.env.TABLE_NAME!,
        FilterExpression: 'begins_with(pk, :once)',
        ExpressionAttributeValues: { ':once': 'once#' },
      },
    )
    const items: unknown[] = []
    for await (const { Items = [] } of pages) items.push(...Items)
    expect(items.length).toBeGreaterThan(0)
    expect(JSON.stringify(items)).not.toContain('zebra')
    const { randomBytes } = await import('node:crypto')
    const long = { name: 'Long', metadata: { text: randomBytes(150_000).toString('base64') } }
    const longKey = newKey()
    const made = await newSpace(longKey, long)
    expect(made.status, JSON.stringify(made.body).slice(0, 200)).toBe(200)
    expect((await newSpace(longKey, long)).body).toEqual(made.body)
  })

  it('uploads a file once whatever the form boundary, and writes records once', async () => {
    const { data: space } = (await call('POST', '/spaces', { name: 'Files' })).body
    const key = newKey()
    const upload = async () => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ spaceId: space.id, environmentId: account.environmentId }))
        form.append(name, value)
      form.append('file', new Blob(['name\nAda\n']), 'people.txt')
      const headers = { authorization: `Bearer ${account.secretKey}`, 'idempotency-key': key }
      const response = await fetch(`${getServer().baseUrl}/v1/files`, { method: 'POST', headers, body: form })
      return ((await response.json()) as { data: { id: string } }).data.id
    }
    expect(await upload()).toBe(await upload())
    expect(await must('GET', `/files?spaceId=${space.id}`)).toHaveLength(1)
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const workbook = await call('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })
    const path = `/sheets/${workbook.body.data.sheets[0].id}/records`
    const insert = () => call('POST', path, [{ a: { value: 'x' } }], { 'idempotency-key': `${key}-records` })
    expect((await insert()).body).toEqual((await insert()).body)
    expect((await must('GET', path)).records).toHaveLength(1)
  })

  it('takes over from a request that died, and leaves a slow one intact', async () => {
    const { acquireLease, completeLease } = await import('../../lib/table/leases.ts')
    const { ConditionFailedError, transact } = await import('../../lib/table/transact.ts')
    const now = Math.floor(Date.now() / 1000)
    const newAttempt = (attempt: string, at: number) => ({
      attempt,
      fingerprint: 'f',
      leaseUntil: at + 60,
      expires: at + 600,
    })
    const name = newKey()
    expect(await acquireLease(name, newAttempt('first', now), now)).toBeUndefined()
    expect(await acquireLease(name, newAttempt('second', now), now)).toMatchObject({ attempt: 'first' })
    expect(await acquireLease(name, newAttempt('second', now + 61), now + 61)).toBeUndefined()
    const reply = { status: 200, headers: {}, sealed: 'x' }
    await expect(transact([completeLease(name, { ...newAttempt('first', now), reply })])).rejects.toThrow(
      ConditionFailedError,
    )
    await transact([completeLease(name, { ...newAttempt('second', now + 61), reply })])
    expect(await acquireLease(name, newAttempt('third', now + 130), now + 130)).toMatchObject({ reply })
    expect(await acquireLease(name, newAttempt('third', now + 700), now + 700)).toBeUndefined()
  })
})

describe('guessing a password', () => {
  const guess = (email: string, password = 'guess') => anybody('POST', '/auth', { email, password })

  it('is throttled after several wrong passwords, for known and unknown users, and delays the right one too', async () => {
    const victim = await createTestAccount()
    const nobody = `nobody-${newKey()}@example.com`
    for (const email of [nobody, victim.email]) {
      for (let i = 0; i < 5; i++) expect((await guess(email)).status).toBe(401)
      const refused = await guess(email, victim.password)
      expect(refused.status).toBe(429)
      expect(refused.body.errors[0].key).toBe('too-many-requests')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('a flood', () => {
  type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>
  const ask = (handler: Handler, token: string, accept = '*/*') =>
    handler(
      {
        routeKey: 'ANY /api/v1/spaces',
        rawQueryString: 'pageSize=1',
        headers: { authorization: `Bearer ${token}`, accept },
        requestContext: {
          http: { method: 'GET', path: '/api/v1/spaces', sourceIp: `192.0.2.${process.pid % 250}` },
        },
      } as never,
      {} as never,
    )

  const waitForWindow = async () => {
    const left = 10_000 - (Date.now() % 10_000)
    if (left < 8000) await sleep(left + 50)
  }

  it('limits one token, reports it in headers, and counts across processes', async () => {
    const { handler } = (await import('../../functions/spaces.ts')) as { handler: Handler }
    await waitForWindow()
    const answers = []
    for (let i = 0; i < 33; i++) answers.push(await ask(handler, account.secretKey))
    const [first] = answers
    expect(first!.headers).toMatchObject({
      'ratelimit-limit': '30',
      'ratelimit-policy': '"default";q=30;w=10',
      ratelimit: expect.stringMatching(/^"default";r=29;t=([1-9]|10)$/),
      'ratelimit-remaining': '29',
    })
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30)
    const refused = answers.at(-1)!
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers!['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused.body!).errors[0].key).toBe('too-many-requests')
    const asProblem = await ask(handler, account.secretKey, 'application/problem+json')
    expect(asProblem.headers).toMatchObject({ 'content-type': 'application/problem+json', 'ratelimit-remaining': '0' })
    expect(JSON.parse(asProblem.body!)).toMatchObject({
      type: expect.stringMatching(/#429-too-many-requests$/),
      errors: JSON.parse(refused.body!).errors,
    })
    const { readCounter } = await import('../../lib/table/counters.ts')
    const number = Math.floor(Date.now() / 10_000)
    const key = account.secretKey.split('_').slice(0, 2).join('_')
    expect((await readCounter(`rate#${key}#${number}`, Date.now())).total).toBe(30)
    expect((await ask(handler, account.publishableKey)).statusCode).toBe(403)
  }, 30_000)

  it('limits requests without a token by address', async () => {
    const { handler } = (await import('../../functions/spaces.ts')) as { handler: Handler }
    await waitForWindow()
    const statuses = []
    for (let i = 0; i < 25; i++) statuses.push((await ask(handler, 'nonsense')).statusCode)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
  }, 30_000)
})

it('gets every response with headers that make browsers treat it as data', async () => {
  for (const answer of [
    await call('GET', '/spaces'),
    await call('GET', '/spaces/none'),
    await anybody('GET', '/spaces'),
    await call('PUT', '/spaces'),
  ]) {
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
})
