/**
 * Rate limits in windows of ten seconds. Processes count locally and add to the table every tenth request, so a caller
 * can exceed its limit by what they have not added yet.
 */

import { RATE_LIMIT_WINDOW_SECONDS } from '../../schemas/kit/byte-limits.ts'
import { message } from '../../schemas/messages/index.ts'
import type { Principal } from '../auth/principal.ts'
import { sha256 } from '../core/crypto.ts'
import { env } from '../core/env.ts'
import { tooManyRequests } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { getNetwork } from '../core/network.ts'
import { incrementCounter } from '../table/counters.ts'

const FLUSH_THRESHOLD = 10
/** Beyond this the oldest is dropped; the table still has its count if it called often. */
const MAX_CALLERS = 10_000

interface Window {
  number: number
  stored: number
  unsaved: number
}
const windows = new Map<string, Window>()

export type RateHeaders = Record<`ratelimit${string}`, string>

/** Tokens of embedded spaces share a key, so they are counted by space. */
const getCallerKey = ({ role, spaceId, keyId, tokenId, actorId }: Principal): string =>
  role === 'embedded' ? `${spaceId}` : (keyId ?? tokenId ?? actorId)

export const admitCaller = (caller: Principal): Promise<RateHeaders> =>
  countRequest('default', getCallerKey(caller), env().RATE_LIMIT)

export const admitAddress = (address: string): Promise<RateHeaders> =>
  countRequest('address', `address#${sha256(getNetwork(address))}`, env().ADDRESS_RATE_LIMIT)

/** @param perSecond 0 disables the limit */
async function countRequest(policy: string, key: string, perSecond: number, now = Date.now()): Promise<RateHeaders> {
  if (perSecond === 0) return {}
  const limit = perSecond * RATE_LIMIT_WINDOW_SECONDS
  const number = Math.floor(now / 1000 / RATE_LIMIT_WINDOW_SECONDS)
  const window = getWindow(key, number)
  window.unsaved++
  if (window.unsaved >= FLUSH_THRESHOLD && window.stored < limit) await flushCount(key, window)
  const used = window.stored + window.unsaved
  const reset = Math.max(1, Math.ceil((number + 1) * RATE_LIMIT_WINDOW_SECONDS - now / 1000))
  const remaining = Math.max(0, limit - used)
  const headers: RateHeaders = {
    'ratelimit-policy': `"${policy}";q=${limit};w=${RATE_LIMIT_WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${reset}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  }
  if (used > limit) throw tooManyRequests(message('requests.rateLimit', { count: perSecond }), reset, headers)
  return headers
}

function getWindow(key: string, number: number): Window {
  const current = windows.get(key)
  if (current?.number === number) return current
  // The map is ordered by when windows started.
  windows.delete(key)
  if (windows.size >= MAX_CALLERS) for (const [oldest] of windows) if (windows.delete(oldest)) break
  const created = { number, stored: 0, unsaved: 0 }
  windows.set(key, created)
  return created
}

/** Fails open: without the table each process uses its own count. */
async function flushCount(key: string, window: Window): Promise<void> {
  const added = window.unsaved
  window.unsaved = 0
  window.stored += added
  const expires = (window.number + 2) * RATE_LIMIT_WINDOW_SECONDS + 60
  try {
    window.stored = Math.max(window.stored, await incrementCounter(`rate#${key}#${window.number}`, added, expires))
  } catch (error) {
    log.warn('Failed to count requests', { error: error as Error })
  }
}
