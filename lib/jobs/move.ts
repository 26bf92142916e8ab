/** Moves a job: the state, what belongs to it, and its events, written together. Every change of a job's state goes through here. */
import { conflict, notFound } from '../core/errors.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import { ConditionFailed } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { withoutUndefined } from './copy.ts'
import { type EndedParts, emitJobEvents } from './events.ts'
import { hasBegun, isEnded, type Step, statesFor, step, type Trigger } from './machine.ts'
import { lookAt, repeat } from './schedule.ts'
import { assertJobFits } from './size.ts'
import { leftUntold, tellLater, toldNow } from './telling.ts'

/** What a move sets beside the state; a member that is undefined stays as it is. */
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
    | 'parts'
    | 'awaited'
    | 'awaits'
    | 'scheduledFor'
    | 'schedule'
    | 'lookAt'
  >
>

export interface Decision {
  trigger: Trigger
  changes?: JobChanges
  /** How the job's parts ended, where the move tells of that. */
  ended?: EndedParts
  /** Writes what belongs to the move into its transaction; asked anew at each attempt. */
  also?: (tx: Tx) => void | Promise<void>
}

/** Decides on the job as just read: its move, or undefined to leave it alone. May throw to refuse. */
export type Decide = (job: StoredJob) => Decision | undefined

/**
 * Writes one move of `job` and emits its events in the given unit of work.
 * @returns the job as it will be. Throws 409, naming state and trigger, for a move that does not exist.
 */
export function move(tx: Tx, job: StoredJob, trigger: Trigger, changes: JobChanges = {}, ended?: EndedParts): NewJob {
  const next = allowed(job, trigger)
  if (next.emits.length === 0 && Object.keys(changes).length === 0) return job
  const told = toldNow(job, trigger, next, tx.now)
  const stays = next.to === job.status
  // Listeners hear of the last progress before they hear that the job has moved on.
  if (job.untold && !stays) emitJobEvents(tx, job, ['job:updated'])
  const there = arrived(job, next.to, trigger, { ...changes, untold: leftUntold(job, next, told) }, tx.now)
  const heardAt = emitJobEvents(tx, there, told, ended)
  // An event is made some milliseconds after its change began; another machine's clock may be ahead of this one's.
  const toldAt = !stays ? undefined : heardAt === undefined ? job.toldAt : later(heardAt, tx.now)
  const after = withoutUndefined({ ...there, toldAt })
  assertJobFits(after)
  tx.write(Jobs.replace(job, after))
  if (after.untold && !job.untold) tx.afterCommit(() => tellLater(after))
  if (job.schedule && job.status === 'scheduled' && BEGINS.has(trigger)) repeat(tx, job, job.schedule)
  return after
}

const later = (a: string, b: string): string => (a > b ? a : b)

/** Attempts before a job that others keep changing answers 409. */
const ATTEMPTS = 8

/**
 * Reads the job, decides, and commits by itself. When somebody else wrote in between it reads and decides anew: listeners
 * tell of their progress without waiting for the answer, so concurrent calls are normal and must not fail by chance.
 * @param now instead of the machine's own clock.
 * @returns the job after the move. Throws 404 when it is gone and 409 for a move that does not exist.
 */
export async function moveNow(actor: Actor, jobId: string, decide: Decide, now?: Date): Promise<NewJob> {
  for (let attempt = 1; ; attempt++) {
    const job = await Jobs.get(jobId)
    if (!job) throw notFound('job', jobId)
    const decision = decide(job)
    if (!decision) return job
    const tx = begin(actor, now?.toISOString())
    const after = move(tx, job, decision.trigger, decision.changes, decision.ended)
    await decision.also?.(tx)
    if (attempt < ATTEMPTS) tx.onConflict((error) => error)
    try {
      await tx.commit()
      return after
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}

function allowed(job: StoredJob, trigger: Trigger): Step {
  const found = step(job.status, trigger)
  if (found) return found
  const states = statesFor(trigger).join(', ')
  throw conflict(`The job is ${job.status}: "${trigger}" is not possible in this state, only in ${states}.`)
}

function arrived(
  job: StoredJob,
  status: NewJob['status'],
  trigger: Trigger,
  { untold, ...changes }: JobChanges & Pick<NewJob, 'untold'>,
  now: string,
): NewJob {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after: NewJob = { ...startFor(job, trigger), ...given, status, untold }
  if (changes.outcome !== undefined) after.outcomeBy = changes.outcomeBy
  // To look at a job is no sign of life.
  if (!LOOKS.has(trigger)) after.updatedAt = now
  if (status === 'executing') after.startedAt ??= now
  else delete after.lease
  if (isEnded(status)) after.finishedAt ??= now
  if (status === 'completed') after.progress = 100
  return withoutUndefined({ ...after, lookAt: lookAt(after, job) })
}

/** Its time has come, though it may have to wait. */
const BEGINS: ReadonlySet<Trigger> = new Set(['execute', 'wait'])
const LOOKS: ReadonlySet<Trigger> = new Set(['watch', 'tell'])

/** What a move begins with: the job as it is, or without what its last round left behind. */
function startFor(job: StoredJob, trigger: Trigger): NewJob {
  if (trigger === 'retry') {
    // Whoever wants it again does not wait for what has failed.
    const { awaits, ...rest } = afresh(job)
    return rest
  }
  if (trigger !== 'schedule' || !hasBegun(job.status)) return job
  // Its series goes on in the job that was made when this one became ready.
  const { schedule, scheduledFor, ...rest } = afresh(job)
  return rest
}

/** The job without what its last round left behind. */
function afresh(job: StoredJob): NewJob {
  const {
    outcome,
    outcomeBy,
    info,
    startedAt,
    finishedAt,
    outcomeAcknowledgedAt,
    estimatedCompletionAt,
    lease,
    ...rest
  } = job
  const fresh = { ...rest, progress: 0 }
  return job.status === 'completed' ? { ...fresh, rounds: (job.rounds ?? 0) + 1, snapshotTaken: undefined } : fresh
}
