/**
 * The network as a bundle sees it: `fetch` without the request header that Node refuses, and a count of the requests
 * made, by whatever client.
 */
import { subscribe } from 'node:diagnostics_channel'

/** Node's fetch refuses a request that carries this header, and some published API clients set it. */
const REFUSED_HEADER = 'keep-alive'

/** Makes `fetch` leave the header out instead of failing. */
export function guardFetch(): void {
  const native = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    if (!headers.has(REFUSED_HEADER)) return native(input, init)
    headers.delete(REFUSED_HEADER)
    return native(input, { ...init, headers })
  }
}

export interface Traffic {
  count: number
  /** Milliseconds. */
  time: number
}

/** Counts requests from now on; Node itself reports them, `fetch` and `http` alike. */
export function countRequests(): Traffic {
  const traffic: Traffic = { count: 0, time: 0 }
  const startedAt = new WeakMap<object, number>()
  const begin = (message: unknown) => {
    traffic.count++
    startedAt.set(requestOf(message), performance.now())
  }
  const end = (message: unknown) => {
    const request = requestOf(message)
    const start = startedAt.get(request)
    if (start === undefined) return
    startedAt.delete(request)
    traffic.time += performance.now() - start
  }
  for (const channel of ['undici:request:create', 'http.client.request.start']) subscribe(channel, begin)
  for (const channel of ['undici:request:trailers', 'undici:request:error', 'http.client.response.finish'])
    subscribe(channel, end)
  return traffic
}

const requestOf = (message: unknown): object => (message as { request: object }).request
