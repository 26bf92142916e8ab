/** A local WebSocket API. Functions send to and close connections at `/<stage>/@connections/<id>`, as on AWS. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Context } from 'aws-lambda'
import { type WebSocket, WebSocketServer } from 'ws'
import { createInvocationContext } from './context.ts'
import { handleConnectionRequest } from './websocket/connections.ts'
import { buildWebSocketEvent, type Connection, type EventType } from './websocket/event.ts'

export interface WebSocketRoute {
  routeKey: string
  functionName: string
  invoke(event: unknown, context: Context): Promise<unknown>
}

export interface WebSocketOptions {
  routes: readonly WebSocketRoute[]
  stage: string
  idleMs?: number
}

export interface WebSocketApi {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  isConnectionRequest(req: IncomingMessage): boolean
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 29_000
const MAX_MESSAGE_BYTES = 128 * 1024
const IDLE_MS = 600_000
const MAX_CONNECTION_MS = 7_200_000
const GOING_AWAY = 1001

export function createWebSocketApi({ routes, stage, idleMs = IDLE_MS }: WebSocketOptions): WebSocketApi {
  const byKey = new Map(routes.map((route) => [route.routeKey, route]))
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  const openConnections = new Map<string, Connection>()
  const pendingDisconnects = new Set<Promise<unknown>>()

  async function callRoute(type: EventType, connection: Connection, routeKey: string, body?: string): Promise<number> {
    const route = byKey.get(routeKey)
    if (!route) return type === 'MESSAGE' ? 404 : 200
    const event = buildWebSocketEvent(type, connection, { routeKey, stage, body })
    const context = createInvocationContext(route.functionName, randomUUID(), Date.now() + TIMEOUT_MS)
    const result = (await route.invoke(event, context)) as { statusCode?: number } | undefined
    return result?.statusCode ?? 200
  }

  async function accept(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const connection: Connection = { id: createId(), req, connectedAt: Date.now() }
    const status = await callRoute('CONNECT', connection, '$connect').catch((error: unknown) => {
      console.error('$connect failed:', error)
      return 500
    })
    if (status < 200 || status > 299) return rejectUpgrade(socket, status)
    server.handleUpgrade(req, socket, head, (webSocket) => startConnection(connection, webSocket))
  }

  function startConnection(connection: Connection, webSocket: WebSocket): void {
    connection.webSocket = webSocket
    openConnections.set(connection.id, connection)
    const closeConnection = () => webSocket.close(GOING_AWAY)
    const lifetimeTimer = setTimeout(closeConnection, MAX_CONNECTION_MS)
    let idleTimer = setTimeout(closeConnection, idleMs)
    webSocket.on('error', (error) => console.error(`The WebSocket ${connection.id} failed:`, error.message))
    webSocket.on('message', (data, isBinary) => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(closeConnection, idleMs)
      if (isBinary) return
      const body = data.toString()
      const handling = callRoute('MESSAGE', connection, findRouteKey(body), body).catch((error: unknown) => {
        console.error('Handling a WebSocket message failed:', error)
        return 500
      })
      void handling.then((status) => {
        if (status >= 500) webSocket.send(buildInternalError(connection.id))
      })
    })
    webSocket.on('close', () => {
      clearTimeout(idleTimer)
      clearTimeout(lifetimeTimer)
      openConnections.delete(connection.id)
      const disconnecting = callRoute('DISCONNECT', connection, '$disconnect')
        .catch((error: unknown) => console.error('$disconnect failed:', error))
        .finally(() => pendingDisconnects.delete(disconnecting))
      pendingDisconnects.add(disconnecting)
    })
  }

  const findRouteKey = (body: string): string => {
    const action = parseAction(body)
    return action !== undefined && byKey.has(action) ? action : '$default'
  }

  const connectionPath = new RegExp(`^/${stage}/@connections/([^/?]+)$`)
  return {
    upgrade(req, socket, head) {
      socket.on('error', () => socket.destroy())
      if (new URL(req.url!, 'ws://localhost').pathname.replace(/\/$/, '') !== `/${stage}`)
        return rejectUpgrade(socket, 403)
      void accept(req, socket, head)
    },
    isConnectionRequest: (req) => connectionPath.test(req.url!),
    handle: (req, res) =>
      handleConnectionRequest(openConnections.get(decodeURIComponent(connectionPath.exec(req.url!)![1]!)), req, res),
    async close() {
      for (const { webSocket } of openConnections.values()) webSocket?.terminate()
      server.close()
      await new Promise(setImmediate)
      await Promise.all(pendingDisconnects)
    },
  }
}

const createId = () => `${randomBytes(11).toString('base64url').slice(0, 14)}=`

function rejectUpgrade(socket: Duplex, status: number): void {
  const reason = status === 403 ? 'Forbidden' : status === 401 ? 'Unauthorized' : 'Error'
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function parseAction(body: string): string | undefined {
  try {
    const { action } = JSON.parse(body) as { action?: unknown }
    return typeof action === 'string' ? action : undefined
  } catch {
    return undefined
  }
}

const buildInternalError = (connectionId: string) =>
  JSON.stringify({ message: 'Internal server error', connectionId, requestId: randomUUID() })
