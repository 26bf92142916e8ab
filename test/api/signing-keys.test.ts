/** The keys that sign access tokens: published, replaced without a break, and dropped where they must be. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'
import { ownPlatform } from '../support/own-platform.ts'

let account: TestAccount
let end: () => Promise<void>

// A key that is replaced in 91 days drops those replaced today, of which others' tokens are.
beforeAll(async () => {
  end = await ownPlatform()
  account = await mintAccount()
}, 90_000)
afterAll(() => end())

const signIn = async () =>
  (await callerOf(undefined)('POST', '/auth', { email: account.email, password: account.password })).body
    .accessToken as string
const jwks = () => new URL('/.well-known/jwks.json', server().baseUrl)
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const works = async (token: string) => (await callerOf(token)('GET', '/accounts/current')).status
const signing = () => import('../../lib/auth/signing-keys.ts')

describe('signing keys', () => {
  it('are published without their private halves, and check tokens elsewhere', async () => {
    const token = await signIn()
    const { payload } = await jwtVerify(token, createRemoteJWKSet(jwks()), { issuer: 'wharf' })
    expect(payload.sub).toBe(account.userId)
    const response = await fetch(jwks())
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const { keys } = (await response.json()) as { keys: object[] }
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('are replaced on demand: old tokens stay valid, new ones are signed anew, a process that has not heard reads again', async () => {
    const before = await signIn()
    const lambda = new LambdaClient({ endpoint: server().cloud, region: 'us-east-1' })
    const FunctionName = `${server().environment.PLATFORM_PREFIX}publish-pending`
    const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ rotateKeys: {} }) }))
    const { kid } = JSON.parse(Buffer.from(answer.Payload!).toString())
    expect(kid).not.toBe(kidOf(before))
    const { sign } = await import('../../lib/auth/signing.ts')
    const { exp: _, iat: __, ...claims } = decodeJwt(before)
    const { token } = await sign(claims as never, 600)
    expect(kidOf(token)).toBe(kid)
    expect(await works(token)).toBe(200)
    expect(await works(before)).toBe(200)
    const { keys } = (await (await fetch(jwks())).json()) as { keys: { kid: string }[] }
    expect(keys[0]!.kid).toBe(kid)
    expect(keys.map((key) => key.kid)).toContain(kidOf(before))
  })

  it('are replaced by age, and dropped once the last token they signed is over', async () => {
    const { rotateWhenOld, signingKeys } = await signing()
    const [newest] = await signingKeys()
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    expect(await rotateWhenOld(90, days(89))).toBe(false)
    expect(await rotateWhenOld(0, days(1000))).toBe(false)
    expect(await rotateWhenOld(90, days(91))).toBe(true)
    const kids = async (at: Date) => (await signingKeys(at.getTime())).map(({ kid }) => kid)
    expect((await kids(days(92)))[0]).not.toBe(newest!.kid)
    expect(await kids(days(92))).toContain(newest!.kid)
    expect(await kids(new Date(days(92).getTime() + 3_700_000))).not.toContain(newest!.kid)
  })

  it('are made once by many who ask at the same moment', async () => {
    const { rotateSigningKeys, signingKeys } = await signing()
    const before = (await signingKeys()).length
    const kids = await Promise.all(Array.from({ length: 4 }, () => rotateSigningKeys()))
    const after = await signingKeys()
    expect(after.map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids))
    expect(after.length - before).toBe(new Set(kids).size)
  })
})
