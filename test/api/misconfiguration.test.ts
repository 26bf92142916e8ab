/** What a careless configuration would show (OWASP API8:2023), and who is consumed unsafely (API10:2023). */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server } from '../support/api.ts'

let admin: ReturnType<typeof callerOf>
const servers: Server[] = []

beforeAll(async () => {
  const { email, password } = await mintAccount()
  admin = callerOf((await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken)
})
afterEach(() => {
  for (const each of servers.splice(0)) each.close()
})

describe('an answer', () => {
  it('to what is broken tells nothing of the inside', async () => {
    const answers = [
      await admin('GET', '/spaces/%00'),
      await admin('GET', `/spaces/${'x'.repeat(5000)}`),
      await admin('POST', '/spaces', Buffer.from('{"name":'), { 'content-type': 'application/json' }),
      await admin('POST', '/spaces', Buffer.from('not gzip'), { 'content-encoding': 'gzip' }),
      await admin('GET', '/spaces?pageSize=-1'),
      await admin('GET', '/nothing/here'),
      await admin('DELETE', '/accounts/current'),
      await callerOf('eyJhbGciOiJub25lIn0.e30.')('GET', '/spaces'),
      await callerOf('eyJ.\u00e9.x'.normalize())('GET', '/spaces').catch(() => ({ status: 401, body: {} })),
    ]
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|DynamoDB|ConditionalCheck|electro/i)
    }
  })

  it('comes from no method that is not declared, and never with credentials for every origin', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect([404, 405]).toContain((await admin(method, '/users')).status)
    const answer = await admin('GET', '/spaces', undefined, { origin: 'https://evil.example' })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('x-powered-by')).toBeNull()
  })

  it('says no more of an access token without a signature, or of another algorithm, than of none', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { keys } = (await (await fetch(new URL('/.well-known/jwks.json', server().baseUrl))).json()) as {
      keys: { kid: string; x: string }[]
    }
    const claims = { sub: 'us_usr_x', acc: 'us_acc_x', kind: 'user', iss: 'wharf', exp: 9_999_999_999 }
    const { createHmac } = await import('node:crypto')
    const unsigned = (alg: string) => `${encode({ alg, kid: keys[0]!.kid })}.${encode(claims)}`
    const confused = createHmac('sha256', JSON.stringify(keys[0])).update(unsigned('HS256')).digest('base64url')
    for (const token of [`${unsigned('none')}.`, `${unsigned('HS256')}.${confused}`, `${unsigned('ES256')}.AAAA`]) {
      const refused = await callerOf(token)('GET', '/spaces')
      expect(refused).toMatchObject({ status: 401, body: (await callerOf(undefined)('GET', '/spaces')).body })
    }
  })
})

describe('an OpenID provider', () => {
  const provider = async (answer: (response: ServerResponse, issuer: string) => void): Promise<string> => {
    const one = createServer((_, response) => answer(response, issuer))
    servers.push(one)
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(one.address() as AddressInfo).port}`
    return issuer
  }
  const configured = async (issuer: string) => (await admin('PUT', '/auth/sso', { issuer, clientId: 'x' })).status

  it('is not believed when it answers with rubbish, too much, as somebody else, or leads elsewhere', async () => {
    const json = (response: ServerResponse, value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    expect(await configured(await provider((response) => response.end('<html>')))).toBe(409)
    expect(await configured(await provider((response) => json(response, { issuer: 'https://other.example' })))).toBe(
      409,
    )
    expect(await configured(await provider((response) => json(response, { text: 'x'.repeat(2_000_000) })))).toBe(409)
    const elsewhere = (response: ServerResponse) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    expect(await configured(await provider(elsewhere))).toBe(409)
    expect((await admin('GET', '/auth/sso')).status).toBe(404)
  })
})
