/**
 * The event patterns that together match exactly an agent's topics in its environment. Pure.
 * Topics are assigned to rules by hash, because a pattern holds only 2,048 characters. The number of rules is a power
 * of two, so when it grows, topics only move to higher rules.
 */
import { createHash } from 'node:crypto'
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict } from '../core/errors.ts'

export const MAX_PATTERN_CHARACTERS = 2048
interface AgentScope {
  agentId: string
  environmentId: string
}

export const MAX_RULES_PER_AGENT = 64

export function buildPatterns(topics: readonly string[], { agentId, environmentId }: AgentScope): string[] {
  if (topics.length === 0) return []
  for (let count = 1; count <= MAX_RULES_PER_AGENT; count *= 2) {
    const patterns = distributeTopics(topics, count).map((group) => buildPattern(group, { agentId, environmentId }))
    if (patterns.every((pattern) => pattern.length <= MAX_PATTERN_CHARACTERS)) return patterns
  }
  throw conflict(message('agents.tooManyTopics', { count: topics.length, limit: MAX_RULES_PER_AGENT }))
}

function distributeTopics(topics: readonly string[], count: number): string[][] {
  const groups: string[][] = Array.from({ length: count }, () => [])
  for (const topic of topics) groups[hashTopic(topic) & (count - 1)]!.push(topic)
  return groups
}

const hashTopic = (topic: string): number => createHash('sha256').update(topic).digest().readUInt32BE(0)

/** Commits an agent makes in reply to an event call other listeners, not the agent. */
export const isOwnReply = ({ topic, context }: Pick<Event, 'topic' | 'context'>, agentId: string): boolean =>
  topic === commits.created.topic && context.answeredBy === agentId

const excludeRepliesOf = (agentId: string) => ({ answeredBy: [{ 'anything-but': [agentId] }, { exists: false }] })

/** A rule without topics still needs a pattern; an empty topic matches nothing. */
const buildPattern = (topics: string[], { agentId, environmentId }: AgentScope): string =>
  JSON.stringify({
    source: ['wharf'],
    'detail-type': topics.length > 0 ? topics.toSorted() : [''],
    detail: {
      context: {
        environmentId: [environmentId],
        ...(topics.includes(commits.created.topic) ? excludeRepliesOf(agentId) : {}),
      },
    },
  })
