/**
 * Throttles job:updated: of changes that leave a job in its state the first is emitted immediately, then at most one each
 * {@link JOB_UPDATE_MS}. The job remembers a change that was held back. It is emitted by the next update, before a move
 * to another state (lib/jobs/move.ts), or by the clock (lib/jobs/due.ts): the last one is never lost.
 */
import { JOB_UPDATE_MS } from '../../schemas/job.ts'
import { onDemand } from '../core/on-demand.ts'
import type { NewJob } from '../entities/jobs.ts'
import type { JobTopic, Step, Trigger } from './machine.ts'

type Told = Pick<NewJob, 'status' | 'toldAt' | 'untold'>

const isOften = ({ toldAt }: Told, now: string): boolean =>
  toldAt !== undefined && Math.abs(Date.parse(now) - Date.parse(toldAt)) < JOB_UPDATE_MS

/** What a step tells at `now` of the job as it was before: all of its topics, or nothing for the moment. */
export function toldNow(before: Told, trigger: Trigger, { to, emits }: Step, now: string): readonly JobTopic[] {
  const isUpdate = to === before.status && emits.every((topic) => topic === 'job:updated')
  return isUpdate && trigger !== 'tell' && isOften(before, now) ? [] : emits
}

/** Are listeners still to be told of it? */
export function leftUntold(before: Told, { emits }: Step, told: readonly JobTopic[]): true | undefined {
  if (emits.length === 0) return before.untold || undefined
  return told.length === 0 || undefined
}

/** When what was held back is to be told. */
export const tellAt = ({ toldAt }: Pick<NewJob, 'toldAt'>): string =>
  new Date((toldAt === undefined ? 0 : Date.parse(toldAt)) + JOB_UPDATE_MS).toISOString()

const later = onDemand(() => import('../events/later.ts'))

/** Has the clock look at the job when it is to be told of, not just at its next round. */
export async function tellLater(job: Pick<NewJob, 'id' | 'toldAt'>): Promise<void> {
  const { platformLater } = await later()
  await platformLater('jobs-due', { jobId: job.id, time: tellAt(job) })
}
