/** Live events over a WebSocket: the messages of both sides. The address comes with a subscription token. */
import * as z from 'zod'
import type { Problem } from './errors.ts'
import type { Event } from './events.ts'
import { Id } from './ids.ts'

/** Largest message in bytes: API Gateway closes a connection at a frame of more. */
export const SOCKET_MESSAGE_BYTES = 32 * 1024
/** Ids a client may name of what it has got since its position. */
export const TOLD_IDS = 500

/**
 * `sync`: sends what the client does not have since its position, then the new position; without a position just the present one.
 * A client says it once it is connected, and every minute. `ping` is answered by `pong`.
 */
export const SocketRequest = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('sync'),
    position: z
      .string()
      .regex(/^\d{17}$/, 'must be 17 digits')
      .optional(),
    told: z.array(Id).max(TOLD_IDS).optional(),
  }),
  z.object({ action: z.literal('ping') }),
])

export type SocketMessage =
  | { type: 'event'; event: Event }
  /** An event too large for a message even without its payload: read it by its id. */
  | { type: 'large'; id: string }
  /** Everything up to here was sent; with `more`, ask again at once. */
  | { type: 'position'; position: string; more?: true }
  | { type: 'pong' }
  | { type: 'error'; errors: Problem[] }
