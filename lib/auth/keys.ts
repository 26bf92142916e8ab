/**
 * Long-lived bearer values: `<prefix>_<id>_<secret><checksum>`. The id finds the item by one consistent read, the secret is
 * compared by its SHA-256, the checksum tells a mistyped value apart without a read.
 */
import { crc32 } from 'node:zlib'
import { randomText, same, sha256 } from './secrets.ts'

export const KEY_PREFIXES = ['sk', 'pk', 'pat', 'agk'] as const
export type KeyPrefix = (typeof KEY_PREFIXES)[number]

export interface NewKey {
  /** `sk_<22 characters>`; safe to show. */
  id: string
  /** The bearer value. */
  value: string
  hash: string
}

const checksum = (text: string): string => crc32(text).toString(36).padStart(7, '0')

export function newKey(prefix: KeyPrefix): NewKey {
  const id = `${prefix}_${randomText(22)}`
  const body = `${id}_${randomText(40)}`
  const value = `${body}${checksum(body)}`
  return { id, value, hash: sha256(value) }
}

/** The id a bearer value names, or undefined when it cannot be one of ours. */
export function keyIdOf(value: string): { id: string; prefix: KeyPrefix } | undefined {
  const match = /^((sk|pk|pat|agk)_[A-Za-z0-9]{22})_[A-Za-z0-9]{47}$/.exec(value)
  if (!match) return undefined
  const body = value.slice(0, -7)
  return checksum(body) === value.slice(-7) ? { id: match[1]!, prefix: match[2] as KeyPrefix } : undefined
}

export const keyMatches = (value: string, hash: string): boolean => same(sha256(value), hash)
