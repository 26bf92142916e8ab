/** Errors in the form of RFC 9457, for clients that ask for it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { getServer } from '../support/api.ts'
import { account, call, createFreshAccount } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const PROBLEM = 'application/problem+json'

async function ask(method: string, path: string, { accept = PROBLEM, body, key = account.secretKey }: Asked = {}) {
  const response = await fetch(`${getServer().baseUrl}/v1${path}`, {
    method,
    headers: { accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}
interface Asked {
  accept?: string
  body?: unknown
  key?: string
}

async function expectProblem(method: string, path: string, code: string, asked: Asked = {}) {
  const { status, headers, body } = await ask(method, path, asked)
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([PROBLEM, expect.stringContaining('accept')])
  expect(body).toMatchObject({
    status,
    type: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${status}-${code}$`)),
    instance: expect.stringMatching(/^urn:wharf:correlation:\S+$/),
    errors: expect.arrayContaining([{ key: expect.any(String), message: expect.any(String) }]),
  })
  const usual = await ask(method, path, { ...asked, accept: '*/*' })
  expect([usual.headers.get('content-type'), usual.headers.get('vary')]).toEqual([
    'application/json',
    headers.get('vary'),
  ])
  expect(usual.body).toEqual({ errors: body.errors })
  return { status, headers, body }
}

describe('an error as problem details', () => {
  it('has every problem of a 400 in `errors` and in `detail`', async () => {
    const { body } = await expectProblem('POST', '/spaces', 'invalid', { body: { name: 5, labels: 'x' } })
    expect(body.errors.length).toBeGreaterThan(1)
    expect(body.title).toBe('Bad Request')
    for (const { key, message } of body.errors) expect(body.detail).toContain(`${key}: ${message}`)
  })

  it('keeps the challenge of a 401', async () => {
    const { status, headers, body } = await expectProblem('GET', '/spaces', 'unauthenticated', { key: 'sk_x' })
    expect([status, headers.get('www-authenticate'), body.detail]).toEqual([401, 'Bearer', body.errors[0].message])
  })

  it('is returned for a missing resource and for a path that does not exist', async () => {
    const missing = await expectProblem('GET', '/spaces/us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J', 'not-found')
    const unknown = await expectProblem('GET', '/nowhere', 'not-found')
    expect([missing.status, unknown.status]).toEqual([404, 404])
  })

  it('names the supported methods of a 405', async () => {
    const { status, headers } = await expectProblem('PUT', '/spaces', 'method-not-allowed')
    expect([status, headers.get('allow')]).toEqual([405, expect.stringContaining('GET')])
  })

  it('is returned for a conflict', async () => {
    const { data: space } = (await call('POST', '/spaces', { name: 'Uploads' })).body
    const upload = await call('POST', '/files/uploads', { spaceId: space.id, name: 'a.csv', size: 10 })
    const { status } = await expectProblem('POST', `/files/${upload.body.data.file.id}/complete`, 'conflict')
    expect(status).toBe(409)
  })

  it.each([
    ['application/json, application/problem+json', PROBLEM],
    ['Application/Problem+JSON;q=0.5', PROBLEM],
    ['application/problem+json;q=0.5, application/json', 'application/json'],
    ['application/problem+json;q=0', 'application/json'],
    ['application/problem+json;q=x', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html', 'application/json'],
  ])('with Accept: %s gets %s', async (accept, type) => {
    expect((await ask('GET', '/nowhere', { accept })).headers.get('content-type')).toBe(type)
  })

  it('does not change a success', async () => {
    expect((await ask('GET', '/spaces')).headers.get('content-type')).toBe('application/json')
  })

  it('has a type that is a heading of the error page', async () => {
    const { ERROR_STATUS } = await import('../../schemas/kit/error-codes.ts')
    const page = await (await fetch(new URL('/docs/errors', getServer().baseUrl))).text()
    for (const [code, status] of Object.entries(ERROR_STATUS)) expect(page).toContain(`<h3 id="${status}-${code}">`)
  })
})
