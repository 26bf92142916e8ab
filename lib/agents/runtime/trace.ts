/** Continues the trace of the event in the requests that the agent sends to the platform, and in no others. */
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { createChild, getTraceFields, parseTrace, type TraceFields, withTrace } from '../../core/trace-context.ts'

const { FLATFILE_API_URL = '' } = process.env
const PLATFORM = URL.canParse(FLATFILE_API_URL) ? new URL(FLATFILE_API_URL).origin : undefined

interface FetchRequest {
  origin: unknown
  headers: string[]
  addHeader(name: string, value: string): void
}

/** `http.client.request.created` exists since Node 23.11. */
export function propagateTrace(): void {
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: FetchRequest }
    if (request.origin !== PLATFORM || request.headers.includes('traceparent')) return
    for (const [name, value] of Object.entries(getTraceFields())) request.addHeader(name, value)
  })
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    const origin = `${request.protocol}//${request.getHeader('host')}`
    if (origin !== PLATFORM || request.hasHeader('traceparent')) return
    for (const [name, value] of Object.entries(getTraceFields())) request.setHeader(name, value)
  })
}

export function traceRun<T>(event: unknown, spanId: string, work: () => T): T {
  return withTrace(createChild(parseTrace((event ?? {}) as TraceFields), spanId), work)
}
