/** The keys that sign access tokens: published, replaced without a break, and dropped where they must be. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'

let account: TestAccount
beforeAll(async () => {
  account = await mintAccount()
})

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
    const { token } = await sign({ sub: account.userId, acc: account.accountId, kind: 'user' }, 600)
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
    // Not in 91 days: that would drop keys of which others' tokens are.
    const age = (Date.now() - Date.parse(newest!.createdAt)) / 86_400_000
    expect(await rotateWhenOld(age + 1, new Date())).toBe(false)
    expect(await rotateWhenOld(age / 2, new Date())).toBe(true)
    const kids = async (at: Date) => (await signingKeys(at.getTime())).map(({ kid }) => kid)
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    expect((await kids(hours(0)))[0]).not.toBe(newest!.kid)
    expect(await kids(hours(24.9))).toContain(newest!.kid)
    expect(await kids(hours(25.1))).not.toContain(newest!.kid)
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
