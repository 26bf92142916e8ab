/**
 * Stored runs of agents: one for each event and agent, listed by environment and by agent in the order of the events;
 * its log is an item beside it, so that lists stay small. Both expire by themselves.
 */
import * as z from 'zod'
import { AgentLog } from '../../schemas/agents.ts'
import { Id } from '../../schemas/ids.ts'
import type { PageRequest, Pagination } from '../../schemas/page.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'

/** Runs are kept this long. */
export const RETENTION_DAYS = 30

/** Seconds since 1970, as DynamoDB's time to live has it. */
const expiring = { expires: z.number() }
const Shape = AgentLog.omit({ log: true }).extend({
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
const logs = entity({ name: 'execution-log', shape: z.object({ id: Id, log: z.string(), ...expiring }), by: {} })

export type StoredExecution = Stored<typeof Shape>
export type NewExecution = z.infer<typeof Shape>

/** Whose runs, and which of them. */
export interface ExecutionQuery {
  environmentId: string
  agentId?: string | undefined
  spaceId?: string | undefined
  success?: boolean | undefined
}

/** Items one request reads. */
const READ = 100

export const Executions = {
  /** One page, newest event first; counts the whole list, but holds a page of it at most. */
  async page(
    query: ExecutionQuery,
    { pageSize, pageNumber }: PageRequest,
  ): Promise<{ data: StoredExecution[]; pagination: Pagination }> {
    const first = (pageNumber - 1) * pageSize
    const data: StoredExecution[] = []
    let totalCount = 0
    for await (const execution of matching(query)) {
      if (totalCount >= first && data.length < pageSize) data.push(execution)
      totalCount++
    }
    return { data, pagination: { currentPage: pageNumber, pageCount: Math.ceil(totalCount / pageSize), totalCount } }
  },

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
  async withLogs(executions: StoredExecution[]): Promise<(StoredExecution & { log?: string })[]> {
    const found = new Map((await logs.getMany(executions.map(({ id }) => id))).map(({ id, log }) => [id, log]))
    return executions.map((execution) => ({
      ...execution,
      ...(found.has(execution.id) ? { log: found.get(execution.id)! } : {}),
    }))
  },

  /** Writes the run, over the one an earlier report or a replay left. */
  async put(tx: Tx, execution: NewExecution, log: string): Promise<void> {
    const [before, logBefore] = await Promise.all([stored.get(execution.id), logs.get(execution.id)])
    const { id, expires } = execution
    tx.write(before ? stored.replace(before, execution) : stored.create(execution))
    if (logBefore) tx.write(logs.replace(logBefore, { id, log, expires }))
    else if (log) tx.write(logs.create({ id, log, expires }))
  },
}

async function* matching(query: ExecutionQuery): AsyncGenerator<StoredExecution> {
  const { environmentId, agentId, spaceId, success } = query
  const [by, facets] = agentId ? (['ofAgent', { agentId }] as const) : (['inEnvironment', { environmentId }] as const)
  let after: string | undefined
  for (;;) {
    const some = await stored.list(by, facets, { order: 'desc', limit: READ, after })
    if (some.length === 0) return
    for (const execution of some) {
      const matches =
        execution.environmentId === environmentId &&
        (spaceId === undefined || execution.spaceId === spaceId) &&
        (success === undefined || execution.success === success)
      if (matches) yield execution
    }
    after = some.at(-1)!.id
  }
}
