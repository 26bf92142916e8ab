/**
 * The network as a bundle sees it: `fetch` without the request header that Node refuses, and a count of the requests
 * made and the bytes they took, by whatever client.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

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

/** What went over the network since the last `reset`. */
export interface Traffic {
  count: number
  /** Milliseconds spent waiting for answers, all requests added up. */
  time: number
  bytes(): { bytesReceived: number; bytesSent: number }
  reset(): void
}

/** Counts requests from now on; Node itself reports them, `fetch` and `http` alike. */
export function countRequests(): Traffic {
  const sockets = countBytes()
  const traffic: Traffic = {
    count: 0,
    time: 0,
    bytes: () => sockets.sinceReset(),
    reset() {
      traffic.count = 0
      traffic.time = 0
      sockets.reset()
    },
  }
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

/** Adds up what all sockets of clients have carried; a connection that is kept open serves several runs. */
function countBytes() {
  const open = new Set<Socket>()
  const closed = { bytesReceived: 0, bytesSent: 0 }
  const total = () =>
    [...open].reduce(
      (sum, { bytesRead, bytesWritten }) => ({
        bytesReceived: sum.bytesReceived + bytesRead,
        bytesSent: sum.bytesSent + bytesWritten,
      }),
      closed,
    )
  const watch = (socket: Socket) => {
    if (open.has(socket)) return
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      closed.bytesReceived += socket.bytesRead
      closed.bytesSent += socket.bytesWritten
    })
  }
  subscribe('undici:client:connected', (message) => watch((message as { socket: Socket }).socket))
  subscribe('http.client.request.start', (message) => (requestOf(message) as ClientRequest).once('socket', watch))
  let start = { ...total() }
  return {
    reset: () => {
      start = { ...total() }
    },
    sinceReset: () => {
      const now = total()
      return {
        bytesReceived: now.bytesReceived - start.bytesReceived,
        bytesSent: now.bytesSent - start.bytesSent,
      }
    },
  }
}
