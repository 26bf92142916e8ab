/** The payload of every topic has exactly the fields of the specification (events.json), except those named here. */
import { describe, expect, it } from 'vitest'
import { topics } from '../../schemas/index.ts'
import { EXTRA_FIELDS, SPECIFIED } from './specified-events.ts'

const isWhole = (topic: string): boolean => typeof SPECIFIED[topic]!.payload === 'string'

const formatNames = (names: readonly string[], isOptional: (name: string) => boolean): string[] =>
  names.map((name) => (isOptional(name) ? `${name}?` : name)).toSorted()

function specified(topic: string): string[] {
  const fields = (SPECIFIED[topic]!.payload ?? {}) as { [name: string]: unknown }
  const optional = (name: string) => typeof fields[name] === 'string' && fields[name].endsWith('?')
  return formatNames([...Object.keys(fields), ...(EXTRA_FIELDS[topic] ?? [])], optional)
}

describe('the payload of', () => {
  it.each(topics.filter(({ topic }) => !isWhole(topic)).map((one) => [one.topic, one.payload.shape] as const))(
    '%s has exactly the fields of the specification, required and optional as specified',
    (topic, shape: { [name: string]: { safeParse: (value: unknown) => { success: boolean } } }) => {
      const takesNothing = (name: string) => shape[name]!.safeParse(undefined).success
      const isAny = (name: string) =>
        String((SPECIFIED[topic]!.payload as { [name: string]: unknown })?.[name]) === 'any'
      expect(formatNames(Object.keys(shape), (name) => !isAny(name) && takesNothing(name))).toEqual(specified(topic))
    },
  )

  it('a topic is specified for each one that is declared, and vice versa', () => {
    expect(topics.map(({ topic }) => topic as string).toSorted()).toEqual(Object.keys(SPECIFIED).toSorted())
    expect(topics).toHaveLength(78)
  })

  it('a topic with a field beyond the specification says so in the catalog', () => {
    for (const [topic, names] of Object.entries(EXTRA_FIELDS))
      for (const name of names) {
        const shape = topics.find((one) => one.topic === topic)!.payload.shape as {
          [name: string]: { description?: string }
        }
        expect(shape[name]?.description, `${topic}: ${name}`).toMatch(/^Not in the specification: /)
      }
  })
})
