import { Event } from '../../schemas/events/shape.ts'
import { domainOfTopic, type Topic } from '../../schemas/kit/topic.ts'
import { type Json, toJsonSchema } from './json-schema.ts'
import { buildSample } from './samples.ts'

/** Sent instead of a payload that is too large; `dataUrl` returns it. */
const OMITTED_PAYLOAD = { type: 'object', maxProperties: 0 }

const hasRequired = ({ required }: Json): boolean => Array.isArray(required) && required.length > 0

export const ANY_EVENT = toJsonSchema(Event, 'output')

export function buildEventSchema({ topic, payload, context }: Topic): Json {
  const schema = toJsonSchema(payload, 'output')
  const properties = {
    topic: { type: 'string', const: topic },
    domain: { type: 'string', const: domainOfTopic(topic) },
    context: toJsonSchema(context, 'output'),
    payload: hasRequired(schema) ? { anyOf: [schema, OMITTED_PAYLOAD] } : schema,
  }
  return { allOf: [ANY_EVENT, { type: 'object', properties, required: Object.keys(properties) }] }
}

export const buildEventExample = (schema: Json): unknown => buildSample(schema, 'event')
