import { type Content, encodeBody } from './body.ts'
import { ConnectionError, readError, TimeoutError, WharfError } from './errors.ts'
import { canRetry, getDelayMs, sleep } from './retries.ts'
import { buildQuery, toOrigin } from './url.ts'

const DEFAULT_RETRIES = 3
/** The platform itself ends a request after 30 s. */
const DEFAULT_TIMEOUT_MS = 60_000

export interface WharfOptions {
  /** A secret key, personal access token or access token; a function is called before each request. */
  token: string | (() => string | Promise<string>)
  /** Address of the platform, such as `http://127.0.0.1:3000`. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  /** Further attempts after a temporary failure; 3 by default. */
  retries?: number
  /** Time for the response of one attempt; 60,000 by default. */
  timeoutMs?: number
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  retries?: number | undefined
  /** The same key repeats the same request. By default, each call has a random one. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string> | undefined
}

/** Marks a request whose second execution would have another effect than the first, and which accepts no key. */
export const ONCE = true

const REPEATABLE = new Set(['GET', 'PUT', 'DELETE'])

interface Request {
  method: string
  path: string
  options: RequestOptions
  body?: unknown
  once?: boolean | undefined
}

interface Attempt {
  url: string
  method: string
  headers: Record<string, string>
  body: Content['bytes']
  label: string
  timeoutMs: number
}

type Args = [method: string, path: string, options?: RequestOptions, body?: unknown, once?: boolean]

export class Client {
  readonly #options: WharfOptions
  readonly #origin: string

  constructor(options: WharfOptions) {
    this.#options = options
    this.#origin = toOrigin(options.baseUrl)
  }

  get fetch(): typeof globalThis.fetch {
    return this.#options.fetch ?? globalThis.fetch
  }

  async data<T>(...args: Args): Promise<T> {
    return (await this.json<{ data: T }>(...args)).data
  }

  async json<T>(...[method, path, options = {}, body, once]: Args): Promise<T> {
    return this.#send({ method, path, options, body, once }, (response) => response.json() as Promise<T>)
  }

  async text(...[method, path, options = {}, body, once]: Args): Promise<string> {
    return this.#send({ method, path, options, body, once }, (response) => response.text())
  }

  /** The body of the response is not limited by `timeoutMs`. */
  async bytes(...[method, path, options = {}, body, once]: Args): Promise<Response> {
    return this.#send({ method, path, options, body, once }, async (response) => response)
  }

  async #send<T>({ method, path, options, body, once }: Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal, timeoutMs, retries = this.#options.retries ?? DEFAULT_RETRIES, ...rest } = options
    const { idempotencyKey, headers, ...query } = rest
    const key = idempotencyKey ?? (method === 'POST' && !once ? crypto.randomUUID() : undefined)
    const isRepeatable = !once && (key !== undefined || REPEATABLE.has(method))
    const content = await encodeBody(body)
    const request: Attempt = {
      url: `${this.#origin}${path}${buildQuery(query)}`,
      method,
      body: content.bytes,
      headers: { ...content.headers, ...(key ? { 'idempotency-key': key } : {}), ...headers },
      label: `${method} ${path}`,
      timeoutMs: timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    }
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return await this.#attempt(request, signal, read)
      } catch (error) {
        if (attempt > retries || !canRetry(error, isRepeatable)) throw error
        await sleep(getDelayMs(attempt, error), signal)
      }
    }
  }

  async #attempt<T>(
    { url, label, timeoutMs, headers, ...init }: Attempt,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { token } = this.#options
    const { fetch } = this
    const authorization = `Bearer ${typeof token === 'function' ? await token() : token}`
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    try {
      const response = await fetch(url, {
        ...init,
        headers: { authorization, ...headers },
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      })
      if (!response.ok) throw await readError(label, response)
      return await read(response)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof WharfError) throw error
      if (timeout.signal.aborted)
        throw new TimeoutError(`${label}: no response within ${timeoutMs} ms`, { code: 'no-response' })
      throw new ConnectionError(`${label}: ${error instanceof Error ? error.message : error}`, {
        code: 'no-response',
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

export class Domain {
  protected readonly client: Client
  constructor(client: Client) {
    this.client = client
  }
}
