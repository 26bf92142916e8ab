/**
 * Live events by long poll, in the protocol of PubNub that published drivers speak: a request names the position it has
 * (`tt`) and waits until there are events after it. Paths and answers are that protocol's, not ours.
 */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Event } from './events.ts'
import { Id } from './ids.ts'

/** Milliseconds a request waits for an event; an HTTP API of AWS ends at 30 s. */
export const HOLD_MS = 20_000
/** Events one answer brings at most; the next request brings the next at once. */
export const EVENTS_PER_ANSWER = 100

/** A position: milliseconds since 1970 and four digits that make it unique. */
const Timetoken = z.string().regex(/^\d{17}$/, 'must be a timetoken: 17 digits')
const Position = z.object({ t: Timetoken, r: z.literal(1) })

const channel = { subscribeKey: z.string().min(1), channel: z.string().min(1).max(250) }
const auth = { auth: z.string().max(4000).optional() }
const example = {
  params: { subscribeKey: '{accountId}', channel: 'environment.{environmentId}' },
  query: { auth: '{subscriptionToken}' },
}

export const subscribe = endpoint({
  id: 'live.subscribe',
  method: 'GET',
  root: true,
  waits: true,
  path: '/v2/subscribe/{subscribeKey}/{channel}/0',
  summary: 'Waits for events of a channel',
  description:
    'The channel is `environment.<id>` or `space.<id>`. Without `tt` (or with 0) it answers the present position at once. With it the ' +
    `request waits up to ${HOLD_MS / 1000} s and answers what has happened since, in the order of the events' ids, at most ` +
    `${EVENTS_PER_ANSWER}; one that shows up late comes when it does. An event comes once to who follows the positions of a day; an older ` +
    'position repeats up to 30 s of events rather than lose one.',
  policy: { subscription: true },
  params: z.object(channel),
  query: z.object({ ...auth, tt: z.union([z.literal('0'), Timetoken]).optional() }),
  reply: z.object({
    t: Position,
    m: z.array(
      z.object({
        a: z.string(),
        f: z.literal(0),
        p: Position,
        /** The subscribe key. */
        k: Id,
        /** The channel. */
        c: z.string(),
        d: Event,
      }),
    ),
  }),
  example,
})

const Done = z.object({ status: z.literal(200), message: z.literal('OK'), service: z.literal('Presence') })
export const DONE = { status: 200, message: 'OK', service: 'Presence' } as const

export const leave = endpoint({
  id: 'live.leave',
  method: 'GET',
  root: true,
  path: '/v2/presence/sub-key/{subscribeKey}/channel/{channel}/leave',
  summary: 'Takes leave of a channel; nothing is kept that would need it',
  policy: { subscription: true },
  params: z.object(channel),
  query: z.object(auth),
  reply: Done,
  example,
})

export const heartbeat = endpoint({
  id: 'live.heartbeat',
  method: 'GET',
  root: true,
  path: '/v2/presence/sub-key/{subscribeKey}/channel/{channel}/heartbeat',
  summary: 'Tells that a subscriber is there; nothing is kept that would need it',
  policy: { subscription: true },
  params: z.object(channel),
  query: z.object(auth),
  reply: Done,
  example,
})

export const time = endpoint({
  id: 'live.time',
  method: 'GET',
  root: true,
  path: '/time/0',
  summary: 'Tells the time as a position; clients ask it to learn that the network is back',
  policy: { public: true },
  reply: z.array(z.number()).length(1),
  example: {},
})
