import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'

process.env.WHARF_SECRET = 'a secret of thirty-two characters or more'
for (const name of ['TABLE_NAME', 'BUCKET_NAME', 'BUS_NAME', 'BASE_URL']) process.env[name] ??= 'x'
const {
  hashPassword,
  matchesPasswordHash,
  derivePasswordKey,
  randomText,
  constantTimeEqual,
  encrypt,
  sha256,
  decrypt,
} = await import('../../../lib/core/crypto.ts')

describe('text helpers', () => {
  it('hash with SHA-256 as base64url', () => {
    expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
    expect(sha256('é')).toBe(createHash('sha256').update('é').digest('base64url'))
  })

  it('compare texts of any length', () => {
    expect(constantTimeEqual('abc', 'abc')).toBe(true)
    expect(constantTimeEqual('', '')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) expect(constantTimeEqual('abc', other)).toBe(false)
    expect(constantTimeEqual('é', 'e')).toBe(false)
  })

  it('generate random texts with evenly distributed characters', () => {
    const text = randomText(62_000)
    expect(text).toMatch(/^[A-Za-z0-9]{62000}$/)
    const counts = new Map<string, number>()
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(800)
      expect(count).toBeLessThan(1200)
    }
    expect(randomText(0)).toBe('')
    expect(randomText(1)).toHaveLength(1)
  })
})

describe('encrypted text', () => {
  it('is decrypted only for its owner, and never the same twice', () => {
    const sealed = encrypt('zebra é', 'us_x')
    expect(sealed).toMatch(/^1\.[A-Za-z0-9_-]+$/)
    expect(Buffer.from(sealed.slice(2), 'base64url')).toHaveLength(12 + 16 + 8)
    expect(sealed).not.toContain(Buffer.from('zebra').toString('base64url').slice(0, 6))
    expect(decrypt(sealed, 'us_x')).toBe('zebra é')
    expect(decrypt(encrypt('', 'us_x'), 'us_x')).toBe('')
    expect(encrypt('zebra é', 'us_x')).not.toBe(sealed)
    expect(() => decrypt(sealed, 'us_y')).toThrow()
  })

  it('is rejected with any byte changed', () => {
    const bytes = Buffer.from(encrypt('zebra', 'us_x').slice(2), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => decrypt(`1.${changed.toString('base64url')}`, 'us_x')).toThrow()
    }
  })

  it('from earlier versions is still decrypted', () => {
    // HKDF-SHA256 of the deployment's secret, without salt, for `wharf sealing key 1`. Pinned, so that stored values
    // stay readable.
    const kept = '1.AAECAwQFBgcICQoLm6a3b0l5alkRQOiD5yfASGve1vGe'
    expect(decrypt(kept, 'us_x')).toBe('zebra')
  })
})

describe('password', () => {
  const EMAIL = 'ada@example.com'
  const matches = async (password: string, hash: string | undefined, email = EMAIL) =>
    matchesPasswordHash(await derivePasswordKey(email, password), hash)

  it('is verified by its hash, which has its own salt', async () => {
    const hash = await hashPassword(EMAIL, 'correct horse')
    expect(hash).toMatch(/^s2\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/)
    expect(await matches('correct horse', hash)).toBe(true)
    expect(await matches('correct horse', hash, ' ADA@example.com')).toBe(true)
    expect(await matches('correct horsf', hash)).toBe(false)
    expect(await hashPassword(EMAIL, 'correct horse')).not.toBe(hash)
  })

  it('is bound to its address: the hash does not fit another one', async () => {
    const hash = await hashPassword(EMAIL, 'correct horse')
    expect(await matches('correct horse', hash, 'grace@example.com')).toBe(false)
  })

  it('is derived slowly once, and compared with many hashes fast', async () => {
    const hashes = await Promise.all(Array.from({ length: 20 }, () => hashPassword(EMAIL, 'x')))
    const started = process.hrtime.bigint()
    const key = await derivePasswordKey(EMAIL, 'x')
    const worked = process.hrtime.bigint()
    expect(hashes.every((hash) => matchesPasswordHash(key, hash))).toBe(true)
    expect(Number(process.hrtime.bigint() - worked)).toBeLessThan(Number(worked - started))
  })

  it('matches nothing without a hash', async () => {
    for (const none of [undefined, '', 's2', 's2.AAAA', 's2.AAAAAAAAAAAAAAAAAAAAAA.']) {
      expect(await matches('x', none)).toBe(false)
    }
  })

  it('costs as much work for an unknown user as a wrong one', async () => {
    const hash = await hashPassword(EMAIL, 'x')
    const measureMs = async (hash: string | undefined) => {
      const times = []
      for (let i = 0; i < 3; i++) {
        const before = process.hrtime.bigint()
        await matches('y', hash)
        times.push(Number(process.hrtime.bigint() - before))
      }
      return Math.min(...times)
    }
    const [wrong, nobody] = [await measureMs(hash), await measureMs(undefined)]
    expect(nobody).toBeGreaterThan(wrong / 4)
  })
})
