/** Due times of jobs and their repetition. Times are ISO-8601 in UTC. */
import type { JobSchedule } from '../../../schemas/jobs/schedule.ts'
import { JOB_IDLE_TIMEOUT_HOURS, JOB_START_TIMEOUT_HOURS, MAX_JOB_ESTIMATE_HOURS } from '../../../schemas/jobs/shape.ts'
import { DAY_MS, HOUR_MS } from '../../../schemas/kit/time.ts'
import { message } from '../../../schemas/messages/index.ts'
import { type ApiError, invalidField } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import { Series } from '../../entities/series.ts'
import type { Tx } from '../../tx.ts'
import { getInheritedFields, withoutUndefined } from './clone-job.ts'
import { emitJobEvents } from './events.ts'
import { assertJobFits } from './size.ts'
import { findStep, NOT_CREATED, type Step } from './state-machine.ts'
import { getNextEmitTime } from './update-throttle.ts'

const PERIODS: Record<JobSchedule, number> = { hourly: HOUR_MS, daily: DAY_MS, weekly: 7 * DAY_MS }

export interface ScheduleRequest {
  scheduledFor?: string | undefined
  schedule?: JobSchedule | undefined
}

const toIso = (time: number): string => new Date(time).toISOString()

export function getFirstTime({ scheduledFor, schedule }: ScheduleRequest, now: string): string | undefined {
  if (scheduledFor !== undefined) return toIso(Date.parse(scheduledFor))
  return schedule && toIso(Date.parse(now) + PERIODS[schedule])
}

export function getNextTime(last: string, schedule: JobSchedule, now: string): string {
  const period = PERIODS[schedule]
  const missed = Math.max(0, Math.floor((Date.parse(now) - Date.parse(last)) / period))
  return toIso(Date.parse(last) + (missed + 1) * period)
}

/** A series creates its jobs without a caller who could review their plans. */
export const createRepeatedPlanError = (key: string): ApiError => invalidField(key, message('jobs.notWithPlan'))

const getTimeoutMs = ({ status }: Pick<NewJob, 'status'>): number | undefined =>
  status === 'ready'
    ? JOB_START_TIMEOUT_HOURS * HOUR_MS
    : status === 'executing'
      ? JOB_IDLE_TIMEOUT_HOURS * HOUR_MS
      : undefined

export function getStaleTime(job: NewJob): string | undefined {
  const timeoutMs = getTimeoutMs(job)
  if (timeoutMs === undefined) return undefined
  const lastSeen = Date.parse(job.updatedAt)
  const estimate = job.status === 'executing' ? Date.parse(job.estimatedCompletionAt ?? job.updatedAt) : lastSeen
  const expected = Math.max(lastSeen, Math.min(estimate, lastSeen + MAX_JOB_ESTIMATE_HOURS * HOUR_MS))
  return toIso(expected + timeoutMs)
}

/** Signs of life do not reschedule the check, so the queue is written only once per status. */
export function getCheckTime(after: NewJob, before?: StoredJob): string | undefined {
  const emitAt = after.pendingUpdate ? getNextEmitTime(after) : undefined
  const checkAt = after.status === 'scheduled' ? after.scheduledFor : getNextCheckTime(after, before)
  return emitAt !== undefined && checkAt !== undefined ? minTime(emitAt, checkAt) : (emitAt ?? checkAt)
}

const minTime = (a: string, b: string): string => (a < b ? a : b)

function getNextCheckTime(after: NewJob, before: StoredJob | undefined): string | undefined {
  const isQueued = before?.status === after.status && !before.pendingUpdate && after.checkAt !== undefined
  return isQueued ? after.checkAt : getStaleTime(after)
}

export function createNextInSeries(tx: Tx, job: StoredJob, schedule: JobSchedule): void {
  const { to, emits } = findStep(NOT_CREATED, 'createScheduled') as Step
  const scheduledFor = getNextTime(job.scheduledFor ?? tx.now, schedule, tx.now)
  const nextJob = withoutUndefined<NewJob>({
    ...getInheritedFields(job),
    id: newId('job'),
    status: to,
    parentId: job.parentId,
    series: job.series,
    schedule,
    scheduledFor,
    checkAt: scheduledFor,
    createdBy: job.createdBy,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  assertJobFits(nextJob)
  tx.write(Jobs.create(nextJob))
  if (job.series !== undefined) tx.write(Series.advance(job.series, nextJob.id))
  emitJobEvents(tx, nextJob, emits)
}
