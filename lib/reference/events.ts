/** The declared topics as data: a JSON Schema of payload and context each. */
import { domainOfTopic, type Topic } from '../../schemas/topic.ts'
import { schemaOf } from './json-schema.ts'

export const eventReference = (topics: readonly Topic[]) => ({
  topics: Object.fromEntries(
    topics
      .toSorted((a, b) => a.topic.localeCompare(b.topic))
      .map(({ topic, when, payload, context }) => [
        topic,
        {
          domain: domainOfTopic(topic),
          when,
          payload: schemaOf(payload, 'output'),
          context: schemaOf(context, 'output'),
        },
      ]),
  ),
})
