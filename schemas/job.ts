/** The shapes of jobs and their limits. Their endpoints are in jobs.ts and job-plans.ts, their topics in job-events.ts. */
import * as z from 'zod'
import { Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
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

/** What a job carries (configuration, input, metadata, outcome ...) has at most this many bytes as JSON. */
export const JOB_BYTES = 200 * 1024
/** A split makes at most this many parts, all in one transaction; parts can be split themselves. */
export const PARTS_A_SPLIT = 48
/** The parts of one split, each with what it takes over from its parent, have together at most this many bytes as JSON. */
export const SPLIT_BYTES = 1536 * 1024

/** A job waits for at most this many others. */
export const PREDECESSORS = 20
/** And at most this many wait for one. */
export const SUCCESSORS = 1000

/** A ready job that nobody takes fails after so many hours. */
export const JOB_UNTAKEN_HOURS = 24
/** A job that is worked on, and of which nobody gives a sign, fails after so many hours. */
export const JOB_SILENT_HOURS = 2
/** A job with an estimate of its completion may be silent until then, but no longer than so many hours. */
export const JOB_ESTIMATE_HOURS = 24 * 7
/** Of changes that leave a job in its state at most one is emitted in so many milliseconds; the first and the last always are. */
export const JOB_UPDATE_MS = 1000

export const AnyObject = z.record(z.string(), z.unknown())
export const Progress = z.number().min(0).max(100)
const Mode = z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden'])
const PartExecution = z.enum(['sequential', 'parallel'])
/** What a job is about beside its source: one thing, or those of a kind that a query means. */
export const JobSubject = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('resource'), id: scoped('workbook', 'sheet', 'file', 'job', 'document', 'space') }),
  z.looseObject({
    type: z.literal('collection'),
    /** Of what: `records`. */
    resource: z.string().min(1),
    /** Where they are: `sheetId`, and the field an action was called on as `columnKey`. */
    params: maybe(AnyObject),
    /** Which of them: `filter`, `ids` and so on, as in the query of a list of records. */
    query: maybe(AnyObject),
  }),
])
export type JobSubject = z.infer<typeof JobSubject>
/** Clients of old spell `completed` as `complete`. */
export const WrittenStatus = z.preprocess((value) => (value === 'complete' ? 'completed' : value), JobStatus)

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
  /** The role of the caller who gave the outcome; absent when the platform did. */
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
  /** Is it a part of another job? */
  isPart: z.boolean(),
  /** The jobs it waits for: it becomes ready when all have completed, and is canceled when one of them ends otherwise. */
  predecessorIds: z.array(Id).optional(),
  metadata: AnyObject.optional(),
  /** When it becomes, or became, ready by the clock. */
  scheduledFor: Time.optional(),
  schedule: JobSchedule.optional(),
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
  startedAt: Time.optional(),
  finishedAt: Time.optional(),
  outcomeAcknowledgedAt: Time.optional(),
  estimatedCompletionAt: Time.optional(),
})
export type Job = z.infer<typeof Job>

export const CreateJob = z.object({
  type: z.enum(JOB_TYPES),
  operation: z.string().min(1).max(200),
  source: scoped('space', 'workbook', 'sheet', 'file', 'document', 'agent'),
  destination: maybe(scoped('workbook')),
  config: maybe(AnyObject),
  trigger: maybe(z.enum(['manual', 'immediate'])),
  immediate: maybe(z.boolean()),
  /** Taken for the clients' sake; a job's state is its history, so it starts as `created` or, when immediate, as `ready`. */
  status: maybe(WrittenStatus),
  progress: maybe(Progress),
  fileId: maybe(scoped('file')),
  mode: maybe(Mode),
  input: maybe(AnyObject),
  subject: maybe(JobSubject),
  outcome: maybe(Outcome),
  result: maybe(AnyObject),
  info: maybe(z.string()),
  managed: maybe(z.boolean()),
  environmentId: maybe(scoped('environment')),
  part: maybe(z.number().int()),
  partData: maybe(AnyObject),
  partExecution: maybe(PartExecution),
  parentId: maybe(scoped('job')),
  predecessorIds: maybe(z.array(scoped('job')).max(PREDECESSORS)),
  metadata: maybe(AnyObject),
  scheduledFor: maybe(z.iso.datetime({ offset: true })),
  schedule: maybe(JobSchedule),
})
export type CreateJob = z.infer<typeof CreateJob>
