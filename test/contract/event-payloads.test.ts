/** The payload of every topic has exactly the fields of the specification (events.json), but for the exceptions named here. */
import { describe, expect, it } from 'vitest'
import { topics } from '../../schemas/index.ts'
import { BEYOND, SPECIFIED } from './specified-events.ts'

/** Payloads that are a whole resource. */
const isWhole = (topic: string): boolean => typeof SPECIFIED[topic]!.payload === 'string'

const named = (names: readonly string[], isOptional: (name: string) => boolean): string[] =>
  names.map((name) => (isOptional(name) ? `${name}?` : name)).toSorted()

function specified(topic: string): string[] {
  const fields = (SPECIFIED[topic]!.payload ?? {}) as { [name: string]: unknown }
  const optional = (name: string) => typeof fields[name] === 'string' && fields[name].endsWith('?')
  return named([...Object.keys(fields), ...(BEYOND[topic] ?? [])], optional)
}

describe('the payload of', () => {
  it.each(topics.filter(({ topic }) => !isWhole(topic)).map((one) => [one.topic, one.payload.shape] as const))(
    '%s has the fields of the specification, required and optional as there, and no others',
    (topic, shape: { [name: string]: { safeParse: (value: unknown) => { success: boolean } } }) => {
      const takesNothing = (name: string) => shape[name]!.safeParse(undefined).success
      // A field of any value is one of any value that is there.
      const isAny = (name: string) =>
        String((SPECIFIED[topic]!.payload as { [name: string]: unknown })?.[name]) === 'any'
      expect(named(Object.keys(shape), (name) => !isAny(name) && takesNothing(name))).toEqual(specified(topic))
    },
  )

  it('a topic is specified for each one that is declared, and the other way round', () => {
    expect(topics.map(({ topic }) => topic as string).toSorted()).toEqual(Object.keys(SPECIFIED).toSorted())
    expect(topics).toHaveLength(78)
  })

  it('a topic with a field beyond the specification says so in the catalogue', () => {
    for (const [topic, names] of Object.entries(BEYOND))
      for (const name of names) {
        const shape = topics.find((one) => one.topic === topic)!.payload.shape as {
          [name: string]: { description?: string }
        }
        expect(shape[name]?.description, `${topic}: ${name}`).toMatch(/^beyond the specification: /)
      }
  })
})
