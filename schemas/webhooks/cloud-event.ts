/** Events as CloudEvents 1.0 in JSON (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md). */
import * as z from 'zod'
import { Event } from '../events/shape.ts'
import { Id, Time } from '../kit/ids.ts'

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json'

export const CloudEvent = z.object({
  specversion: z.literal('1.0'),
  id: Id,
  source: z.string(),
  type: z.string(),
  subject: z.string().optional(),
  time: Time,
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  datacontenttype: z.literal('application/json'),
  data: Event,
})
export type CloudEvent = z.infer<typeof CloudEvent>

export const buildCloudEventType = (topic: string): string => `wharf.${topic}`

export function toCloudEvent(event: Event): CloudEvent {
  const subject = event.context[`${event.domain}Id`]
  return {
    specversion: '1.0',
    id: event.id,
    source: `/api/v1/environments/${event.context.environmentId}`,
    type: buildCloudEventType(event.topic),
    ...(typeof subject === 'string' && subject !== '' ? { subject } : {}),
    time: event.createdAt,
    ...(event.traceparent ? { traceparent: event.traceparent } : {}),
    ...(event.tracestate ? { tracestate: event.tracestate } : {}),
    datacontenttype: 'application/json',
    data: event,
  }
}
