/** Stored jobs, listed by environment and by space; their plans are separate items. */
import * as z from 'zod'
import { PreviewToken } from '../../schemas/jobs/preview.ts'
import { Job } from '../../schemas/jobs/shape.ts'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { Plan } from '../../schemas/programs/plan.ts'
import { getTableName } from '../table/client.ts'
import { dueBefore, enqueueAt } from '../table/due-queue.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { Namespaces } from './namespaces.ts'
import { pack, unpack } from './packed.ts'

const Shape = Job.omit({ isPart: true }).extend({
  accountId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  appId: Id.optional(),
  namespaces: Namespaces,
  lease: z.object({ owner: z.string(), until: Time }).optional(),
  automaticRecipeId: Id.optional(),
  rounds: z.number().int().optional(),
  series: z.string().optional(),
  snapshotTaken: Id.optional(),
  preview: PreviewToken.optional(),
  parts: z.array(Id).optional(),
  /** Number of parts, counted from the last, that it waits or has waited for. */
  awaitedPartCount: z.number().int().optional(),
  pendingPredecessors: z.array(Id).optional(),
  successors: z.array(Id).optional(),
  lastEmittedAt: Time.optional(),
  /** It has changed since the last job:updated, and another one must follow. */
  pendingUpdate: z.boolean().optional(),
  /** When the clock must check it: on its start time, its timeout or a throttled update. */
  checkAt: Time.optional(),
})

const stored = entity({
  name: 'job',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
  unpacked: ['status', 'successors'],
})
export type StoredJob = Stored<typeof Shape>
export type NewJob = z.infer<typeof Shape>

const QUEUE = 'job'

const withCheckTime = (write: PutWrite, { id, checkAt }: NewJob): Write =>
  checkAt === undefined ? write : enqueueAt(write, QUEUE, id, checkAt)

export const Jobs = {
  ...stored,
  create: (job: NewJob): Write => withCheckTime(stored.create(job), job),
  replace: (before: StoredJob, after: NewJob): Write => withCheckTime(stored.replace(before, after), after),
  addSuccessor: (id: string, successorId: string): Write => ({
    Update: {
      TableName: getTableName(),
      Key: stored.buildKey(id),
      UpdateExpression: 'SET successors = list_append(if_not_exists(successors, :none), :more) ADD rev :one',
      ConditionExpression: 'attribute_exists(pk) AND NOT #status IN (:completed, :failed, :canceled)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...{ ':none': [], ':more': [successorId], ':one': 1 },
        ...{ ':completed': 'completed', ':failed': 'failed', ':canceled': 'canceled' },
      },
    },
  }),
  async *listDue(now: Date): AsyncGenerator<StoredJob[]> {
    for await (const ids of dueBefore(QUEUE, now)) {
      const found = await stored.getMany(ids)
      yield found.filter(({ checkAt }) => (checkAt ?? '~') <= now.toISOString())
    }
  },
  inEnvironment: (environmentId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredJob[]> =>
    stored.list('inEnvironment', { environmentId }, { order }),
  inSpace: (spaceId: string, order: 'asc' | 'desc' = 'desc'): Promise<StoredJob[]> =>
    stored.list('inSpace', { spaceId }, { order }),
}

export const isPart = ({ parentId }: Pick<NewJob, 'parentId'>): boolean => parentId !== undefined

export const serializeJob = (job: NewJob): Job => ({ ...job, isPart: isPart(job) })

/** The specification's CJ, plus the ids public plugins read. */
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

const packPlan = (jobId: string, plan: Plan) => ({ jobId, packed: pack('plan', Plan.parse(plan)) })

/** Plans are compressed, because they repeat every field definition of both sides. */
export const JobPlans = {
  async get(jobId: string): Promise<StoredPlan | undefined> {
    const item = await plans.get(jobId)
    return item && { ...Plan.parse(unpack(item.packed)), rev: item.rev }
  },
  create: (jobId: string, plan: Plan): Write => plans.create(packPlan(jobId, plan)),
  replace: (jobId: string, before: StoredPlan, after: Plan): Write =>
    plans.replace({ jobId, packed: '', rev: before.rev }, packPlan(jobId, after)),
  remove: (jobId: string, before: StoredPlan): Write => plans.remove({ jobId, packed: '', rev: before.rev }),
}
