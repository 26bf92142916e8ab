/** Stored jobs, listed by environment and by space; each knows the workbook and sheet it is about. Plans are items of their own. */
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import { Job } from '../../schemas/job.ts'
import { Plan } from '../../schemas/mapping.ts'
import { tableName } from '../table/client.ts'
import { due, dueAt } from '../table/due.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { Namespaces } from './namespaces.ts'
import { pack, unpack } from './packed.ts'

const Shape = Job.omit({ isPart: true }).extend({
  accountId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  appId: Id.optional(),
  /** What listeners filter by: the namespaces of what it is about. */
  namespaces: Namespaces,
  /** Which run of the platform performs it now, and until when that run counts as alive. */
  lease: z.object({ owner: z.string(), until: Time }).optional(),
  /** How often it was made ready again after it had completed: each round writes its records anew. */
  rounds: z.number().int().optional(),
  /** The action's series (lib/entities/series.ts) it belongs to. */
  series: z.string().optional(),
  /** The snapshot this round took before it changed records. */
  snapshotTaken: Id.optional(),
  /** Ids of its parts, of all its splits. */
  parts: z.array(Id).optional(),
  /** How many of them, the last ones, it waits for or has waited for. */
  awaited: z.number().int().optional(),
  /** Those of its predecessors that have not completed. */
  awaits: z.array(Id).optional(),
  /** Ids of the jobs that wait for it, or have. */
  successors: z.array(Id).optional(),
  /** When listeners were last told of it by job:updated. */
  toldAt: Time.optional(),
  /** It has changed since, and they are still to be told. */
  untold: z.boolean().optional(),
  /** When the clock is to look at it: when it is due, has been silent for too long, or is to be told of. */
  lookAt: Time.optional(),
})

const stored = entity({
  name: 'job',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
})
export type StoredJob = Stored<typeof Shape>
export type NewJob = z.infer<typeof Shape>

const QUEUE = 'job'

/** The write of a job, in the queue as long as the clock is to look at it. */
const queued = (write: Write, { id, lookAt }: NewJob): Write =>
  lookAt === undefined ? write : dueAt(write, QUEUE, id, lookAt)

export const Jobs = {
  ...stored,
  create: (job: NewJob): Write => queued(stored.create(job), job),
  replace: (before: StoredJob, after: NewJob): Write => queued(stored.replace(before, after), after),
  /** Writes down that another waits for the job. Fails when it has ended. */
  awaitedBy: (id: string, successorId: string): Write => ({
    Update: {
      TableName: tableName(),
      Key: { pk: `job#${id}`, sk: '-' },
      UpdateExpression: 'SET successors = list_append(if_not_exists(successors, :none), :more) ADD rev :one',
      ConditionExpression: 'attribute_exists(pk) AND NOT #status IN (:completed, :failed, :canceled)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...{ ':none': [], ':more': [successorId], ':one': 1 },
        ...{ ':completed': 'completed', ':failed': 'failed', ':canceled': 'canceled' },
      },
    },
  }),
  /** Jobs the clock is to look at by `now`, some at a time. */
  async *due(now: Date): AsyncGenerator<StoredJob[]> {
    for await (const ids of due(QUEUE, now)) {
      const found = await stored.getMany(ids)
      yield found.filter(({ lookAt }) => (lookAt ?? '~') <= now.toISOString())
    }
  },
  inEnvironment: (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredJob[]> =>
    stored.list('inEnvironment', { environmentId }, { order }),
  inSpace: (spaceId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredJob[]> =>
    stored.list('inSpace', { spaceId }, { order }),
}

/** Is the job a part of another one? */
export const isPart = ({ parentId }: Pick<NewJob, 'parentId'>): boolean => parentId !== undefined

/** As clients see it. */
export const shownJob = (job: NewJob): Job => ({ ...job, isPart: isPart(job) })

/** CJ of the specification, with the ids public plugins read. */
export const jobContext = (job: NewJob) => ({
  environmentId: job.environmentId,
  jobId: job.id,
  ...(job.spaceId ? { spaceId: job.spaceId } : {}),
  ...(job.workbookId ? { workbookId: job.workbookId } : {}),
  ...(job.sheetId ? { sheetId: job.sheetId } : {}),
  ...(job.fileId ? { fileId: job.fileId } : {}),
  ...(job.appId ? { appId: job.appId } : {}),
  ...(job.parentId ? { parentId: job.parentId } : {}),
  ...(job.parts ? { parts: job.parts.length } : {}),
  ...(job.successors ? { successors: job.successors.length } : {}),
})

const plans = entity({ name: 'jobplan', shape: z.object({ jobId: Id, packed: z.string() }), id: 'jobId', by: {} })
export type StoredPlan = Plan & { rev: number }

const packedPlan = (jobId: string, plan: Plan) => ({ jobId, packed: pack('plan', Plan.parse(plan)) })

/** A job's plan, kept compressed: it repeats the definition of every field on both sides. */
export const JobPlans = {
  async get(jobId: string): Promise<StoredPlan | undefined> {
    const item = await plans.get(jobId)
    return item && { ...Plan.parse(unpack(item.packed)), rev: item.rev }
  },
  create: (jobId: string, plan: Plan): Write => plans.create(packedPlan(jobId, plan)),
  replace: (jobId: string, before: StoredPlan, after: Plan): Write =>
    plans.replace({ jobId, packed: '', rev: before.rev }, packedPlan(jobId, after)),
  remove: (jobId: string, before: StoredPlan): Write => plans.remove({ jobId, packed: '', rev: before.rev }),
}
