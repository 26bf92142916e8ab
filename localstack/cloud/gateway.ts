/**
 * An HTTP API on this machine: takes a request, finds its route, invokes the function with a payload 2.0 event and sends
 * its result back, with AWS's limits, errors and cross-origin answers. Knows routes as data and functions as callbacks,
 * neither where they come from nor what they do.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { HEADER_BYTES, LAMBDA_REQUEST_BYTES } from '../../schemas/sizes.ts'
import { invocationContext } from './context.ts'
import { type Cors, type CorsOptions, cors, isPreflight } from './gateway/cors.ts'
import { buildEvent, isTextBody } from './gateway/event.ts'
import { exceedsAsJson, GATEWAY_BODY_BYTES, LAMBDA_RESPONSE_BYTES } from './gateway/limits.ts'
import { type Reply, replies, replyOf } from './gateway/reply.ts'
import { router } from './gateway/router.ts'
import type { Service } from './service.ts'

export interface Route {
  /** `GET /spaces/{id}`, `ANY /files/{path+}` or `$default`. */
  routeKey: string
  /** What the function is called in its context. */
  functionName?: string
  invoke(event: APIGatewayProxyEventV2, context: Context): Promise<unknown>
  /** What a request by this method may have as its body; AWS's limits and AWS's answer when absent. */
  bodyLimit?(method: string): BodyLimit | undefined
}

export interface BodyLimit {
  /** Over 6 MB the route takes and gives bodies here that AWS does not, for clients that send a whole file in one. */
  bytes: number
  /** The answer to a larger body, as JSON. */
  tooLarge: Buffer
}

export interface GatewayOptions {
  routes: readonly Route[]
  cors?: CorsOptions
  /** Seconds until a client is answered 503; an HTTP API allows 30 at most. */
  timeoutSeconds?: number
}

/** For the server in front: clients put hundreds of ids into a URL, which Node counts as header bytes (16 KB by itself). */
export const GATEWAY_SERVER_OPTIONS: ServerOptions = { maxHeaderSize: HEADER_BYTES.laptop }

const DEFAULT_TIMEOUT_SECONDS = 30
/** A client that sends more than this is disconnected instead of read to its end. */
const DROPPED_BYTES = 4 * 1024 * 1024 * 1024

/** @throws Error when two routes have the same method and path */
export function gateway(options: GatewayOptions): Service {
  const find = router(options.routes)
  const crossOrigin = options.cors && cors(options.cors)
  const timeoutMs = (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000

  /** Routes that catch OPTIONS get their preflights, as on AWS; the headers are the gateway's all the same. */
  async function answer(req: IncomingMessage, requestId: string): Promise<Reply> {
    const { rawPath, path, rawQueryString } = splitUrl(req.url!)
    if (path === undefined) return replies.badRequest
    const match = find(req.method!, rawPath)
    if (!match) return crossOrigin && isPreflight(req) ? crossOrigin.preflight : replies.notFound
    const { route, pathParameters } = match
    const receivedAt = Date.now()
    const limit = route.bodyLimit?.(req.method!)
    const isLarge = limit !== undefined && limit.bytes > LAMBDA_REQUEST_BYTES
    const tooLarge = limit ? { ...replies.entityTooLarge, body: limit.tooLarge } : replies.entityTooLarge
    const body = await readBody(req, isLarge ? limit.bytes : GATEWAY_BODY_BYTES)
    if (body === 'too large') return tooLarge
    const isText = body !== undefined && isTextBody(req.headers)
    if (body && !isLarge && exceedsLambda(body, isText)) return tooLarge
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
    return invoke(route, event, { requestId, timeoutMs, replyBytes: isLarge ? limit.bytes : LAMBDA_RESPONSE_BYTES })
  }

  return {
    async handle(req, res) {
      const requestId = randomUUID()
      const reply = await answer(req, requestId).catch((error: unknown) => {
        if (!req.destroyed) console.error(error)
        return replies.internalError
      })
      send(req, res, reply, requestId, crossOrigin)
    },
    close: async () => {},
  }
}

/** Runs the function; one that throws, answers nonsense or is too slow becomes the answer AWS gives for it. */
function invoke(
  route: Route,
  event: APIGatewayProxyEventV2,
  { requestId, timeoutMs, replyBytes }: { requestId: string; timeoutMs: number; replyBytes: number },
): Promise<Reply> {
  const context = invocationContext(route.functionName ?? 'function', requestId, Date.now() + timeoutMs)
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      console.error(`${route.routeKey} (${requestId}) took longer than ${timeoutMs / 1000} s`)
      resolve(replies.serviceUnavailable)
    }, timeoutMs)
    callFunction(route, event, context)
      .then((result) => replyOf(result, replyBytes))
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

/** `async`, so that a function that throws before its first await is a rejection like any other. */
async function callFunction(route: Route, event: APIGatewayProxyEventV2, context: Context): Promise<unknown> {
  return route.invoke(event, context)
}

function send(req: IncomingMessage, res: ServerResponse, reply: Reply, requestId: string, crossOrigin?: Cors): void {
  const headers: Reply['headers'] = { ...reply.headers }
  crossOrigin?.apply(req, headers)
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

/** An HTTP API hands the path over decoded; `path` is absent when it cannot be. */
function splitUrl(url: string): { rawPath: string; path?: string; rawQueryString: string } {
  const at = url.indexOf('?')
  const rawPath = at < 0 ? url : url.slice(0, at)
  const rawQueryString = at < 0 ? '' : url.slice(at + 1)
  if (!rawPath.includes('%')) return { rawPath, path: rawPath, rawQueryString }
  try {
    return { rawPath, path: decodeURIComponent(rawPath), rawQueryString }
  } catch {
    return { rawPath, rawQueryString }
  }
}

function exceedsLambda(body: Buffer, isText: boolean): boolean {
  if (isText) return exceedsAsJson(body, LAMBDA_REQUEST_BYTES)
  return Math.ceil(body.length / 3) * 4 > LAMBDA_REQUEST_BYTES
}

/**
 * Reads a body of at most `limitBytes`. A longer one is read to its end and dropped, because a client that is still
 * sending when its connection closes never sees the answer.
 */
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
      else if (bytes > DROPPED_BYTES) req.destroy()
      else chunks = []
    })
    req.on('end', () => {
      if (bytes > limitBytes) resolve('too large')
      else resolve(bytes === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
    })
    req.on('error', reject)
    req.on('close', () => reject(new Error('The client went away before its request was complete.')))
  })
}
