/** The declared topics as data: a JSON Schema of payload and context each. */
import * as z from 'zod'
import { domainOfTopic, type Topic } from '../../schemas/topic.ts'

const schemaOf = (shape: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Record<string, unknown>
  return schema
}

export const eventReference = (topics: readonly Topic[]) => ({
  topics: Object.fromEntries(
    topics
      .toSorted((a, b) => a.topic.localeCompare(b.topic))
      .map(({ topic, when, payload, context }) => [
        topic,
        { domain: domainOfTopic(topic), when, payload: schemaOf(payload), context: schemaOf(context) },
      ]),
  ),
})
