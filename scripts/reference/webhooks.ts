import { getReadPermission } from '../../schemas/events/readers.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { pascalCase } from '../../schemas/kit/pascal-case.ts'
import type { Topic } from '../../schemas/kit/topic.ts'
import { buildCloudEventType, CLOUD_EVENT_TYPE, CloudEvent, toCloudEvent } from '../../schemas/webhooks/cloud-event.ts'
import { ANY_EVENT, buildEventExample, buildEventSchema } from './event-schema.ts'
import { type Json, toJsonSchema } from './json-schema.ts'

const CUSTOM = 'custom'

const header = (name: string, description: string, example: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
})

export const WEBHOOK_HEADERS: Readonly<Record<string, Json>> = {
  'webhook-id': header(
    'webhook-id',
    'Id of the event, the same for every attempt. Store it to process each event once.',
    'us_evt_01KJM5Z8Q4T7W9XA2BCDEFGH3J',
  ),
  'webhook-timestamp': header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Reject old ones to prevent replays.',
    '1772357400',
    { pattern: '^\\d+$' },
  ),
  'webhook-signature': header(
    'webhook-signature',
    'Signatures separated by spaces, one for each valid secret: `v1,` and the HMAC-SHA256 in base64 of `<webhook-id>.<webhook-timestamp>.<body>`. ' +
      'The key is the part of the secret after `whsec_`, decoded from base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    { pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  ),
  traceparent: header(
    'traceparent',
    'Trace of the event, with a span of this attempt (W3C Trace Context). `tracestate` is also sent if the trace has one.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    { pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$' },
  ),
}

const RESPONSES = {
  '2XX': { description: 'The event was received. The body is ignored.' },
  410: { description: 'The receiver is gone. The webhook becomes inactive.' },
  default: { description: 'Any other response, or none within 15 s, is a failure and is retried.' },
}

interface Delivery {
  operationId: string
  summary: string
  schema: Json
  topic?: string
  extra?: Json
}

const ANY_CLOUD_EVENT = toJsonSchema(CloudEvent, 'output')

const buildCloudEventSchema = (topic: string): Json => ({
  allOf: [
    ANY_CLOUD_EVENT,
    {
      type: 'object',
      properties: { type: { const: buildCloudEventType(topic), description: 'Topic, after `wharf.`.' } },
    },
  ],
})

function buildContent(schema: Json, topic: string | undefined): Json {
  const example = buildEventExample(schema)
  return {
    'application/json': { schema, example },
    [CLOUD_EVENT_TYPE]: {
      schema: topic === undefined ? ANY_CLOUD_EVENT : buildCloudEventSchema(topic),
      example: toCloudEvent(example as Event),
    },
  }
}

const buildDelivery = ({ operationId, summary, schema, topic, extra }: Delivery): Json => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    ...extra,
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      description: 'The signature covers these bytes: verify it before parsing them.',
      content: buildContent(schema, topic),
    },
    responses: RESPONSES,
  },
})

export const buildWebhooks = (topics: readonly Topic[]): Record<string, Json> => ({
  ...Object.fromEntries(
    topics.map((topic) => [
      topic.topic,
      buildDelivery({
        operationId: `on${pascalCase(topic.topic)}`,
        summary: `Sent when ${topic.when}`,
        schema: buildEventSchema(topic),
        topic: topic.topic,
        extra: { 'x-read-permission': getReadPermission(topic.topic) },
      }),
    ]),
  ),
  [CUSTOM]: buildDelivery({
    operationId: 'onCustom',
    summary:
      'Sent when a caller emits an event with a custom topic (`POST /events`), and by `POST /webhooks/{webhookId}/ping` with the topic `webhook:ping`',
    schema: ANY_EVENT,
  }),
})
