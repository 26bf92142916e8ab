/** What holds against abuse: repetition, floods, guessing, and pages of somebody else. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiError } from '../../lib/core/errors.ts'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let count = 0
const anybody = callerOf(undefined)
const ORIGIN_SECRET = 'known to the distribution and to the functions'

beforeAll(async () => {
  server()
  // Of this process alone: the server's functions have no limit.
  Object.assign(process.env, { RATE_LIMIT: '3', ADDRESS_RATE_LIMIT: '1', ORIGIN_SECRET })
  const { env } = await import('../../lib/core/env.ts')
  expect(env().RATE_LIMIT).toBe(3)
  account = await mintAccount()
  call = callerOf(account.secretKey)
})

const newKey = () => `key-${process.pid}-${Date.now()}-${count++}`
const newSpace = (key: string, body: object = { name: 'Once' }, by = call) =>
  by('POST', '/spaces', body, { 'idempotency-key': key })
const spacesNamed = async (name: string) =>
  (await call('GET', `/spaces?search=${encodeURIComponent(name)}&pageSize=1000`)).body.pagination.totalCount

describe('a POST with an Idempotency-Key', () => {
  it('is done once, and answered alike when it is repeated', async () => {
    const key = newKey()
    const first = await newSpace(key, { name: key })
    const again = await newSpace(key, { name: key })
    expect(again.body).toEqual(first.body)
    expect(again.status).toBe(200)
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await spacesNamed(key)).toBe(1)
  })

  it('makes one thing of 1,000 requests at the same moment', async () => {
    const key = newKey()
    // So many connections at once may break, and are tried again: what the key is for.
    const insist = async (): ReturnType<typeof newSpace> => newSpace(key, { name: key }).catch(insist)
    const answers = await Promise.all(Array.from({ length: 1000 }, insist))
    expect(await spacesNamed(key)).toBe(1)
    const done = answers.filter(({ status }) => status === 200)
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1)
    for (const { status, headers } of answers) {
      expect([200, 409]).toContain(status)
      if (status === 409) expect(headers.get('retry-after')).toBe('1')
    }
    expect((await newSpace(key, { name: key })).body).toEqual(done[0]!.body)
  }, 60_000)

  it('is refused for another request, and free for another caller', async () => {
    const key = newKey()
    await newSpace(key)
    expect((await newSpace(key, { name: 'Another' })).status).toBe(422)
    expect((await call('POST', '/guests', { name: 'x' }, { 'idempotency-key': key })).status).toBe(400)
    const stranger = callerOf((await mintAccount()).secretKey)
    const theirs = await newSpace(key, undefined, stranger)
    expect(theirs.status).toBe(200)
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    expect((await newSpace('not visible', {})).status).toBe(400)
  })

  it('is refused for the same body with another query', async () => {
    const { id: spaceId } = (await call('POST', '/spaces', { name: 'Query' })).body.data
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const workbook = (await call('POST', '/workbooks', { spaceId, name: 'W', sheets })).body.data
    const path = `/sheets/${workbook.sheets[0].id}/records`
    const key = newKey()
    const insert = (query: string) => call('POST', path + query, [{ a: { value: 'x' } }], { 'idempotency-key': key })
    expect((await insert('?silent=true')).status).toBe(200)
    expect((await insert('')).status).toBe(422)
    expect((await insert('?silent=false')).status).toBe(422)
    expect((await insert('?silent=true')).headers.get('idempotent-replayed')).toBe('true')
    expect((await call('GET', path)).body.data.records).toHaveLength(1)
  })

  it('is free in each of the spaces that are embedded with one publishable key', async () => {
    const key = newKey()
    for (const name of ['One', 'Other']) {
      const space = (await callerOf(account.publishableKey)('POST', '/spaces', { name })).body.data
      const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
      const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })).body.data
      const path = `/sheets/${workbook.sheets[0].id}/records`
      const insert = () =>
        callerOf(space.accessToken)('POST', path, [{ a: { value: name } }], { 'idempotency-key': key })
      const answers = [await insert(), await insert()]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
      expect((await call('GET', path)).body.data.records).toHaveLength(1)
    }
  })

  it('begins anew after an error, and is not answered to whom it is no longer for', async () => {
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
    const doomed = () =>
      call('POST', '/workbooks', { spaceId: made.body.data.id, name: 'W' }, { 'idempotency-key': last })
    expect((await doomed()).status).toBe(200)
    await call('DELETE', `/spaces/${made.body.data.id}`)
    expect((await doomed()).status).toBe(404)
  })

  it('keeps answers sealed, and long ones whole', async () => {
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

  it('uploads a file once, whatever boundary the form has, and writes records once', async () => {
    const { data: space } = (await call('POST', '/spaces', { name: 'Files' })).body
    const key = newKey()
    const upload = async () => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ spaceId: space.id, environmentId: account.environmentId }))
        form.append(name, value)
      form.append('file', new Blob(['name\nAda\n']), 'people.txt')
      const headers = { authorization: `Bearer ${account.secretKey}`, 'idempotency-key': key }
      const response = await fetch(`${server().baseUrl}/v1/files`, { method: 'POST', headers, body: form })
      return ((await response.json()) as { data: { id: string } }).data.id
    }
    expect(await upload()).toBe(await upload())
    expect((await call('GET', `/files?spaceId=${space.id}`)).body.data).toHaveLength(1)
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const workbook = await call('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })
    const path = `/sheets/${workbook.body.data.sheets[0].id}/records`
    const insert = () => call('POST', path, [{ a: { value: 'x' } }], { 'idempotency-key': `${key}-records` })
    expect((await insert()).body).toEqual((await insert()).body)
    expect((await call('GET', path)).body.data.records).toHaveLength(1)
  })

  it('takes over from one who died at it, and undoes nothing of one who only was slow', async () => {
    const { claimWork, endWork } = await import('../../lib/table/once.ts')
    const { ConditionFailed, transact } = await import('../../lib/table/transact.ts')
    const now = Math.floor(Date.now() / 1000)
    const work = (attempt: string, at: number) => ({
      attempt,
      fingerprint: 'f',
      leaseUntil: at + 60,
      expires: at + 600,
    })
    const name = newKey()
    expect(await claimWork(name, work('first', now), now)).toBeUndefined()
    expect(await claimWork(name, work('second', now), now)).toMatchObject({ attempt: 'first' })
    expect(await claimWork(name, work('second', now + 61), now + 61)).toBeUndefined()
    const answer = { status: 200, headers: {}, sealed: 'x' }
    await expect(transact([endWork(name, { ...work('first', now), answer })])).rejects.toThrow(ConditionFailed)
    await transact([endWork(name, { ...work('second', now + 61), answer })])
    expect(await claimWork(name, work('third', now + 130), now + 130)).toMatchObject({ answer })
    expect(await claimWork(name, work('third', now + 700), now + 700)).toBeUndefined()
  })
})

describe('guessing a password', () => {
  const guess = (email: string, password = 'guess') => anybody('POST', '/auth', { email, password })

  it('is refused after some wrong ones, of a user as of nobody, and the right one waits too', async () => {
    const victim = await mintAccount()
    const nobody = `nobody-${newKey()}@example.com`
    for (const email of [nobody, victim.email]) {
      for (let i = 0; i < 5; i++) expect((await guess(email)).status).toBe(401)
      const refused = await guess(email, victim.password)
      expect(refused.status).toBe(429)
      expect(refused.body.errors[0].key).toBe('too-many-requests')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('is looked at later and later, and begins anew after a right one', async () => {
    const { guarded } = await import('../../lib/auth/guesses.ts')
    const name = `patient-${newKey()}`
    let now = Date.now()
    const wrong = () => guarded(name, 'here', async () => undefined, now)
    const right = (place = 'here') => guarded(name, place, async () => 'somebody', now)
    const wait = async () => Number(((await wrong().catch((error) => error)) as ApiError).headers['retry-after'])
    for (let i = 0; i < 5; i++) await wrong()
    const waits = []
    for (let i = 0; i < 12; i++) {
      waits.push(await wait())
      now += waits.at(-1)! * 1000
      await wrong()
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    expect(await right('elsewhere')).toBe('somebody')
    now += 901_000
    expect(await right()).toBe('somebody')
    expect(await wrong()).toBeUndefined()
    expect(await right()).toBe('somebody')
  })

  it('is slow from one place also where each guess is of somebody else', async () => {
    const { guarded } = await import('../../lib/auth/guesses.ts')
    const place = newKey()
    const spray = (from = place) => guarded(`sprayed-${newKey()}`, from, async () => undefined)
    for (let i = 0; i < 30; i++) await spray()
    await expect(spray()).rejects.toMatchObject({ code: 'too-many-requests' })
    expect(await spray(newKey())).toBeUndefined()
  })

  it('is looked at a few times where it is tried many times at once', async () => {
    const email = `crowd-${newKey()}@example.com`
    const answers = await Promise.all(Array.from({ length: 50 }, () => guess(email)))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(6)
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true)
  })
})

describe('a flood', () => {
  type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>
  /** A request of the token, to the function itself: there the limits hold as they do in AWS. */
  const ask = (handler: Handler, token: string | undefined, from: { address?: string; headers?: object } = {}) =>
    handler(
      {
        routeKey: 'ANY /api/v1/spaces',
        rawQueryString: 'pageSize=1',
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...from.headers },
        requestContext: {
          http: { method: 'GET', path: '/api/v1/spaces', sourceIp: from.address ?? `192.0.2.${process.pid % 250}` },
        },
      } as never,
      {} as never,
    )

  /** What follows fits into one window of ten seconds. */
  const freshWindow = async () => {
    const left = 10_000 - (Date.now() % 10_000)
    if (left < 8000) await new Promise((resolve) => setTimeout(resolve, left + 50))
  }

  it('of one token is cut off at the limit, told of by headers, and shared by all processes', async () => {
    const { handler } = (await import('../../functions/spaces.ts')) as { handler: Handler }
    await freshWindow()
    const answers = []
    for (let i = 0; i < 33; i++) answers.push(await ask(handler, account.secretKey))
    const [first] = answers
    expect(first!.headers).toMatchObject({
      'ratelimit-limit': '30',
      'ratelimit-policy': '30;w=10',
      'ratelimit-remaining': '29',
    })
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30)
    const refused = answers.at(-1)!
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers!['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused.body!).errors[0].key).toBe('too-many-requests')
    const { tally } = await import('../../lib/table/counters.ts')
    const number = Math.floor(Date.now() / 10_000)
    const key = account.secretKey.split('_').slice(0, 2).join('_')
    expect((await tally(`rate#${key}#${number}`, Date.now())).total).toBe(30)
    expect((await ask(handler, account.publishableKey)).statusCode).toBe(403)
  }, 30_000)

  it('without a token is cut off for its address', async () => {
    const { handler } = (await import('../../functions/spaces.ts')) as { handler: Handler }
    await freshWindow()
    const statuses = []
    for (let i = 0; i < 25; i++) statuses.push((await ask(handler, 'nonsense')).statusCode)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
  }, 30_000)

  /** The statuses of so many requests without a valid token. */
  const flood = async (count: number, from: (i: number) => { address: string; headers?: object }) => {
    const { handler } = (await import('../../functions/spaces.ts')) as { handler: Handler }
    const statuses = []
    for (let i = 0; i < count; i++) statuses.push((await ask(handler, 'nonsense', from(i))).statusCode)
    return statuses
  }

  it('behind the distribution is cut off for its own address, not for the edge that strangers share', async () => {
    await freshWindow()
    const address = `198.51.100.${process.pid % 250}`
    const viewed = (viewer: string) => ({
      address,
      headers: { 'x-wharf-viewer-address': viewer, 'x-wharf-origin-secret': ORIGIN_SECRET },
    })
    expect((await flood(25, () => viewed('203.0.113.7'))).at(-1)).toBe(429)
    expect(await flood(1, () => viewed('203.0.113.8'))).toEqual([401])
  }, 30_000)

  it('is not hidden by addresses that the caller makes up', async () => {
    await freshWindow()
    const address = `198.51.101.${process.pid % 250}`
    const forged = (i: number) => ({
      address,
      headers: { 'x-wharf-viewer-address': `203.0.113.${i}`, 'x-forwarded-for': `203.0.113.${i}` },
    })
    expect((await flood(25, forged)).at(-1)).toBe(429)
  }, 30_000)

  it('is not spread over the addresses of one IPv6 network', async () => {
    await freshWindow()
    const network = `2001:db8:${(process.pid % 65_000).toString(16)}:1`
    expect((await flood(25, (i) => ({ address: `${network}::${i + 1}` }))).at(-1)).toBe(429)
  }, 30_000)
})

describe('a page', () => {
  it('of an origin the environment does not name cannot use tokens that live in browsers', async () => {
    const admin = callerOf(
      (await anybody('POST', '/auth', { email: account.email, password: account.password })).body.accessToken,
    )
    const production = account.environments[1]!
    const path = `/environments/${production.environment.id}`
    expect((await admin('PATCH', path, { allowedOrigins: ['https://app.example/path'] })).status).toBe(400)
    await admin('PATCH', path, { allowedOrigins: ['https://App.example'] })
    const embed = (origin?: string) =>
      callerOf(production.publishable.rawKey)('POST', '/spaces', { name: 'x' }, origin ? { origin } : {})
    expect((await embed('https://evil.example')).status).toBe(403)
    expect((await embed('null')).status).toBe(403)
    const made = await embed('https://app.example')
    expect(made.status).toBe(200)
    expect((await embed()).status).toBe(200)
    const read = (origin: string) =>
      callerOf(made.body.data.accessToken)('GET', `/spaces/${made.body.data.id}`, undefined, { origin })
    expect((await read('https://evil.example')).status).toBe(403)
    expect((await read('https://app.example')).status).toBe(200)
    const fromServer = callerOf(production.secret.rawKey)
    expect((await fromServer('GET', '/spaces', undefined, { origin: 'https://evil.example' })).status).toBe(200)
    await admin('PATCH', path, { allowedOrigins: ['*'] })
    expect((await embed('https://evil.example')).status).toBe(200)
  })
})

it('every answer tells browsers to take it for data', async () => {
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
