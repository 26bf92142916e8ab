/** Messages of the live-event WebSocket. Its URL comes with a subscription token. */

import * as z from 'zod'
import { Event } from '../events/shape.ts'
import { Problem } from '../kit/error-codes.ts'
import { Id } from '../kit/ids.ts'
import { message } from '../messages/index.ts'

/** Bytes; API Gateway closes a connection on a larger frame. */
export const SOCKET_MESSAGE_BYTES = 32 * 1024
/** Ids the client has already received since its position. */
export const SEEN_IDS = 500

/**
 * `sync` sends the events the client lacks since its position, then the new position; without a position, only the
 * current one. Clients send it on connect and every minute. `ping` gets `pong`.
 */
export const SocketRequest = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('sync'),
    position: z
      .string()
      .regex(/^\d{17}$/, message('shape.digits', { count: 17 }))
      .optional(),
    seenIds: z.array(Id).max(SEEN_IDS).optional(),
  }),
  z.object({ action: z.literal('ping') }),
])

export const SocketMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), event: Event }),
  /** An event too large to send even without its payload; read it by id. */
  z.object({ type: z.literal('too-large'), id: Id }),
  /** Everything up to here was sent. With `more`, sync again immediately. */
  z.object({ type: z.literal('position'), position: z.string(), more: z.literal(true).optional() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), errors: z.array(Problem) }),
])
export type SocketMessage = z.infer<typeof SocketMessage>
