/** Sends spans to an OpenTelemetry collector as OTLP/HTTP JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
import { processEnv } from './env.ts'
import { log } from './log.ts'
import type { TraceContext } from './trace-context.ts'

export type Attributes = Record<string, string | number | boolean | undefined>

export interface Outcome {
  attributes?: Attributes
  error?: string | undefined
}

export interface Span extends Outcome {
  name: string
  kind: 'server' | 'client' | 'consumer'
  trace: TraceContext
  parentId: string | undefined
  /** Epoch milliseconds. */
  startedAt: number
  durationMs: number
}

/** A collector that is gone would otherwise delay every request. */
const PAUSE_MS = 30_000

const KINDS = { server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2

let pausedUntil = 0

export async function exportSpans(spans: readonly Span[]): Promise<void> {
  if (Date.now() < pausedUntil) return
  try {
    const variables = processEnv()
    const response = await fetch(`${variables.OTEL_EXPORTER_OTLP_ENDPOINT!.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...variables.OTEL_EXPORTER_OTLP_HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(buildRequest(spans)),
      redirect: 'error',
      signal: AbortSignal.timeout(variables.OTEL_EXPORTER_OTLP_TIMEOUT),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The collector returned status ${response.status}`)
  } catch (error) {
    pausedUntil = Date.now() + PAUSE_MS
    log.warn('Spans were not exported', { count: spans.length, error: error as Error })
  }
}

const buildRequest = (spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: {
        attributes: buildAttributes({
          'service.name': process.env.POWERTOOLS_SERVICE_NAME || 'wharf',
          'faas.name': processEnv().AWS_LAMBDA_FUNCTION_NAME || undefined,
        }),
      },
      scopeSpans: [{ scope: { name: 'wharf' }, spans: spans.map(buildSpan) }],
    },
  ],
})

const buildSpan = ({ name, kind, trace, parentId, startedAt, durationMs, attributes = {}, error }: Span) => ({
  traceId: trace.traceId,
  spanId: trace.spanId,
  ...(trace.state ? { traceState: trace.state } : {}),
  ...(parentId ? { parentSpanId: parentId } : {}),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: toNanoseconds(startedAt),
  endTimeUnixNano: toNanoseconds(startedAt + durationMs),
  attributes: buildAttributes(attributes),
  status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
})

/** Microseconds are as precise as a double is at this size. */
const toNanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

const buildAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : { key, value: toValue(value) }))

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  return typeof value === 'number' ? { intValue: String(value) } : { boolValue: value }
}
