/** An event as it is sent over a WebSocket: as published clients spell it, and within what a message may have. */
import type { Event } from '../../schemas/events.ts'
import { SOCKET_MESSAGE_BYTES, type SocketMessage } from '../../schemas/socket.ts'
import { claimed } from '../events/claimed.ts'
import { toSdk } from './dialect.ts'

const fits = (message: SocketMessage): boolean => Buffer.byteLength(JSON.stringify(message)) <= SOCKET_MESSAGE_BYTES

/** Too large, it goes without its payload, with a `dataUrl` to claim it by; still too large, by its id. */
export function messageOf(event: Event): SocketMessage {
  const whole: SocketMessage = { type: 'event', event: toSdk(event) as Event }
  if (fits(whole)) return whole
  const without: SocketMessage = { type: 'event', event: toSdk(claimed(event)) as Event }
  return fits(without) ? without : { type: 'large', id: event.id }
}
