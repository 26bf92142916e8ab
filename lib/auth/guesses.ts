/**
 * Slows down whoever guesses credentials: after some wrong ones the next is looked at later and later. Counted for an address
 * a user signs in by from one place, so that nobody locks out others elsewhere, and mildly for it from everywhere and for the
 * place with everybody. What is counted may be of nobody: an answer tells nothing.
 */
import { env } from '../core/env.ts'
import { tooManyRequests } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { add, next, reset, type Tally, tally } from '../table/counters.ts'
import { sha256 } from './secrets.ts'

/** Wrong ones that cost no time: from one place, and from everywhere together. */
const FREE = 5
const FREE_EVERYWHERE = 100
/** From one place with everybody's addresses: as many as so many seconds of its requests. */
const FREE_SECONDS_OF_PLACE = 30
/** The longest pause after one more. */
const PAUSE_SECONDS = 900
const PAUSE_SECONDS_TOGETHER = 30
/** As long after the last wrong one all is forgotten. */
const MEMORY_SECONDS = 86_400
/** Of as many at the same moment some are refused unseen. */
const ATTEMPTS = 3

/** When the next attempt is looked at, in milliseconds since 1970. */
const openAt = ({ total, last }: Tally, free: number, longest: number): number =>
  total < free ? 0 : last + 1000 * Math.min(longest, 2 ** Math.min(20, total - free + 1))

/**
 * What became of an attempt. Right of one: the credentials are those of one user, and there are others whom the same name means,
 * for whom they were wrong.
 */
export type Outcome = 'right' | 'right of one' | 'wrong'

/**
 * Looks at credentials if it is time to.
 * @param name what somebody signs in by
 * @param place where from: a network address; addresses of one IPv6 network count as one
 * @param check gives who it is, or undefined for wrong credentials; of other answers `outcomeOf` says what became of the attempt
 * @throws 429 with the time to wait
 */
export async function guarded<T>(
  name: string,
  place: string,
  check: () => Promise<T>,
  now = Date.now(),
  outcomeOf: (found: T) => Outcome = (one) => (one ? 'right' : 'wrong'),
): Promise<T> {
  const everywhere = `guess#${sha256(name.trim().toLowerCase())}`
  const network = networkOf(place)
  const here = `${everywhere}#${sha256(network)}`
  const expires = Math.floor(now / 1000) + MEMORY_SECONDS
  const together = [{ name: everywhere, free: FREE_EVERYWHERE }, ...ofPlace(network)]
  const before = await Promise.all(together.map((each) => tally(each.name, now)))
  for (const [index, { free }] of together.entries())
    refuseUntil(openAt(before[index]!, free, PAUSE_SECONDS_TOGETHER), now)
  const wrongBefore = await countHere(here, now, expires)
  const found = await check()
  const outcome = outcomeOf(found)
  if (outcome === 'wrong') {
    for (const [index, each] of together.entries())
      if (!(await next(each.name, before[index]!, now, expires))) await add(each.name, 1, expires)
  }
  // One who has a user of the address in an account of their own does not begin anew with guesses of the others.
  else if (outcome === 'right of one' && wrongBefore > 0) await add(here, -1, expires)
  else await reset(here, now)
  return found
}

/** Counted where addresses have a limit: on one machine everybody has the same. */
const ofPlace = (place: string) => {
  const limit = env().ADDRESS_RATE_LIMIT
  return limit > 0 ? [{ name: `guess#place#${sha256(place)}`, free: limit * FREE_SECONDS_OF_PLACE }] : []
}

/** Counts before it is looked at: of many at the same moment no more are looked at than one after another. Gives those before. */
async function countHere(here: string, now: number, expires: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await tally(here, now)
    refuseUntil(openAt(before, FREE, PAUSE_SECONDS), now)
    if (await next(here, before, now, expires)) return before.total
  }
  throw tooSoon(1)
}

function refuseUntil(time: number, now: number): void {
  if (time > now) throw tooSoon(Math.ceil((time - now) / 1000))
}

const tooSoon = (seconds: number) =>
  tooManyRequests('Too many attempts with these credentials: try again later.', seconds)
