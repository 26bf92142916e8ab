import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/** Node's fetch rejects requests with this header, which some published API clients set. */
const REFUSED_HEADER = 'keep-alive'

export function patchFetch(): void {
  const nativeFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    if (!headers.has(REFUSED_HEADER)) return nativeFetch(input, init)
    headers.delete(REFUSED_HEADER)
    return nativeFetch(input, { ...init, headers })
  }
}

export interface Traffic {
  count: number
  /** Milliseconds spent waiting for responses, summed over all requests. */
  time: number
  bytes(): { bytesReceived: number; bytesSent: number }
  /** A request with `for=<event id>` whose last response is an error other than 404 (the records are gone). */
  findFailure(eventId: string): string | undefined
  reset(): void
}

interface Exchange {
  request: { method?: string; path?: string }
  response?: { statusCode?: number }
  error?: Error
}

export function countRequests(): Traffic {
  const sockets = countBytes()
  const traffic: Traffic = {
    count: 0,
    time: 0,
    bytes: () => sockets.sinceReset(),
    findFailure: (eventId) => [...failures].find(([line]) => `${line}&`.includes(`for=${eventId}&`))?.join(': '),
    reset() {
      failures.clear()
      traffic.count = 0
      traffic.time = 0
      sockets.reset()
    },
  }
  const failures = new Map<string, string>()
  const recordOutcome = (message: unknown) => {
    const { request, response, error } = message as Exchange
    const line = `${request.method} ${request.path}`
    const status = response?.statusCode ?? 0
    if (error || (status >= 400 && status !== 404)) failures.set(line, error?.message ?? `status ${status}`)
    else failures.delete(line)
  }
  const startedAt = new WeakMap<object, number>()
  const startRequest = (message: unknown) => {
    traffic.count++
    startedAt.set(getRequest(message), performance.now())
  }
  const endRequest = (message: unknown) => {
    const request = getRequest(message)
    const start = startedAt.get(request)
    if (start === undefined) return
    startedAt.delete(request)
    traffic.time += performance.now() - start
  }
  for (const channel of ['undici:request:create', 'http.client.request.start']) subscribe(channel, startRequest)
  for (const channel of ['undici:request:trailers', 'undici:request:error', 'http.client.response.finish'])
    subscribe(channel, endRequest)
  for (const channel of ['undici:request:headers', 'undici:request:error', 'http.client.response.finish'])
    subscribe(channel, recordOutcome)
  subscribe('http.client.request.error', recordOutcome)
  return traffic
}

const getRequest = (message: unknown): object => (message as { request: object }).request

/** A keep-alive connection serves several runs, so its bytes are counted as differences. */
function countBytes() {
  const openSockets = new Set<Socket>()
  const closedBytes = { bytesReceived: 0, bytesSent: 0 }
  const sumBytes = () =>
    [...openSockets].reduce(
      (sum, { bytesRead, bytesWritten }) => ({
        bytesReceived: sum.bytesReceived + bytesRead,
        bytesSent: sum.bytesSent + bytesWritten,
      }),
      closedBytes,
    )
  const trackSocket = (socket: Socket) => {
    if (openSockets.has(socket)) return
    openSockets.add(socket)
    socket.once('close', () => {
      openSockets.delete(socket)
      closedBytes.bytesReceived += socket.bytesRead
      closedBytes.bytesSent += socket.bytesWritten
    })
  }
  subscribe('undici:client:connected', (message) => trackSocket((message as { socket: Socket }).socket))
  subscribe('http.client.request.start', (message) =>
    (getRequest(message) as ClientRequest).once('socket', trackSocket),
  )
  let start = { ...sumBytes() }
  return {
    reset: () => {
      start = { ...sumBytes() }
    },
    sinceReset: () => {
      const now = sumBytes()
      return {
        bytesReceived: now.bytesReceived - start.bytesReceived,
        bytesSent: now.bytesSent - start.bytesSent,
      }
    },
  }
}
