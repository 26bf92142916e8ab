/** Server-side request forgery (OWASP API7:2023); addresses are classified in test/unit/core/safe-fetch.test.ts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { account, admin, createFreshAccount, mustAsAdmin } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const INSIDE = [
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://10.0.0.1/',
  'https://192.168.0.1/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://user:pass@example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'http://example.com/',
]

describe('a user-supplied address', () => {
  it('for a webhook cannot be internal, on create or on update', async () => {
    const { environmentId } = account
    const hook = { environmentId, topics: ['space:created'] }
    for (const url of INSIDE) expect((await admin('POST', '/webhooks', { ...hook, url })).status, url).toBe(400)
    const { id } = await mustAsAdmin('POST', '/webhooks', { ...hook, url: 'https://example.com/hook' })
    for (const url of INSIDE) expect((await admin('PATCH', `/webhooks/${id}`, { url })).status, url).toBe(400)
    expect((await mustAsAdmin('GET', `/webhooks/${id}`)).url).toBe('https://example.com/hook')
    await admin('DELETE', `/webhooks/${id}`)
  })

  it('for single sign-on cannot be internal', async () => {
    for (const issuer of INSIDE)
      expect([400, 409], issuer).toContain((await admin('PUT', '/auth/sso', { issuer, clientId: 'x' })).status)
    expect((await admin('GET', '/auth/sso')).status).toBe(404)
  })

  it('cannot reach an internal address by a redirect', async () => {
    let inside = 0
    const secret = createServer((_, response) => {
      inside++
      response.end('secret')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => secret.once('listening', resolve))
    const address = (server: typeof secret) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    let asked = 0
    const outside = createServer((_, response) => {
      asked++
      response.writeHead(307, { location: address(secret) }).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => outside.once('listening', resolve))
    const { environmentId } = account
    const made = await admin('POST', '/webhooks', { environmentId, url: address(outside), topics: ['space:created'] })
    await admin('POST', '/spaces', { environmentId, name: 'Told of' })
    await waitUntil(async () => asked > 0)
    expect((await admin('PUT', '/auth/sso', { issuer: address(outside), clientId: 'x' })).status).toBe(409)
    expect(inside).toBe(0)
    await admin('DELETE', `/webhooks/${made.body.data.id}`)
    for (const server of [secret, outside]) server.close()
  })
})
