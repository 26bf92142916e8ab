/** Hashes, seals and passwords. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'

process.env.WHARF_SECRET = 'a secret of thirty-two characters or more'
for (const name of ['TABLE_NAME', 'BUCKET_NAME', 'BUS_NAME', 'BASE_URL']) process.env[name] ??= 'x'
const { hashPassword, passwordFits, passwordKey, randomText, same, seal, sha256, unseal } = await import(
  '../../../lib/auth/secrets.ts'
)

describe('text', () => {
  it('is hashed by SHA-256, as base64url', () => {
    expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
    expect(sha256('é')).toBe(createHash('sha256').update('é').digest('base64url'))
  })

  it('is the same or not, of any length', () => {
    expect(same('abc', 'abc')).toBe(true)
    expect(same('', '')).toBe(true)
    for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) expect(same('abc', other)).toBe(false)
    // As many characters, not as many bytes.
    expect(same('é', 'e')).toBe(false)
  })

  it('at random has every character of the alphabet about as often', () => {
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

describe('a seal', () => {
  it('is opened by its owner alone, and is never the same twice', () => {
    const sealed = seal('zebra é', 'us_x')
    expect(sealed).toMatch(/^1\.[A-Za-z0-9_-]+$/)
    expect(Buffer.from(sealed.slice(2), 'base64url')).toHaveLength(12 + 16 + 8)
    expect(sealed).not.toContain(Buffer.from('zebra').toString('base64url').slice(0, 6))
    expect(unseal(sealed, 'us_x')).toBe('zebra é')
    expect(unseal(seal('', 'us_x'), 'us_x')).toBe('')
    expect(seal('zebra é', 'us_x')).not.toBe(sealed)
    expect(() => unseal(sealed, 'us_y')).toThrow()
  })

  it('with any byte changed is not opened', () => {
    const bytes = Buffer.from(seal('zebra', 'us_x').slice(2), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => unseal(`1.${changed.toString('base64url')}`, 'us_x')).toThrow()
    }
  })

  it('of before is still opened', () => {
    // The key is HKDF-SHA256 of the deployment's secret, without salt, for `wharf sealing key 1`.
    const kept = '1.AAECAwQFBgcICQoLm6a3b0l5alkRQOiD5yfASGve1vGe'
    expect(unseal(kept, 'us_x')).toBe('zebra')
  })
})

describe('a password', () => {
  const EMAIL = 'ada@example.com'
  const fits = async (password: string, hash: string | undefined, email = EMAIL) =>
    passwordFits(await passwordKey(email, password), hash)

  it('is known by its hash, which has a salt of its own', async () => {
    const hash = await hashPassword(EMAIL, 'correct horse')
    expect(hash).toMatch(/^s2\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/)
    expect(await fits('correct horse', hash)).toBe(true)
    expect(await fits('correct horse', hash, ' ADA@example.com')).toBe(true)
    expect(await fits('correct horsf', hash)).toBe(false)
    expect(await hashPassword(EMAIL, 'correct horse')).not.toBe(hash)
  })

  it('is of its address: the hash of one does not fit the other', async () => {
    const hash = await hashPassword(EMAIL, 'correct horse')
    expect(await fits('correct horse', hash, 'grace@example.com')).toBe(false)
  })

  it('is worked out slowly once, and compared with many hashes fast', async () => {
    const hashes = await Promise.all(Array.from({ length: 20 }, () => hashPassword(EMAIL, 'x')))
    const started = process.hrtime.bigint()
    const key = await passwordKey(EMAIL, 'x')
    const worked = process.hrtime.bigint()
    expect(hashes.every((hash) => passwordFits(key, hash))).toBe(true)
    expect(Number(process.hrtime.bigint() - worked)).toBeLessThan(Number(worked - started))
  })

  it('matches nothing where there is none', async () => {
    for (const none of [undefined, '', 's2', 's2.AAAA', 's2.AAAAAAAAAAAAAAAAAAAAAA.']) {
      expect(await fits('x', none)).toBe(false)
    }
  })

  it('of nobody takes as much work as a wrong one', async () => {
    const hash = await hashPassword(EMAIL, 'x')
    const timed = async (hash: string | undefined) => {
      const times = []
      for (let i = 0; i < 3; i++) {
        const before = process.hrtime.bigint()
        await fits('y', hash)
        times.push(Number(process.hrtime.bigint() - before))
      }
      return Math.min(...times)
    }
    const [wrong, nobody] = [await timed(hash), await timed(undefined)]
    expect(nobody).toBeGreaterThan(wrong / 4)
  })
})
