/** The runs of agents: recorded when Lambda reports them, and read back for one event. */
import type { AgentLog } from '../../schemas/agent.ts'
import type { Event } from '../../schemas/events.ts'
import { secretValuesIn } from '../auth/stored-secrets.ts'
import { Agents } from '../entities/agents.ts'
import { Executions, type NewExecution, type StoredExecution } from '../entities/executions.ts'
import { count } from '../entities/usage.ts'
import { begin } from '../tx.ts'
import { agentIdOf } from './names.ts'
import { executionsOf, type InvocationRecord, outcomeOf } from './outcome.ts'

/**
 * Writes, counts and answers the run Lambda reports; reporting it again changes nothing. A run of a function that is no
 * agent's is left out.
 */
export async function recordRun(record: InvocationRecord): Promise<NewExecution | undefined> {
  const agentId = agentIdOf(record.requestContext.functionArn)
  if (agentId === undefined) return undefined
  const secrets = await secretValuesIn(record.requestPayload.detail.context.environmentId)
  const { execution, log } = outcomeOf(record, agentId, secrets)
  const tx = begin({ accountId: execution.accountId, actorId: agentId })
  await Executions.put(tx, execution, log)
  await tx.commit()
  const { id, completedAt, accountId, environmentId, duration } = execution
  // An event replayed is a run more.
  const cause = { id: `${id}#${completedAt}`, at: completedAt, accountId, environmentId }
  await count(cause, { agentRuns: 1, agentMilliseconds: Math.round(duration) })
  return execution
}

/** What agents did with one event, several agents' runs taken together; undefined while none has finished. */
export async function logOf(event: Event): Promise<Omit<AgentLog, 'id' | 'agentId' | 'status'> | undefined> {
  const { after, before } = executionsOf(event)
  const near = await Executions.between(event.context.environmentId, after, before)
  const runs = await Executions.withLogs(near.filter(({ eventId }) => eventId === event.id).slice(0, 100))
  if (runs.length < 2) return runs[0]
  const slugs = new Map((await Agents.getMany(runs.map(({ agentId }) => agentId))).map(({ id, slug }) => [id, slug]))
  const titled = runs.map(({ agentId, log }) => `[${slugs.get(agentId) ?? agentId}]\n${log ?? ''}`)
  const all = (pick: (run: StoredExecution) => string) => runs.map(pick).toSorted()
  const errors = runs.flatMap(({ error }) => error ?? [])
  return {
    eventId: event.id,
    topic: event.topic,
    context: event.context,
    namespaces: event.namespaces,
    success: runs.every(({ success }) => success),
    ...(errors.length > 0 ? { error: errors.join('\n') } : {}),
    createdAt: all(({ createdAt }) => createdAt)[0]!,
    completedAt: all(({ completedAt }) => completedAt).at(-1)!,
    duration: Math.max(...runs.map(({ duration }) => duration)),
    log: titled.join('\n'),
  }
}
