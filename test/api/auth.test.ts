import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

let token: string
const anonymous = createCaller(undefined)

beforeAll(async () => {
  await createFreshAccount()
  token = await getAccessToken({ email: account.email, password: account.password })
})

describe('credentials', () => {
  it('are exchanged for a 24-hour token, bare, with or without a type', async () => {
    for (const type of [undefined, 'userCredentials']) {
      const { status, body } = await anonymous('POST', '/auth', {
        ...(type ? { type } : {}),
        email: account.email,
        password: account.password,
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        expiresIn: '86400',
        email: account.email,
        userId: account.userId,
        accountId: account.accountId,
      })
      expect(Date.parse(body.expires) - Date.now()).toBeGreaterThan(86_390_000)
      expect((await createCaller(body.accessToken)('GET', '/accounts/current')).body.data.id).toBe(account.accountId)
    }
  })
  it('give the same error for a wrong password and an unknown address', async () => {
    const wrong = await anonymous('POST', '/auth', { email: account.email, password: 'guess' })
    const unknown = await anonymous('POST', '/auth', { email: 'nobody@example.com', password: 'guess' })
    expect(wrong.status).toBe(401)
    expect(unknown).toMatchObject({ status: 401, body: wrong.body })
  })
  it('are rejected with every problem when incomplete', async () => {
    const { status, body } = await anonymous('POST', '/auth', { email: account.email })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ key: 'password', message: expect.any(String) }])
  })
})

describe('the two default environments', () => {
  it('exist with a secret and a publishable key each', async () => {
    const { body } = await createCaller(token)('GET', '/environments')
    expect(body.data.map(({ name, isProd }: { name: string; isProd: boolean }) => [name, isProd])).toEqual([
      ['development', false],
      ['production', true],
    ])
    for (const { id } of body.data) {
      const keys = await createCaller(token)('GET', `/auth/api-keys?environmentId=${id}`)
      expect(keys.body.data.map((key: { type: string }) => key.type).sort()).toEqual(['PUBLISHABLE', 'SECRET'])
      for (const key of keys.body.data) expect(key.rawKey.startsWith(key.id)).toBe(true)
    }
  })
  it('are isolated: a key of one does not reach the other', async () => {
    const production = account.environments[1]!
    const space = await createCaller(account.secretKey)('POST', '/spaces', { name: 'mine' })
    const hidden = await createCaller(production.secret.rawKey)('GET', `/spaces/${space.body.data.id}`)
    expect(hidden.status).toBe(404)
    const wrong = await createCaller(production.secret.rawKey)('POST', '/spaces', {
      name: 'x',
      environmentId: account.environmentId,
    })
    expect(wrong.status).toBe(404)
  })
})

describe('rotation of a secret key', () => {
  it('keeps both keys valid until the old one is deleted, effective immediately', async () => {
    const admin = createCaller(token)
    const made = await admin('POST', `/auth/api-key?environmentId=${account.environmentId}&type=SECRET`)
    expect(made.body.data).toHaveLength(1)
    const fresh = made.body.data[0]
    expect((await createCaller(fresh.rawKey)('GET', '/spaces')).status).toBe(200)
    expect((await createCaller(account.secretKey)('GET', '/spaces')).status).toBe(200)
    const removed = await admin('DELETE', `/auth/api-key?environmentId=${account.environmentId}&key=${fresh.id}`)
    expect(removed).toMatchObject({ status: 200, body: { data: { success: true } } })
    expect((await createCaller(fresh.rawKey)('GET', '/spaces')).status).toBe(401)
    expect((await createCaller(account.secretKey)('GET', '/spaces')).status).toBe(200)
  })
  it('accepts the value of a key as well as its id', async () => {
    const made = await createCaller(token)('POST', `/auth/api-key?environmentId=${account.environmentId}&type=SECRET`)
    const { rawKey } = made.body.data[0]
    expect(
      (await createCaller(token)('DELETE', `/auth/api-key?environmentId=${account.environmentId}&key=${rawKey}`))
        .status,
    ).toBe(200)
    expect((await createCaller(rawKey)('GET', '/spaces')).status).toBe(401)
  })
})

describe('a personal access token', () => {
  it('is shown once, used directly, listed with its last use, and rejected once deleted', async () => {
    const admin = createCaller(token)
    const { body } = await admin('POST', '/auth/personal-access-tokens', { name: 'script' })
    const { token: value, personalAccessToken } = body.data
    expect(value).toMatch(/^pat_/)
    expect(personalAccessToken).not.toHaveProperty('lastUsedAt')
    expect((await admin('POST', '/auth/personal-access-tokens', { name: ' ' })).status).toBe(400)
    expect((await createCaller(value)('GET', '/accounts/current')).status).toBe(200)
    const listed = await admin('GET', '/auth/personal-access-tokens')
    const own = listed.body.data.find(({ id }: { id: string }) => id === personalAccessToken.id)
    expect(Object.keys(own).sort()).toEqual(['createdAt', 'id', 'lastUsedAt', 'name'])
    expect(Date.now() - Date.parse(own.lastUsedAt)).toBeLessThan(60_000)
    expect((await admin('DELETE', `/auth/personal-access-tokens/${personalAccessToken.id}`)).status).toBe(200)
    expect((await createCaller(value)('GET', '/accounts/current')).status).toBe(401)
  })
  it('works as the legacy pair of clientId and secret', async () => {
    const { body } = await createCaller(token)('POST', '/auth/personal-access-tokens', { name: 'legacy' })
    const pair = { clientId: body.data.personalAccessToken.id, secret: body.data.token }
    const answer = await anonymous('POST', '/auth', pair)
    expect(answer.body.userId).toBe(account.userId)
    expect((await createCaller(answer.body.accessToken)('GET', '/spaces')).status).toBe(200)
    expect((await anonymous('POST', '/auth', { ...pair, secret: `${pair.secret}x` })).status).toBe(401)
    await createCaller(token)('DELETE', `/auth/personal-access-tokens/${pair.clientId}`)
    expect((await anonymous('POST', '/auth', pair)).status).toBe(401)
  })
  it('belongs to a user: a secret key cannot create one', async () => {
    expect((await createCaller(account.secretKey)('POST', '/auth/personal-access-tokens', { name: 'x' })).status).toBe(
      403,
    )
  })
})

describe('a publishable key', () => {
  it('creates a space and gets a token for that space only', async () => {
    const made = await createCaller(account.publishableKey)('POST', '/spaces', { name: 'embedded' })
    expect(made.status).toBe(200)
    const { iat, exp } = decodeJwt(made.body.data.accessToken)
    expect(exp! - iat!).toBe(24 * 3600)
    const embedded = createCaller(made.body.data.accessToken)
    expect((await embedded('GET', `/spaces/${made.body.data.id}`)).status).toBe(200)
    const other = await createCaller(account.secretKey)('POST', '/spaces', { name: 'other' })
    expect((await embedded('GET', `/spaces/${other.body.data.id}`)).status).toBe(404)
    expect((await embedded('DELETE', `/spaces/${made.body.data.id}`)).status).toBe(403)
    expect((await embedded('GET', '/spaces')).body.data).toHaveLength(1)
    const elsewhere = { spaceId: other.body.data.id, name: 'Not theirs' }
    expect((await createCaller(account.secretKey)('POST', '/workbooks', elsewhere)).status).toBe(200)
    expect((await embedded('GET', '/workbooks')).body.data).toEqual([])
    expect((await createCaller(account.publishableKey)('GET', '/spaces')).status).toBe(403)
  })
})
