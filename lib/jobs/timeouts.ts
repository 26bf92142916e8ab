/**
 * Time-based transitions: a scheduled job becomes ready, a throttled update is emitted, a job whose listener vanished
 * fails.
 */
import { JOB_IDLE_TIMEOUT_HOURS, JOB_START_TIMEOUT_HOURS } from '../../schemas/job.ts'
import { ApiError } from '../core/errors.ts'
import type { NewJob, StoredJob } from '../entities/jobs.ts'
import { getStaleTime } from './schedule.ts'
import { getExecuteTrigger } from './state-machine.ts'
import { applyTransition, type ChosenTransition } from './transition.ts'
import { getNextEmitTime } from './update-throttle.ts'

export async function checkJob(job: StoredJob, now: Date): Promise<void> {
  const actor = { accountId: job.accountId, actorId: job.createdBy }
  await applyTransition(actor, job.id, (current) => getDueTransition(current, now.toISOString()), now).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'not-found')) throw error
    },
  )
}

export function getDueTransition(job: NewJob, now: string): ChosenTransition | undefined {
  if (job.checkAt === undefined || job.checkAt > now) return undefined
  if (job.status === 'scheduled' && (job.scheduledFor ?? '~') <= now) return { trigger: getExecuteTrigger(job) }
  if (job.pendingUpdate && getNextEmitTime(job) <= now) return { trigger: 'tell' }
  const timeoutAt = getStaleTime(job)
  if (timeoutAt === undefined) return undefined
  if (timeoutAt > now) return { trigger: 'watch', changes: { checkAt: timeoutAt } }
  const info =
    job.status === 'ready'
      ? `No listener picked up the job within ${JOB_START_TIMEOUT_HOURS} hours. Start a listener that handles ${job.type}:${job.operation}.`
      : `The job showed no sign of life for ${JOB_IDLE_TIMEOUT_HOURS} hours${describeEstimate(job)}. Its listener has probably stopped.`
  const retryAction = { type: 'retry', label: 'Try again' }
  return {
    trigger: 'fail',
    changes: { info, outcome: { acknowledge: true, heading: 'The job failed', message: info, next: retryAction } },
  }
}

const describeEstimate = ({ estimatedCompletionAt }: NewJob): string =>
  estimatedCompletionAt === undefined ? '' : ' past its estimated completion'
