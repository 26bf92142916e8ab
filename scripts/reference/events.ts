import { domainOfTopic, type Topic } from '../../schemas/kit/topic.ts'
import { toJsonSchema } from './json-schema.ts'

export const buildEventReference = (topics: readonly Topic[]) => ({
  topics: Object.fromEntries(
    topics
      .toSorted((a, b) => a.topic.localeCompare(b.topic))
      .map(({ topic, when, payload, context }) => [
        topic,
        {
          domain: domainOfTopic(topic),
          when,
          payload: toJsonSchema(payload, 'output'),
          context: toJsonSchema(context, 'output'),
        },
      ]),
  ),
})
