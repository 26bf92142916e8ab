/** Live events over a WebSocket: authenticates and catches clients up. New events are sent by push-live-events.ts. */
import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda'
import { canReadEvent } from '../../lib/auth/load-resource.ts'
import type { Principal } from '../../lib/auth/principal.ts'
import { authenticateListener, getChannelId, loadSubscription, type Subscription } from '../../lib/auth/subscription.ts'
import { ApiError, invalid, invalidField } from '../../lib/core/errors.ts'
import { log } from '../../lib/core/log.ts'
import { Spaces } from '../../lib/entities/spaces.ts'
import { listSocket } from '../../lib/events/audience.ts'
import {
  addSocketToList,
  admitSocket,
  closeSocket,
  forgetSocket,
  getSocket,
  type Socket,
  sendMessage,
} from '../../lib/events/sockets.ts'
import { toEvent } from '../../lib/events/store.ts'
import { createCurrentCursor, readCursor, readNewEvents, saveCursor, withSeen } from '../../lib/events/tail.ts'
import { toSocketMessage } from '../../lib/http/live-message.ts'
import { MAX_EVENTS_PER_POLL } from '../../schemas/live/shape.ts'
import { SocketRequest } from '../../schemas/live/socket.ts'
import { message } from '../../schemas/messages/index.ts'

interface SocketResponse {
  statusCode: number
}

const MAX_PAGES_PER_MESSAGE = 10

export async function handler(event: APIGatewayProxyWebsocketEventV2): Promise<SocketResponse> {
  const { connectionId, routeKey } = event.requestContext
  try {
    if (routeKey === '$connect') return await connect(connectionId, event.queryStringParameters?.auth)
    const socket = await getSocket<Subscription>(connectionId)
    if (routeKey === '$disconnect') {
      if (socket) await forgetSocket(socket)
      return { statusCode: 200 }
    }
    const listener = socket && (await authenticateListener(socket.subscription))
    if (listener) await handleRequest(socket, listener, event.body)
    else await closeSocket(socket ?? { connectionId, list: '' })
    return { statusCode: 200 }
  } catch (error) {
    log.error('Could not handle a WebSocket message', { routeKey, error: error as Error })
    return { statusCode: 500 }
  }
}

async function connect(connectionId: string, token: string | undefined): Promise<SocketResponse> {
  const subscription = token ? await loadSubscription(token) : undefined
  if (!subscription) return { statusCode: 403 }
  const list = getChannelId(subscription.channel)
  const environmentId = await findEnvironmentId(subscription.channel)
  if (environmentId === undefined) return { statusCode: 403 }
  await listSocket(environmentId, list)
  await admitSocket({ connectionId, list, subscription })
  return { statusCode: 200 }
}

const findEnvironmentId = async (channel: Subscription['channel']): Promise<string | undefined> =>
  'spaceId' in channel ? (await Spaces.get(channel.spaceId))?.environmentId : channel.environmentId

async function handleRequest(
  socket: Socket<Subscription>,
  listener: Principal,
  body: string | undefined,
): Promise<void> {
  try {
    const request = parseRequest(body)
    if (request.action === 'ping') await sendMessage(socket, { type: 'pong' })
    else await catchUp(socket, listener, request.position, request.seenIds ?? [])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await sendMessage(socket, { type: 'error', errors: error.problems })
  }
}

function parseRequest(body: string | undefined) {
  let value: unknown
  try {
    value = JSON.parse(body ?? '')
  } catch {
    throw invalidField('body', message('routes.invalidJson'))
  }
  const parsed = SocketRequest.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map((issue) => ({ key: issue.path.join('.') || 'body', message: issue.message })))
}

/** Registers the socket before reading, so an event in between arrives twice rather than never. */
async function catchUp(
  socket: Socket<Subscription>,
  listener: Principal,
  position: string | undefined,
  seenIds: string[],
): Promise<void> {
  await addSocketToList(socket)
  const { channel } = socket.subscription
  if (position === undefined)
    return sendMessage(socket, { type: 'position', position: await createCurrentCursor(channel) })
  const startCursor = await readCursor(channel, position)
  let cursor = withSeen(startCursor, seenIds)
  let hasNews = cursor.seenIds.size > startCursor.seenIds.size
  let hasMore = true
  for (let pageIndex = 0; hasMore && pageIndex < MAX_PAGES_PER_MESSAGE; pageIndex++) {
    const batch = await readNewEvents(channel, cursor, MAX_EVENTS_PER_POLL)
    for (const event of batch.events)
      if (canReadEvent(listener, event)) await sendMessage(socket, toSocketMessage(toEvent(event)))
    cursor = withSeen(batch.cursor, seenIds)
    hasMore = batch.events.length > 0
    hasNews ||= hasMore
  }
  const newPosition = hasNews ? await saveCursor(channel, cursor) : position
  await sendMessage(socket, { type: 'position', position: newPosition, ...(hasMore ? { more: hasMore } : {}) })
}
