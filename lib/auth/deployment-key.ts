/** Keys derived from the deployment's secret. Only functions that hold this file are given WHARF_SECRET (functions/permissions.yml). */
import { hkdfSync } from 'node:crypto'
import { env } from '../core/env.ts'

const derived = new Map<string, Buffer>()

/**
 * A key for one purpose, 32 bytes.
 * @param purpose a fixed label; keys of different labels have nothing in common
 * @throws Error when the function was deployed without the secret
 */
export function deploymentKey(purpose: string): Buffer {
  const known = derived.get(purpose)
  if (known) return known
  const secret = env().WHARF_SECRET
  if (secret === undefined) throw new Error('The environment: WHARF_SECRET is required')
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  derived.set(purpose, key)
  return key
}
