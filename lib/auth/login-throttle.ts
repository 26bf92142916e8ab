/** Throttles password guessing, per address and network: attackers elsewhere cannot lock a user out. */

import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { sha256 } from '../core/crypto.ts'
import { env } from '../core/env.ts'
import { tooManyRequests } from '../core/errors.ts'
import { getNetwork } from '../core/network.ts'
import { advanceCounter, type Counter, incrementCounter, readCounter, resetCounter } from '../table/counters.ts'

const FREE_ATTEMPTS = 5
const FREE_ATTEMPTS_PER_NAME = 100
/** Free failures of one network, as seconds of its request limit. */
const FREE_SECONDS_PER_NETWORK = 30
const MAX_PAUSE_SECONDS = 900
const MAX_SHARED_PAUSE_SECONDS = 30
const RETENTION_SECONDS = DAY_SECONDS
/** Concurrent attempts beyond this are rejected unchecked. */
const MAX_WRITE_ATTEMPTS = 3

const unlocksAt = ({ total, last }: Counter, free: number, maxPause: number): number =>
  total < free ? 0 : last + 1000 * Math.min(maxPause, 2 ** Math.min(20, total - free + 1))

/** 'right of one': it matches one user, but not the others with the same address. */
export type LoginOutcome = 'right' | 'right of one' | 'wrong'

export async function withLoginThrottle<T>(
  name: string,
  address: string,
  check: () => Promise<T>,
  now = Date.now(),
  toOutcome: (result: T) => LoginOutcome = (value) => (value ? 'right' : 'wrong'),
): Promise<T> {
  const nameCounter = `guess#${sha256(name.trim().toLowerCase())}`
  const network = getNetwork(address)
  const localCounter = `${nameCounter}#${sha256(network)}`
  const expires = Math.floor(now / 1000) + RETENTION_SECONDS
  const sharedCounters = [{ name: nameCounter, free: FREE_ATTEMPTS_PER_NAME }, ...getNetworkCounters(network)]
  const before = await Promise.all(sharedCounters.map((shared) => readCounter(shared.name, now)))
  for (const [index, { free }] of sharedCounters.entries())
    assertUnlocked(unlocksAt(before[index]!, free, MAX_SHARED_PAUSE_SECONDS), now)
  const failuresBefore = await countAttempt(localCounter, now, expires)
  const result = await check()
  const outcome = toOutcome(result)
  if (outcome === 'wrong') {
    for (const [index, shared] of sharedCounters.entries())
      if (!(await advanceCounter(shared.name, before[index]!, now, expires)))
        await incrementCounter(shared.name, 1, expires)
  }
  // A reset would let attackers clear the counter by signing in as themselves with the same address.
  else if (outcome === 'right of one' && failuresBefore > 0) await incrementCounter(localCounter, -1, expires)
  else await resetCounter(localCounter, now)
  return result
}

export async function withPasswordThrottle<T>(
  resourceId: string,
  check: () => Promise<T | undefined>,
  now = Date.now(),
): Promise<T | undefined> {
  const counter = `guess#${sha256(resourceId)}`
  await countAttempt(counter, now, Math.floor(now / 1000) + RETENTION_SECONDS)
  const result = await check()
  if (result !== undefined) await resetCounter(counter, now)
  return result
}

/** Only where an address limit is set: in local development all callers share one address. */
const getNetworkCounters = (network: string) => {
  const limit = env().ADDRESS_RATE_LIMIT
  return limit > 0 ? [{ name: `guess#place#${sha256(network)}`, free: limit * FREE_SECONDS_PER_NETWORK }] : []
}

/** Counts before checking, so that parallel attempts get no more tries. Returns the count before. */
async function countAttempt(localCounter: string, now: number, expires: number): Promise<number> {
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const before = await readCounter(localCounter, now)
    assertUnlocked(unlocksAt(before, FREE_ATTEMPTS, MAX_PAUSE_SECONDS), now)
    if (await advanceCounter(localCounter, before, now, expires)) return before.total
  }
  throw tooManyAttempts(1)
}

function assertUnlocked(time: number, now: number): void {
  if (time > now) throw tooManyAttempts(Math.ceil((time - now) / 1000))
}

const tooManyAttempts = (seconds: number) => tooManyRequests(message('access.tooManyFailedAttempts'), seconds)
