/**
 * Runs the jobs the platform performs itself. A run claims a ready job by the move to executing, and holds it by a lease it
 * keeps renewing; when a run dies, a repeated delivery takes the job over once the lease has run out. Work done twice
 * counts once: every write carries the job's own operation id.
 */
import { JOB_UPDATE_MS } from '../../schemas/job.ts'
import { ApiError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { Jobs, type NewJob } from '../entities/jobs.ts'
import { Lease, type LeaseOptions, Stopped, unlessStopped } from './lease.ts'
import { offerFor } from './offers/index.ts'
import { performerOf } from './operations/index.ts'
import { type Ending, type Performer, tooLong, Unfinished } from './operations/performer.ts'

export interface RunOptions extends LeaseOptions {
  /** When the run must have ended, in milliseconds of the epoch; later the job fails with a message that says so, ... */
  deadline?: number
  /** ... unless it can go on in a further run, which this begins. */
  goOn?(): Promise<void>
}

/** A run tells of its progress at most this often: seldom enough that none of it is held back (telling.ts). */
const PROGRESS_MS = 1.5 * JOB_UPDATE_MS

export type RunResult = 'performed' | 'left' | 'unfinished'

/** Performs the job if it is the platform's and nobody else performs it. Safe to call any number of times, also at once. */
export async function runJob(jobId: string, options: RunOptions): Promise<RunResult> {
  const job = await Jobs.get(jobId)
  const offer = job && (await offerFor(job))
  if (!job || !offer) return 'left'
  const lease = new Lease(job, options)
  const claimed = await lease.claim()
  if (!claimed) return 'left'
  return performClaimed(claimed, performerOf(offer), lease, options)
}

async function performClaimed(
  job: NewJob,
  performer: Performer,
  lease: Lease,
  { deadline = Number.POSITIVE_INFINITY, goOn }: RunOptions,
): Promise<RunResult> {
  const stopRenewing = lease.keepRenewing()
  try {
    const ending = await performer.perform({
      job,
      actor: lease.actor,
      op: job.rounds ? `${job.id}#${job.rounds}` : job.id,
      progress: reporter(lease, deadline, performer.goesOn && goOn ? () => new Unfinished() : tooLong),
      assertHeld: () => lease.assertHeld(),
      remember: (changes, also) =>
        lease.move(() => ({ trigger: 'renew', changes: { ...changes, lease: lease.next() }, also })),
    })
    stopRenewing()
    await complete(lease, ending)
  } catch (error) {
    stopRenewing()
    if (error instanceof Unfinished && goOn) return leave(lease, goOn)
    if (!(error instanceof Stopped)) await fail(lease, error)
  }
  return 'performed'
}

/** Gives the job up for the next run to take; should that not be begun, this one is repeated. */
async function leave(lease: Lease, goOn: () => Promise<void>): Promise<RunResult> {
  await lease.move(() => ({ trigger: 'renew', changes: { lease: lease.ended() } })).catch(unlessStopped)
  if (!lease.lost) await goOn()
  return 'unfinished'
}

function reporter(lease: Lease, deadline: number, late: () => Error) {
  const began = Date.now()
  let told = 0
  return async (fraction: number, info?: string): Promise<void> => {
    const now = Date.now()
    if (now > deadline) throw late()
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
