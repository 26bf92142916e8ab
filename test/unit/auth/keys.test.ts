/** Bearer values and what is kept of them. */
import { describe, expect, it } from 'vitest'
import { KEY_PREFIXES, keyIdOf, keyMatches, newKey } from '../../../lib/auth/keys.ts'
import { sha256 } from '../../../lib/auth/secrets.ts'

describe('a bearer value', () => {
  it('names its kind and its id, and carries a secret and a checksum', () => {
    for (const prefix of KEY_PREFIXES) {
      const { id, value, hash } = newKey(prefix)
      expect(id).toMatch(new RegExp(`^${prefix}_[A-Za-z0-9]{22}$`))
      expect(value).toMatch(new RegExp(`^${id}_[A-Za-z0-9]{40}[a-z0-9]{7}$`))
      expect(hash).toBe(sha256(value))
      expect(keyIdOf(value)).toEqual({ id, prefix })
      expect(keyMatches(value, hash)).toBe(true)
    }
    expect(newKey('sk').value).not.toBe(newKey('sk').value)
  })

  it('has the checksum that values handed out before have', () => {
    const known = `sk_${'a'.repeat(22)}_${'b'.repeat(40)}`
    expect(keyIdOf(`${known}${checksumOf(known)}`)).toEqual({
      id: `sk_${'a'.repeat(22)}`,
      prefix: 'sk',
    })
    // Short checksums are filled with zeros from the left.
    const short = Array.from({ length: 200_000 }, (_, i) => `pk_${'a'.repeat(22)}_${String(i).padStart(40, '0')}`).find(
      (body) => checksumOf(body).startsWith('0'),
    )!
    expect(keyIdOf(short + checksumOf(short))?.prefix).toBe('pk')
  })

  it('with any character changed, added or taken away is none', () => {
    const { value, hash } = newKey('pat')
    for (let at = 0; at < value.length; at++) {
      const other = value[at] === 'x' ? 'y' : 'x'
      const changed = value.slice(0, at) + other + value.slice(at + 1)
      expect(keyIdOf(changed), changed).toBeUndefined()
      expect(keyMatches(changed, hash)).toBe(false)
    }
    for (const changed of [`${value}x`, `x${value}`, ` ${value}`, `${value}\n`, value.slice(0, -1), value.slice(1), ''])
      expect(keyIdOf(changed), changed).toBeUndefined()
    const { value: other } = newKey('sk')
    expect(keyIdOf(other.replace(/^sk/, 'xx'))).toBeUndefined()
  })
})

/** CRC-32 (IEEE 802.3) written out, in base 36. */
function checksumOf(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(36).padStart(7, '0')
}
