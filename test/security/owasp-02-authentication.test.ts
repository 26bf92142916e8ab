/** Broken authentication (OWASP API2:2023). */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken, getServer } from '../support/api.ts'
import { account, anybody, createFreshAccount } from '../support/fresh-account.ts'

let token: string

beforeAll(async () => {
  await createFreshAccount()
  token = await getAccessToken({ email: account.email, password: account.password })
})

describe('a bearer', () => {
  it('is accepted only in its header, and only with its scheme', async () => {
    for (const path of [`/spaces?access_token=${token}`, `/spaces?token=${token}`, `/spaces?auth=${token}`])
      expect((await anybody('GET', path)).status).toBe(401)
    for (const headers of [
      { authorization: `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}` },
      { authorization: token },
      { 'x-api-key': account.secretKey },
      { cookie: `token=${token}` },
    ] as Record<string, string>[])
      expect((await anybody('GET', '/spaces', undefined, headers)).status).toBe(401)
  })

  it('cannot be guessed from a known key: its secret counts, not its id', async () => {
    const { generateKey } = await import('../../lib/auth/keys.ts')
    const { crc32 } = await import('node:zlib')
    const [kind, id] = account.secretKey.split('_') as [string, string]
    const body = `${kind}_${id}_${generateKey('sk').value.split('_')[2]!.slice(0, 40)}`
    const guess = `${body}${crc32(body).toString(36).padStart(7, '0')}`
    expect((await createCaller(guess)('GET', '/spaces')).status).toBe(401)
    expect((await createCaller(account.secretKey)('GET', '/spaces')).status).toBe(200)
  })

  it('without a signature or with another algorithm gets the same error as an unknown one', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { keys } = (await (await fetch(new URL('/.well-known/jwks.json', getServer().baseUrl))).json()) as {
      keys: { kid: string; x: string }[]
    }
    const claims = { sub: 'us_usr_x', acc: 'us_acc_x', kind: 'user', iss: 'wharf', exp: 9_999_999_999 }
    const { createHmac } = await import('node:crypto')
    const unsigned = (alg: string) => `${encode({ alg, kid: keys[0]!.kid })}.${encode(claims)}`
    const confused = createHmac('sha256', JSON.stringify(keys[0])).update(unsigned('HS256')).digest('base64url')
    const unknown = await createCaller('unknown')('GET', '/spaces')
    expect(unknown.status).toBe(401)
    for (const token of [`${unsigned('none')}.`, `${unsigned('HS256')}.${confused}`, `${unsigned('ES256')}.AAAA`]) {
      const refused = await createCaller(token)('GET', '/spaces')
      expect(refused).toMatchObject({ status: 401, body: unknown.body })
    }
  })

  it("with a guest token or a publishable key creates no other token, and none from another guest's link", async () => {
    const made = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'E' })).body.data
    for (const by of [made.accessToken, account.publishableKey, account.secretKey])
      expect((await createCaller(by)('POST', '/auth/personal-access-tokens', { name: 'x' })).status).toBe(403)
    for (const forged of [`us_inv_01J00000000000000000000000_${'A'.repeat(43)}`, `${made.id}.${'A'.repeat(43)}`])
      expect(
        (await anybody('POST', '/invitations/exchange', { token: forged, email: 'x@example.com' })).body.data,
      ).toEqual({
        valid: false,
      })
  })
})
