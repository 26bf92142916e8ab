/**
 * What agents were called for and have not finished: events of their topics without a recorded run. Lambda reports a run when
 * it has ended, so one that never ends is known by its event alone.
 */
import { AGENT_ATTEMPTS, AGENT_SECONDS, type Execution } from '../../schemas/agent.ts'
import type { Event } from '../../schemas/events.ts'
import { Agents, type StoredAgent } from '../entities/agents.ts'
import { type ExecutionQuery, Executions, type Run } from '../entities/executions.ts'
import { firstIdAt } from '../events/ids.ts'
import { asEvent, Events } from '../events/store.ts'
import { executionId } from './outcome.ts'

/** All attempts, and Lambda's pauses before the second and the third. */
const LONGEST_MS = (AGENT_ATTEMPTS * AGENT_SECONDS + 180) * 1000
/** Most runs are shorter: they are listed once they have ended. */
const RUNNING_AFTER_MS = 5_000
/** Events looked at, the newest first; each read has that many. */
const EVENTS = 500
const READ = 100

/** Runs that match the query and have not ended, newest event first: each runs, waits for its turn, or for its next attempt. */
export async function runningFor(query: ExecutionQuery, now = new Date()): Promise<Run[]> {
  if (query.success !== undefined) return []
  const agents = (await agentsOf(query)).filter(({ status, topics }) => status === 'active' && topics.length > 0)
  if (agents.length === 0) return []
  const runs: Run[] = []
  for await (const event of recentEvents(query, now))
    for (const agent of agents) if (isCalledFor(agent, event)) runs.push(runOf(agent, event, now))
  const ended = new Set((await Executions.getMany(runs.map(({ id }) => id))).map(({ id }) => id))
  return runs.filter(({ id }) => !ended.has(id)).sort((a, b) => (a.id < b.id ? 1 : -1))
}

async function agentsOf({ environmentId, agentId }: ExecutionQuery): Promise<StoredAgent[]> {
  if (agentId === undefined) return Agents.inEnvironment(environmentId)
  const agent = await Agents.get(agentId)
  return agent?.environmentId === environmentId ? [agent] : []
}

async function* recentEvents(query: ExecutionQuery, now: Date): AsyncGenerator<Event> {
  const { environmentId, spaceId, topic, since, until } = query
  const from = new Date(Math.max(now.getTime() - LONGEST_MS, since === undefined ? 0 : Date.parse(since)))
  const first = firstIdAt(from)
  const latest = new Date(
    Math.min(now.getTime() - RUNNING_AFTER_MS, until === undefined ? Infinity : Date.parse(until)),
  )
  let after = firstIdAt(latest)
  for (let read = 0; read < EVENTS; ) {
    const some = await Events.list('inEnvironment', { environmentId }, { order: 'desc', limit: READ, after })
    for (const event of some) {
      if (event.id < first) return
      if (
        (topic === undefined || event.topic === topic) &&
        (spaceId === undefined || event.context.spaceId === spaceId)
      )
        yield asEvent(event)
    }
    if (some.length < READ) return
    read += some.length
    after = some.at(-1)!.id
  }
}

/** Since its present version is there. An agent is not called for the commit by which it answers an event: none of its own is counted. */
const isCalledFor = ({ id, topics, updatedAt }: StoredAgent, { topic, createdAt, context }: Event): boolean =>
  topics.includes(topic) && createdAt >= updatedAt && !(topic === 'commit:created' && context.actorId === id)

const runOf = (agent: StoredAgent, event: Event, now: Date): Run => ({
  id: executionId(agent.id, event),
  agentId: agent.id,
  accountId: agent.accountId,
  environmentId: agent.environmentId,
  spaceId: event.context.spaceId,
  eventId: event.id,
  topic: event.topic,
  context: event.context,
  namespaces: event.namespaces,
  success: false,
  status: 'running' satisfies Execution['status'],
  createdAt: event.createdAt,
  completedAt: now.toISOString(),
  duration: Math.max(0, now.getTime() - Date.parse(event.createdAt)),
})
