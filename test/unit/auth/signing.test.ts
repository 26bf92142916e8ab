/** Access tokens: signing, claims, expiry and key rotation. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, importPKCS8, SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import { deleteItem } from '../../support/auth-items.ts'

let signing: typeof import('../../../lib/auth/signing.ts')
let keys: typeof import('../../../lib/auth/signing-keys.ts')
const CLAIMS = { sub: 'us_usr_x', acc: 'us_acc_x', kind: 'user' as const }

const cloud = await startAuthCloud()

async function loadFresh() {
  vi.resetModules()
  signing = await import('../../../lib/auth/signing.ts')
  keys = await import('../../../lib/auth/signing-keys.ts')
  return { signing, keys }
}
const startEmpty = async () => {
  await deleteItem('signing-keys', 'current')
  await loadFresh()
  cloud.reset()
}
afterEach(() => void vi.useRealTimers())

const setTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const getKid = (token: string) => decodeProtectedHeader(token).kid

describe('access token', () => {
  it('contains its claims, issuer and expiry', async () => {
    await startEmpty()
    setTime(1_767_323_045_678)
    const { token, expires } = await signing.signToken({ ...CLAIMS, space: 'us_sp_x' }, 60)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: (await keys.getSigningKeys())[0]!.kid })
    const claims = { ...CLAIMS, space: 'us_sp_x', iss: 'wharf', iat: 1_767_323_045, exp: 1_767_323_105 }
    expect(decodeJwt(token)).toEqual(claims)
    expect(expires.getTime()).toBe(1_767_323_105_000)
    expect(await signing.verifyToken(token)).toEqual({ claims, kid: getKid(token) })
  })

  it('expires at its time, with 30 seconds of tolerance', async () => {
    await startEmpty()
    setTime(1_767_323_045_000)
    const { token } = await signing.signToken(CLAIMS, 60)
    setTime(1_767_323_045_000 + 60_000 + 29_000)
    expect(await signing.verifyToken(token)).toBeDefined()
    setTime(1_767_323_045_000 + 60_000 + 31_000)
    expect(await signing.verifyToken(token)).toBeUndefined()
  })

  it('is invalid with any forged part', async () => {
    await startEmpty()
    const { token } = await signing.signToken(CLAIMS, 60)
    const [header, body, signature] = token.split('.') as [string, string, string]
    const other = encode({ ...decodeJwt(token), sub: 'us_usr_y' })
    const kid = getKid(token)!
    const [publicJwk] = await keys.getPublicKeys()
    const confused = `${encode({ alg: 'HS256', kid })}.${body}`
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const foreign = await importPKCS8(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, 'ES256')
    const signAs = (issuer: string, id: string | undefined) =>
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
      await signAs('wharf', kid),
      await signAs('wharf', 'no such key'),
      await signAs('wharf', undefined),
    ]) {
      expect(await signing.verifySignature(forged), forged).toBeUndefined()
      expect(await signing.verifyToken(forged), forged).toBeUndefined()
    }
  })

  it('from another issuer is invalid, even with our key', async () => {
    await startEmpty()
    await signing.signToken(CLAIMS, 60)
    const [newest] = await keys.getSigningKeys()
    const { importJWK } = await import('jose')
    const own = await importJWK(keys.decryptPrivateJwk(newest!), 'ES256')
    const importAs = (issuer: string) =>
      new SignJWT(CLAIMS)
        .setProtectedHeader({ alg: 'ES256', kid: newest!.kid })
        .setIssuer(issuer)
        .setExpirationTime('1h')
        .sign(own)
    expect(await signing.verifyToken(await importAs('wharf'))).toBeDefined()
    expect(await signing.verifyToken(await importAs('somebody'))).toBeUndefined()
  })

  it('costs no read when forged, and one when valid', async () => {
    await startEmpty()
    const { token } = await signing.signToken(CLAIMS, 60)
    expect(await signing.verifyToken(token)).toBeDefined()
    cloud.reset()
    for (let i = 0; i < 20; i++) await signing.verifyToken(`${token.slice(0, -6)}AAAAAA`)
    await signing.verifyToken('eyJ.no.token')
    expect(cloud.requests).toEqual([])
    await signing.verifyToken(token)
    expect(cloud.requests).toEqual(['GetItem'])
  })

  it('with an unknown key costs a read, which finds a key created just now', async () => {
    await startEmpty()
    const { token } = await signing.signToken(CLAIMS, 60)
    expect(await signing.verifyToken(token)).toBeDefined()
    const unknown = `${encode({ alg: 'ES256', kid: 'unknown' })}.${token.split('.').slice(1).join('.')}`
    cloud.reset()
    for (let i = 0; i < 3; i++) expect(await signing.verifyToken(unknown)).toBeUndefined()
    expect(cloud.requests).toEqual(['GetItem', 'GetItem', 'GetItem'])
    const here = signing
    const kid = await (await loadFresh()).keys.rotateSigningKeys()
    const { token: next } = await signing.signToken(CLAIMS, 60)
    expect(getKid(next)).toBe(kid)
    expect(await here.verifyToken(next)).toBeDefined()
  })

  it('throws table errors, and works again when the table does', async () => {
    await startEmpty()
    const { token } = await signing.signToken(CLAIMS, 60)
    const { dynamo } = await import('../../../lib/table/client.ts')
    await loadFresh()
    const failing = (await import('../../../lib/table/client.ts')).dynamo
    expect(failing).not.toBe(dynamo)
    const send = vi.spyOn(failing, 'send').mockRejectedValueOnce(new Error('no table') as never)
    await expect(signing.verifyToken(token)).rejects.toThrow('no table')
    send.mockRestore()
    expect(await signing.verifyToken(token)).toBeDefined()
  })
})

describe('signing key', () => {
  it('is created once when there is none, under concurrent requests', async () => {
    await startEmpty()
    const made = await Promise.all(Array.from({ length: 5 }, () => keys.getSigningKeys()))
    expect(new Set(made.map(([key]) => key!.kid)).size).toBe(1)
    const [key] = made[0]!
    expect(key!.kid).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(key!.retiredAt).toBeUndefined()
    expect(Math.abs(Date.parse(key!.createdAt) - Date.now())).toBeLessThan(60_000)
  })

  it('has a public half and an encrypted private half', async () => {
    await startEmpty()
    const [key] = await keys.getSigningKeys()
    const [shown] = await keys.getPublicKeys()
    expect(shown).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: key!.kid,
      alg: 'ES256',
      use: 'sig',
    })
    const own = keys.decryptPrivateJwk(key!)
    expect(own).toMatchObject({ kty: 'EC', crv: 'P-256', d: expect.any(String), kid: key!.kid, x: shown!.x })
    expect(JSON.stringify(key)).not.toContain(own.d)
    expect(() => keys.decryptPrivateJwk({ ...key!, kid: 'another' })).toThrow()
  })

  it('is replaced: old signatures stay valid in every process, new ones use the new key', async () => {
    await startEmpty()
    const other = (await loadFresh()).signing
    const { token: before } = await other.signToken(CLAIMS, 600)
    await loadFresh()
    const kid = await keys.rotateSigningKeys()
    expect((await keys.getSigningKeys()).map((key) => key.kid)).toEqual([kid, getKid(before)])
    const { token } = await signing.signToken(CLAIMS, 600)
    expect(getKid(token)).toBe(kid)
    expect(getKid((await other.signToken(CLAIMS, 600)).token)).toBe(kid)
    for (const process of [signing, other])
      for (const each of [before, token]) expect(await process.verifyToken(each)).toBeDefined()
  })

  it('invalidates its tokens immediately in every process when revoked', async () => {
    await startEmpty()
    const other = (await loadFresh()).signing
    const { token: before } = await other.signToken(CLAIMS, 600)
    expect(await other.verifyToken(before)).toBeDefined()
    await loadFresh()
    expect(await signing.verifyToken(before)).toBeDefined()
    const kid = await keys.rotateSigningKeys({ revoke: true })
    expect((await keys.getSigningKeys()).map((key) => key.kid)).toEqual([kid])
    for (const process of [signing, other]) {
      expect(await process.verifyToken(before)).toBeUndefined()
      expect(await process.isCurrentKey(getKid(before)!)).toBe(false)
      expect(await process.isCurrentKey(kid)).toBe(true)
      const { token } = await process.signToken(CLAIMS, 600)
      expect(getKid(token)).toBe(kid)
      expect(await process.verifySignature(before)).toBeDefined()
    }
  })

  it('is retained after its replacement as long as its signatures last, plus an hour', async () => {
    await startEmpty()
    const [first] = await keys.getSigningKeys()
    const now = new Date('2030-01-01T00:00:00.000Z')
    const kid = await keys.rotateSigningKeys({ now })
    const kept = async (ms: number) => (await keys.getSigningKeys(now.getTime() + ms)).map((key) => key.kid)
    const stored = (await keys.getSigningKeys(now.getTime())).find((key) => key.kid === first!.kid)
    expect(stored!.retiredAt).toBe(now.toISOString())
    expect(await kept(25 * 3_600_000 - 1)).toEqual([kid, first!.kid])
    expect(await kept(25 * 3_600_000)).toEqual([kid])
    const second = await keys.rotateSigningKeys({ now: new Date(now.getTime() + 3_600_000) })
    expect((await keys.getSigningKeys(now.getTime())).map((key) => [key.kid, key.retiredAt])).toEqual([
      [second, undefined],
      [kid, new Date(now.getTime() + 3_600_000).toISOString()],
      [first!.kid, now.toISOString()],
    ])
    await keys.rotateSigningKeys({ now: new Date(now.getTime() + 25 * 3_600_000) })
    expect((await keys.getSigningKeys(now.getTime())).map((key) => key.kid)).not.toContain(first!.kid)
    expect(await keys.getSigningKeys(now.getTime())).toHaveLength(3)
  })

  it('is replaced once by concurrent rotations, and by each one that revokes', async () => {
    await startEmpty()
    const kids = await Promise.all(Array.from({ length: 4 }, () => keys.rotateSigningKeys()))
    const there = (await keys.getSigningKeys()).map((key) => key.kid)
    expect(there).toEqual(expect.arrayContaining(kids))
    expect(there).toHaveLength(new Set(kids).size + 1)
    const dropping = await Promise.all(Array.from({ length: 3 }, () => keys.rotateSigningKeys({ revoke: true })))
    expect(new Set(dropping).size).toBe(3)
    const [left, ...others] = await keys.getSigningKeys()
    expect(others).toEqual([])
    expect(dropping).toContain(left!.kid)
  })

  it('is created by a rotation when there is none', async () => {
    await startEmpty()
    const kid = await keys.rotateSigningKeys()
    expect((await keys.getSigningKeys())[0]!.kid).toBe(kid)
  })

  it('is replaced when it is old', async () => {
    await startEmpty()
    const [first] = await keys.getSigningKeys()
    const addDays = (days: number, ms = 0) => new Date(Date.parse(first!.createdAt) + days * 86_400_000 + ms)
    expect(await keys.rotateIfOlderThan(90, addDays(90, -1))).toBe(false)
    expect(await keys.rotateIfOlderThan(0, addDays(1000))).toBe(false)
    expect((await keys.getSigningKeys()).map((key) => key.kid)).toEqual([first!.kid])
    expect(await keys.rotateIfOlderThan(90, addDays(90))).toBe(true)
    const [second] = await keys.getSigningKeys()
    expect(second!.kid).not.toBe(first!.kid)
    expect(second!.createdAt).toBe(addDays(90).toISOString())
    expect(await keys.rotateIfOlderThan(90, addDays(179))).toBe(false)
  })
})
