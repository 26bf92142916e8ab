/** Formats an event for a WebSocket, within its message size. */
import type { Event } from '../../schemas/events/shape.ts'
import { SOCKET_MESSAGE_BYTES, type SocketMessage } from '../../schemas/live/socket.ts'
import { toClaimCheck } from '../events/claim-check.ts'
import { toSdkShape } from './sdk-compat.ts'

const fitsMessage = (message: SocketMessage): boolean =>
  Buffer.byteLength(JSON.stringify(message)) <= SOCKET_MESSAGE_BYTES

/** Too large, the payload becomes a `dataUrl`; still too large, only the id is sent. */
export function toSocketMessage(event: Event): SocketMessage {
  const full: SocketMessage = { type: 'event', event: toSdkShape(event) as Event }
  if (fitsMessage(full)) return full
  const truncated: SocketMessage = { type: 'event', event: toSdkShape(toClaimCheck(event)) as Event }
  return fitsMessage(truncated) ? truncated : { type: 'too-large', id: event.id }
}
