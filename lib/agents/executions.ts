import type { AgentLog } from '../../schemas/agents/shape.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { getSecretValues } from '../auth/secret-store.ts'
import { recordSpan } from '../core/spans.ts'
import { createChild, parseTrace, type TraceContext } from '../core/trace-context.ts'
import { Agents } from '../entities/agents.ts'
import { Executions, type NewExecution, type StoredExecution } from '../entities/executions.ts'
import { recordUsageWith } from '../entities/usage.ts'
import { parsePartId } from '../events/commit-parts.ts'
import { getExecutionIdRange, hasTexts, type InvocationRecord, parseInvocationRecord } from './invocation-record.ts'
import { parseAgentId } from './names.ts'
import { recordPartDone } from './part-completion.ts'

/** Idempotent. Ignores functions that are not an agent's. */
export async function recordRun(record: InvocationRecord): Promise<NewExecution | undefined> {
  const agentId = parseAgentId(record.requestContext.functionArn)
  if (agentId === undefined) return undefined
  const secrets = hasTexts(record) ? await getSecretValues(record.requestPayload.detail.context.environmentId) : []
  const { execution, log, spanId } = parseInvocationRecord(record, agentId, secrets)
  recordRunSpan(execution, parseTrace(record.requestPayload.detail), spanId)
  const { id, completedAt, accountId, environmentId, duration } = execution
  const cause = { id: `${id}#${completedAt}`, at: completedAt, accountId, environmentId }
  const used = { agentRuns: 1, agentMilliseconds: Math.round(duration) }
  await recordUsageWith(() => Executions.planPut(execution, log), cause, used)
  if (execution.success) await recordPartDone(record.requestPayload.detail, agentId)
  return execution
}

function recordRunSpan(execution: NewExecution, parent: TraceContext | undefined, spanId: string | undefined): void {
  const { agentId, eventId, topic, createdAt, duration, error } = execution
  recordSpan({
    name: `run agent on ${topic}`,
    kind: 'consumer',
    trace: createChild(parent, spanId),
    parentId: parent?.spanId,
    startedAt: Date.parse(createdAt),
    durationMs: duration,
    attributes: { 'wharf.agent.id': agentId, 'messaging.message.id': eventId },
    error: error?.split(':')[0],
  })
}

/** The log of an event, combined over all agents and parts; undefined until a run has finished. */
export async function getEventLog(event: Event): Promise<Omit<AgentLog, 'id' | 'agentId' | 'status'> | undefined> {
  const { after, before } = getExecutionIdRange(event)
  const candidates = await Executions.listBetween(event.context.environmentId, after, before)
  const isOfEvent = ({ eventId }: StoredExecution) => (parsePartId(eventId)?.eventId ?? eventId) === event.id
  const runs = await Executions.attachLogs(
    candidates.filter((run) => isOfEvent(run) || run.eventId === event.id).slice(0, 100),
  )
  if (runs.length < 2) return runs[0]
  const slugs = new Map((await Agents.getMany(runs.map(({ agentId }) => agentId))).map(({ id, slug }) => [id, slug]))
  const sections = runs.map(({ agentId, log }) => `[${slugs.get(agentId) ?? agentId}]\n${log ?? ''}`)
  const sortValues = (pick: (run: StoredExecution) => string) => runs.map(pick).toSorted()
  const errors = runs.flatMap(({ error }) => error ?? [])
  return {
    eventId: event.id,
    topic: event.topic,
    context: event.context,
    namespaces: event.namespaces,
    success: runs.every(({ success }) => success),
    ...(errors.length > 0 ? { error: errors.join('\n') } : {}),
    createdAt: sortValues(({ createdAt }) => createdAt)[0]!,
    completedAt: sortValues(({ completedAt }) => completedAt).at(-1)!,
    duration: Math.max(...runs.map(({ duration }) => duration)),
    log: sections.join('\n'),
  }
}
