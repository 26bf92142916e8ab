/** A local S3: the wire protocol in path style, with objects as files. Every request must be signed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { Service } from '../service.ts'
import type { Credentials } from '../signature/signature.ts'
import { authenticate } from './authenticate.ts'
import { buildPreflightHeaders, CORS_HEADERS } from './cors.ts'
import { buildErrorDocument, S3Error } from './errors.ts'
import type { Reply } from './operation.ts'
import { S3Request } from './request.ts'
import { findOperation } from './routes.ts'
import { Store } from './store.ts'

export interface S3Options extends Credentials {
  dataDir: string
}

export async function startS3(options: S3Options): Promise<Service> {
  const store = await Store.open(options.dataDir)
  const inFlight = new Set<Promise<void>>()
  return {
    handle: (incoming, response) => {
      const handling = handle(incoming, response, store, options).finally(() => inFlight.delete(handling))
      inFlight.add(handling)
      return handling
    },
    close: async () => {
      await Promise.allSettled(inFlight)
    },
  }
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  store: Store,
  options: S3Options,
): Promise<void> {
  let requestId = ''
  try {
    if (store.has(parseBucketName(incoming))) for (const [name, value] of CORS_HEADERS) response.setHeader(name, value)
    if (incoming.method === 'OPTIONS') return await send(response, handlePreflight(incoming, store))
    const request = new S3Request(incoming)
    requestId = request.id
    response.setHeader('x-amz-request-id', requestId)
    const reply = await runOperation(request, store, options)
    await send(response, reply)
  } catch (error) {
    await sendError(incoming, response, error, requestId)
  }
}

async function runOperation(request: S3Request, store: Store, options: S3Options): Promise<Reply> {
  const payloadHash = authenticate(request, options, Date.now())
  return findOperation(request)({ request, payloadHash, store })
}

const parseBucketName = ({ url = '/' }: IncomingMessage): string => url.slice(1).split(/[/?]/, 1)[0]!

/** Only for buckets: the same address serves other services, which web pages must not use. */
function handlePreflight(incoming: IncomingMessage, store: Store): Reply {
  if (!store.has(parseBucketName(incoming))) throw new S3Error('AccessForbidden', 'CORSResponse: Bucket not found')
  return { status: 200, headers: buildPreflightHeaders(incoming) }
}

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
    // The client is gone, or the promised body cannot be completed, so close the connection.
    response.destroy()
    return
  }
  const s3Error = error instanceof S3Error ? error : new S3Error('InternalError')
  if (s3Error !== error) console.error('s3:', error)
  const body = buildErrorDocument(s3Error, (incoming.url ?? '/').split('?')[0]!, requestId)
  const headers = { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) }
  response.writeHead(s3Error.status, headers).write(body)
  // Reads the rest of the request before closing: a client that is still sending may never read the response.
  await finished(incoming.resume()).catch(() => {})
  response.end()
}
