/**
 * Slows down whoever guesses credentials: after some wrong ones the next is looked at later and later. Counted for an address
 * a user signs in by from one place, so that nobody locks out others elsewhere, and mildly for it from everywhere. What is
 * counted may be of nobody: an answer tells nothing.
 */
import { tooManyRequests } from '../core/errors.ts'
import { add, next, reset, type Tally, tally } from '../table/counters.ts'
import { sha256 } from './secrets.ts'

/** Wrong ones that cost no time: from one place, and from everywhere together. */
const FREE = 5
const FREE_EVERYWHERE = 100
/** The longest pause after one more. */
const PAUSE_SECONDS = 900
const PAUSE_SECONDS_EVERYWHERE = 30
/** As long after the last wrong one all is forgotten. */
const MEMORY_SECONDS = 86_400
/** Of as many at the same moment some are refused unseen. */
const ATTEMPTS = 3

/** When the next attempt is looked at, in milliseconds since 1970. */
const openAt = ({ total, last }: Tally, free: number, longest: number): number =>
  total < free ? 0 : last + 1000 * Math.min(longest, 2 ** Math.min(20, total - free + 1))

/**
 * Looks at credentials if it is time to.
 * @param name what somebody signs in by
 * @param place where from: a network address
 * @param check gives who it is, or undefined for wrong credentials
 * @throws 429 with the time to wait
 */
export async function guarded<T>(
  name: string,
  place: string,
  check: () => Promise<T | undefined>,
  now = Date.now(),
): Promise<T | undefined> {
  const everywhere = `guess#${sha256(name.trim().toLowerCase())}`
  const here = `${everywhere}#${sha256(place)}`
  const expires = Math.floor(now / 1000) + MEMORY_SECONDS
  const all = await tally(everywhere, now)
  refuseUntil(openAt(all, FREE_EVERYWHERE, PAUSE_SECONDS_EVERYWHERE), now)
  await countHere(here, now, expires)
  const found = await check()
  if (found) await reset(here, now)
  else if (!(await next(everywhere, all, now, expires))) await add(everywhere, 1, expires)
  return found
}

/** Counts before it is looked at: of many at the same moment no more are looked at than one after another. */
async function countHere(here: string, now: number, expires: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await tally(here, now)
    refuseUntil(openAt(before, FREE, PAUSE_SECONDS), now)
    if (await next(here, before, now, expires)) return
  }
  refuseUntil(now + 1000, now)
}

function refuseUntil(time: number, now: number): void {
  if (time <= now) return
  throw tooManyRequests('Too many attempts with these credentials: try again later.', Math.ceil((time - now) / 1000))
}
