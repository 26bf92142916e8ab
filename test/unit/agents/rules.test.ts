import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PATTERN_CHARACTERS, patternsFor } from '../../../lib/agents/rules.ts'
import { SPECIFIED } from '../../contract/specified-events.ts'

const ENVIRONMENT = 'us_env_01KAJZZZZZZZZZZZZZZZZZZZZZ'
const AGENT = { agentId: 'us_ag_01KAJZZZZZZZZZZZZZZZZZZZZZ', environmentId: ENVIRONMENT }
const topicsIn = (pattern: string): string[] => JSON.parse(pattern)['detail-type'].filter(Boolean)
const custom = (count: number) =>
  Array.from({ length: count }, (_, number) => `custom:a-topic-with-a-long-name-${number}`)

describe('the rules of an agent', () => {
  it('are one for the whole catalogue', () => {
    const patterns = patternsFor(Object.keys(SPECIFIED), AGENT)
    expect(patterns).toHaveLength(1)
    expect(JSON.parse(patterns[0]!)).toEqual({
      source: ['wharf'],
      'detail-type': Object.keys(SPECIFIED).toSorted(),
      detail: {
        context: {
          environmentId: [ENVIRONMENT],
          answeredBy: [{ 'anything-but': [AGENT.agentId] }, { exists: false }],
        },
      },
    })
  })

  it('are none without topics', () => expect(patternsFor([], AGENT)).toEqual([]))

  it('fit the limit of a pattern and hold each topic once', () => {
    const topic = fc.stringMatching(/^[a-z]{1,40}:[a-z-]{1,80}$/)
    fc.assert(
      fc.property(fc.uniqueArray(topic, { maxLength: 250 }), (topics) => {
        const patterns = patternsFor(topics, AGENT)
        expect(patterns.every((pattern) => pattern.length <= PATTERN_CHARACTERS)).toBe(true)
        expect(patterns.flatMap(topicsIn).toSorted()).toEqual(topics.toSorted())
      }),
    )
  })

  it('pass topics to new rules only when rules are added: none is moved between two that exist', () => {
    const few = patternsFor(custom(60), AGENT)
    const many = patternsFor(custom(250), AGENT)
    expect(many.length).toBeGreaterThan(few.length)
    const before = few.map(topicsIn)
    const after = many.map(topicsIn)
    for (const [rule, topics] of before.entries()) {
      for (const topic of topics) {
        const now = after.findIndex((some) => some.includes(topic))
        expect(now === rule || now >= before.length).toBe(true)
      }
    }
  })

  it('refuse names that fit no rule', () => {
    expect(() => patternsFor([`a:${'x'.repeat(2000)}`], AGENT)).toThrow(/too long for 64 rules/)
  })
})
