/** What jobs tell of. */
import * as z from 'zod'
import { Empty, JobContext } from './context.ts'
import { Id, Time } from './ids.ts'
import { JobStatus } from './job.ts'
import { topic } from './topic.ts'

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
  /** Of a job that others wait for: how many have. */
  successors: z.number().int().optional(),
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
