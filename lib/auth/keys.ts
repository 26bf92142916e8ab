/** Keys `<prefix>_<id>_<secret><checksum>`: the id locates the item, the checksum rejects typos without a read. */
import { crc32 } from 'node:zlib'
import { constantTimeEqual, randomText, sha256 } from '../core/crypto.ts'

export const KEY_PREFIXES = ['sk', 'pk', 'pat', 'agk'] as const
export type KeyPrefix = (typeof KEY_PREFIXES)[number]

export interface NewKey {
  id: string
  value: string
  hash: string
}

const computeChecksum = (text: string): string => crc32(text).toString(36).padStart(7, '0')

export const generateKey = (prefix: KeyPrefix): NewKey => renewKey(`${prefix}_${randomText(22)}`)

/** A new secret for an existing id. */
export function renewKey(id: string): NewKey {
  const body = `${id}_${randomText(40)}`
  const value = `${body}${computeChecksum(body)}`
  return { id, value, hash: sha256(value) }
}

export interface ParsedKey {
  id: string
  prefix: KeyPrefix
}

export function parseKey(value: string): ParsedKey | undefined {
  const match = /^((sk|pk|pat|agk)_[A-Za-z0-9]{22})_[A-Za-z0-9]{47}$/.exec(value)
  if (!match) return undefined
  const body = value.slice(0, -7)
  return computeChecksum(body) === value.slice(-7) ? { id: match[1]!, prefix: match[2] as KeyPrefix } : undefined
}

export const matchesKeyHash = (value: string, hash: string): boolean => constantTimeEqual(sha256(value), hash)
