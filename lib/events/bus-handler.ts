/** Runs bus event handlers in the trace of their event, and with its correlation id from the envelope's `resources`. */
import { CORRELATION_PREFIX, withCorrelationId } from '../core/log.ts'
import { trace } from '../core/spans.ts'
import { parseTrace, type TraceFields } from '../core/trace-context.ts'

interface BusEnvelope {
  resources?: unknown
  detail?: unknown
  event?: unknown
  requestPayload?: unknown
}

function findEnvelope(input: unknown): BusEnvelope {
  if (typeof input !== 'object' || input === null) return {}
  const { event, requestPayload } = input as BusEnvelope
  return 'resources' in input || 'detail' in input ? input : findEnvelope(event ?? requestPayload)
}

export function getBusResources(input: unknown): string[] {
  const { resources } = findEnvelope(input)
  return Array.isArray(resources) ? resources.filter((resource) => typeof resource === 'string') : []
}

const findCorrelationId = (input: unknown): string | undefined =>
  getBusResources(input)
    .find((resource) => resource.startsWith(CORRELATION_PREFIX))
    ?.slice(CORRELATION_PREFIX.length)

function getDetail(input: unknown): TraceFields & { id?: string; topic?: string } {
  const { detail } = findEnvelope(input)
  return typeof detail === 'object' && detail !== null ? detail : {}
}

interface Invocation {
  awsRequestId?: string
  functionName?: string
}

export const handleEvent =
  <E, R, C = unknown>(handle: (event: E, context: C) => Promise<R>) =>
  (event: E, ...[context]: unknown extends C ? [unknown?] : [C]): Promise<R> => {
    const { awsRequestId, functionName } = (context ?? {}) as Invocation
    const detail = getDetail(event)
    return withCorrelationId(findCorrelationId(event) ?? awsRequestId, () =>
      trace(
        {
          name: `handle ${detail.topic ?? functionName ?? 'schedule'}`,
          kind: 'consumer',
          parent: parseTrace(detail),
          attributes: { 'messaging.message.id': detail.id, 'faas.invoked_name': functionName },
        },
        () => handle(event, context as C),
      ),
    )
  }
