/** Broken object property level authorization (OWASP API3:2023). */
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, type TestAccount } from '../support/api.ts'
import { account, admin, createFreshAccount } from '../support/fresh-account.ts'

let stranger: TestAccount

beforeAll(async () => {
  await createFreshAccount()
  stranger = await createTestAccount()
})

const FORGED = () => ({
  id: 'us_xx_forged',
  accountId: stranger.accountId,
  rev: 99,
  createdAt: '2001-01-01T00:00:00.000Z',
  createdBy: 'us_usr_forged',
  createdByUserId: 'us_usr_forged',
  passwordHash: 's1.x.y',
  idp: 'forged',
  idpRef: 'forged',
  actorRoles: [],
  invite: { hash: 'x', createdAt: '2099-01-01T00:00:00.000Z' },
  isAdmin: true,
  role: 'administrator',
  __proto__: { polluted: true },
})

describe('a request with protected fields', () => {
  it.each([
    ['POST', '/spaces', () => ({ environmentId: account.environmentId, name: 'S' })],
    ['PATCH', () => `/users/${account.userId}`, () => ({ name: 'Ada' })],
    [
      'POST',
      '/guests',
      () => ({ environmentId: account.environmentId, email: 'forged@example.com', name: 'G', spaces: [] }),
    ],
    ['POST', '/environments', () => ({ name: 'forged', isProd: false })],
    [
      'POST',
      '/webhooks',
      () => ({ environmentId: account.environmentId, url: 'http://127.0.0.1:9/', topics: ['x:y'] }),
    ],
    ['POST', '/auth/personal-access-tokens', () => ({ name: 'forged' })],
  ] as const)('%s %s leaves protected fields unchanged', async (method, path, body) => {
    const where = typeof path === 'string' ? path : path()
    const answer = await admin(method, where, { ...FORGED(), ...body() })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const text = JSON.stringify(answer.body)
    for (const forged of [
      'us_xx_forged',
      stranger.accountId,
      '2001-01-01',
      'us_usr_forged',
      's1.x.y',
      '"idp":"forged"',
    ])
      expect(text).not.toContain(forged)
    expect((await admin('GET', '/users')).status).toBe(200)
  })

  it('gets no internal field', async () => {
    const answers = await Promise.all([
      admin('GET', `/users/${account.userId}`),
      admin('GET', '/users'),
      admin('GET', `/auth/api-keys?environmentId=${account.environmentId}`),
      admin('GET', `/guests?environmentId=${account.environmentId}`),
      admin('GET', '/auth/personal-access-tokens'),
      admin('GET', '/environments'),
      admin('GET', '/invitations'),
      admin('GET', '/webhooks'),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/"(passwordHash|hash|sealed\w*|rev|invite|gsi\dpk|pk|sk|secrets)":/)
    }
  })
})
