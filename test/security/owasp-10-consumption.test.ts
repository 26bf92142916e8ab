/** Unsafe consumption of APIs (OWASP API10:2023): the single sign-on provider and receivers of webhooks. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type createCaller, createTestAccount, waitUntil } from '../support/api.ts'
import { signIn } from '../support/fresh-account.ts'

let admin: ReturnType<typeof createCaller>
const servers: Server[] = []

beforeAll(async () => {
  const { email, password } = await createTestAccount()
  admin = await signIn({ email, password })
})
afterEach(() => {
  for (const each of servers.splice(0)) each.close()
})

describe('an OpenID provider', () => {
  const startProvider = async (answer: (response: ServerResponse, issuer: string) => void): Promise<string> => {
    const one = createServer((_, response) => answer(response, issuer))
    servers.push(one)
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(one.address() as AddressInfo).port}`
    return issuer
  }
  const configureSso = async (issuer: string) => (await admin('PUT', '/auth/sso', { issuer, clientId: 'x' })).status

  it('is not trusted when it returns garbage, too much data, another issuer, or a redirect', async () => {
    const json = (response: ServerResponse, value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    expect(await configureSso(await startProvider((response) => response.end('<html>')))).toBe(409)
    expect(
      await configureSso(await startProvider((response) => json(response, { issuer: 'https://other.example' }))),
    ).toBe(409)
    expect(await configureSso(await startProvider((response) => json(response, { text: 'x'.repeat(2_000_000) })))).toBe(
      409,
    )
    const elsewhere = (response: ServerResponse) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    expect(await configureSso(await startProvider(elsewhere))).toBe(409)
    expect((await admin('GET', '/auth/sso')).status).toBe(404)
  })
})

describe('the receiver of a webhook', () => {
  it('cannot redirect, and its response is neither stored without a limit nor executed', async () => {
    const asked: string[] = []
    const receiver = createServer((request, response) => {
      asked.push(String(request.url))
      response.writeHead(302, { location: '/elsewhere', 'content-type': 'text/html' })
      response.end(`<script>alert(1)</script>${'x'.repeat(3_000_000)}`)
    })
    servers.push(receiver)
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { data: environments } = (await admin('GET', '/environments')).body
    const environmentId = environments[0].id
    const { id } = (await admin('POST', '/webhooks', { environmentId, url, topics: ['space:created'] })).body.data
    await admin('POST', '/spaces', { environmentId, name: 'Told of' })
    const [delivery] = await waitUntil(async () => {
      const { data } = (await admin('GET', `/webhooks/${id}/deliveries`)).body
      return data[0]?.attempts.length > 0 && data
    })
    expect(asked).toEqual(['/hook'])
    expect(JSON.stringify(delivery).length).toBeLessThan(20_000)
    await admin('DELETE', `/webhooks/${id}`)
  })
})
