import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildPatterns, MAX_PATTERN_CHARACTERS } from '../../../lib/agents/rules.ts'
import { SPECIFIED } from '../../contract/specified-events.ts'

const ENVIRONMENT = 'us_env_01KAJZZZZZZZZZZZZZZZZZZZZZ'
const AGENT = { agentId: 'us_ag_01KAJZZZZZZZZZZZZZZZZZZZZZ', environmentId: ENVIRONMENT }
const getTopics = (pattern: string): string[] => JSON.parse(pattern)['detail-type'].filter(Boolean)
const createCustomTopics = (count: number) =>
  Array.from({ length: count }, (_, number) => `custom:a-topic-with-a-long-name-${number}`)

describe('rules of an agent', () => {
  it('are a single rule for the whole catalog', () => {
    const patterns = buildPatterns(Object.keys(SPECIFIED), AGENT)
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

  it('are empty without topics', () => expect(buildPatterns([], AGENT)).toEqual([]))

  it('fit the pattern limit and contain each topic once', () => {
    const topic = fc.stringMatching(/^[a-z]{1,40}:[a-z-]{1,80}$/)
    fc.assert(
      fc.property(fc.uniqueArray(topic, { maxLength: 250 }), (topics) => {
        const patterns = buildPatterns(topics, AGENT)
        expect(patterns.every((pattern) => pattern.length <= MAX_PATTERN_CHARACTERS)).toBe(true)
        expect(patterns.flatMap(getTopics).toSorted()).toEqual(topics.toSorted())
      }),
    )
  })

  it('move topics only to new rules, never between existing ones', () => {
    const few = buildPatterns(createCustomTopics(60), AGENT)
    const many = buildPatterns(createCustomTopics(250), AGENT)
    expect(many.length).toBeGreaterThan(few.length)
    const before = few.map(getTopics)
    const after = many.map(getTopics)
    for (const [rule, topics] of before.entries()) {
      for (const topic of topics) {
        const now = after.findIndex((some) => some.includes(topic))
        expect(now === rule || now >= before.length).toBe(true)
      }
    }
  })

  it('reject names that do not fit a rule', () => {
    expect(() => buildPatterns([`a:${'x'.repeat(2000)}`], AGENT)).toThrow(
      /The name of this topic does not fit into 64 rules/,
    )
  })
})
