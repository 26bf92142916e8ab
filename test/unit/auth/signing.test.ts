/** Access tokens: who signs them, what they say, when they end, and how a key is replaced. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, importPKCS8, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { drop } from '../../support/auth-items.ts'

let cloud: AuthCloud
let signing: typeof import('../../../lib/auth/signing.ts')
let keys: typeof import('../../../lib/auth/signing-keys.ts')
const CLAIMS = { sub: 'us_usr_x', acc: 'us_acc_x', kind: 'user' as const }

beforeAll(async () => {
  cloud = await authCloud()
})
afterAll(() => cloud.close())

/** As a process does that begins: it knows nothing. */
async function begin() {
  vi.resetModules()
  signing = await import('../../../lib/auth/signing.ts')
  keys = await import('../../../lib/auth/signing-keys.ts')
  return { signing, keys }
}
const anew = async () => {
  await drop('signing-keys', 'current')
  await begin()
  cloud.reset()
}
afterEach(() => void vi.useRealTimers())

const at = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('an access token', () => {
  it('says what it was given, who signed it, and when it ends', async () => {
    await anew()
    at(1_767_323_045_678)
    const { token, expires } = await signing.sign({ ...CLAIMS, space: 'us_sp_x' }, 60)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: (await keys.signingKeys())[0]!.kid })
    const claims = { ...CLAIMS, space: 'us_sp_x', iss: 'wharf', iat: 1_767_323_045, exp: 1_767_323_105 }
    expect(decodeJwt(token)).toEqual(claims)
    expect(expires.getTime()).toBe(1_767_323_105_000)
    expect(await signing.verify(token)).toEqual({ claims, kid: kidOf(token) })
  })

  it('ends at its time, give or take half a minute', async () => {
    await anew()
    at(1_767_323_045_000)
    const { token } = await signing.sign(CLAIMS, 60)
    at(1_767_323_045_000 + 60_000 + 29_000)
    expect(await signing.verify(token)).toBeDefined()
    at(1_767_323_045_000 + 60_000 + 31_000)
    expect(await signing.verify(token)).toBeUndefined()
  })

  it('with anything forged is none', async () => {
    await anew()
    const { token } = await signing.sign(CLAIMS, 60)
    const [header, body, signature] = token.split('.') as [string, string, string]
    const other = encode({ ...decodeJwt(token), sub: 'us_usr_y' })
    const kid = kidOf(token)!
    const [publicJwk] = await keys.publicKeys()
    const confused = `${encode({ alg: 'HS256', kid })}.${body}`
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const foreign = await importPKCS8(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 'ES256')
    const signedBy = (issuer: string, id: string | undefined) =>
      new SignJWT(CLAIMS)
        .setProtectedHeader({ alg: 'ES256', ...(id ? { kid: id } : {}) })
        .setIssuer(issuer)
        .setExpirationTime('1h')
        .sign(foreign)
    for (const forged of [
      '',
      'x',
      'eyJ.x.y',
      `${header}.${other}.${signature}`,
      `${header}.${body}.`,
      `${header}.${body}.${signature.slice(0, -6)}AAAAAA`,
      `${header}.${body}`,
      `${encode({ alg: 'none', kid })}.${body}.`,
      `${confused}.${createHmac('sha256', String(publicJwk!.x)).update(confused).digest('base64url')}`,
      await signedBy('wharf', kid),
      await signedBy('wharf', 'no such key'),
      await signedBy('wharf', undefined),
    ]) {
      expect(await signing.signedToken(forged), forged).toBeUndefined()
      expect(await signing.verify(forged), forged).toBeUndefined()
    }
  })

  it('of another issuer is none, even of our own key', async () => {
    await anew()
    await signing.sign(CLAIMS, 60)
    const [newest] = await keys.signingKeys()
    const { importJWK } = await import('jose')
    const own = await importJWK(keys.privateJwkOf(newest!), 'ES256')
    const by = (issuer: string) =>
      new SignJWT(CLAIMS)
        .setProtectedHeader({ alg: 'ES256', kid: newest!.kid })
        .setIssuer(issuer)
        .setExpirationTime('1h')
        .sign(own)
    expect(await signing.verify(await by('wharf'))).toBeDefined()
    expect(await signing.verify(await by('somebody'))).toBeUndefined()
  })

  it('that is forged costs no read, and a right one a single one', async () => {
    await anew()
    const { token } = await signing.sign(CLAIMS, 60)
    expect(await signing.verify(token)).toBeDefined()
    cloud.reset()
    for (let i = 0; i < 20; i++) await signing.verify(`${token.slice(0, -6)}AAAAAA`)
    await signing.verify('eyJ.no.token')
    expect(cloud.requests).toEqual([])
    await signing.verify(token)
    expect(cloud.requests).toEqual(['GetItem'])
  })

  it('of a key that the process does not know costs a read, which finds one that was made just now', async () => {
    await anew()
    const { token } = await signing.sign(CLAIMS, 60)
    expect(await signing.verify(token)).toBeDefined()
    const unknown = `${encode({ alg: 'ES256', kid: 'unknown' })}.${token.split('.').slice(1).join('.')}`
    cloud.reset()
    for (let i = 0; i < 3; i++) expect(await signing.verify(unknown)).toBeUndefined()
    expect(cloud.requests).toEqual(['GetItem', 'GetItem', 'GetItem'])
    const here = signing
    const kid = await (await begin()).keys.rotateSigningKeys()
    const { token: next } = await signing.sign(CLAIMS, 60)
    expect(kidOf(next)).toBe(kid)
    expect(await here.verify(next)).toBeDefined()
  })

  it('throws what the table throws, and is read when the table is back', async () => {
    await anew()
    const { token } = await signing.sign(CLAIMS, 60)
    const { dynamo } = await import('../../../lib/table/client.ts')
    await begin()
    const failing = (await import('../../../lib/table/client.ts')).dynamo
    expect(failing).not.toBe(dynamo)
    const send = vi.spyOn(failing, 'send').mockRejectedValueOnce(new Error('no table') as never)
    await expect(signing.verify(token)).rejects.toThrow('no table')
    send.mockRestore()
    expect(await signing.verify(token)).toBeDefined()
  })
})

describe('a signing key', () => {
  it('is made when there is none, once, whoever asks', async () => {
    await anew()
    const made = await Promise.all(Array.from({ length: 5 }, () => keys.signingKeys()))
    expect(new Set(made.map(([key]) => key!.kid)).size).toBe(1)
    const [key] = made[0]!
    expect(key!.kid).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(key!.retiredAt).toBeUndefined()
    expect(Math.abs(Date.parse(key!.createdAt) - Date.now())).toBeLessThan(60_000)
  })

  it('has a public half for everybody, and a private one that is sealed', async () => {
    await anew()
    const [key] = await keys.signingKeys()
    const [shown] = await keys.publicKeys()
    expect(shown).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: key!.kid,
      alg: 'ES256',
      use: 'sig',
    })
    const own = keys.privateJwkOf(key!)
    expect(own).toMatchObject({ kty: 'EC', crv: 'P-256', d: expect.any(String), kid: key!.kid, x: shown!.x })
    expect(JSON.stringify(key)).not.toContain(own.d)
    expect(() => keys.privateJwkOf({ ...key!, kid: 'another' })).toThrow()
  })

  it('is replaced: what it signed is good in every process, what is signed now is of the new one', async () => {
    await anew()
    const other = (await begin()).signing
    const { token: before } = await other.sign(CLAIMS, 600)
    await begin()
    const kid = await keys.rotateSigningKeys()
    expect((await keys.signingKeys()).map((key) => key.kid)).toEqual([kid, kidOf(before)])
    const { token } = await signing.sign(CLAIMS, 600)
    expect(kidOf(token)).toBe(kid)
    // A process that was there before hears of it by its next signature.
    expect(kidOf((await other.sign(CLAIMS, 600)).token)).toBe(kid)
    for (const process of [signing, other])
      for (const each of [before, token]) expect(await process.verify(each)).toBeDefined()
  })

  it('that is dropped ends its tokens with the next request, in every process', async () => {
    await anew()
    const other = (await begin()).signing
    const { token: before } = await other.sign(CLAIMS, 600)
    expect(await other.verify(before)).toBeDefined()
    await begin()
    expect(await signing.verify(before)).toBeDefined()
    const kid = await keys.rotateSigningKeys({ revoke: true })
    expect((await keys.signingKeys()).map((key) => key.kid)).toEqual([kid])
    for (const process of [signing, other]) {
      expect(await process.verify(before)).toBeUndefined()
      expect(await process.isCurrentKey(kidOf(before)!)).toBe(false)
      expect(await process.isCurrentKey(kid)).toBe(true)
      const { token } = await process.sign(CLAIMS, 600)
      expect(kidOf(token)).toBe(kid)
      expect(await process.signedToken(before)).toBeDefined()
    }
  })

  it('is kept after its replacement as long as what it signed lasts, and an hour', async () => {
    await anew()
    const [first] = await keys.signingKeys()
    const now = new Date('2030-01-01T00:00:00.000Z')
    const kid = await keys.rotateSigningKeys({ now })
    const kept = async (ms: number) => (await keys.signingKeys(now.getTime() + ms)).map((key) => key.kid)
    const stored = (await keys.signingKeys(now.getTime())).find((key) => key.kid === first!.kid)
    expect(stored!.retiredAt).toBe(now.toISOString())
    expect(await kept(25 * 3_600_000 - 1)).toEqual([kid, first!.kid])
    expect(await kept(25 * 3_600_000)).toEqual([kid])
    // The next replacement leaves out what is over, and keeps when others were replaced.
    const second = await keys.rotateSigningKeys({ now: new Date(now.getTime() + 3_600_000) })
    expect((await keys.signingKeys(now.getTime())).map((key) => [key.kid, key.retiredAt])).toEqual([
      [second, undefined],
      [kid, new Date(now.getTime() + 3_600_000).toISOString()],
      [first!.kid, now.toISOString()],
    ])
    await keys.rotateSigningKeys({ now: new Date(now.getTime() + 25 * 3_600_000) })
    expect((await keys.signingKeys(now.getTime())).map((key) => key.kid)).not.toContain(first!.kid)
    expect(await keys.signingKeys(now.getTime())).toHaveLength(3)
  })

  it('is replaced once by those who do it at the same moment, and by each who drops the others', async () => {
    await anew()
    const kids = await Promise.all(Array.from({ length: 4 }, () => keys.rotateSigningKeys()))
    const there = (await keys.signingKeys()).map((key) => key.kid)
    expect(there).toEqual(expect.arrayContaining(kids))
    expect(there).toHaveLength(new Set(kids).size + 1)
    const dropping = await Promise.all(Array.from({ length: 3 }, () => keys.rotateSigningKeys({ revoke: true })))
    expect(new Set(dropping).size).toBe(3)
    const [left, ...others] = await keys.signingKeys()
    expect(others).toEqual([])
    expect(dropping).toContain(left!.kid)
  })

  it('is made by a rotation where there is none', async () => {
    await anew()
    const kid = await keys.rotateSigningKeys()
    expect((await keys.signingKeys())[0]!.kid).toBe(kid)
  })

  it('is replaced when it is old', async () => {
    await anew()
    const [first] = await keys.signingKeys()
    const aged = (days: number, ms = 0) => new Date(Date.parse(first!.createdAt) + days * 86_400_000 + ms)
    expect(await keys.rotateWhenOld(90, aged(90, -1))).toBe(false)
    expect(await keys.rotateWhenOld(0, aged(1000))).toBe(false)
    expect((await keys.signingKeys()).map((key) => key.kid)).toEqual([first!.kid])
    expect(await keys.rotateWhenOld(90, aged(90))).toBe(true)
    const [second] = await keys.signingKeys()
    expect(second!.kid).not.toBe(first!.kid)
    expect(second!.createdAt).toBe(aged(90).toISOString())
    expect(await keys.rotateWhenOld(90, aged(179))).toBe(false)
  })
})
