/** A request loads its resource together with the caller: one table request, and none without a key or token. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildAgentItem,
  buildRoleAssignment,
  createResources,
  createScope,
  createUser,
  deleteItem,
  newIdSuffix,
  newScopeIds,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

const cloud = await startAuthCloud()
const documents = await import('../../../functions/documents.ts')
const keys = await import('../../../lib/auth/keys.ts')
const { signToken: sign } = await import('../../../lib/auth/signing.ts')
const here = newScopeIds()
const { document: documentId, agent: agentId } = await createResources(here)

// The first request loads modules, so its reads do not share a turn.
beforeAll(async () => void (await getDocument({ authorization: `Bearer ${await createKey(here)}` })))
beforeEach(() => cloud.reset())

async function createKey({ accountId, environmentId }: SeedScope, more: object = { type: 'SECRET' }): Promise<string> {
  const { id, value, hash } = keys.generateKey('sk')
  const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
  await putItem('key', { id, ...owner, hash, ...more }, { gsi1: environmentId })
  cloud.reset()
  return value
}

async function getDocument(headers: Record<string, string>, id = documentId): Promise<number | undefined> {
  const path = `/v1/spaces/${here.spaceId}/documents/${id}`
  const params = { spaceId: here.spaceId, documentId: id }
  const event = createEvent('GET /v1/spaces/{spaceId}/documents/{documentId}', path, headers, params)
  return ((await documents.get(event, CONTEXT)) as APIGatewayProxyStructuredResultV2).statusCode
}

const CONTEXT = { awsRequestId: 'r', functionName: 'f' } as Context

const createEvent = (
  routeKey: string,
  path: string,
  headers: Record<string, string>,
  pathParameters: Record<string, string>,
) =>
  ({
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers,
    pathParameters,
    requestContext: { requestId: 'r', http: { method: 'GET', path, sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2

describe('request for one resource', () => {
  it('with a key is one request to the table', async () => {
    const authorization = `Bearer ${await createKey(here)}`
    expect(await getDocument({ authorization })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('is one request for an environment, too', async () => {
    const { get } = await import('../../../functions/environments.ts')
    const { accountId, environmentId } = await createScope()
    const authorization = `Bearer ${await createKey({ ...here, accountId, environmentId })}`
    const path = `/v1/environments/${environmentId}`
    const event = createEvent('GET /v1/environments/{environmentId}', path, { authorization }, { environmentId })
    expect(((await get(event, CONTEXT)) as APIGatewayProxyStructuredResultV2).statusCode).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('with an access or personal token is one request too, as far as the token names its owner', async () => {
    const { accountId } = here
    const one = await createUser(accountId, [buildRoleAssignment('administrator')], {
      lastSeenAt: new Date().toISOString(),
    })
    const { id } = one
    const { derivePasswordSession } = await import('../../../lib/auth/session.ts')
    const { token } = await sign({ acc: accountId, sub: id, kind: 'user', ses: derivePasswordSession(one) }, 600)
    expect(await getDocument({ authorization: `Bearer ${token}` })).toBe(200)
    cloud.reset()
    expect(await getDocument({ authorization: `Bearer ${token}` })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem'])
    cloud.reset()
    expect(await getDocument({ authorization: `Bearer ${token.slice(0, -6)}AAAAAA` })).toBe(401)
    expect(cloud.requests).toEqual([])
    const personal = keys.generateKey('pat')
    const used = { createdAt: AT, lastUsedAt: new Date().toISOString() }
    await putItem('token', { id: personal.id, accountId, userId: id, name: 'T', hash: personal.hash, ...used })
    cloud.reset()
    expect(await getDocument({ authorization: `Bearer ${personal.value}` })).toBe(200)
    expect(cloud.requests).toEqual(['BatchGetItem', 'GetItem'])
  })

  it("with an agent's key reads the agent, too, in the same request from the second time on", async () => {
    const authorization = `Bearer ${await createKey(here, { type: 'AGENT', agentId })}`
    const getStatus = async () => {
      cloud.reset()
      return [await getDocument({ authorization }), ...cloud.requests]
    }
    expect(await getStatus()).toEqual([200, 'BatchGetItem', 'GetItem'])
    expect(await getStatus()).toEqual([200, 'BatchGetItem'])
    const role = buildRoleAssignment('agent', { environmentId: 'us_env_other' })
    const owner = { accountId: here.accountId, environmentId: here.environmentId }
    await putItem('agent', buildAgentItem(agentId, owner, { actorRoles: [role] }))
    expect(await getStatus()).toEqual([404, 'BatchGetItem'])
    await deleteItem('agent', agentId)
    expect(await getStatus()).toEqual([401, 'BatchGetItem'])
  })

  it('for a missing or hidden resource is a 404 at the same cost', async () => {
    for (const [by, id] of [
      [here, `us_dc_${newIdSuffix()}`],
      [newScopeIds(), documentId],
    ] as const) {
      const authorization = `Bearer ${await createKey(by)}`
      expect(await getDocument({ authorization }, id)).toBe(404)
      expect(cloud.requests).toEqual(['BatchGetItem'])
    }
  })

  it('with an unknown key is a 401, although the resource was read', async () => {
    expect(await getDocument({ authorization: `Bearer ${keys.generateKey('sk').value}` })).toBe(401)
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('without a key, or with a malformed one, reads nothing', async () => {
    const { value } = keys.generateKey('sk')
    for (const headers of [{}, { authorization: `Bearer ${value}x` }, { authorization: `Basic ${value}` }])
      expect(await getDocument(headers as Record<string, string>)).toBe(401)
    expect(cloud.requests).toEqual([])
  })

  it('with a malformed id reads only the key', async () => {
    const authorization = `Bearer ${await createKey(here)}`
    expect(await getDocument({ authorization }, 'x'.repeat(201))).toBe(400)
    expect(cloud.requests).toEqual(['GetItem'])
  })
})
