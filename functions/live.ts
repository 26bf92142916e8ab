/** Live events by long poll: waits for events after a cursor. The protocol is in schemas/live/endpoints.ts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { canReadEvent } from '../lib/auth/load-resource.ts'
import { authenticateListener, formatChannelName, type Subscription } from '../lib/auth/subscription.ts'
import { forbidden } from '../lib/core/errors.ts'
import { log } from '../lib/core/log.ts'
import { truncateList } from '../lib/events/claim-check.ts'
import { type Cursor, isIdle, settleCursor } from '../lib/events/cursors.ts'
import { toEvent } from '../lib/events/store.ts'
import {
  createCurrentCursor,
  type EventBatch,
  hasNewerEvents,
  readCursor,
  readNewEvents,
  saveCursor,
} from '../lib/events/tail.ts'
import { toSdkShape } from '../lib/http/sdk-compat.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Event } from '../schemas/events/shape.ts'
import * as live from '../schemas/live/endpoints.ts'
import { DONE, LONG_POLL_MS, MAX_EVENTS_PER_POLL } from '../schemas/live/shape.ts'
import { message } from '../schemas/messages/index.ts'

const NO_EVENTS = { t: { t: '', r: 1 as const }, m: [] }
/** Polling backs off while nothing happens, and looks back regularly for events that became visible late. */
const MIN_POLL_MS = 150
const POLL_BACKOFF = 1.25
const MAX_POLL_MS = 1_000
const LATE_CHECK_MS = { active: 4_000, idle: 10_000 }

export const subscribe = serve(live.subscribe)(async ({ subscription, query, params }) => {
  const { channel } = subscription
  if (query.tt === undefined || query.tt === '0')
    return { ...NO_EVENTS, t: { t: await createCurrentCursor(channel), r: 1 } }
  try {
    const { events, cursor } = await waitForEvents(subscription, await readCursor(channel, query.tt))
    if (cursor === undefined) return { ...NO_EVENTS, t: { t: query.tt, r: 1 } }
    const position = { t: await saveCursor(channel, cursor), r: 1 as const }
    const envelope = { a: '1', f: 0 as const, p: position, k: params.subscribeKey, c: formatChannelName(channel) }
    return {
      t: position,
      m: truncateList(events.map(toEvent)).map((event) => ({ ...envelope, d: toSdkShape(event) as Event })),
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error
    // Published drivers give up on a 5xx. An empty reply makes them retry from their cursor.
    log.error('Could not poll for events', { error: error as Error })
    await sleep(MAX_POLL_MS)
    return { ...NO_EVENTS, t: { t: query.tt, r: 1 } }
  }
})

const subscriptionEnded = () => forbidden(message('access.subscriptionEnded'))

/** Waits at most {@link live.LONG_POLL_MS}. Throws 403 once the subscription has ended. */
async function waitForEvents(
  subscription: Subscription,
  start: Cursor,
): Promise<Partial<EventBatch> & Pick<EventBatch, 'events'>> {
  const { channel } = subscription
  const deadline = Date.now() + LONG_POLL_MS
  const wasIdle = isIdle(start)
  let cursor = start
  let delayMs = wasIdle ? MAX_POLL_MS : MIN_POLL_MS
  for (;;) {
    const batch = await readNewEvents(channel, cursor, MAX_EVENTS_PER_POLL)
    const listener = await authenticateListener(subscription)
    if (!listener) throw subscriptionEnded()
    if (batch.events.length > 0) cursor = batch.cursor
    const events = batch.events.filter((event) => canReadEvent(listener, event))
    if (events.length > 0) return { events, cursor }
    if (Date.now() >= deadline) {
      if (cursor !== start) return { events, cursor }
      return { events, ...(wasIdle && start.seenIds.size > 0 ? { cursor: settleCursor(batch.cursor) } : {}) }
    }
    const lateCheckMs = isIdle(cursor) ? LATE_CHECK_MS.idle : LATE_CHECK_MS.active
    const nextLateCheck = Math.min(deadline, Date.now() + lateCheckMs)
    while (Date.now() < nextLateCheck) {
      await sleep(Math.min(delayMs, Math.max(0, nextLateCheck - Date.now())))
      delayMs = Math.min(MAX_POLL_MS, delayMs * POLL_BACKOFF)
      if (await hasNewerEvents(channel, cursor)) break
    }
  }
}

export const leave = serve(live.leave)(async () => DONE)

export const heartbeat = serve(live.heartbeat)(async () => DONE)

/** A JSON array in units of 100 ns, as clients expect; JavaScript numbers are exact to the nearest few. */
export const time = serve(live.time)(async () => [Date.now() * 10_000])

export const handler = lambda(subscribe, leave, heartbeat, time)
