/** What functions do with a connection: send to it, ask about it, end it. The API's `@connections` commands. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import type { Connection } from './event.ts'

const MESSAGE_BYTES = 128 * 1024
/** The server ends the connection (RFC 6455). */
const NORMAL = 1000

export async function manage(connection: Connection | undefined, req: IncomingMessage, res: ServerResponse) {
  const body = await readBody(req, MESSAGE_BYTES)
  const { webSocket } = connection ?? {}
  if (!connection || webSocket?.readyState !== webSocket?.OPEN || !webSocket) return fail(res, 410, 'GoneException')
  switch (req.method) {
    case 'POST':
      if (body === undefined) return fail(res, 413, 'PayloadTooLargeException')
      webSocket.send(body.toString())
      return answer(res, 200)
    case 'DELETE':
      webSocket.close(NORMAL)
      return answer(res, 204)
    case 'GET':
      return answer(res, 200, {
        connectedAt: new Date(connection.connectedAt).toISOString(),
        identity: { sourceIp: connection.req.socket.remoteAddress, userAgent: connection.req.headers['user-agent'] },
        lastActiveAt: new Date(connection.lastActiveAt).toISOString(),
      })
    default:
      return fail(res, 403, 'ForbiddenException')
  }
}

function answer(res: ServerResponse, status: number, body: object = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() })
  res.end(status === 204 ? undefined : JSON.stringify(body))
}

function fail(res: ServerResponse, status: number, type: string): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
  res.end(JSON.stringify({ message: type }))
}
