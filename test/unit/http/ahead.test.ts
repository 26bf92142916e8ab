/** What a request names is read with the caller's own things: one request to the table, and none for who has no key or token. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { AT, held, idsOfPlace, type Place, put, tail, thingsIn, user } from '../../support/auth-items.ts'

let cloud: AuthCloud
let documents: typeof import('../../../functions/documents.ts')
let keys: typeof import('../../../lib/auth/keys.ts')
let sign: typeof import('../../../lib/auth/signing.ts')['sign']

const here = idsOfPlace()
let documentId: string

beforeAll(async () => {
  cloud = await authCloud()
  documents = await import('../../../functions/documents.ts')
  keys = await import('../../../lib/auth/keys.ts')
  sign = (await import('../../../lib/auth/signing.ts')).sign
  documentId = (await thingsIn(here)).document
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

async function keyOf({ accountId, environmentId }: Place): Promise<string> {
  const { id, value, hash } = keys.newKey('sk')
  const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
  await put('key', { id, ...owner, type: 'SECRET', hash }, { gsi1: environmentId })
  cloud.reset()
  return value
}

/** GET of the document. */
async function get(headers: Record<string, string>, id = documentId): Promise<number | undefined> {
  const path = `/v1/spaces/${here.spaceId}/documents/${id}`
  const event = {
    routeKey: 'GET /v1/spaces/{spaceId}/documents/{documentId}',
    rawPath: path,
    rawQueryString: '',
    headers,
    pathParameters: { spaceId: here.spaceId, documentId: id },
    requestContext: { requestId: 'r', http: { method: 'GET', path, sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2
  const answer = await documents.get(event, { awsRequestId: 'r', functionName: 'documents' } as Context)
  return (answer as APIGatewayProxyStructuredResultV2).statusCode
}

describe('a request for one thing', () => {
  it('by a key is one request to the table', async () => {
    const authorization = `Bearer ${await keyOf(here)}`
    expect(await get({ authorization })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('by an access token or a personal one is one, too, as far as these say whose they are', async () => {
    const { accountId } = here
    const one = await user(accountId, [held('administrator')], { lastSeenAt: new Date().toISOString() })
    const { id } = one
    const { passwordSession } = await import('../../../lib/auth/session.ts')
    const { token } = await sign({ acc: accountId, sub: id, kind: 'user', ses: passwordSession(one) }, 600)
    expect(await get({ authorization: `Bearer ${token}` })).toBe(200)
    cloud.reset()
    expect(await get({ authorization: `Bearer ${token}` })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem'])
    cloud.reset()
    expect(await get({ authorization: `Bearer ${token.slice(0, -6)}AAAAAA` })).toBe(401)
    expect(cloud.requests).toEqual([])
    const personal = keys.newKey('pat')
    const used = { createdAt: AT, lastUsedAt: new Date().toISOString() }
    await put('token', { id: personal.id, accountId, userId: id, name: 'T', hash: personal.hash, ...used })
    cloud.reset()
    expect(await get({ authorization: `Bearer ${personal.value}` })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem', 'GetItem'])
  })

  it('for a thing that is missing, or hidden from the key, is a 404 at the same price', async () => {
    for (const [by, id] of [
      [here, `us_dc_${tail()}`],
      [idsOfPlace(), documentId],
    ] as const) {
      const authorization = `Bearer ${await keyOf(by)}`
      expect(await get({ authorization }, id)).toBe(404)
      expect(cloud.requests).toEqual(['BatchGetItem'])
    }
  })

  it('by a key that is unknown is a 401, though the thing was read', async () => {
    expect(await get({ authorization: `Bearer ${keys.newKey('sk').value}` })).toBe(401)
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('by nobody, or by what can be no key, reads nothing', async () => {
    const { value } = keys.newKey('sk')
    for (const headers of [{}, { authorization: `Bearer ${value}x` }, { authorization: `Basic ${value}` }])
      expect(await get(headers as Record<string, string>)).toBe(401)
    expect(cloud.requests).toEqual([])
  })

  it('by an id that is none reads the key alone', async () => {
    const authorization = `Bearer ${await keyOf(here)}`
    expect(await get({ authorization }, 'x'.repeat(201))).toBe(400)
    expect(cloud.requests).toEqual(['GetItem'])
  })
})
