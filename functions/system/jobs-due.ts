/**
 * By the clock: makes scheduled jobs ready, and fails those whose listener vanished; computes suggestions of mapping programs
 * whose request died before it had.
 */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Jobs } from '../../lib/entities/jobs.ts'
import { Programs } from '../../lib/entities/programs.ts'
import { attend } from '../../lib/jobs/due.ts'

/** Jobs under way at the same time. */
const AT_ONCE = 20
/** No more are begun with less left. */
const RESERVE_MS = 30_000

/** `time` is the schedule's own clock. What is left over, or fails, is due in the next run. */
export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ jobs: number; programs: number }> {
  const now = new Date(time)
  const jobs = await dueJobs(now, context)
  return { jobs, programs: await duePrograms(now, context) }
}

type Remaining = Pick<Context, 'getRemainingTimeInMillis'>

async function dueJobs(now: Date, context: Remaining): Promise<number> {
  let jobs = 0
  for await (const due of Jobs.due(now)) {
    for (let first = 0; first < due.length; first += AT_ONCE) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) return jobs
      const some = due.slice(first, first + AT_ONCE)
      const results = await Promise.allSettled(some.map((job) => attend(job, now)))
      jobs += some.length
      for (const result of results)
        if (result.status === 'rejected') log.error('A due job was not moved', { error: result.reason as Error })
    }
  }
  return jobs
}

async function duePrograms(now: Date, context: Remaining): Promise<number> {
  let computed = 0
  for await (const due of Programs.due(now)) {
    const { recompute } = await import('../../lib/mapping/recompute.ts')
    const { planFollows } = await import('../../lib/jobs/programs.ts')
    for (const { id, accountId, updatedBy } of due) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) return computed
      try {
        await recompute({ accountId, actorId: updatedBy }, id, planFollows)
        computed++
      } catch (error) {
        log.error('Suggestions were not computed again', { programId: id, error: error as Error })
      }
    }
  }
  return computed
}
