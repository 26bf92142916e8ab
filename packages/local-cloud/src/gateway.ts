/** A local HTTP API: invokes functions with payload 2.0 events, with AWS's limits, errors and CORS behavior. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { createInvocationContext } from './context.ts'
import { type Cors, type CorsOptions, createCors, isPreflight } from './gateway/cors.ts'
import { buildEvent, isTextBody } from './gateway/event.ts'
import { exceedsAsJson, GATEWAY_BODY_BYTES, LAMBDA_REQUEST_BYTES, LAMBDA_RESPONSE_BYTES } from './gateway/limits.ts'
import { type Reply, replies, toReply } from './gateway/reply.ts'
import { createRouter } from './gateway/router.ts'
import type { Service } from './service.ts'

export interface Route {
  routeKey: string
  functionName?: string
  invoke(event: APIGatewayProxyEventV2, context: Context): Promise<unknown>
  bodyLimit?(method: string): BodyLimit | undefined
}

export interface BodyLimit {
  /** Above 6 MB the route also accepts and returns bodies that AWS does not, for clients that send whole files. */
  bytes: number
  tooLarge: Buffer
}

export interface GatewayOptions {
  routes: readonly Route[]
  cors?: CorsOptions
  /** Seconds until the client gets a 503; an HTTP API allows at most 30. */
  timeoutSeconds?: number
}

const DEFAULT_TIMEOUT_SECONDS = 30
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024 * 1024

export function createGateway(options: GatewayOptions): Service {
  const findRoute = createRouter(options.routes)
  const corsPolicy = options.cors && createCors(options.cors)
  const timeoutMs = (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000

  /** As on AWS, routes that match OPTIONS get preflights, but the gateway still sets the CORS headers. */
  async function respond(req: IncomingMessage, requestId: string): Promise<Reply> {
    const { rawPath, path, rawQueryString } = splitUrl(req.url!)
    if (path === undefined) return replies.badRequest
    const match = findRoute(req.method!, rawPath)
    if (!match) return corsPolicy && isPreflight(req) ? corsPolicy.preflight : replies.notFound
    const { route, pathParameters } = match
    const receivedAt = Date.now()
    const limit = route.bodyLimit?.(req.method!)
    const isLarge = limit !== undefined && limit.bytes > LAMBDA_REQUEST_BYTES
    const tooLarge = limit ? { ...replies.entityTooLarge, body: limit.tooLarge } : replies.entityTooLarge
    const body = await readBody(req, isLarge ? limit.bytes : GATEWAY_BODY_BYTES)
    if (body === 'too large') return tooLarge
    const isText = body !== undefined && isTextBody(req.headers)
    if (body && !isLarge && exceedsLambdaLimit(body, isText)) return tooLarge
    const { routeKey } = route
    const event = buildEvent(req, {
      requestId,
      receivedAt,
      routeKey,
      path,
      rawQueryString,
      pathParameters,
      body,
      isText,
    })
    return invokeRoute(route, event, {
      requestId,
      timeoutMs,
      replyBytes: isLarge ? limit.bytes : LAMBDA_RESPONSE_BYTES,
    })
  }

  return {
    async handle(req, res) {
      const requestId = randomUUID()
      const reply = await respond(req, requestId).catch((error: unknown) => {
        if (!req.destroyed) console.error(error)
        return replies.internalError
      })
      send(req, res, reply, requestId, corsPolicy)
    },
    close: async () => {},
  }
}

function invokeRoute(
  route: Route,
  event: APIGatewayProxyEventV2,
  { requestId, timeoutMs, replyBytes }: { requestId: string; timeoutMs: number; replyBytes: number },
): Promise<Reply> {
  const context = createInvocationContext(route.functionName ?? 'function', requestId, Date.now() + timeoutMs)
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      console.error(`${route.routeKey} (${requestId}) took longer than ${timeoutMs / 1000} s`)
      resolve(replies.serviceUnavailable)
    }, timeoutMs)
    callFunction(route, event, context)
      .then((result) => toReply(result, replyBytes))
      .catch((error: unknown) => {
        console.error(`${route.routeKey} (${requestId}) failed:`, error)
        return replies.internalError
      })
      .then((reply) => {
        clearTimeout(timer)
        resolve(reply)
      })
  })
}

/** `async`, so that a synchronous throw becomes a rejection. */
async function callFunction(route: Route, event: APIGatewayProxyEventV2, context: Context): Promise<unknown> {
  return route.invoke(event, context)
}

function send(req: IncomingMessage, res: ServerResponse, reply: Reply, requestId: string, corsPolicy?: Cors): void {
  const headers: Reply['headers'] = { ...reply.headers }
  corsPolicy?.apply(req, headers)
  headers['apigw-requestid'] = requestId
  if (reply.statusCode !== 204 && reply.statusCode !== 304) headers['content-length'] = String(reply.body.length)
  try {
    res.writeHead(reply.statusCode, headers)
    res.end(reply.body)
  } catch (error) {
    console.error(`The response to ${req.method} ${req.url} (${requestId}) cannot be sent:`, error)
    send(req, res, replies.internalError, requestId)
  }
}

/** An HTTP API passes the decoded path; `path` is undefined if it is malformed. */
function splitUrl(url: string): { rawPath: string; path?: string; rawQueryString: string } {
  const queryStart = url.indexOf('?')
  const rawPath = queryStart < 0 ? url : url.slice(0, queryStart)
  const rawQueryString = queryStart < 0 ? '' : url.slice(queryStart + 1)
  if (!rawPath.includes('%')) return { rawPath, path: rawPath, rawQueryString }
  try {
    return { rawPath, path: decodeURIComponent(rawPath), rawQueryString }
  } catch {
    return { rawPath, rawQueryString }
  }
}

function exceedsLambdaLimit(body: Buffer, isText: boolean): boolean {
  if (isText) return exceedsAsJson(body, LAMBDA_REQUEST_BYTES)
  return Math.ceil(body.length / 3) * 4 > LAMBDA_REQUEST_BYTES
}

/** Drains a longer body: a client still sending when the connection closes never sees the response. */
function readBody(req: IncomingMessage, limitBytes: number): Promise<Buffer | 'too large' | undefined> {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined) {
    return Promise.resolve(undefined)
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let bytes = 0
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limitBytes) chunks.push(chunk)
      else if (bytes > MAX_DISCARDED_BYTES) req.destroy()
      else chunks = []
    })
    req.on('end', () => {
      if (bytes > limitBytes) resolve('too large')
      else resolve(bytes === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
    })
    req.on('error', reject)
    req.on('close', () => reject(new Error('The client disconnected before its request was complete.')))
  })
}
