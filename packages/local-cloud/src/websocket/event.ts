import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { WEBSOCKET_API_ID } from '../gateway/event.ts'

export interface Connection {
  id: string
  req: IncomingMessage
  connectedAt: number
  webSocket?: WebSocket
}

export type EventType = 'CONNECT' | 'MESSAGE' | 'DISCONNECT'

export function buildWebSocketEvent(
  type: EventType,
  { id, req, connectedAt }: Connection,
  { routeKey, stage, body }: { routeKey: string; stage: string; body?: string },
): Record<string, unknown> {
  const requestId = randomUUID()
  const requestContext = {
    routeKey,
    eventType: type,
    extendedRequestId: requestId,
    requestTimeEpoch: Date.now(),
    messageDirection: 'IN',
    stage,
    connectedAt,
    requestId,
    domainName: req.headers.host ?? 'localhost',
    connectionId: id,
    apiId: WEBSOCKET_API_ID,
    identity: { sourceIp: req.socket.remoteAddress ?? '127.0.0.1', userAgent: req.headers['user-agent'] },
    ...(type === 'MESSAGE' ? { messageId: randomUUID() } : {}),
  }
  if (type === 'MESSAGE') return { requestContext, body, isBase64Encoded: false }
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]))
  const query = Object.fromEntries(new URL(req.url!, 'ws://localhost').searchParams)
  return {
    requestContext,
    headers,
    ...(type === 'CONNECT' && Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    isBase64Encoded: false,
  }
}
