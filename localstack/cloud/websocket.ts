/**
 * A WebSocket API on this machine: a request to connect asks `$connect`, each message goes to the route its `action` names or
 * to `$default`, the end to `$disconnect`; functions send and close by `/<stage>/@connections/<id>`, as in AWS.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api.html
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Context } from 'aws-lambda'
import { type WebSocket, WebSocketServer } from 'ws'
import { invocationContext } from './context.ts'
import { manage } from './websocket/connections.ts'
import { type Connection, type EventType, webSocketEvent } from './websocket/event.ts'

export interface WebSocketRoute {
  /** `$connect`, `$disconnect`, `$default` or an action. */
  routeKey: string
  functionName: string
  invoke(event: unknown, context: Context): Promise<unknown>
}

export interface WebSocketOptions {
  routes: readonly WebSocketRoute[]
  /** First part of the path. */
  stage: string
  /** Quiet for this long, a connection is ended. */
  idleMs?: number
}

export interface WebSocketApi {
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Is it a function's request about a connection? */
  manages(req: IncomingMessage): boolean
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Ends every connection. */
  close(): Promise<void>
}

const TIMEOUT_MS = 29_000
const MESSAGE_BYTES = 128 * 1024
const IDLE_MS = 600_000
const LONGEST_MS = 7_200_000
/** As RFC 6455 names them: the server goes away; the message is too big, which `ws` tells by itself. */
const GOING_AWAY = 1001

export function webSocketApi({ routes, stage, idleMs = IDLE_MS }: WebSocketOptions): WebSocketApi {
  const byKey = new Map(routes.map((route) => [route.routeKey, route]))
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES })
  const open = new Map<string, Connection>()
  const ending = new Set<Promise<unknown>>()

  async function call(type: EventType, connection: Connection, routeKey: string, body?: string): Promise<number> {
    const route = byKey.get(routeKey)
    if (!route) return type === 'MESSAGE' ? 404 : 200
    const event = webSocketEvent(type, connection, { routeKey, stage, body })
    const context = invocationContext(route.functionName, randomUUID(), Date.now() + TIMEOUT_MS)
    const result = (await route.invoke(event, context)) as { statusCode?: number } | undefined
    return result?.statusCode ?? 200
  }

  async function admit(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const connection: Connection = { id: newId(), req, connectedAt: Date.now(), lastActiveAt: Date.now() }
    const status = await call('CONNECT', connection, '$connect').catch((error: unknown) => {
      console.error('$connect failed:', error)
      return 500
    })
    if (status < 200 || status > 299) return refuse(socket, status)
    server.handleUpgrade(req, socket, head, (webSocket) => begin(connection, webSocket))
  }

  function begin(connection: Connection, webSocket: WebSocket): void {
    connection.webSocket = webSocket
    open.set(connection.id, connection)
    const end = () => webSocket.close(GOING_AWAY)
    const longest = setTimeout(end, LONGEST_MS)
    let idle = setTimeout(end, idleMs)
    webSocket.on('error', (error) => console.error(`The WebSocket ${connection.id} failed:`, error.message))
    webSocket.on('message', (data, isBinary) => {
      clearTimeout(idle)
      idle = setTimeout(end, idleMs)
      connection.lastActiveAt = Date.now()
      if (isBinary) return
      const body = data.toString()
      const work = call('MESSAGE', connection, routeOf(body), body).catch((error: unknown) => {
        console.error('A message of a WebSocket failed:', error)
        return 500
      })
      void work.then((status) => {
        if (status >= 500) webSocket.send(internalError(connection.id))
      })
    })
    webSocket.on('close', () => {
      clearTimeout(idle)
      clearTimeout(longest)
      open.delete(connection.id)
      const told = call('DISCONNECT', connection, '$disconnect')
        .catch((error: unknown) => console.error('$disconnect failed:', error))
        .finally(() => ending.delete(told))
      ending.add(told)
    })
  }

  const routeOf = (body: string): string => {
    const action = actionOf(body)
    return action !== undefined && byKey.has(action) ? action : '$default'
  }

  const connections = new RegExp(`^/${stage}/@connections/([^/?]+)$`)
  return {
    upgrade(req, socket, head) {
      socket.on('error', () => socket.destroy())
      if (new URL(req.url!, 'ws://localhost').pathname.replace(/\/$/, '') !== `/${stage}`) return refuse(socket, 403)
      void admit(req, socket, head)
    },
    manages: (req) => connections.test(req.url!),
    handle: (req, res) => manage(open.get(decodeURIComponent(connections.exec(req.url!)![1]!)), req, res),
    async close() {
      for (const { webSocket } of open.values()) webSocket?.terminate()
      server.close()
      await new Promise(setImmediate)
      await Promise.all(ending)
    },
  }
}

/** Like AWS's: unpadded base64 with an equals sign at its end. */
const newId = () => `${randomBytes(11).toString('base64url').slice(0, 14)}=`

function refuse(socket: Duplex, status: number): void {
  const reason = status === 403 ? 'Forbidden' : status === 401 ? 'Unauthorized' : 'Error'
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function actionOf(body: string): string | undefined {
  try {
    const { action } = JSON.parse(body) as { action?: unknown }
    return typeof action === 'string' ? action : undefined
  } catch {
    return undefined
  }
}

const internalError = (connectionId: string) =>
  JSON.stringify({ message: 'Internal server error', connectionId, requestId: randomUUID() })
