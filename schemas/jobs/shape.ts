import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { Outcome } from './outcome.ts'
import { JobSchedule } from './schedule.ts'

export const JOB_TYPES = [
  'file',
  'workbook',
  'sheet',
  'space',
  'document',
  'app',
  'agent',
  'autobuild',
  'onboarding',
] as const
export const JOB_STATUSES = [
  'created',
  'planning',
  'scheduled',
  'ready',
  'executing',
  'completed',
  'failed',
  'canceled',
  'waiting',
  'parts-completed',
] as const
export const JobStatus = z.enum(JOB_STATUSES)
export type JobStatus = z.infer<typeof JobStatus>

/** Limit of a job's config, input, metadata and outcome together, as JSON. */
export const MAX_JOB_BYTES = 200 * 1024
/** The parts are created in one transaction. Parts can be split again. */
export const MAX_PARTS_PER_SPLIT = 48
export const MAX_SPLIT_BYTES = 1536 * 1024

export const MAX_PREDECESSORS_PER_JOB = 20
export const MAX_SUCCESSORS_PER_JOB = 1000

export const JOB_START_TIMEOUT_HOURS = 24
export const JOB_IDLE_TIMEOUT_HOURS = 2
/** A job with an estimated completion may be idle until then, but no longer than this. */
export const MAX_JOB_ESTIMATE_HOURS = 24 * 7
/** At most one `job:updated` per interval while the status is unchanged; the first and the last are always sent. */
export const JOB_UPDATE_MS = 1000

export const Progress = z.number().min(0).max(100)
const Mode = z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden'])
const PartExecution = z.enum(['sequential', 'parallel'])
export const JobSubject = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('resource'), id: scoped('workbook', 'sheet', 'file', 'job', 'document', 'space') }),
  z.looseObject({
    type: z.literal('collection'),
    resource: z.string().min(1),
    params: nullish(AnyObject),
    query: nullish(AnyObject),
  }),
])
export type JobSubject = z.infer<typeof JobSubject>
/** Older clients write `complete` for `completed`. */
export const WrittenStatus = z.preprocess((value) => (value === 'complete' ? 'completed' : value), JobStatus)

const Milliseconds = z.number().int().min(0)
export const JobTimings = z.object({
  waiting: Milliseconds,
  reading: Milliseconds,
  computing: Milliseconds,
  writing: Milliseconds,
  events: Milliseconds,
})
export type JobTimings = z.infer<typeof JobTimings>

export const Job = z.object({
  id: Id,
  type: z.enum(JOB_TYPES),
  operation: z.string(),
  source: Id,
  destination: Id.optional(),
  config: AnyObject.optional(),
  trigger: z.enum(['manual', 'immediate']).optional(),
  immediate: z.boolean().optional(),
  status: JobStatus,
  progress: Progress,
  fileId: Id.optional(),
  mode: Mode,
  input: AnyObject.optional(),
  subject: AnyObject.optional(),
  outcome: AnyObject.optional(),
  outcomeBy: z.string().optional(),
  result: AnyObject.optional(),
  info: z.string().optional(),
  managed: z.boolean().optional(),
  environmentId: Id,
  spaceId: Id.optional(),
  part: z.number().int().optional(),
  partData: AnyObject.optional(),
  partExecution: PartExecution.optional(),
  parentId: Id.optional(),
  isPart: z.boolean(),
  /** The job becomes ready when all of these have completed, and is canceled if one of them ends in another status. */
  predecessorIds: z.array(Id).optional(),
  metadata: AnyObject.optional(),
  scheduledFor: Time.optional(),
  schedule: JobSchedule.optional(),
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
  startedAt: Time.optional(),
  finishedAt: Time.optional(),
  outcomeAcknowledgedAt: Time.optional(),
  estimatedCompletionAt: Time.optional(),
  timings: JobTimings.optional(),
})
export type Job = z.infer<typeof Job>

export const CreateJob = z.object({
  type: z.enum(JOB_TYPES),
  operation: z.string().min(1).max(200),
  source: scoped('space', 'workbook', 'sheet', 'file', 'document', 'agent'),
  destination: nullish(scoped('workbook')),
  config: nullish(AnyObject),
  trigger: nullish(z.enum(['manual', 'immediate'])),
  immediate: nullish(z.boolean()),
  /** Accepted for compatibility only: jobs start as `created`, or as `ready` with an immediate trigger. */
  status: nullish(WrittenStatus),
  progress: nullish(Progress),
  fileId: nullish(scoped('file')),
  mode: nullish(Mode),
  input: nullish(AnyObject),
  subject: nullish(JobSubject),
  outcome: nullish(Outcome),
  result: nullish(AnyObject),
  info: nullish(z.string()),
  managed: nullish(z.boolean()),
  environmentId: nullish(scoped('environment')),
  part: nullish(z.number().int()),
  partData: nullish(AnyObject),
  partExecution: nullish(PartExecution),
  parentId: nullish(scoped('job')),
  predecessorIds: nullish(z.array(scoped('job')).max(MAX_PREDECESSORS_PER_JOB)),
  metadata: nullish(AnyObject),
  scheduledFor: nullish(z.iso.datetime({ offset: true })),
  schedule: nullish(JobSchedule),
})
export type CreateJob = z.infer<typeof CreateJob>

export const MAX_RECORDS_PER_PREVIEW = 1000
export const MAX_CHANGES_PER_PREVIEW = 100

/** JP in the specification: the payload of every job event except job:deleted. */
export const JobPayload = z.object({
  domain: z.string(),
  operation: z.string(),
  job: z.string(),
  status: JobStatus,
  info: z.string().optional(),
  isPart: z.boolean(),
  input: z.unknown().optional(),
})
