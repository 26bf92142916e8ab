/**
 * Stored runs of agents: one for each event and agent, listed by environment and by agent in the order of the events;
 * its log is an item beside it, so that lists stay small, and so is the note that it failed, so that the failed ones are
 * found among millions. All expire by themselves.
 */
import * as z from 'zod'
import { AgentLog } from '../../schemas/agent.ts'
import { Id } from '../../schemas/ids.ts'
import type { PageRequest, Pagination } from '../../schemas/page.ts'
import { firstIdAt } from '../events/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'

/** Runs are kept this long. */
export const RETENTION_DAYS = 30

/** Seconds since 1970, as DynamoDB's time to live has it. */
const expiring = { expires: z.number() }
const Shape = AgentLog.omit({ log: true, status: true }).extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  ...expiring,
})

const stored = entity({
  name: 'execution',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofAgent: { index: 'gsi2', of: ['agentId'] } },
})
/** One for each run that failed and was not replayed well since; its id is the run's. */
const failures = entity({
  name: 'execution-failure',
  shape: z.object({ id: Id, environmentId: Id, agentId: Id, ...expiring }),
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofAgent: { index: 'gsi2', of: ['agentId'] } },
})
const logs = entity({ name: 'execution-log', shape: z.object({ id: Id, log: z.string(), ...expiring }), by: {} })

export type StoredExecution = Stored<typeof Shape>
export type NewExecution = z.infer<typeof Shape>
/** As it is shown, also while it is running. */
export type Run = Omit<NewExecution, 'expires'> & Pick<AgentLog, 'status'>

const shown = (execution: StoredExecution): Run => ({
  ...execution,
  status: execution.success ? 'succeeded' : 'failed',
})

/** Whose runs, and which of them. */
export interface ExecutionQuery {
  environmentId: string
  agentId?: string | undefined
  spaceId?: string | undefined
  topic?: string | undefined
  /** Of the events: from this moment on, and before this one; ISO-8601. */
  since?: string | undefined
  until?: string | undefined
  success?: boolean | undefined
}

/** Items one request reads. */
const READ = 100
/** The first id of an event's runs at that moment. */
const boundOf = (moment: string | undefined): string | undefined =>
  moment === undefined ? undefined : firstIdAt(new Date(moment), 'execution')

export const Executions = {
  /**
   * One page, newest event first; counts the whole list, but holds a page of it at most.
   * @param running runs that are not stored yet, newest event first
   */
  async page(
    query: ExecutionQuery,
    { pageSize, pageNumber }: PageRequest,
    running: readonly Run[],
  ): Promise<{ data: Run[]; pagination: Pagination }> {
    const first = (pageNumber - 1) * pageSize
    const data: Run[] = []
    let totalCount = 0
    for await (const execution of withRunning(matching(query), running)) {
      if (totalCount >= first && data.length < pageSize) data.push(execution)
      totalCount++
    }
    return { data, pagination: { currentPage: pageNumber, pageCount: Math.ceil(totalCount / pageSize), totalCount } }
  },

  getMany: stored.getMany,

  /** The runs in an environment whose ids lie between two bounds, exclusive. */
  async between(environmentId: string, after: string, before: string): Promise<StoredExecution[]> {
    const found: StoredExecution[] = []
    for (let from = after; ; ) {
      const some = await stored.list('inEnvironment', { environmentId }, { order: 'asc', after: from, limit: READ })
      const within = some.filter(({ id }) => id < before)
      found.push(...within)
      if (some.length === 0 || within.length < some.length) return found
      from = some.at(-1)!.id
    }
  },

  /** Each with its log, in the order given; at most 100. */
  async withLogs<T extends { id: string }>(executions: T[]): Promise<(T & { log?: string })[]> {
    const found = new Map((await logs.getMany(executions.map(({ id }) => id))).map(({ id, log }) => [id, log]))
    return executions.map((execution) => ({
      ...execution,
      ...(found.has(execution.id) ? { log: found.get(execution.id)! } : {}),
    }))
  },

  /** Failed runs of an agent in the order of their events, at most `limit` of those after the id `after`. */
  async failed(query: ExecutionQuery & { agentId: string }, after: string | undefined, limit: number) {
    const found: StoredExecution[] = []
    for await (const execution of matching({ ...query, success: false }, 'asc', after)) {
      found.push(execution)
      if (found.length === limit) break
    }
    return found
  },

  /** Writes the run, over the one an earlier report or a replay left. */
  async put(tx: Tx, execution: NewExecution, log: string): Promise<void> {
    const { id, environmentId, agentId, expires } = execution
    const [before, logBefore, failure] = await Promise.all([stored.get(id), logs.get(id), failures.get(id)])
    tx.write(before ? stored.replace(before, execution) : stored.create(execution))
    if (logBefore) tx.write(logs.replace(logBefore, { id, log, expires }))
    else if (log) tx.write(logs.create({ id, log, expires }))
    if (failure && execution.success) tx.write(failures.remove(failure))
    if (!failure && !execution.success) tx.write(failures.create({ id, environmentId, agentId, expires }))
  },
}

/** Both as one list in the order of their ids; one that has ended meanwhile is taken as it is stored. */
async function* withRunning(stored: AsyncGenerator<StoredExecution>, running: readonly Run[]): AsyncGenerator<Run> {
  let next = 0
  for await (const execution of stored) {
    while (next < running.length && running[next]!.id > execution.id) yield running[next++]!
    if (running[next]?.id === execution.id) next++
    yield shown(execution)
  }
  yield* running.slice(next)
}

/** The runs in the order of their events; `after` is an id to go on from. */
async function* matching(
  query: ExecutionQuery,
  order: 'asc' | 'desc' = 'desc',
  after?: string,
): AsyncGenerator<StoredExecution> {
  const { environmentId, agentId, spaceId, topic, success } = query
  const [since, until] = [boundOf(query.since), boundOf(query.until)]
  const [by, facets] = agentId ? (['ofAgent', { agentId }] as const) : (['inEnvironment', { environmentId }] as const)
  let from = after ?? (order === 'desc' ? until : since)
  for (;;) {
    const list = { order, limit: READ, ...(from === undefined ? {} : { after: from }) }
    const some = success === false ? await failures.list(by, facets, list) : await stored.list(by, facets, list)
    if (some.length === 0) return
    const runs = success === false ? await stored.getMany(some.map(({ id }) => id)) : (some as StoredExecution[])
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
    from = some.at(-1)!.id
  }
}
