/** Every change of a job goes through here, which writes the job and its events together. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import { retryOnConflict } from '../../table/transact.ts'
import { type Actor, begin, type Tx } from '../../tx.ts'
import { withoutUndefined } from './clone-job.ts'
import { emitJobEvents, type PartResults } from './events.ts'
import { createNextInSeries, getCheckTime } from './schedule.ts'
import { assertJobFits } from './size.ts'
import { findStep, getAllowedStates, hasStarted, isEnded, type Step, type Trigger } from './state-machine.ts'
import { getTopicsToEmit, hasPendingUpdate, scheduleEmit } from './update-throttle.ts'

export type JobChanges = Partial<
  Pick<
    NewJob,
    | 'config'
    | 'progress'
    | 'info'
    | 'metadata'
    | 'outcome'
    | 'outcomeBy'
    | 'result'
    | 'workbookId'
    | 'outcomeAcknowledgedAt'
    | 'estimatedCompletionAt'
    | 'lease'
    | 'snapshotTaken'
    | 'preview'
    | 'parts'
    | 'awaitedPartCount'
    | 'pendingPredecessors'
    | 'scheduledFor'
    | 'schedule'
    | 'checkAt'
    | 'timings'
  >
>

export interface ChosenTransition {
  trigger: Trigger
  changes?: JobChanges
  partResults?: PartResults
  /** Adds writes to the transaction. Called again on each attempt. */
  inTransaction?: (tx: Tx) => void | Promise<void>
}

export type ChooseTransition = (job: StoredJob) => ChosenTransition | undefined

/** Returns the job after the transition. Throws 409 when the transition is not allowed. */
export function transition(
  tx: Tx,
  job: StoredJob,
  trigger: Trigger,
  changes: JobChanges = {},
  partResults?: PartResults,
): NewJob {
  const allowedStep = getAllowedStep(job, trigger)
  if (allowedStep.emits.length === 0 && Object.keys(changes).length === 0) return job
  const topics = getTopicsToEmit(job, trigger, allowedStep, tx.now)
  const isSameStatus = allowedStep.to === job.status
  // Listeners receive the last progress before the new status.
  if (job.pendingUpdate && !isSameStatus) emitJobEvents(tx, job, ['job:updated'])
  const updated = afterTransition(
    job,
    allowedStep.to,
    trigger,
    { ...changes, pendingUpdate: hasPendingUpdate(job, allowedStep, topics) },
    tx.now,
  )
  const emittedAt = emitJobEvents(tx, updated, topics, partResults)
  // The event is created a little after the change, and another machine's clock may be ahead.
  const lastEmittedAt = !isSameStatus
    ? undefined
    : emittedAt === undefined
      ? job.lastEmittedAt
      : maxTime(emittedAt, tx.now)
  const after = withoutUndefined({ ...updated, lastEmittedAt })
  assertJobFits(after)
  tx.write(Jobs.replace(job, after))
  if (after.pendingUpdate && !job.pendingUpdate) tx.afterCommit(() => scheduleEmit(after))
  if (job.schedule && job.status === 'scheduled' && START_TRIGGERS.has(trigger))
    createNextInSeries(tx, job, job.schedule)
  return after
}

const maxTime = (a: string, b: string): string => (a > b ? a : b)

const ATTEMPTS = 8

/** Chooses again after a conflict with a listener's report. Throws 404 if the job is gone, 409 if not allowed. */
export async function applyTransition(
  actor: Actor,
  jobId: string,
  choose: ChooseTransition,
  now?: Date,
): Promise<NewJob> {
  return retryOnConflict(ATTEMPTS, async () => {
    const job = await Jobs.get(jobId)
    if (!job) throw notFound('job', jobId)
    const chosen = choose(job)
    if (!chosen) return job
    const tx = begin(actor, now?.toISOString())
    const after = transition(tx, job, chosen.trigger, chosen.changes, chosen.partResults)
    await chosen.inTransaction?.(tx)
    await tx.commit()
    return after
  })
}

function getAllowedStep(job: StoredJob, trigger: Trigger): Step {
  const allowedStep = findStep(job.status, trigger)
  if (allowedStep) return allowedStep
  const states = getAllowedStates(trigger).join(', ')
  throw conflict(message('jobs.wrongStatus', { status: job.status, trigger, states }))
}

function afterTransition(
  job: StoredJob,
  status: NewJob['status'],
  trigger: Trigger,
  { pendingUpdate, ...changes }: JobChanges & Pick<NewJob, 'pendingUpdate'>,
  now: string,
): NewJob {
  const definedChanges = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after: NewJob = { ...stateBefore(job, trigger), ...definedChanges, status, pendingUpdate }
  if (changes.outcome !== undefined) after.outcomeBy = changes.outcomeBy
  if (!CHECK_TRIGGERS.has(trigger)) after.updatedAt = now
  if (status === 'executing') after.startedAt ??= now
  else delete after.lease
  if (isEnded(status)) after.finishedAt ??= now
  if (status === 'completed') after.progress = 100
  return withoutUndefined({ ...after, checkAt: getCheckTime(after, job) })
}

const START_TRIGGERS: ReadonlySet<Trigger> = new Set(['execute', 'wait'])
const CHECK_TRIGGERS: ReadonlySet<Trigger> = new Set(['watch', 'tell'])

function stateBefore(job: StoredJob, trigger: Trigger): NewJob {
  if (trigger === 'retry') {
    // A retried job does not wait for predecessors that failed.
    const { pendingPredecessors, ...remaining } = resetRun(job)
    return remaining
  }
  if (trigger !== 'schedule' || !hasStarted(job.status)) return job
  // The series continues in the job that was created when this one became ready.
  const { schedule, scheduledFor, ...remaining } = resetRun(job)
  return remaining
}

function resetRun(job: StoredJob): NewJob {
  const {
    outcome,
    outcomeBy,
    info,
    startedAt,
    finishedAt,
    outcomeAcknowledgedAt,
    estimatedCompletionAt,
    lease,
    timings,
    ...remaining
  } = job
  const reset = { ...remaining, progress: 0 }
  return job.status === 'completed'
    ? { ...reset, rounds: (job.rounds ?? 0) + 1, snapshotTaken: undefined, preview: undefined }
    : reset
}
