/**
 * An agent's rules on the bus: which event patterns together match exactly its topics in its environment. Pure.
 *
 * A pattern holds 2,048 characters, so an agent with many topics has several rules. Topics are dealt to them by hash and
 * the number of rules is a power of two: when it grows, topics only move to higher rules, when it shrinks, to lower ones.
 */
import { createHash } from 'node:crypto'
import * as commits from '../../schemas/commits.ts'
import type { Event } from '../../schemas/events.ts'
import { conflict } from '../core/errors.ts'

export const PATTERN_CHARACTERS = 2048
interface Place {
  agentId: string
  environmentId: string
}

/** No agent has more rules than this. */
export const LARGEST_RULE_COUNT = 64

/** The patterns as JSON, one a rule; empty for an agent without topics. */
export function patternsFor(topics: readonly string[], { agentId, environmentId }: Place): string[] {
  if (topics.length === 0) return []
  for (let count = 1; count <= LARGEST_RULE_COUNT; count *= 2) {
    const patterns = dealt(topics, count).map((some) => patternOf(some, { agentId, environmentId }))
    if (patterns.every((pattern) => pattern.length <= PATTERN_CHARACTERS)) return patterns
  }
  throw conflict(`The names of these ${topics.length} topics are too long for ${LARGEST_RULE_COUNT} rules.`)
}

function dealt(topics: readonly string[], count: number): string[][] {
  const hands: string[][] = Array.from({ length: count }, () => [])
  for (const topic of topics) hands[hashOf(topic) & (count - 1)]!.push(topic)
  return hands
}

const hashOf = (topic: string): number => createHash('sha256').update(topic).digest().readUInt32BE(0)

/** Commits of an agent's own answers call other listeners, not the agent. */
export const isOwnAnswer = ({ topic, context }: Pick<Event, 'topic' | 'context'>, agentId: string): boolean =>
  topic === commits.created.topic && context.answeredBy === agentId

const notAnsweredBy = (agentId: string) => ({ answeredBy: [{ 'anything-but': [agentId] }, { exists: false }] })

/** A rule that no topic fell to still needs a pattern: one that matches nothing. */
const patternOf = (topics: string[], { agentId, environmentId }: Place): string =>
  JSON.stringify({
    source: ['wharf'],
    'detail-type': topics.length > 0 ? topics.toSorted() : [''],
    detail: {
      context: {
        environmentId: [environmentId],
        ...(topics.includes(commits.created.topic) ? notAnsweredBy(agentId) : {}),
      },
    },
  })
