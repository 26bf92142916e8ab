/** Derives keys from WHARF_SECRET, which only functions that import this file receive (permissions.yml). */
import { hkdfSync } from 'node:crypto'
import { env } from './env.ts'

const keyCache = new Map<string, Buffer>()

export function deriveDeploymentKey(purpose: string): Buffer {
  const cached = keyCache.get(purpose)
  if (cached) return cached
  const secret = env().WHARF_SECRET
  if (secret === undefined) throw new Error('WHARF_SECRET is not set.')
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  keyCache.set(purpose, key)
  return key
}
