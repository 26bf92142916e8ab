/** When jobs are due, and how they are repeated. Times are ISO-8601 in UTC. */
import { JOB_ESTIMATE_HOURS, JOB_SILENT_HOURS, JOB_UNTAKEN_HOURS } from '../../schemas/job.ts'
import type { JobSchedule } from '../../schemas/schedule.ts'
import { type ApiError, invalidField } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import { Series } from '../entities/series.ts'
import type { Tx } from '../tx.ts'
import { withoutUndefined, workOf } from './copy.ts'
import { emitJobEvents } from './events.ts'
import { NONE, type Step, step } from './machine.ts'
import { assertJobFits } from './size.ts'
import { tellAt } from './telling.ts'

const HOUR = 3_600_000
const PERIODS: Record<JobSchedule, number> = { hourly: HOUR, daily: 24 * HOUR, weekly: 7 * 24 * HOUR }

export interface Wish {
  scheduledFor?: string | undefined
  schedule?: JobSchedule | undefined
}

const iso = (time: number): string => new Date(time).toISOString()

/** When a job is to become ready by the clock: as wished, or one period from now; undefined for one that is not to. */
export function firstTime({ scheduledFor, schedule }: Wish, now: string): string | undefined {
  if (scheduledFor !== undefined) return iso(Date.parse(scheduledFor))
  return schedule && iso(Date.parse(now) + PERIODS[schedule])
}

/** The next time of a series after `now`: what was missed is not made up for. */
export function nextTime(last: string, schedule: JobSchedule, now: string): string {
  const period = PERIODS[schedule]
  const missed = Math.max(0, Math.floor((Date.parse(now) - Date.parse(last)) / period))
  return iso(Date.parse(last) + (missed + 1) * period)
}

/** A series makes its jobs without asking anybody, so none of them could get its plan. */
export const plannedEachTime = (key: string): ApiError =>
  invalidField(key, 'a job with a plan is not repeated: each would need a plan of its own')

/** How long a job may go without a sign, in milliseconds; undefined where nobody is expected to give one. */
const patienceWith = ({ status }: Pick<NewJob, 'status'>): number | undefined =>
  status === 'ready' ? JOB_UNTAKEN_HOURS * HOUR : status === 'executing' ? JOB_SILENT_HOURS * HOUR : undefined

/** Until when a job may be silent: one that said when it completes, until then and the usual time more. */
export function silentUntil(job: NewJob): string | undefined {
  const patience = patienceWith(job)
  if (patience === undefined) return undefined
  const heard = Date.parse(job.updatedAt)
  const estimate = job.status === 'executing' ? Date.parse(job.estimatedCompletionAt ?? job.updatedAt) : heard
  const expected = Math.max(heard, Math.min(estimate, heard + JOB_ESTIMATE_HOURS * HOUR))
  return iso(expected + patience)
}

/**
 * When the clock is to look at a job as it will be. Signs of life do not move the time: the clock finds out when it looks,
 * so the queue is written once a state and not at every sign.
 */
export function lookAt(after: NewJob, before?: StoredJob): string | undefined {
  const told = after.untold ? tellAt(after) : undefined
  const due = after.status === 'scheduled' ? after.scheduledFor : watchAt(after, before)
  return told !== undefined && due !== undefined ? earlier(told, due) : (told ?? due)
}

const earlier = (a: string, b: string): string => (a < b ? a : b)

function watchAt(after: NewJob, before: StoredJob | undefined): string | undefined {
  const isWatched = before?.status === after.status && !before.untold && after.lookAt !== undefined
  return isWatched ? after.lookAt : silentUntil(after)
}

/** Writes the next job of the series of a scheduled job that becomes ready. */
export function repeat(tx: Tx, job: StoredJob, schedule: JobSchedule): void {
  const { to, emits } = step(NONE, 'createScheduled') as Step
  const scheduledFor = nextTime(job.scheduledFor ?? tx.now, schedule, tx.now)
  const next = withoutUndefined<NewJob>({
    ...workOf(job),
    id: newId('job'),
    status: to,
    parentId: job.parentId,
    series: job.series,
    schedule,
    scheduledFor,
    lookAt: scheduledFor,
    createdBy: job.createdBy,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  assertJobFits(next)
  tx.write(Jobs.create(next))
  if (job.series !== undefined) tx.write(Series.moveOn(job.series, next.id))
  emitJobEvents(tx, next, emits)
}
