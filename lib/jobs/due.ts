/**
 * What the clock does to a job that is due: a scheduled one becomes ready, what was held back is told, one whose listener
 * vanished fails.
 */
import { JOB_SILENT_HOURS, JOB_UNTAKEN_HOURS } from '../../schemas/job.ts'
import { ApiError } from '../core/errors.ts'
import type { NewJob, StoredJob } from '../entities/jobs.ts'
import { toExecute } from './machine.ts'
import { type Decision, moveNow } from './move.ts'
import { silentUntil } from './schedule.ts'
import { tellAt } from './telling.ts'

/** Does what is due for the job at `now`; once, however often and by how many it is asked. */
export async function attend(job: StoredJob, now: Date): Promise<void> {
  const owner = { accountId: job.accountId, actorId: job.createdBy }
  await moveNow(owner, job.id, (current) => whatIsDue(current, now.toISOString()), now).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'not-found')) throw error
  })
}

/** The move of a job at `now`; undefined when its time has not come. */
export function whatIsDue(job: NewJob, now: string): Decision | undefined {
  if (job.lookAt === undefined || job.lookAt > now) return undefined
  if (job.status === 'scheduled' && (job.scheduledFor ?? '~') <= now) return { trigger: toExecute(job) }
  if (job.untold && tellAt(job) <= now) return { trigger: 'tell' }
  const until = silentUntil(job)
  if (until === undefined) return undefined
  if (until > now) return { trigger: 'watch', changes: { lookAt: until } }
  const info =
    job.status === 'ready'
      ? `No listener took the job within ${JOB_UNTAKEN_HOURS} hours: none is running that takes ${job.type}:${job.operation}.`
      : `Nothing was heard of the job for ${JOB_SILENT_HOURS} hours${after(job)}: the listener that worked on it has stopped.`
  const next = { type: 'retry', label: 'Try again' }
  return {
    trigger: 'fail',
    changes: { info, outcome: { acknowledge: true, heading: 'The job failed', message: info, next } },
  }
}

const after = ({ estimatedCompletionAt }: NewJob): string =>
  estimatedCompletionAt === undefined ? '' : ' after it was to complete'
