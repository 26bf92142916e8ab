/** Maps a client's PATCH to a transition of the current job. Pure; lib/jobs/lifecycle/transition.ts applies it. */
import type * as z from 'zod'
import type { update } from '../../../schemas/jobs/endpoints.ts'
import type { JobStatus } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { conflict, invalidField } from '../../core/errors.ts'
import type { NewJob } from '../../entities/jobs.ts'
import { withoutUndefined } from './clone-job.ts'
import { getFirstTime } from './schedule.ts'
import { getExecuteTrigger, hasStarted, isEnded, type Trigger } from './state-machine.ts'
import type { ChooseTransition, ChosenTransition, JobChanges } from './transition.ts'

export type JobUpdate = z.output<(typeof update)['body']>

const TRIGGER_BY_STATUS: Partial<Record<JobStatus, Trigger>> = {
  planning: 'plan',
  scheduled: 'schedule',
  executing: 'acknowledge',
  completed: 'complete',
  failed: 'fail',
  canceled: 'cancel',
}

export const chooseUpdate =
  ({ status, ...changes }: JobUpdate, now: string): ChooseTransition =>
  (job) => {
    if (changes.scheduledFor !== undefined || changes.schedule !== undefined)
      return chooseSchedule({ status, ...changes }, now, job)
    if (changes.outcomeAcknowledgedAt !== undefined)
      return chooseOutcomeAcknowledgement(changes.outcomeAcknowledgedAt, changes)(job)
    if (status === undefined || status === job.status)
      return { trigger: changes.progress === undefined ? 'update' : 'progress', changes }
    const trigger = status === 'ready' ? getReadyTrigger(job) : TRIGGER_BY_STATUS[status]
    if (!trigger) throw invalidField('status', message('jobs.statusNotSettable', { status }))
    return { trigger, changes }
  }

const getReadyTrigger = (job: NewJob): Trigger => (isEnded(job.status) ? 'retry' : getExecuteTrigger(job))

function chooseSchedule({ status, ...changes }: JobUpdate, now: string, job: NewJob): ChosenTransition {
  if (status !== undefined && status !== 'scheduled')
    throw invalidField('status', message('jobs.statusWhenScheduling', { status }))
  const currentSchedule =
    changes.schedule === undefined || hasStarted(job.status) ? {} : { scheduledFor: job.scheduledFor }
  const scheduledFor = getFirstTime({ ...currentSchedule, ...withoutUndefined(changes) }, now)
  return { trigger: 'schedule', changes: { ...changes, scheduledFor } }
}

/** Only foreground jobs have an outcome to acknowledge. A repeated acknowledgement changes and emits nothing. */
export const chooseOutcomeAcknowledgement =
  (at: string, changes: JobChanges = {}): ChooseTransition =>
  (job) => {
    if (job.mode === 'background' || job.mode === 'hidden') {
      throw conflict(message('jobs.notForeground', { mode: job.mode }))
    }
    if (job.outcomeAcknowledgedAt !== undefined) return undefined
    return { trigger: 'acknowledgeOutcome', changes: { ...changes, outcomeAcknowledgedAt: at } }
  }
