/** Endpoints of jobs. Jobs are run by listeners, agents or the platform (schemas/jobs/operations.ts). */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, paged, pageQuery, QueryBoolean, QueryList, Success } from '../kit/page.ts'
import { KeepRecipe } from '../programs/recipe.ts'
import { Program } from '../programs/shape.ts'
import { DiffRecord } from '../records/diff.ts'
import { MAX_UNDONE_CHANGES } from '../records/limits.ts'
import { writeParams } from '../records/selection.ts'
import { ImportUndone } from './import-modes.ts'
import { mutateRecords } from './operations.ts'
import { Outcome } from './outcome.ts'
import { PreviewToken } from './preview.ts'
import { JobSchedule } from './schedule.ts'
import {
  CreateJob,
  JOB_IDLE_TIMEOUT_HOURS,
  JOB_START_TIMEOUT_HOURS,
  JOB_TYPES,
  JOB_UPDATE_MS,
  Job,
  JobStatus,
  MAX_CHANGES_PER_PREVIEW,
  MAX_PARTS_PER_SPLIT,
  MAX_RECORDS_PER_PREVIEW,
  MAX_SPLIT_BYTES,
  Progress,
  WrittenStatus,
} from './shape.ts'

const JobStatuses = QueryList(20)
  .transform((names) => names.map((name) => (name === 'complete' ? 'completed' : name)))
  .pipe(z.array(JobStatus))

export const create = endpoint({
  id: 'jobs.create',
  method: 'POST',
  path: '/jobs',
  summary: 'Creates a job',
  description:
    'With `trigger: "immediate"` (or `immediate: true`) the job is ready immediately; otherwise it waits to be executed. A `workbook:map` job gets its plan first. ' +
    'Creating or starting a `mutate-records` job requires the `mutations:run` permission; see the preview of a mutation. ' +
    "If the operation is that of an action on the job's source, the action's form and constraints apply. " +
    'With `scheduledFor` the job is scheduled and becomes ready within a minute of that time. With `schedule` it is scheduled for that time, or for one period from now; each time it becomes ready, the next job of the series is created. Canceling or deleting the scheduled job ends the series. ' +
    `A ready job that is not started within ${JOB_START_TIMEOUT_HOURS} hours fails, and so does a running job without updates for ${JOB_IDLE_TIMEOUT_HOURS} hours.`,
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
  summary: 'Lists jobs, newest first by default',
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
    status: JobStatuses.optional(),
    excludeChildJobs: QueryBoolean.optional(),
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
  summary: 'Updates a job, including its status',
  policy: write,
  params,
  body: z.object({
    config: nullish(AnyObject),
    status: nullish(WrittenStatus),
    progress: nullish(Progress),
    outcomeAcknowledgedAt: nullish(z.iso.datetime({ offset: true })),
    info: nullish(z.string()),
    metadata: nullish(AnyObject),
    scheduledFor: nullish(z.iso.datetime({ offset: true })),
    schedule: nullish(JobSchedule),
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
const ExecuteJob = z.object({ preview: nullish(PreviewToken) })

export const execute = endpoint({
  id: 'jobs.execute',
  method: 'POST',
  path: '/jobs/{jobId}/execute',
  summary: 'Makes a job ready; idempotent, without a second event',
  description:
    'With the token of a preview, the job writes exactly what was previewed. If the plan, the records or the fields changed since, the response is a 409 that lists each change. ' +
    'A change between the response and the commit of the job makes the job fail.',
  policy: write,
  params,
  body: ExecuteJob,
  bodyOptional: true,
  reply: Success,
  errors: ['conflict'],
  example,
})
export const acknowledge = endpoint({
  id: 'jobs.acknowledge',
  method: 'POST',
  path: '/jobs/{jobId}/ack',
  summary: 'Starts a ready job, then reports its progress',
  description:
    `Listeners receive at most one progress update per ${JOB_UPDATE_MS} ms and job, and always the last one. ` +
    'A job with an estimated completion time does not need to send updates until then.',
  policy: write,
  params,
  body: z.object({
    info: nullish(z.string()),
    progress: nullish(Progress),
    estimatedCompletionAt: nullish(z.iso.datetime({ offset: true })),
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

const JobEnd = z.object({ outcome: nullish(Outcome), info: nullish(z.string()) })

export const complete = endpoint({
  id: 'jobs.complete',
  method: 'POST',
  path: '/jobs/{jobId}/complete',
  summary: 'Completes a job',
  policy: write,
  params,
  body: JobEnd,
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { outcome: { heading: 'Done', message: 'All contacts were imported.' } } },
})
export const fail = endpoint({
  id: 'jobs.fail',
  method: 'POST',
  path: '/jobs/{jobId}/fail',
  summary: 'Marks a job as failed',
  policy: write,
  params,
  body: JobEnd,
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { info: 'The target system did not respond.' } },
})
export const cancel = endpoint({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/jobs/{jobId}/cancel',
  summary: 'Cancels a job that has not ended',
  policy: write,
  params,
  body: z.object({ info: nullish(z.string()) }),
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict'],
  example: { ...example, body: { info: 'No longer needed' } },
})
export const split = endpoint({
  id: 'jobs.split',
  method: 'POST',
  path: '/jobs/{jobId}/split',
  summary: `Splits a job into up to ${MAX_PARTS_PER_SPLIT} parts that it waits for`,
  description:
    'Each part is a separate job for the same listeners, with its `part` number (from 0) and, if you pass a list, its `partData`. ' +
    'Sequential parts become ready one after another, parallel parts at the same time. When all have ended, in any status, ' +
    "the job becomes `parts-completed`, and its event lists each part's status; the job is then acknowledged and completed like any other. " +
    'Canceling or failing the job before that cancels its parts; deleting it deletes them. ' +
    `All parts together have at most ${MAX_SPLIT_BYTES} bytes.`,
  policy: write,
  params,
  body: z.object({
    parts: z.union([
      z.number().int().min(1).max(MAX_PARTS_PER_SPLIT),
      z.array(AnyObject).min(1).max(MAX_PARTS_PER_SPLIT),
    ]),
    runInParallel: nullish(z.boolean()),
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
  description: 'A failed job that was executed with the token of a preview keeps it, unless you pass another one.',
  policy: write,
  params,
  body: ExecuteJob,
  bodyOptional: true,
  reply: data(Job),
  errors: ['conflict'],
  example,
})
export const undoImport = endpoint({
  id: 'jobs.undoImport',
  method: 'DELETE',
  path: '/jobs/{jobId}/import',
  summary: 'Undoes the import of a completed `workbook:map` job, as one commit',
  description:
    'Records that the import created are deleted, updated ones get their old values, and deleted ones come back. Also requires `records:write`. ' +
    'If any of its records were changed since, nothing is undone, and the response is a 409 that says who changed how many, with examples. ' +
    `Records that were written since by others stay. If there are any, and the import updated and deleted more than ${MAX_UNDONE_CHANGES.toLocaleString('en')} records, the response is also a 409. ` +
    'Repeating the request changes nothing.',
  policy: write,
  params,
  query: z.object(writeParams),
  reply: data(ImportUndone),
  errors: ['conflict'],
  example: { ...example, note: 'The job must be a completed mapping that wrote records.' },
})

export const keepRecipe = endpoint({
  id: 'jobs.keepRecipe',
  method: 'POST',
  path: '/jobs/{jobId}/recipe',
  summary: 'Keeps what was done to a file as a recipe: the rules of a completed `workbook:map` job and later edits',
  description:
    'Edits and merges of the quality endpoints and of `edit-values` jobs after the import become steps, unless a restored version took them back. `notKept` names changes that cannot be repeated. ' +
    'A recipe is used in its space, or with `scope: environment` in the whole environment, which requires `mapping:write`, as does `forGuests`. ' +
    'With `automatic`, new mapping jobs into the same sheet, or another sheet with its slug, use the recipe if at least half of its columns are in the file.',
  policy: write,
  params,
  body: KeepRecipe,
  reply: data(z.object({ program: Program, notKept: z.array(z.string()) })),
  errors: ['conflict', 'too-large'],
  example: { ...example, body: { name: 'Contacts of the old system' }, note: 'The job must be a completed mapping.' },
})

export const previewMutation = endpoint({
  id: 'jobs.previewMutation',
  method: 'POST',
  path: '/jobs/preview-mutation',
  summary: 'Previews the changes of a `mutate-records` job without applying them',
  description:
    'Requires `mutations:run`, like a `mutate-records` job: administrators, secret keys and agents have it; publishable keys and their tokens ' +
    'never do; guests do if `settings.guestsRunMutations` of their space is true. ' +
    `Runs the function over the first ${MAX_RECORDS_PER_PREVIEW} selected records and returns up to ${MAX_CHANGES_PER_PREVIEW} that would change, with their current ` +
    'values (`snapshotValue`) and new values (`value`). It runs in the same sandbox as the job: a separate engine without network, timers, files, Intl or access to the platform.',
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
