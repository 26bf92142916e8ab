/** A response that shows a secret once is never stored: every endpoint names the properties that contain one. */

import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { createCaller, createTestAccount, getAccessToken, type TestAccount } from '../support/api.ts'

const SECRET = /token|secret|rawkey|password|guestlink|credential/i

const OTHERS: Record<string, string> = {
  'jobs.preview token': 'a position in two sheets, which gives no access',
  guestLink: 'the link of the space: GET /spaces/{spaceId} reads it again',
  guestLinkUrl: 'the link of the clip: GET /data-clips/{dataClipId} reads it again',
}

function textsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  if (Array.isArray(schema)) return schema.flatMap(textsIn)
  const { properties, ...rest } = schema as { properties?: Record<string, { type?: unknown }> }
  const texts = Object.entries(properties ?? {}).flatMap(([name, value]) => (value.type === 'string' ? [name] : []))
  return [...texts, ...Object.values(properties ?? {}).flatMap(textsIn), ...Object.values(rest).flatMap(textsIn)]
}

const namesIn = ({ reply }: Pick<Contract, 'reply'>): string[] =>
  reply === 'bytes' ? [] : [...new Set(textsIn(z.toJSONSchema(reply, { unrepresentable: 'any' })))]

const findUndeclared = (endpoint: Pick<Contract, 'reply' | 'secrets'> & { id?: string }): string[] =>
  namesIn(endpoint).filter(
    (name) =>
      SECRET.test(name) && !OTHERS[name] && !OTHERS[`${endpoint.id} ${name}`] && !endpoint.secrets?.includes(name),
  )

const repeatable = endpoints.filter(({ method, policy }) => method === 'POST' && 'on' in policy)

describe('an endpoint that accepts an Idempotency-Key', () => {
  it.each(repeatable)('$id declares exactly the secrets of its reply', (endpoint) => {
    expect(findUndeclared(endpoint)).toEqual([])
    expect(namesIn(endpoint)).toEqual(expect.arrayContaining([...(endpoint.secrets ?? [])]))
  })

  it('is detected when it declares none', () => {
    const reply = z.object({ data: z.array(z.object({ rawKey: z.string().optional() })) })
    expect(findUndeclared({ reply })).toEqual(['rawKey'])
    expect(findUndeclared({ reply, secrets: ['rawKey'] })).toEqual([])
  })
})

describe('a request repeated with the same Idempotency-Key', () => {
  let account: TestAccount
  let admin: ReturnType<typeof createCaller>
  let webhookId: string
  let spaceId: string
  let clientId: string
  beforeAll(async () => {
    account = await createTestAccount()
    const { email, password, environmentId } = account
    admin = createCaller(await getAccessToken({ email, password }))
    const hook = { environmentId, url: 'http://127.0.0.1:9/', topics: ['space:created'] }
    const registration = { redirect_uris: ['http://127.0.0.1/callback'] }
    clientId = (await admin('POST', '/oauth/register', registration)).body.client_id
    webhookId = (await admin('POST', '/webhooks', hook)).body.data.id
    spaceId = (await admin('POST', '/spaces', { environmentId })).body.data.id
  })

  const REQUESTS: Record<string, () => [path: string, body?: unknown]> = {
    'auth.createKey': () => [`/auth/api-key?type=SECRET&environmentId=${account.environmentId}`],
    'auth.createToken': () => ['/auth/personal-access-tokens', { name: 'once' }],
    'oauth.approve': () => [
      '/oauth/authorize',
      {
        client_id: clientId,
        redirect_uri: 'http://127.0.0.1/callback',
        response_type: 'code',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        environmentId: account.environmentId,
        access: 'read',
      },
    ],
    'users.createApiToken': () => [`/users/${account.userId}/api-token?tenantId=${account.accountId}`],
    'webhooks.create': () => [
      '/webhooks',
      { environmentId: account.environmentId, url: 'http://127.0.0.1:9/', topics: ['file:created'] },
    ],
    'webhooks.rotateSecret': () => [`/webhooks/${webhookId}/rotate-secret`],
    'secrets.upsert': () => ['/secrets', { environmentId: account.environmentId, name: 'N', value: 'V' }],
    'spaces.rotateGuestLink': () => [`/spaces/${spaceId}/guest-link/rotate`],
  }
  /** Their secret is for publishable keys, which have no Idempotency-Key; other callers get the space again. */
  const PUBLISHABLE = ['spaces.create', 'spaces.init']

  it('is tested for every endpoint with secrets', () => {
    const withSecrets = repeatable.filter(({ secrets }) => secrets).map(({ id }) => id)
    expect([...Object.keys(REQUESTS), ...PUBLISHABLE].toSorted()).toEqual(withSecrets.toSorted())
  })

  it.each(Object.keys(REQUESTS))('%s runs once, and its secret is not shown again', async (id) => {
    const [path, body] = REQUESTS[id]!()
    const { secrets = [] } = endpoints.find((endpoint) => endpoint.id === id) as Contract
    const send = () => admin('POST', path, body, { 'idempotency-key': `secret-${id}` })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([200, 409])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body.errors[0].message).toMatch(/was completed.*secret.*new Idempotency-Key/)
    const shown = JSON.stringify(first.body)
    const values = secrets.flatMap((name) =>
      [...shown.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, x]) => x!),
    )
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(JSON.stringify(again.body)).not.toContain(`"${value}"`)
  })

  it('returns the space that a server created', async () => {
    const send = () => createCaller(account.secretKey)('POST', '/spaces', { name: 'x' }, { 'idempotency-key': 'space' })
    const [first, again] = [await send(), await send()]
    expect(again).toMatchObject({ status: 200, body: first.body })
  })
})
