/** W3C Trace Context (https://www.w3.org/TR/trace-context-1/): reads it, writes it, and carries it through asynchronous work. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface TraceContext {
  traceId: string
  spanId: string
  sampled: boolean
  state?: string | undefined
}

export interface TraceFields {
  traceparent?: string | undefined
  tracestate?: string | undefined
}

const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const SAMPLED = 1

export function parseTrace({ traceparent, tracestate }: TraceFields): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = PARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return undefined
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED,
    state: parseState(tracestate),
  }
}

const STATE_ENTRY =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/
const STATE_LIMITS = { entries: 32, characters: 512, entryCharacters: 128 }

/** The standard asks to drop long entries first, then the last ones. */
function parseState(text: string | undefined): string | undefined {
  const entries = (text ?? '').split(',').flatMap((entry) => entry.trim() || [])
  if (entries.length > STATE_LIMITS.entries || !entries.every((entry) => STATE_ENTRY.test(entry))) return undefined
  const isTooLong = entries.join(',').length > STATE_LIMITS.characters
  const remaining = isTooLong ? entries.filter(({ length }) => length <= STATE_LIMITS.entryCharacters) : entries
  while (remaining.join(',').length > STATE_LIMITS.characters) remaining.pop()
  return remaining.join(',') || undefined
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

export const newSpanId = (): string => randomBytes(8).toString('hex')

export const createChild = (parent: TraceContext | undefined, spanId = newSpanId()): TraceContext =>
  parent ? { ...parent, spanId } : { traceId: randomBytes(16).toString('hex'), spanId, sampled: true }

const storage = new AsyncLocalStorage<TraceContext>()

export const withTrace = <T>(trace: TraceContext, work: () => T): T => storage.run(trace, work)

export const getTrace = (): TraceContext | undefined => storage.getStore()

export function getTraceFields(): TraceFields {
  const trace = getTrace()
  return trace ? { traceparent: formatTraceparent(trace), ...(trace.state ? { tracestate: trace.state } : {}) } : {}
}
