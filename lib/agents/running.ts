/** Finds unfinished runs: events without a recorded execution, because Lambda reports a run only when it has ended. */
import { type Execution, MAX_AGENT_ATTEMPTS, MAX_AGENT_SECONDS } from '../../schemas/agents/shape.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { Agents, getCalledTopics, type StoredAgent } from '../entities/agents.ts'
import { type ExecutionQuery, Executions, type Run } from '../entities/executions.ts'
import { splitEvent } from '../events/commit-parts.ts'
import { firstIdAt } from '../events/id-time.ts'
import { readEvents } from '../events/list.ts'
import { toEvent } from '../events/store.ts'
import { deriveExecutionId } from './invocation-record.ts'

const MAX_RUN_MS = (MAX_AGENT_ATTEMPTS * MAX_AGENT_SECONDS + 180) * 1000
const RUNNING_AFTER_MS = 5_000
const MAX_EVENTS_SCANNED = 500
const READ_BATCH_SIZE = 100

export async function findUnfinishedRuns(query: ExecutionQuery, now = new Date()): Promise<Run[]> {
  if (query.success !== undefined) return []
  const agents = (await loadAgents(query)).filter(
    (agent) => agent.status === 'active' && getCalledTopics(agent).length > 0,
  )
  if (agents.length === 0) return []
  const runs: Run[] = []
  for await (const event of listRecentEvents(query, now)) {
    if (runs.length >= MAX_EVENTS_SCANNED) break
    for (const agent of agents)
      if (isCalledFor(agent, event))
        for (const part of splitEvent(event, agent.recordsPerEvent)) runs.push(toUnfinishedRun(agent, part, now))
  }
  const endedIds = new Set((await Executions.getMany(runs.map(({ id }) => id))).map(({ id }) => id))
  return runs.filter(({ id }) => !endedIds.has(id)).sort((a, b) => (a.id < b.id ? 1 : -1))
}

async function loadAgents({ environmentId, agentId }: ExecutionQuery): Promise<StoredAgent[]> {
  if (agentId === undefined) return Agents.inEnvironment(environmentId)
  const agent = await Agents.get(agentId)
  return agent?.environmentId === environmentId ? [agent] : []
}

async function* listRecentEvents(query: ExecutionQuery, now: Date): AsyncGenerator<Event> {
  const { environmentId, spaceId, topic, since, until } = query
  const from = new Date(Math.max(now.getTime() - MAX_RUN_MS, since === undefined ? 0 : Date.parse(since)))
  const latest = new Date(
    Math.min(now.getTime() - RUNNING_AFTER_MS, until === undefined ? Infinity : Date.parse(until)),
  )
  const filter = { since: from.toISOString(), before: firstIdAt(latest), includeAcknowledged: true }
  let scannedCount = 0
  for await (const event of readEvents({ environmentId }, { ...filter, sortDirection: 'desc' }, READ_BATCH_SIZE)) {
    if ((topic === undefined || event.topic === topic) && (spaceId === undefined || event.context.spaceId === spaceId))
      yield toEvent(event)
    if (++scannedCount >= MAX_EVENTS_SCANNED) return
  }
}

/** Counts events since the current version was deployed, except the agent's own commits. */
const isCalledFor = ({ id, topics, updatedAt }: StoredAgent, { topic, createdAt, context }: Event): boolean =>
  topics.includes(topic) && createdAt >= updatedAt && !(topic === 'commit:created' && context.actorId === id)

const toUnfinishedRun = (agent: StoredAgent, event: Event, now: Date): Run => ({
  id: deriveExecutionId(agent.id, event),
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
