/** What a careless configuration would show (OWASP API8:2023). */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount } from '../support/api.ts'

let admin: ReturnType<typeof callerOf>

beforeAll(async () => {
  const { email, password } = await mintAccount()
  admin = callerOf((await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken)
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
})
