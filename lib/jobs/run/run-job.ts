/**
 * Runs the platform's jobs. If a run dies, a redelivery takes the job over when its lease expires. Repeated work counts
 * once, because writes carry the job's operation id.
 */
import { JOB_UPDATE_MS } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { ApiError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { Jobs, type NewJob } from '../../entities/jobs.ts'
import { buildFailedOutcome } from '../lifecycle/failed-outcome.ts'
import { findOperation } from '../operations/index.ts'
import {
  createTimeLimitError,
  type JobResult,
  OutOfTimeError,
  type PlatformOperation,
  type Run,
} from '../operations/operation.ts'
import { ignoreStopped, Lease, type LeaseOptions, StoppedError } from './lease.ts'

export interface RunOptions extends LeaseOptions {
  /** Epoch milliseconds. After this the job fails, unless `startNextRun` can continue it. */
  deadline?: number
  startNextRun?(): Promise<void>
}

const PROGRESS_MS = { min: 1.5 * JOB_UPDATE_MS, max: 5 * JOB_UPDATE_MS }

export type RunResult = 'performed' | 'left' | 'unfinished'

export async function runJob(jobId: string, options: RunOptions): Promise<RunResult> {
  const job = await Jobs.get(jobId)
  const operation = job && (await findOperation(job))
  if (!job || !operation) return 'left'
  const lease = new Lease(job, options)
  const claimedJob = await lease.claim()
  if (!claimedJob) return 'left'
  return runClaimed(claimedJob, operation, lease, options)
}

async function runClaimed(
  job: NewJob,
  operation: PlatformOperation,
  lease: Lease,
  { deadline = Number.POSITIVE_INFINITY, startNextRun }: RunOptions,
): Promise<RunResult> {
  const stopRenewing = lease.keepRenewing()
  try {
    const run: Run = {
      job,
      actor: lease.actor,
      op: job.rounds ? `${job.id}#${job.rounds}` : job.id,
      progress: createProgressReporter(
        lease,
        deadline,
        operation.resumable && startNextRun ? () => new OutOfTimeError() : createTimeLimitError,
      ),
      assertHeld: () => lease.assertHeld(),
      remember: (changes, inTransaction) =>
        lease.transition(() => ({
          trigger: 'renew',
          changes: { ...changes, lease: lease.buildRenewal() },
          inTransaction,
        })),
    }
    const jobResult = await lease.measureRun(() => operation.run(run))
    stopRenewing()
    await completeJob(lease, jobResult)
  } catch (error) {
    stopRenewing()
    if (error instanceof OutOfTimeError && startNextRun) return handOver(lease, startNextRun)
    if (!(error instanceof StoppedError)) await failJob(lease, error)
  }
  return 'performed'
}

/** Releases the job for the next run. If starting that one fails, this one is redelivered. */
async function handOver(lease: Lease, startNextRun: () => Promise<void>): Promise<RunResult> {
  await lease.transition(() => ({ trigger: 'renew', changes: { lease: lease.buildExpired() } })).catch(ignoreStopped)
  if (!lease.lost) await startNextRun()
  return 'unfinished'
}

function createProgressReporter(lease: Lease, deadline: number, createLateError: () => Error) {
  const startedAt = Date.now()
  let reportedAt = startedAt
  return async (fraction: number, info?: string): Promise<void> => {
    const now = Date.now()
    if (now > deadline) throw createLateError()
    if (lease.lost) throw new StoppedError()
    // The last check before the work becomes visible: a canceled job must not write.
    if (fraction >= 1) await lease.assertHeld()
    if (now - reportedAt < getProgressInterval(reportedAt - startedAt)) return
    reportedAt = now
    // Only completion sets 100.
    const progress = Math.max(0, Math.min(99, Math.floor(fraction * 100)))
    const estimatedCompletionAt = estimateCompletion(startedAt, now, fraction)
    await lease.transition(() => ({
      trigger: 'acknowledge',
      changes: { progress, info, estimatedCompletionAt, lease: lease.buildRenewal() },
    }))
  }
}

/** A report costs about 15 write units, so longer jobs report less often. */
const getProgressInterval = (elapsedMs: number): number =>
  Math.min(PROGRESS_MS.max, Math.max(PROGRESS_MS.min, elapsedMs))

const MIN_FRACTION = 0.05

function estimateCompletion(startedAt: number, now: number, fraction: number): string | undefined {
  if (fraction < MIN_FRACTION) return undefined
  return new Date(startedAt + (now - startedAt) / Math.min(1, fraction)).toISOString()
}

const completeJob = (lease: Lease, { info, outcome, result, workbookId, inTransaction }: JobResult): Promise<void> =>
  lease
    .transition(() => ({
      trigger: 'complete',
      changes: { info, outcome, result, workbookId },
      ...(inTransaction ? { inTransaction } : {}),
    }))
    .catch(ignoreStopped)

function failJob(lease: Lease, error: unknown): Promise<void> {
  const info = error instanceof ApiError ? error.message : message('jobs.unexpectedFailure')
  if (!(error instanceof ApiError))
    log.error('A job failed unexpectedly', { jobId: lease.jobId, error: error as Error })
  const outcome = buildFailedOutcome(info)
  return lease.transition(() => ({ trigger: 'fail', changes: { info, outcome } })).catch(ignoreStopped)
}
