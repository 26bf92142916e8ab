/** What a request names is read with the key it comes with: one request to the table, and none for who has no key. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { AT, idsOfPlace, type Place, put, tail, thingsIn } from '../../support/auth-items.ts'

let cloud: AuthCloud
let documents: typeof import('../../../functions/documents.ts')
let keys: typeof import('../../../lib/auth/keys.ts')

const here = idsOfPlace()
let documentId: string

beforeAll(async () => {
  cloud = await authCloud()
  documents = await import('../../../functions/documents.ts')
  keys = await import('../../../lib/auth/keys.ts')
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
