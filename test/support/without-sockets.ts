/** Sends a client's requests to the embedded cloud of this process as signed HTTP requests, but without sockets. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols'

interface AwsClient {
  config: { requestHandler: unknown }
}

export function bypassSockets({ config }: AwsClient, serve: RequestListener): void {
  config.requestHandler = {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request: HttpRequest) => ({ response: await send(request, serve) }),
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  }
}

const send = (request: HttpRequest, serve: RequestListener): Promise<HttpResponse> =>
  new Promise((resolve, reject) => serve(toIncoming(request), new Reply(resolve, reject).asResponse()))

function toIncoming({ method, path, headers, body }: HttpRequest): IncomingMessage {
  const incoming = {
    method,
    url: path,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    complete: true,
    destroyed: false,
    resume: () => {},
    async *[Symbol.asyncIterator]() {
      yield toBytes(body as string | Uint8Array)
    },
  }
  return incoming as unknown as IncomingMessage
}

const toBytes = (body: string | Uint8Array): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)

class Reply {
  headersSent = false
  writable = true
  #statusCode = 200
  #headers: Record<string, string> = {}
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: Error) => void

  constructor(resolve: (response: HttpResponse) => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  asResponse(): ServerResponse {
    return this as unknown as ServerResponse
  }

  writeHead(statusCode: number, headers: Record<string, string | number> = {}): this {
    this.headersSent = true
    this.#statusCode = statusCode
    for (const [name, value] of Object.entries(headers)) this.#headers[name.toLowerCase()] = String(value)
    return this
  }

  end(body: Buffer | string = ''): this {
    this.writable = false
    this.#resolve(new HttpResponse({ statusCode: this.#statusCode, headers: this.#headers, body: Buffer.from(body) }))
    return this
  }

  destroy(): this {
    this.writable = false
    this.#reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
    return this
  }
}
