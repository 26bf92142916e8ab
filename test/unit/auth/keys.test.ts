import { describe, expect, it } from 'vitest'
import { generateKey, KEY_PREFIXES, matchesKeyHash, parseKey } from '../../../lib/auth/keys.ts'
import { sha256 } from '../../../lib/core/crypto.ts'

describe('bearer value', () => {
  it('contains its kind, id, secret and checksum', () => {
    for (const prefix of KEY_PREFIXES) {
      const { id, value, hash } = generateKey(prefix)
      expect(id).toMatch(new RegExp(`^${prefix}_[A-Za-z0-9]{22}$`))
      expect(value).toMatch(new RegExp(`^${id}_[A-Za-z0-9]{40}[a-z0-9]{7}$`))
      expect(hash).toBe(sha256(value))
      expect(parseKey(value)).toEqual({ id, prefix })
      expect(matchesKeyHash(value, hash)).toBe(true)
    }
    expect(generateKey('sk').value).not.toBe(generateKey('sk').value)
  })

  it('has the same checksum as values issued before', () => {
    const known = `sk_${'a'.repeat(22)}_${'b'.repeat(40)}`
    expect(parseKey(`${known}${computeChecksum(known)}`)).toEqual({
      id: `sk_${'a'.repeat(22)}`,
      prefix: 'sk',
    })
    const short = Array.from({ length: 200_000 }, (_, i) => `pk_${'a'.repeat(22)}_${String(i).padStart(40, '0')}`).find(
      (body) => computeChecksum(body).startsWith('0'),
    )!
    expect(parseKey(short + computeChecksum(short))?.prefix).toBe('pk')
  })

  it('is invalid with any character changed, added or removed', () => {
    const { value, hash } = generateKey('pat')
    for (let at = 0; at < value.length; at++) {
      const other = value[at] === 'x' ? 'y' : 'x'
      const changed = value.slice(0, at) + other + value.slice(at + 1)
      expect(parseKey(changed), changed).toBeUndefined()
      expect(matchesKeyHash(changed, hash)).toBe(false)
    }
    for (const changed of [`${value}x`, `x${value}`, ` ${value}`, `${value}\n`, value.slice(0, -1), value.slice(1), ''])
      expect(parseKey(changed), changed).toBeUndefined()
    const { value: other } = generateKey('sk')
    expect(parseKey(other.replace(/^sk/, 'xx'))).toBeUndefined()
  })
})

function computeChecksum(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(36).padStart(7, '0')
}
