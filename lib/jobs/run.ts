/**
 * Runs the jobs the platform performs itself. A run claims a ready job by the move to executing, and holds it by a lease it
 * keeps renewing; when a run dies, a repeated delivery takes the job over once the lease has run out. Work done twice
 * counts once: every write carries the job's own operation id.
 */
import { JOB_UPDATE_MS } from '../../schemas/job.ts'
import { ApiError, unprocessable } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { Jobs, type NewJob } from '../entities/jobs.ts'
import { Lease, type LeaseOptions, Stopped, unlessStopped } from './lease.ts'
import { offerFor } from './offers/index.ts'
import { performerOf } from './operations/index.ts'
import type { Ending, Performer } from './operations/performer.ts'

export interface RunOptions extends LeaseOptions {
  /** When the run must have ended, in milliseconds of the epoch; later the job fails with a message that says so. */
  deadline?: number
}

/** A run tells of its progress at most this often: seldom enough that none of it is held back (telling.ts). */
const PROGRESS_MS = 1.5 * JOB_UPDATE_MS

export type RunResult = 'performed' | 'left'

/** Performs the job if it is the platform's and nobody else performs it. Safe to call any number of times, also at once. */
export async function runJob(jobId: string, options: RunOptions): Promise<RunResult> {
  const job = await Jobs.get(jobId)
  const offer = job && (await offerFor(job))
  if (!job || !offer) return 'left'
  const lease = new Lease(job, options)
  const claimed = await lease.claim()
  if (!claimed) return 'left'
  await performClaimed(claimed, performerOf(offer), lease, options.deadline)
  return 'performed'
}

async function performClaimed(
  job: NewJob,
  performer: Performer,
  lease: Lease,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  const stopRenewing = lease.keepRenewing()
  try {
    const ending = await performer.perform({
      job,
      actor: lease.actor,
      op: job.rounds ? `${job.id}#${job.rounds}` : job.id,
      progress: reporter(lease, deadline),
      assertHeld: () => lease.assertHeld(),
      remember: (changes, also) =>
        lease.move(() => ({ trigger: 'renew', changes: { ...changes, lease: lease.next() }, also })),
    })
    stopRenewing()
    await complete(lease, ending)
  } catch (error) {
    stopRenewing()
    if (error instanceof Stopped) return
    await fail(lease, error)
  }
}

function reporter(lease: Lease, deadline: number) {
  const began = Date.now()
  let told = 0
  return async (fraction: number, info?: string): Promise<void> => {
    const now = Date.now()
    if (now > deadline)
      throw unprocessable('The job took longer than one run may take: split the data into smaller parts.')
    if (lease.lost) throw new Stopped()
    // The last look before the work becomes visible: a canceled job writes nothing.
    if (fraction >= 1) await lease.assertHeld()
    if (now - told < PROGRESS_MS) return
    told = now
    // 100 is said by the completion alone.
    const progress = Math.max(0, Math.min(99, Math.floor(fraction * 100)))
    const estimatedCompletionAt = estimate(began, now, fraction)
    await lease.move(() => ({
      trigger: 'acknowledge',
      changes: { progress, info, estimatedCompletionAt, lease: lease.next() },
    }))
  }
}

/** Too little is done to tell by. */
const LEAST_FRACTION = 0.05

/** When work that goes on as it has ends, as ISO-8601. */
function estimate(began: number, now: number, fraction: number): string | undefined {
  if (fraction < LEAST_FRACTION) return undefined
  return new Date(began + (now - began) / Math.min(1, fraction)).toISOString()
}

const complete = (lease: Lease, { info, outcome, result, workbookId, alongside }: Ending): Promise<void> =>
  lease
    .move(() => ({
      trigger: 'complete',
      changes: { info, outcome, result, workbookId },
      ...(alongside ? { also: alongside } : {}),
    }))
    .catch(unlessStopped)

function fail(lease: Lease, error: unknown): Promise<void> {
  const message = error instanceof ApiError ? error.message : 'Something went wrong on our side; try again later.'
  if (!(error instanceof ApiError))
    log.error('A job failed unexpectedly', { jobId: lease.jobId, error: error as Error })
  const outcome = { acknowledge: true, heading: 'The job failed', message, next: { type: 'retry', label: 'Try again' } }
  return lease.move(() => ({ trigger: 'fail', changes: { info: message, outcome } })).catch(unlessStopped)
}
