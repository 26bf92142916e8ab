import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken, getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'
import { useOwnPlatform } from '../support/own-platform.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

// Rotation 91 days from now would drop the keys that signed the tokens of other tests.
useOwnPlatform()
beforeAll(createFreshAccount)

const signIn = () => getAccessToken({ email: account.email, password: account.password })
const jwks = () => new URL('/.well-known/jwks.json', getServer().baseUrl)
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const statusWithToken = async (token: string) => (await createCaller(token)('GET', '/accounts/current')).status
const signing = () => import('../../lib/auth/signing-keys.ts')

describe('signing keys', () => {
  it('are published without their private halves, and verify tokens elsewhere', async () => {
    const token = await signIn()
    const { payload } = await jwtVerify(token, createRemoteJWKSet(jwks()), { issuer: 'wharf' })
    expect(payload.sub).toBe(account.userId)
    const response = await fetch(jwks())
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const { keys } = (await response.json()) as { keys: object[] }
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('are rotated on demand: old tokens stay valid, new ones use the new key, a stale process reloads', async () => {
    const before = await signIn()
    const { kid } = await invokePlatformFunction('publish-pending', { rotateKeys: {} })
    expect(kid).not.toBe(kidOf(before))
    const { signToken } = await import('../../lib/auth/signing.ts')
    const { exp: _, iat: __, ...claims } = decodeJwt(before)
    const { token } = await signToken(claims as never, 600)
    expect(kidOf(token)).toBe(kid)
    expect(await statusWithToken(token)).toBe(200)
    expect(await statusWithToken(before)).toBe(200)
    const { keys } = (await (await fetch(jwks())).json()) as { keys: { kid: string }[] }
    expect(keys[0]!.kid).toBe(kid)
    expect(keys.map((key) => key.kid)).toContain(kidOf(before))
  })

  it('are rotated by age, and dropped once the last token they signed has expired', async () => {
    const { rotateIfOlderThan, getSigningKeys } = await signing()
    const [newest] = await getSigningKeys()
    const daysFromNow = (count: number) => new Date(Date.now() + count * 86_400_000)
    expect(await rotateIfOlderThan(90, daysFromNow(89))).toBe(false)
    expect(await rotateIfOlderThan(0, daysFromNow(1000))).toBe(false)
    expect(await rotateIfOlderThan(90, daysFromNow(91))).toBe(true)
    const listKeyIds = async (at: Date) => (await getSigningKeys(at.getTime())).map(({ kid }) => kid)
    expect((await listKeyIds(daysFromNow(92)))[0]).not.toBe(newest!.kid)
    expect(await listKeyIds(daysFromNow(92))).toContain(newest!.kid)
    expect(await listKeyIds(new Date(daysFromNow(92).getTime() + 3_700_000))).not.toContain(newest!.kid)
  })

  it('are created once by many concurrent requests', async () => {
    const { rotateSigningKeys, getSigningKeys } = await signing()
    const before = (await getSigningKeys()).length
    const kids = await Promise.all(Array.from({ length: 4 }, () => rotateSigningKeys()))
    const after = await getSigningKeys()
    expect(after.map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids))
    expect(after.length - before).toBe(new Set(kids).size)
  })
})
