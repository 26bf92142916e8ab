import * as z from 'zod'
import { Empty, JobContext } from '../kit/context.ts'
import { Id, Time } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'
import { JobPayload, JobStatus } from './shape.ts'

const JobEventContext = z.looseObject({
  ...JobContext.shape,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  fileId: Id.optional(),
  parentId: Id.optional(),
  parts: z.number().int().optional(),
  successors: z.number().int().optional(),
})
const jobEvent = { payload: JobPayload, context: JobEventContext }
const Part = z.object({ partId: Id, status: JobStatus, completedAt: Time })

export const created = topic('job:created', { when: 'a job is first created', ...jobEvent })
export const ready = topic('job:ready', {
  when: 'a job is ready to be executed: its plan is complete, or it does not need one',
  ...jobEvent,
})
export const scheduled = topic('job:scheduled', { when: 'a job is scheduled for a future time', ...jobEvent })
export const updated = topic('job:updated', { when: "a job's state or progress is updated", ...jobEvent })
export const completed = topic('job:completed', { when: 'a job has completed', ...jobEvent })
export const failed = topic('job:failed', { when: 'a job has failed', ...jobEvent })
export const outcomeAcknowledged = topic('job:outcome-acknowledged', {
  when: "a user has acknowledged a job's completion or failure",
  ...jobEvent,
})
export const partsCompleted = topic('job:parts-completed', {
  when: 'all parts of a multi-part job have ended',
  payload: JobPayload.extend({ parts: z.array(Part) }),
  context: JobEventContext,
})
export const deleted = topic('job:deleted', { when: 'a job is deleted', payload: Empty, context: JobEventContext })
