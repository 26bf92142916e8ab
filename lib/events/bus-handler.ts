/** Runs bus event handlers with the correlation id of the original request, from the envelope's `resources`. */
import { CORRELATION_PREFIX, withCorrelationId } from '../core/log.ts'

interface BusEnvelope {
  resources?: unknown
  event?: unknown
  requestPayload?: unknown
}

export function getBusResources(envelope: unknown): string[] {
  if (typeof envelope !== 'object' || envelope === null) return []
  const { resources, event, requestPayload } = envelope as BusEnvelope
  if (Array.isArray(resources)) return resources.filter((resource) => typeof resource === 'string')
  return getBusResources(event ?? requestPayload)
}

const findCorrelationId = (envelope: unknown): string | undefined =>
  getBusResources(envelope)
    .find((resource) => resource.startsWith(CORRELATION_PREFIX))
    ?.slice(CORRELATION_PREFIX.length)

export const handleEvent =
  <E, R, C = unknown>(handle: (event: E, context: C) => Promise<R>) =>
  (event: E, ...[context]: unknown extends C ? [unknown?] : [C]): Promise<R> => {
    const invocationId = (context as { awsRequestId?: string } | undefined)?.awsRequestId
    return withCorrelationId(findCorrelationId(event) ?? invocationId, () => handle(event, context as C))
  }
