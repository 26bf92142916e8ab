/**
 * Stored agent runs, one per event and agent, listed in the order of events. They expire automatically.
 * Logs and failure markers are separate items, so that lists stay small and failed runs are found among millions.
 */
import * as z from 'zod'
import { AgentLog } from '../../schemas/agents/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import type { PageRequest, Pagination } from '../../schemas/kit/page.ts'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { firstIdAt } from '../events/id-time.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Write } from '../table/write.ts'

export const RETENTION_SECONDS = 30 * DAY_SECONDS

const ttlFields = { expires: z.number() }
const Shape = AgentLog.omit({ log: true, status: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  ...ttlFields,
})

const stored = entity({
  name: 'execution',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofAgent: { index: 'gsi2', of: ['agentId'] } },
})
/** One marker per failed run that was not replayed successfully since, under the run's id. */
const failures = entity({
  name: 'execution-failure',
  shape: z.object({ id: Id, environmentId: Id, agentId: Id, ...ttlFields }),
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofAgent: { index: 'gsi2', of: ['agentId'] } },
})
const logs = entity({ name: 'execution-log', shape: z.object({ id: Id, log: z.string(), ...ttlFields }), by: {} })

export type StoredExecution = Stored<typeof Shape>
export type NewExecution = z.infer<typeof Shape>
export type Run = Omit<NewExecution, 'expires'> & Pick<AgentLog, 'status'>

const toRun = (execution: StoredExecution): Run => ({
  ...execution,
  status: execution.success ? 'succeeded' : 'failed',
})

export interface ExecutionQuery {
  environmentId: string
  agentId?: string | undefined
  spaceId?: string | undefined
  topic?: string | undefined
  since?: string | undefined
  until?: string | undefined
  success?: boolean | undefined
}

const READ_BATCH_SIZE = 100
const toIdBound = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : firstIdAt(new Date(time), 'execution')

export const Executions = {
  /** Holds only one page in memory. @param running runs that are not stored yet, newest event first */
  async page(
    query: ExecutionQuery,
    { pageSize, pageNumber }: PageRequest,
    running: readonly Run[],
  ): Promise<{ data: Run[]; pagination: Pagination }> {
    const first = (pageNumber - 1) * pageSize
    const data: Run[] = []
    let totalCount = 0
    for await (const execution of mergeRunning(listMatching(query), running)) {
      if (totalCount >= first && data.length < pageSize) data.push(execution)
      totalCount++
    }
    return { data, pagination: { currentPage: pageNumber, pageCount: Math.ceil(totalCount / pageSize), totalCount } }
  },

  getMany: stored.getMany,

  async listBetween(environmentId: string, after: string, before: string): Promise<StoredExecution[]> {
    const found: StoredExecution[] = []
    for (let from = after; ; ) {
      const batch = await stored.list(
        'inEnvironment',
        { environmentId },
        { order: 'asc', after: from, limit: READ_BATCH_SIZE },
      )
      const inRange = batch.filter(({ id }) => id < before)
      found.push(...inRange)
      if (batch.length === 0 || inRange.length < batch.length) return found
      from = batch.at(-1)!.id
    }
  },

  async attachLogs<T extends { id: string }>(executions: T[]): Promise<(T & { log?: string })[]> {
    const found = new Map((await logs.getMany(executions.map(({ id }) => id))).map(({ id, log }) => [id, log]))
    return executions.map((execution) => ({
      ...execution,
      ...(found.has(execution.id) ? { log: found.get(execution.id)! } : {}),
    }))
  },

  async listFailed(query: ExecutionQuery & { agentId: string }, after: string | undefined, limit: number) {
    const found: StoredExecution[] = []
    for await (const execution of listMatching({ ...query, success: false }, 'asc', after)) {
      found.push(execution)
      if (found.length === limit) break
    }
    return found
  },

  async planPut(execution: NewExecution, log: string): Promise<Write[]> {
    const { id, environmentId, agentId, expires } = execution
    const [before, logBefore, failure] = await Promise.all([stored.get(id), logs.get(id), failures.get(id)])
    if (before?.completedAt === execution.completedAt) return []
    const writes: Write[] = [before ? stored.replace(before, execution) : stored.create(execution)]
    if (logBefore) writes.push(logs.replace(logBefore, { id, log, expires }))
    else if (log) writes.push(logs.create({ id, log, expires }))
    if (failure && execution.success) writes.push(failures.remove(failure))
    if (!failure && !execution.success) writes.push(failures.create({ id, environmentId, agentId, expires }))
    return writes
  },
}

async function* mergeRunning(stored: AsyncGenerator<StoredExecution>, running: readonly Run[]): AsyncGenerator<Run> {
  let next = 0
  for await (const execution of stored) {
    while (next < running.length && running[next]!.id > execution.id) yield running[next++]!
    if (running[next]?.id === execution.id) next++
    yield toRun(execution)
  }
  yield* running.slice(next)
}

async function* listMatching(
  query: ExecutionQuery,
  order: 'asc' | 'desc' = 'desc',
  after?: string,
): AsyncGenerator<StoredExecution> {
  const { environmentId, agentId, spaceId, topic, success } = query
  const [since, until] = [toIdBound(query.since), toIdBound(query.until)]
  const [by, facets] = agentId ? (['ofAgent', { agentId }] as const) : (['inEnvironment', { environmentId }] as const)
  let from = after ?? (order === 'desc' ? until : since)
  for (;;) {
    const listOptions = { order, limit: READ_BATCH_SIZE, ...(from === undefined ? {} : { after: from }) }
    const batch =
      success === false ? await failures.list(by, facets, listOptions) : await stored.list(by, facets, listOptions)
    if (batch.length === 0) return
    const runs = success === false ? await stored.getMany(batch.map(({ id }) => id)) : (batch as StoredExecution[])
    for (const execution of runs) {
      const { id } = execution
      if (order === 'desc' ? since !== undefined && id < since : until !== undefined && id >= until) return
      const matches =
        execution.environmentId === environmentId &&
        (spaceId === undefined || execution.spaceId === spaceId) &&
        (topic === undefined || execution.topic === topic) &&
        (success === undefined || execution.success === success)
      if (matches) yield execution
    }
    from = batch.at(-1)!.id
  }
}
