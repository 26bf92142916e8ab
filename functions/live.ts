/** Live events by long poll: waits for what happens after a position. The protocol is schemas/live.ts. */
import { mayHear } from '../lib/auth/scopes.ts'
import { channelName, listenerOf, type Subscription } from '../lib/auth/subscription.ts'
import { forbidden } from '../lib/core/errors.ts'
import { log } from '../lib/core/log.ts'
import { fitting } from '../lib/events/claimed.ts'
import type { Cursor } from '../lib/events/cursors.ts'
import { cursorIn, type Followed, follow, followNewest, keptIn, present } from '../lib/events/follow.ts'
import { asEvent } from '../lib/events/store.ts'
import { toSdk } from '../lib/http/dialect.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Event } from '../schemas/events.ts'
import * as live from '../schemas/live.ts'

const NONE = { t: { t: '', r: 1 as const }, m: [] }
/** While nothing happens it is looked more and more seldom, and every so often back at what may have shown up late. */
const FIRST_LOOK_MS = 150
const SLOWER = 1.25
const LAST_LOOK_MS = 1_000
const LOOK_BACK_MS = 4_000

export const subscribe = serve(live.subscribe)(async ({ subscription, query, params }) => {
  const { channel } = subscription
  if (query.tt === undefined || query.tt === '0') return { ...NONE, t: { t: await present(channel), r: 1 } }
  try {
    const { events, cursor } = await awaited(subscription, await cursorIn(channel, query.tt))
    if (cursor === undefined) return { ...NONE, t: { t: query.tt, r: 1 } }
    const position = { t: await keptIn(channel, cursor), r: 1 as const }
    const envelope = { a: '1', f: 0 as const, p: position, k: params.subscribeKey, c: channelName(channel) }
    return { t: position, m: fitting(events.map(asEvent)).map((event) => ({ ...envelope, d: toSdk(event) as Event })) }
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error
    // Published drivers give up at a 5xx: they are told that nothing happened, and ask again from where they are.
    log.error('Could not follow events', { error: error as Error })
    await pause(LAST_LOOK_MS)
    return { ...NONE, t: { t: query.tt, r: 1 } }
  }
})

const closed = () => forbidden('The subscription has ended: ask for a new token.')
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * What shows up after the position and the listener may hear, at most {@link live.HOLD_MS} later. Throws a 403 once the
 * subscription has ended.
 * @returns the position after it; undefined where nothing happened
 */
async function awaited(
  subscription: Subscription,
  from: Cursor,
): Promise<Partial<Followed> & Pick<Followed, 'events'>> {
  const { channel } = subscription
  const until = Date.now() + live.HOLD_MS
  let cursor = from
  for (;;) {
    const followed = await follow(channel, cursor, live.EVENTS_PER_ANSWER)
    const listener = await listenerOf(subscription)
    if (!listener) throw closed()
    if (followed.events.length > 0) cursor = followed.cursor
    const events = followed.events.filter((event) => mayHear(listener, event))
    if (events.length > 0) return { events, cursor }
    if (Date.now() >= until) return { events, ...(cursor === from ? {} : { cursor }) }
    const back = Math.min(until, Date.now() + LOOK_BACK_MS)
    for (let ms = FIRST_LOOK_MS; Date.now() < back; ms = Math.min(LAST_LOOK_MS, ms * SLOWER)) {
      await pause(Math.min(ms, Math.max(0, back - Date.now())))
      if (await followNewest(channel, cursor)) break
    }
  }
}

export const leave = serve(live.leave)(async () => live.DONE)

export const heartbeat = serve(live.heartbeat)(async () => live.DONE)

/** A JSON array, as its readers expect it; in units of 100 ns, which JavaScript's numbers hold to the nearest few. */
export const time = serve(live.time)(async () => [Date.now() * 10_000])

export const handler = lambda(subscribe, leave, heartbeat, time)
