/**
 * Live events by long poll, in the protocol of published PubNub clients: a request waits until there are events after
 * its position (`tt`). The protocol defines paths and replies.
 */
import * as z from 'zod'
import { Event } from '../events/shape.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id } from '../kit/ids.ts'
import { message } from '../messages/index.ts'
import { LONG_POLL_MS, MAX_EVENTS_PER_POLL } from './shape.ts'

/** Milliseconds since 1970 plus four digits that make it unique. */
const Timetoken = z.string().regex(/^\d{17}$/, message('shape.timetoken', { count: 17 }))
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
  summary: 'Waits for events on a channel',
  description:
    'The channel is `environment.<id>` or `space.<id>`. Without `tt` (or with 0) it returns the current position immediately. With it, the ' +
    `request waits up to ${LONG_POLL_MS / 1000} s and returns the events since that position, in the order of their ids, at most ` +
    `${MAX_EVENTS_PER_POLL}; late events are delivered when they appear. A client that follows positions of the last day receives each event once; an older ` +
    'position may repeat up to 30 s of events so that none is lost.',
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
        k: Id,
        c: z.string(),
        d: Event,
      }),
    ),
  }),
  example,
})

const Done = z.object({ status: z.literal(200), message: z.literal('OK'), service: z.literal('Presence') })

export const leave = endpoint({
  id: 'live.leave',
  method: 'GET',
  root: true,
  path: '/v2/presence/sub-key/{subscribeKey}/channel/{channel}/leave',
  summary: 'Leaves a channel; no state is stored, so this has no effect',
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
  summary: 'Signals that a subscriber is present; no state is stored, so this has no effect',
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
  summary: 'Returns the current time as a position; clients use it to detect that the network is back',
  policy: { public: true },
  reply: z.array(z.number()).length(1),
  example: {},
})
