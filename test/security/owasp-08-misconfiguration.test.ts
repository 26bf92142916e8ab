/** Security misconfiguration (OWASP API8:2023). */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount } from '../support/api.ts'
import { signIn } from '../support/fresh-account.ts'

let admin: ReturnType<typeof createCaller>

beforeAll(async () => {
  const { email, password } = await createTestAccount()
  admin = await signIn({ email, password })
})

describe('an error response', () => {
  it('to an invalid request contains no internals', async () => {
    const answers = [
      await admin('GET', '/spaces/%00'),
      await admin('GET', `/spaces/${'x'.repeat(5000)}`),
      await admin('POST', '/spaces', Buffer.from('{"name":'), { 'content-type': 'application/json' }),
      await admin('POST', '/spaces', Buffer.from('not gzip'), { 'content-encoding': 'gzip' }),
      await admin('GET', '/spaces?pageSize=-1'),
      await admin('GET', '/nothing/here'),
      await admin('DELETE', '/accounts/current'),
      await createCaller('eyJhbGciOiJub25lIn0.e30.')('GET', '/spaces'),
      await createCaller('eyJ.\u00e9.x'.normalize())('GET', '/spaces').catch(() => ({ status: 401, body: {} })),
    ]
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|DynamoDB|ConditionalCheck|electro/i)
    }
  })

  it('comes for no undeclared method, and never allows credentials for every origin', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect([404, 405]).toContain((await admin(method, '/users')).status)
    const answer = await admin('GET', '/spaces', undefined, { origin: 'https://evil.example' })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('x-powered-by')).toBeNull()
  })
})
