import { JOB_IDLE_TIMEOUT_HOURS, JOB_START_TIMEOUT_HOURS } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { NewJob, StoredJob } from '../../entities/jobs.ts'
import { buildFailedOutcome } from '../lifecycle/failed-outcome.ts'
import { getStaleTime } from '../lifecycle/schedule.ts'
import { getExecuteTrigger } from '../lifecycle/state-machine.ts'
import { applyTransition, type ChosenTransition } from '../lifecycle/transition.ts'
import { getNextEmitTime } from '../lifecycle/update-throttle.ts'

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
      ? message('jobs.noListener', { count: JOB_START_TIMEOUT_HOURS, operation: `${job.type}:${job.operation}` })
      : message(job.estimatedCompletionAt === undefined ? 'jobs.noSignOfLife' : 'jobs.noSignOfLifePastEstimate', {
          count: JOB_IDLE_TIMEOUT_HOURS,
        })
  return { trigger: 'fail', changes: { info, outcome: buildFailedOutcome(info) } }
}
