/** Sends each event to the WebSocket connections that may receive it; access is checked for every event. */
import type { EventBridgeEvent } from 'aws-lambda'
import { canReadEvent } from '../../lib/auth/load-resource.ts'
import type { Principal } from '../../lib/auth/principal.ts'
import { authenticateListener, type Subscription } from '../../lib/auth/subscription.ts'
import { forEachSettled } from '../../lib/core/concurrency.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { closeSocket, getSocketsInList, type Socket, sendMessage } from '../../lib/events/sockets.ts'
import { toSocketMessage } from '../../lib/http/live-message.ts'
import { Event } from '../../schemas/events/shape.ts'
import type { SocketMessage } from '../../schemas/live/socket.ts'

const CONCURRENCY = 25

export const handler = handleEvent(async ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> => {
  const event = Event.parse(detail)
  const { environmentId, spaceId } = event.context
  const lists = await Promise.all(
    [environmentId, spaceId].map((list) => (list ? getSocketsInList<Subscription>(list) : [])),
  )
  const sockets = lists.flat()
  if (sockets.length === 0) return
  const sendTo = buildSender(event)
  const failed = await forEachSettled(CONCURRENCY, sockets, sendTo)
  if (failed.length > 0) throw failed[0]
})

function buildSender(event: Event): (socket: Socket<Subscription>) => Promise<void> {
  const message: SocketMessage = toSocketMessage(event)
  const checks = new Map<string, Promise<Principal | undefined>>()
  return async (socket) => {
    const key = JSON.stringify(socket.subscription)
    const check = checks.get(key) ?? authenticateListener(socket.subscription)
    checks.set(key, check)
    const listener = await check
    if (!listener) await closeSocket(socket)
    else if (canReadEvent(listener, event)) await sendMessage(socket, message)
  }
}
