/**
 * How many requests a token, or an address without one, may make. Counted here in windows of ten seconds; only what one
 * process counted several times is told to the table, which adds up what all of them saw: callers of few requests cost no
 * write, others a tenth of one, and more than the limit passes by at most as much as the processes had not told yet.
 */
import { WINDOW_SECONDS } from '../../schemas/sizes.ts'
import type { Principal } from '../auth/principal.ts'
import { sha256 } from '../auth/secrets.ts'
import { env } from '../core/env.ts'
import { tooManyRequests } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { networkOf } from '../core/network.ts'
import { add } from '../table/counters.ts'

/** Requests counted here before the table is told. */
const TOLD_AT = 10
/** Callers counted here at once; of more, the oldest is forgotten, which the table still knows if it called often. */
const CALLERS = 10_000

interface Window {
  number: number
  /** By all processes, as far as it was told. */
  known: number
  untold: number
}
const windows = new Map<string, Window>()

/** Headers that tell a caller where it stands. */
export type RateHeaders = Record<`ratelimit-${string}`, string>

/** Whose requests are counted together. An embedded space's tokens share its key: they are counted by space. */
const callerKey = ({ role, spaceId, keyId, tokenId, actorId }: Principal): string =>
  role === 'embedded' ? `${spaceId}` : (keyId ?? tokenId ?? actorId)

/** Counts a request of the caller. @throws 429 with the time to wait */
export const admitCaller = (caller: Principal): Promise<RateHeaders> => admit(callerKey(caller), env().RATE_LIMIT)

/** Counts a request that came without a valid token. @throws 429 with the time to wait */
export const admitAddress = (address: string): Promise<RateHeaders> =>
  admit(`address#${sha256(networkOf(address))}`, env().ADDRESS_RATE_LIMIT)

/** @param perSecond 0 for no limit */
async function admit(who: string, perSecond: number, now = Date.now()): Promise<RateHeaders> {
  if (perSecond === 0) return {}
  const limit = perSecond * WINDOW_SECONDS
  const number = Math.floor(now / 1000 / WINDOW_SECONDS)
  const window = windowOf(who, number)
  window.untold++
  if (window.untold >= TOLD_AT && window.known < limit) await tell(who, window)
  const used = window.known + window.untold
  const reset = Math.max(1, Math.ceil((number + 1) * WINDOW_SECONDS - now / 1000))
  const headers: RateHeaders = {
    'ratelimit-policy': `${limit};w=${WINDOW_SECONDS}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - used)),
    'ratelimit-reset': String(reset),
  }
  if (used > limit) throw tooManyRequests(`There may be ${perSecond} requests a second: wait.`, reset, headers)
  return headers
}

function windowOf(who: string, number: number): Window {
  const current = windows.get(who)
  if (current?.number === number) return current
  // The order of the map is that in which windows started.
  windows.delete(who)
  if (windows.size >= CALLERS) for (const [oldest] of windows) if (windows.delete(oldest)) break
  const fresh = { number, known: 0, untold: 0 }
  windows.set(who, fresh)
  return fresh
}

/** Counting must not stand in the way: without the table each process goes by what it saw itself. */
async function tell(who: string, window: Window): Promise<void> {
  const by = window.untold
  window.untold = 0
  window.known += by
  const expires = (window.number + 2) * WINDOW_SECONDS + 60
  try {
    window.known = Math.max(window.known, await add(`rate#${who}#${window.number}`, by, expires))
  } catch (error) {
    log.warn('Requests could not be counted', { error: error as Error })
  }
}
