/**
 * When listeners are told of a job that changes again and again: each change that leaves it in its state uses up one of
 * {@link JOB_UPDATES_AT_ONCE}, and one comes back every {@link JOB_UPDATE_MS}; without one the change is held back. The job
 * remembers it: whatever is told next carries it, and if nothing comes, the clock tells of it (lib/jobs/due.ts). So nobody
 * hears too often for long, and everybody of the last.
 */
import { JOB_UPDATE_MS, JOB_UPDATES_AT_ONCE } from '../../schemas/job.ts'
import type { NewJob } from '../entities/jobs.ts'
import type { JobTopic, Step, Trigger } from './machine.ts'

type Told = Pick<NewJob, 'status' | 'toldUpTo' | 'untold'>

const ALL_MS = JOB_UPDATES_AT_ONCE * JOB_UPDATE_MS

/** Milliseconds until all has come back. More than all cannot be used up: another machine's clock is ahead. */
function usedUp({ toldUpTo }: Pick<Told, 'toldUpTo'>, now: string): number {
  const ms = toldUpTo === undefined ? 0 : Date.parse(toldUpTo) - Date.parse(now)
  return ms > ALL_MS ? 0 : Math.max(0, ms)
}

const isOften = (job: Told, now: string): boolean => usedUp(job, now) > ALL_MS - JOB_UPDATE_MS

/** What a step tells at `now` of the job as it was before: all of its topics, or nothing for the moment. */
export function toldNow(before: Told, trigger: Trigger, { to, emits }: Step, now: string): readonly JobTopic[] {
  const isUpdate = to === before.status && emits.every((topic) => topic === 'job:updated')
  return isUpdate && trigger !== 'tell' && isOften(before, now) ? [] : emits
}

/** What the job remembers of it. */
export function remembered(
  before: Told,
  { emits }: Step,
  told: readonly JobTopic[],
  now: string,
): Pick<NewJob, 'toldUpTo' | 'untold'> {
  if (emits.length === 0) return { untold: before.untold }
  if (told.length === 0) return { untold: true }
  if (!told.includes('job:updated')) return { untold: undefined }
  const used = Math.min(ALL_MS, usedUp(before, now) + JOB_UPDATE_MS)
  return { untold: undefined, toldUpTo: new Date(Date.parse(now) + used).toISOString() }
}

/** When what was held back is to be told. */
export const tellAt = ({ toldUpTo }: Pick<NewJob, 'toldUpTo'>): string =>
  new Date(toldUpTo === undefined ? 0 : Date.parse(toldUpTo) - ALL_MS + JOB_UPDATE_MS).toISOString()

/** Has the clock look at the job when it is to be told of, not just at its next round. */
export async function tellLater(job: Pick<NewJob, 'id' | 'toldUpTo'>): Promise<void> {
  const { platformLater } = await import('../events/later.ts')
  await platformLater('jobs-due', { jobId: job.id, time: tellAt(job) })
}
