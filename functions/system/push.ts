/**
 * Every event as it comes off the bus goes to the WebSocket connections of its environment and its space. What stands behind
 * a connection is read anew each time: who may no longer hear the event is disconnected instead. An event that comes late
 * is marked for those who follow the lists.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import type { Principal } from '../../lib/auth/principal.ts'
import { mayHear } from '../../lib/auth/scopes.ts'
import { listenerOf, type Subscription } from '../../lib/auth/subscription.ts'
import { tryEach } from '../../lib/core/in-flight.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import { markLate } from '../../lib/events/late.ts'
import { closeSocket, post, type Socket, socketsIn } from '../../lib/events/sockets.ts'
import { messageOf } from '../../lib/http/live-message.ts'
import { Event } from '../../schemas/events.ts'
import type { SocketMessage } from '../../schemas/socket.ts'

/** Connections told at the same time. */
const AT_ONCE = 25

/** What fails is repeated by the bus with the same event; clients drop what they have. */
export const handler = followUp(async ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> => {
  const event = Event.parse(detail)
  await markLate(event)
  const { environmentId, spaceId } = event.context
  const lists = await Promise.all([environmentId, spaceId].map((list) => (list ? socketsIn<Subscription>(list) : [])))
  const sockets = lists.flat()
  if (sockets.length === 0) return
  const tell = teller(event)
  const failed = await tryEach(AT_ONCE, sockets, tell)
  if (failed.length > 0) throw failed[0]
})

/** Connections of one credential are checked together. */
function teller(event: Event): (socket: Socket<Subscription>) => Promise<void> {
  const message: SocketMessage = messageOf(event)
  const checks = new Map<string, Promise<Principal | undefined>>()
  return async (socket) => {
    const key = JSON.stringify(socket.subscription)
    const check = checks.get(key) ?? listenerOf(socket.subscription)
    checks.set(key, check)
    const listener = await check
    if (!listener) await closeSocket(socket)
    else if (mayHear(listener, event)) await post(socket, message)
  }
}
