/**
 * Handlers of events as they come off the bus: what they log and what they tell in turn carries the correlation id of the
 * request it all began with, which travels among the `resources` of the bus's envelope, not in the event itself.
 */
import { CORRELATION, correlated } from '../core/log.ts'

interface Enveloped {
  resources?: unknown
  /** Of what the router is given, and of Lambda's record of a run. */
  event?: unknown
  requestPayload?: unknown
}

export function resourcesOf(envelope: unknown): string[] {
  if (typeof envelope !== 'object' || envelope === null) return []
  const { resources, event, requestPayload } = envelope as Enveloped
  if (Array.isArray(resources)) return resources.filter((each) => typeof each === 'string')
  return resourcesOf(event ?? requestPayload)
}

const correlationOf = (envelope: unknown): string | undefined =>
  resourcesOf(envelope)
    .find((each) => each.startsWith(CORRELATION))
    ?.slice(CORRELATION.length)

/** The handler of an event, under its correlation id; of a schedule, or of an event without one, under the invocation's own. */
export const followUp =
  <E, R, C = unknown>(handle: (event: E, context: C) => Promise<R>) =>
  (event: E, ...[context]: unknown extends C ? [unknown?] : [C]): Promise<R> => {
    const own = (context as { awsRequestId?: string } | undefined)?.awsRequestId
    return correlated(correlationOf(event) ?? own, () => handle(event, context as C))
  }
