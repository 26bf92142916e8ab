/**
 * Live events over a WebSocket: lets in who shows a subscription token, and brings a client what it does not have yet. The
 * events themselves are sent by push.ts as they happen.
 */
import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda'
import type { Principal } from '../../lib/auth/principal.ts'
import { mayHear } from '../../lib/auth/scopes.ts'
import { channelId, listenerOf, type Subscription, subscriptionOf } from '../../lib/auth/subscription.ts'
import { ApiError, invalid, invalidField } from '../../lib/core/errors.ts'
import { log } from '../../lib/core/log.ts'
import { cursorIn, follow, keptIn, knowing, present } from '../../lib/events/follow.ts'
import {
  admitSocket,
  closeSocket,
  forgetSocket,
  listSocket,
  post,
  type Socket,
  socketOf,
} from '../../lib/events/sockets.ts'
import { asEvent } from '../../lib/events/store.ts'
import { messageOf } from '../../lib/http/live-message.ts'
import { EVENTS_PER_ANSWER } from '../../schemas/live.ts'
import { SocketRequest } from '../../schemas/socket.ts'

interface Answer {
  statusCode: number
}

/** Answers of {@link EVENTS_PER_ANSWER} events one message brings at most; the client asks for the rest. */
const ROUNDS = 10

export async function handler(event: APIGatewayProxyWebsocketEventV2): Promise<Answer> {
  const { connectionId, routeKey } = event.requestContext
  try {
    if (routeKey === '$connect') return await connect(connectionId, event.queryStringParameters?.auth)
    const socket = await socketOf<Subscription>(connectionId)
    if (routeKey === '$disconnect') {
      if (socket) await forgetSocket(socket)
      return { statusCode: 200 }
    }
    const listener = socket && (await listenerOf(socket.subscription))
    if (listener) await answer(socket, listener, event.body)
    else await closeSocket(socket ?? { connectionId, list: '' })
    return { statusCode: 200 }
  } catch (error) {
    log.error('A message of a WebSocket failed', { routeKey, error: error as Error })
    return { statusCode: 500 }
  }
}

async function connect(connectionId: string, token: string | undefined): Promise<Answer> {
  const subscription = token ? await subscriptionOf(token) : undefined
  if (!subscription) return { statusCode: 403 }
  await admitSocket({ connectionId, list: channelId(subscription.channel), subscription })
  return { statusCode: 200 }
}

async function answer(socket: Socket<Subscription>, listener: Principal, body: string | undefined): Promise<void> {
  try {
    const request = requestIn(body)
    if (request.action === 'ping') await post(socket, { type: 'pong' })
    else await sync(socket, listener, request.position, request.told ?? [])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await post(socket, { type: 'error', errors: error.problems })
  }
}

function requestIn(body: string | undefined) {
  let value: unknown
  try {
    value = JSON.parse(body ?? '')
  } catch {
    throw invalidField('body', 'is not JSON')
  }
  const parsed = SocketRequest.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ key: path.join('.') || 'body', message })))
}

/** Listed before it is looked what there is: an event between the two comes twice rather than not at all. */
async function sync(
  socket: Socket<Subscription>,
  listener: Principal,
  position: string | undefined,
  told: string[],
): Promise<void> {
  await listSocket(socket)
  const { channel } = socket.subscription
  if (position === undefined) return post(socket, { type: 'position', position: await present(channel) })
  const before = await cursorIn(channel, position)
  let cursor = knowing(before, told)
  let news = cursor.told.size > before.told.size
  let more = true
  for (let round = 0; more && round < ROUNDS; round++) {
    const followed = await follow(channel, cursor, EVENTS_PER_ANSWER)
    for (const event of followed.events) if (mayHear(listener, event)) await post(socket, messageOf(asEvent(event)))
    cursor = knowing(followed.cursor, told)
    more = followed.events.length > 0
    news ||= more
  }
  const reached = news ? await keptIn(channel, cursor) : position
  await post(socket, { type: 'position', position: reached, ...(more ? { more } : {}) })
}
