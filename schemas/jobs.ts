/** Jobs: how work is seen, retried and trusted. Performed by listeners, agents or the platform (schemas/operations.ts). */
import * as z from 'zod'
import { Empty, JobContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { DestinationField, Edge, Plan, SourceField } from './mapping.ts'
import { maybe } from './optional.ts'
import { data, paged, pageQuery, QueryBoolean, Success } from './page.ts'
import { topic } from './topic.ts'

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

/** A ready job that nobody takes fails after so many hours. */
export const JOB_UNTAKEN_HOURS = 24
/** A job that is worked on, and of which nobody gives a sign, fails after so many hours. */
export const JOB_SILENT_HOURS = 2

const AnyObject = z.record(z.string(), z.unknown())
const Progress = z.number().min(0).max(100)
const Mode = z.enum(['foreground', 'background', 'toolbarBlocking', 'hidden'])
/** How often a job is repeated, as actions declare it. */
const JobSchedule = z.enum(['weekly', 'daily', 'hourly'])
export type JobSchedule = z.infer<typeof JobSchedule>
const PartExecution = z.enum(['sequential', 'parallel'])
/** Clients of old spell `completed` as `complete`. */
const WrittenStatus = z.preprocess((value) => (value === 'complete' ? 'completed' : value), JobStatus)

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
  result: AnyObject.optional(),
  info: z.string().optional(),
  managed: z.boolean().optional(),
  environmentId: Id,
  spaceId: Id.optional(),
  part: z.number().int().optional(),
  partData: AnyObject.optional(),
  partExecution: PartExecution.optional(),
  parentId: Id.optional(),
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
  source: Id,
  destination: maybe(Id),
  config: maybe(AnyObject),
  trigger: maybe(z.enum(['manual', 'immediate'])),
  immediate: maybe(z.boolean()),
  /** Taken for the clients' sake; a job's state is its history, so it starts as `created` or, when immediate, as `ready`. */
  status: maybe(WrittenStatus),
  progress: maybe(Progress),
  fileId: maybe(Id),
  mode: maybe(Mode),
  input: maybe(AnyObject),
  subject: maybe(AnyObject),
  outcome: maybe(AnyObject),
  result: maybe(AnyObject),
  info: maybe(z.string()),
  managed: maybe(z.boolean()),
  environmentId: maybe(Id),
  part: maybe(z.number().int()),
  partData: maybe(AnyObject),
  partExecution: maybe(PartExecution),
  parentId: maybe(Id),
  predecessorIds: maybe(z.array(Id).max(100)),
  metadata: maybe(AnyObject),
  scheduledFor: maybe(z.iso.datetime({ offset: true })),
  schedule: maybe(JobSchedule),
})
export type CreateJob = z.infer<typeof CreateJob>

export const create = endpoint({
  id: 'jobs.create',
  method: 'POST',
  path: '/jobs',
  summary: 'Creates a job',
  description:
    'With `trigger: "immediate"` (or `immediate: true`) it is ready at once, otherwise it waits to be executed. A `workbook:map` job gets its plan first. ' +
    'With `scheduledFor` it is scheduled, and becomes ready within a minute of that time. With `schedule` it is scheduled for that time, or for one period from now, and each time it becomes ready the next job of the series is created; canceling or deleting the scheduled one ends the series. ' +
    `A ready job that nobody takes within ${JOB_UNTAKEN_HOURS} hours fails, and so does one that is worked on without a sign for ${JOB_SILENT_HOURS} hours.`,
  policy: { can: 'jobs:write', on: 'resource', at: 'body.source' },
  body: CreateJob,
  reply: data(Job),
  errors: ['too-large', 'not-found'],
  example: {
    body: { type: 'workbook', operation: 'submit', source: '{workbookId}', trigger: 'manual', input: { note: 'June' } },
  },
})
export const listed = endpoint({
  id: 'jobs.list',
  method: 'GET',
  path: '/jobs',
  summary: 'Lists jobs, newest first',
  policy: { can: 'jobs:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: Id.optional(),
    spaceId: Id.optional(),
    workbookId: Id.optional(),
    fileId: Id.optional(),
    parentId: Id.optional(),
    source: Id.optional(),
    excludeChildJobs: QueryBoolean.optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...pageQuery(20),
  }),
  reply: paged(Job),
  example: { query: { environmentId: '{environmentId}' } },
})

const params = z.object({ jobId: Id })
const at = 'params.jobId'
const example = { params: { jobId: '{jobId}' } }
const read = { can: 'jobs:read', on: 'job', at } as const
const write = { can: 'jobs:write', on: 'job', at } as const

export const get = endpoint({
  id: 'jobs.get',
  method: 'GET',
  path: '/jobs/{jobId}',
  summary: 'Reads a job',
  policy: read,
  params,
  reply: data(Job),
  example,
})
export const update = endpoint({
  id: 'jobs.update',
  method: 'PATCH',
  path: '/jobs/{jobId}',
  summary: 'Changes a job; a new status is a move like any other',
  policy: write,
  params,
  body: z.object({
    config: maybe(AnyObject),
    status: maybe(WrittenStatus),
    progress: maybe(Progress),
    outcomeAcknowledgedAt: maybe(z.iso.datetime({ offset: true })),
    info: maybe(z.string()),
    metadata: maybe(AnyObject),
    /** Schedules a job that has not begun, anew if it was. */
    scheduledFor: maybe(z.iso.datetime({ offset: true })),
    schedule: maybe(JobSchedule),
  }),
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { info: 'Half way' } },
})
export const remove = endpoint({
  id: 'jobs.remove',
  method: 'DELETE',
  path: '/jobs/{jobId}',
  summary: 'Deletes a job',
  policy: write,
  params,
  reply: Success,
  example,
})
export const execute = endpoint({
  id: 'jobs.execute',
  method: 'POST',
  path: '/jobs/{jobId}/execute',
  summary: 'Makes a job ready; repeated, it stays so without a second event',
  policy: write,
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})
export const acknowledge = endpoint({
  id: 'jobs.acknowledge',
  method: 'POST',
  path: '/jobs/{jobId}/ack',
  summary: 'Takes a ready job, then tells of its progress',
  policy: write,
  params,
  body: z.object({
    info: maybe(z.string()),
    progress: maybe(Progress),
    estimatedCompletionAt: maybe(z.iso.datetime({ offset: true })),
  }),
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict'],
  example: {
    ...example,
    note: 'The job must be ready or executing: call execute first.',
    body: { info: 'Starting', progress: 0 },
  },
})

/** How a job ended, for people: a heading, a message and where to go next. */
export const Outcome = z.looseObject({
  acknowledge: maybe(z.boolean()),
  trigger: z.unknown().optional(),
  buttonText: maybe(z.string()),
  heading: maybe(z.string()),
  message: maybe(z.string()),
  hideDefaultButton: maybe(z.boolean()),
  next: maybe(z.looseObject({ type: z.string() })),
})
export type Outcome = z.infer<typeof Outcome>
const Ending = z.object({ outcome: maybe(Outcome), info: maybe(z.string()) })

export const complete = endpoint({
  id: 'jobs.complete',
  method: 'POST',
  path: '/jobs/{jobId}/complete',
  summary: 'Ends a job well',
  policy: write,
  params,
  body: Ending,
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { outcome: { heading: 'Done', message: 'All contacts are in.' } } },
})
export const fail = endpoint({
  id: 'jobs.fail',
  method: 'POST',
  path: '/jobs/{jobId}/fail',
  summary: 'Ends a job badly',
  policy: write,
  params,
  body: Ending,
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { info: 'The target system did not answer.' } },
})
export const cancel = endpoint({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/jobs/{jobId}/cancel',
  summary: 'Stops a job that has not ended',
  policy: write,
  params,
  body: z.object({ info: maybe(z.string()) }),
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict'],
  example: { ...example, body: { info: 'No longer needed' } },
})
export const split = endpoint({
  id: 'jobs.split',
  method: 'POST',
  path: '/jobs/{jobId}/split',
  summary: `Divides a job into up to ${PARTS_A_SPLIT} parts and lets it wait for them`,
  description:
    'Each part is a job of its own for the same listeners, with its `part` (from 0) and, of a list, its `partData`. ' +
    'Sequential parts become ready one after the other, parallel ones all at once. When all have ended, well or badly, ' +
    'the job is `parts-completed`, and told so with how each ended; it is then acknowledged and completed like any other. ' +
    'Canceling or failing it meanwhile cancels its parts, deleting it deletes them. ' +
    `Parts have together at most ${SPLIT_BYTES} bytes.`,
  policy: write,
  params,
  body: z.object({
    parts: z.union([z.number().int().min(1).max(PARTS_A_SPLIT), z.array(AnyObject).min(1).max(PARTS_A_SPLIT)]),
    runInParallel: maybe(z.boolean()),
  }),
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { parts: [{ from: 1 }, { from: 1001 }], runInParallel: true } },
})
export const retry = endpoint({
  id: 'jobs.retry',
  method: 'POST',
  path: '/jobs/{jobId}/retry',
  summary: 'Makes an ended job ready again',
  policy: write,
  params,
  reply: data(Job),
  errors: ['conflict'],
  example,
})
export const acknowledgeOutcome = endpoint({
  id: 'jobs.acknowledgeOutcome',
  method: 'POST',
  path: '/jobs/{jobId}/outcome/ack',
  summary: "Acknowledges a foreground job's outcome",
  policy: write,
  params,
  reply: data(Job),
  errors: ['conflict'],
  example,
})

export const PlanOfJob = z.object({ job: Job, plan: Plan })
const planned = { reply: data(PlanOfJob) } as const
const addressed = { fileId: maybe(z.string()), jobId: maybe(z.string()) }

export const plan = endpoint({
  id: 'jobs.plan',
  method: 'GET',
  path: '/jobs/{jobId}/plan',
  summary: "Reads a job's plan, also after it has ended",
  policy: read,
  params,
  ...planned,
  example,
})
export const replacePlan = endpoint({
  id: 'jobs.replacePlan',
  method: 'PUT',
  path: '/jobs/{jobId}/plan',
  summary: "Replaces a job's plan",
  policy: write,
  params,
  body: z.object({ ...Plan.shape, ...addressed }),
  ...planned,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] } },
})
export const updatePlan = endpoint({
  id: 'jobs.updatePlan',
  method: 'PATCH',
  path: '/jobs/{jobId}/plan',
  summary: "Changes parts of a job's plan",
  policy: write,
  params,
  body: z.object({
    fieldMapping: maybe(z.array(Edge)),
    unmappedSourceFields: maybe(z.array(SourceField)),
    unmappedDestinationFields: maybe(z.array(DestinationField)),
    programId: maybe(z.string()),
    ...addressed,
  }),
  ...planned,
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { fieldMapping: [] } },
})

/** JP of the specification: what every job event but job:deleted tells. */
export const JobPayload = z.object({
  /** The job's type. */
  domain: z.string(),
  operation: z.string(),
  /** `<domain>:<operation>`. */
  job: z.string(),
  status: JobStatus,
  info: z.string().optional(),
  isPart: z.boolean(),
  input: z.unknown().optional(),
})
/** CJ of the specification, and what the job is about. */
const AboutJob = z.looseObject({
  ...JobContext.shape,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  fileId: Id.optional(),
  /** Of a part: the job it is a part of. */
  parentId: Id.optional(),
  /** Of a job that was split: how many parts it has. */
  parts: z.number().int().optional(),
})
const told = { payload: JobPayload, context: AboutJob }
const Part = z.object({ partId: Id, status: JobStatus, completedAt: Time })

export const created = topic('job:created', { when: 'a job is first created', ...told })
export const ready = topic('job:ready', {
  when: 'a job is ready to be executed: its plan is complete, or it needs none',
  ...told,
})
export const scheduled = topic('job:scheduled', { when: 'a job is scheduled for a future time', ...told })
export const updated = topic('job:updated', { when: "a job's state or progress is updated", ...told })
export const completed = topic('job:completed', { when: 'a job has completed', ...told })
export const failed = topic('job:failed', { when: 'a job has failed', ...told })
export const outcomeAcknowledged = topic('job:outcome-acknowledged', {
  when: "a user has acknowledged a job's completion or failure",
  ...told,
})
export const partsCompleted = topic('job:parts-completed', {
  when: 'all parts of a multi-part job are done',
  payload: JobPayload.extend({ parts: z.array(Part) }),
  context: AboutJob,
})
export const deleted = topic('job:deleted', { when: 'a job is deleted', payload: Empty, context: AboutJob })
