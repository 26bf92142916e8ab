/** Which move a client's request means, decided on the job as it is. Pure: the caller applies it (lib/jobs/move.ts). */
import type * as z from 'zod'
import type { JobStatus } from '../../schemas/job.ts'
import type { update } from '../../schemas/jobs.ts'
import { conflict, invalidField } from '../core/errors.ts'
import type { NewJob } from '../entities/jobs.ts'
import { withoutUndefined } from './copy.ts'
import { hasBegun, isEnded, type Trigger, toExecute } from './machine.ts'
import type { Decide, Decision, JobChanges } from './move.ts'
import { firstTime } from './schedule.ts'

export type JobUpdate = z.output<(typeof update)['body']>

const TRIGGER_TO: Partial<Record<JobStatus, Trigger>> = {
  planning: 'plan',
  scheduled: 'schedule',
  executing: 'acknowledge',
  completed: 'complete',
  failed: 'fail',
  canceled: 'cancel',
}

/** A new status is a move like any other; every other change tells of the job where it stands. */
export const toUpdate =
  ({ status, ...changes }: JobUpdate, now: string): Decide =>
  (job) => {
    if (changes.scheduledFor !== undefined || changes.schedule !== undefined)
      return toSchedule({ status, ...changes }, now, job)
    if (changes.outcomeAcknowledgedAt !== undefined)
      return toAcknowledgeOutcome(changes.outcomeAcknowledgedAt, changes)(job)
    if (status === undefined || status === job.status)
      return { trigger: changes.progress === undefined ? 'update' : 'progress', changes }
    const trigger = status === 'ready' ? toReady(job) : TRIGGER_TO[status]
    if (!trigger) throw invalidField('status', `cannot be set to ${status}`)
    return { trigger, changes }
  }

const toReady = (job: NewJob): Trigger => (isEnded(job.status) ? 'retry' : toExecute(job))

function toSchedule({ status, ...changes }: JobUpdate, now: string, job: NewJob): Decision {
  if (status !== undefined && status !== 'scheduled')
    throw invalidField('status', `cannot be ${status} for a job that is scheduled: leave it out`)
  const kept = changes.schedule === undefined || hasBegun(job.status) ? {} : { scheduledFor: job.scheduledFor }
  const scheduledFor = firstTime({ ...kept, ...withoutUndefined(changes) }, now)
  return { trigger: 'schedule', changes: { ...changes, scheduledFor } }
}

/** Only what people wait for has an outcome to acknowledge; a repeated acknowledgement changes and tells nothing. */
export const toAcknowledgeOutcome =
  (at: string, changes: JobChanges = {}): Decide =>
  (job) => {
    if (job.mode === 'background' || job.mode === 'hidden') {
      throw conflict(`The job is a ${job.mode} job: only the outcome of a foreground job is acknowledged.`)
    }
    if (job.outcomeAcknowledgedAt !== undefined) return undefined
    return { trigger: 'acknowledgeOutcome', changes: { ...changes, outcomeAcknowledgedAt: at } }
  }
