/**
 * S3 on one machine: the S3 wire protocol in path style over node:http, objects as files under one directory.
 * Bodies stream in both directions; what was acknowledged is on disk under its final name.
 * Every request must be signed (SigV4 header, presigned URL or POST policy) with the one pair of credentials given.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Service } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import { authenticate } from './authenticate.ts'
import { CORS_HEADERS, preflightHeaders } from './cors.ts'
import { errorDocument, S3Error } from './errors.ts'
import type { ObjectCreated, Reply } from './operation.ts'
import { postObject } from './post-object.ts'
import { S3Request } from './request.ts'
import { findOperation } from './routes.ts'
import { Store } from './store.ts'

export interface S3Options extends Credentials {
  /** The directory that holds everything, made when missing. One process at a time. */
  dataDir: string
  /** Told of every object that came to be. It must not throw. */
  onObjectCreated?: ObjectCreated
}

/** Opens the store under `dataDir` and serves it. Throws when the directory cannot be used. */
export async function s3(options: S3Options): Promise<Service> {
  const store = await Store.open(options.dataDir)
  const inFlight = new Set<Promise<void>>()
  return {
    handle: (incoming, response) => {
      const handled = handle(incoming, response, store, options).finally(() => inFlight.delete(handled))
      inFlight.add(handled)
      return handled
    },
    close: async () => {
      await Promise.allSettled(inFlight)
    },
  }
}

/** Answers one request, come what may. */
async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  store: Store,
  options: S3Options,
): Promise<void> {
  let requestId = ''
  try {
    if (store.has(bucketOf(incoming))) for (const [name, value] of CORS_HEADERS) response.setHeader(name, value)
    if (incoming.method === 'OPTIONS') return await send(response, preflight(incoming, store))
    const request = new S3Request(incoming)
    requestId = request.id
    response.setHeader('x-amz-request-id', requestId)
    const reply = await perform(request, store, options)
    await send(response, reply)
  } catch (error) {
    await sendError(incoming, response, error, requestId)
  }
}

async function perform(request: S3Request, store: Store, options: S3Options): Promise<Reply> {
  const { onObjectCreated = () => {} } = options
  if (isForm(request)) return postObject(request, options, store, onObjectCreated)
  const authentication = authenticate(request, options, Date.now())
  return findOperation(request)({ request, authentication, store, onObjectCreated })
}

const bucketOf = ({ url = '/' }: IncomingMessage): string => url.slice(1).split(/[/?]/, 1)[0]!

/** Pages may ask about buckets alone: the same address answers other services, which no page has anything to ask of. */
function preflight(incoming: IncomingMessage, store: Store): Reply {
  if (!store.has(bucketOf(incoming))) throw new S3Error('AccessForbidden', 'CORSResponse: Bucket not found')
  return { status: 200, headers: preflightHeaders(incoming) }
}

const isForm = (request: S3Request): boolean =>
  request.method === 'POST' &&
  request.key === '' &&
  (request.header('content-type') ?? '').startsWith('multipart/form-data')

async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  const isXml = typeof body === 'string'
  const length = isXml ? { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) } : {}
  const empty = body === undefined && status !== 204 && status !== 304 ? { 'content-length': '0' } : {}
  response.writeHead(status, { ...empty, ...length, ...headers })
  if (body instanceof Readable) await pipeline(body, response)
  else response.end(body)
}

async function sendError(
  incoming: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  requestId: string,
): Promise<void> {
  if (incoming.errored || response.headersSent || response.destroyed) {
    // The client is gone, or was promised a body that cannot be finished: a cut connection says so.
    response.destroy()
    return
  }
  const answer = error instanceof S3Error ? error : new S3Error('InternalError')
  if (answer !== error) console.error('s3:', error)
  const body = errorDocument(answer, (incoming.url ?? '/').split('?')[0]!, requestId)
  const headers = { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) }
  response.writeHead(answer.status, headers).write(body)
  // The answer is out, but the connection stays until the rest of the request is read away: a client that is cut off
  // while it still sends may never look at the answer.
  await finished(incoming.resume()).catch(() => {})
  response.end()
}
