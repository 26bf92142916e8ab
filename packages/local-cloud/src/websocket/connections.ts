/** The `@connections` commands of functions: send to a connection and close it. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../request-body.ts'
import type { Connection } from './event.ts'

const MAX_MESSAGE_BYTES = 128 * 1024
const NORMAL_CLOSURE = 1000

export async function handleConnectionRequest(
  connection: Connection | undefined,
  req: IncomingMessage,
  res: ServerResponse,
) {
  const body = await readBody(req, MAX_MESSAGE_BYTES)
  const { webSocket } = connection ?? {}
  if (!connection || webSocket?.readyState !== webSocket?.OPEN || !webSocket)
    return sendError(res, 410, 'GoneException')
  switch (req.method) {
    case 'POST':
      if (body === undefined) return sendError(res, 413, 'PayloadTooLargeException')
      webSocket.send(body.toString())
      return sendJson(res, 200)
    case 'DELETE':
      webSocket.close(NORMAL_CLOSURE)
      return sendJson(res, 204)
    default:
      return sendError(res, 403, 'ForbiddenException')
  }
}

function sendJson(res: ServerResponse, status: number, body: object = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() })
  res.end(status === 204 ? undefined : JSON.stringify(body))
}

function sendError(res: ServerResponse, status: number, type: string): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
  res.end(JSON.stringify({ message: type }))
}
