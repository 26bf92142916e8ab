/** Jobs: how work is seen, retried and trusted. Performed by listeners, agents or the platform (schemas/operations.ts). */
import * as z from 'zod'
import { DiffRecord } from './diff.ts'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped } from './ids.ts'
import {
  AnyObject,
  CreateJob,
  JOB_SILENT_HOURS,
  JOB_TYPES,
  JOB_UNTAKEN_HOURS,
  JOB_UPDATE_MS,
  Job,
  JobStatus,
  PARTS_A_SPLIT,
  Progress,
  SPLIT_BYTES,
  WrittenStatus,
} from './job.ts'
import { mutateRecords } from './operations.ts'
import { maybe } from './optional.ts'
import { Outcome } from './outcome.ts'
import { data, list, paged, pageQuery, QueryBoolean, QueryList, Success } from './page.ts'
import { JobSchedule } from './schedule.ts'

const JobStatuses = QueryList(20)
  .transform((names) => names.map((name) => (name === 'complete' ? 'completed' : name)))
  .pipe(z.array(JobStatus))

export const create = endpoint({
  id: 'jobs.create',
  method: 'POST',
  path: '/jobs',
  summary: 'Creates a job',
  description:
    'With `trigger: "immediate"` (or `immediate: true`) it is ready at once, otherwise it waits to be executed. A `workbook:map` job gets its plan first. ' +
    'A job `mutate-records` needs `mutations:run`, to create it and for all that may start it: see the preview of a mutation. ' +
    'A job with the operation of an action on its source is held to the form and the constraints of the action. ' +
    'With `scheduledFor` it is scheduled, and becomes ready within a minute of that time. With `schedule` it is scheduled for that time, or for one period from now, and each time it becomes ready the next job of the series is created; canceling or deleting the scheduled one ends the series. ' +
    `A ready job that nobody takes within ${JOB_UNTAKEN_HOURS} hours fails, and so does one that is worked on without a sign for ${JOB_SILENT_HOURS} hours.`,
  policy: { can: 'jobs:write', on: 'resource', at: 'body.source' },
  body: CreateJob,
  reply: data(Job),
  errors: ['too-large', 'not-found', 'unprocessable'],
  example: {
    body: { type: 'workbook', operation: 'submit', source: '{workbookId}', trigger: 'manual', input: { note: 'June' } },
  },
})
export const listed = endpoint({
  id: 'jobs.list',
  method: 'GET',
  path: '/jobs',
  summary: 'Lists jobs, newest first unless told',
  policy: { can: 'jobs:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: narrowing('space').optional(),
    workbookId: narrowing('workbook').optional(),
    fileId: narrowing('file').optional(),
    parentId: narrowing('job').optional(),
    source: narrowing('workbook', 'sheet', 'file', 'space').optional(),
    destination: narrowing('workbook').optional(),
    type: z.enum(JOB_TYPES).optional(),
    operation: z.string().max(200).optional(),
    /** May be repeated: jobs in any of these. */
    status: JobStatuses.optional(),
    excludeChildJobs: QueryBoolean.optional(),
    /** `createdAt` unless told. */
    sortField: z.enum(['createdAt', 'updatedAt']).optional(),
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
const write = { can: 'jobs:write', on: 'job', at, guests: 'own' } as const

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
    /** Schedules the job: one that has begun or ended begins anew when its time comes. */
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
  description:
    `Listeners hear of progress at most once in ${JOB_UPDATE_MS} ms a job, and of the last always. ` +
    'A job that is to complete at a time may be silent until then.',
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

/** A preview looks at this many of the records meant, and tells of this many that would change. */
export const PREVIEWED_RECORDS = 1000
export const PREVIEW_SHOWN = 100

export const previewMutation = endpoint({
  id: 'jobs.previewMutation',
  method: 'POST',
  path: '/jobs/preview-mutation',
  summary: 'Shows what a `mutate-records` job would change, and changes nothing',
  description:
    'Needs `mutations:run`, as does a job `mutate-records`: administrators, secret keys and agents have it, publishable keys and the tokens they ' +
    'get never, guests where `settings.guestsRunMutations` of their space is true. ' +
    `Runs the function over the first ${PREVIEWED_RECORDS} records the job would be about, and answers up to ${PREVIEW_SHOWN} that would change, with the values ` +
    'they have (`snapshotValue`) and would have (`value`). It runs where the job would run it: in an engine of its own, without network, timers, files, Intl or anything of the platform.',
  policy: { can: 'jobs:write', on: 'sheet', at: 'body.sheetId' },
  body: mutateRecords.config,
  reply: list(DiffRecord),
  errors: ['unprocessable'],
  also: ['large'],
  example: {
    body: {
      sheetId: '{sheetId}',
      mutateRecord: "(record) => record.set('email', String(record.get('email')).toLowerCase())",
    },
  },
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
