/** By the clock: makes scheduled jobs ready, and fails those whose listener vanished. */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Jobs } from '../../lib/entities/jobs.ts'
import { attend } from '../../lib/jobs/due.ts'

/** Jobs under way at the same time. */
const AT_ONCE = 20
/** No more are begun with less left. */
const RESERVE_MS = 30_000

/** `time` is the schedule's own clock. What is left over, or fails, is due in the next run. */
export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ jobs: number }> {
  const now = new Date(time)
  let jobs = 0
  for await (const due of Jobs.due(now)) {
    for (let first = 0; first < due.length; first += AT_ONCE) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) return { jobs }
      const some = due.slice(first, first + AT_ONCE)
      const results = await Promise.allSettled(some.map((job) => attend(job, now)))
      jobs += some.length
      for (const result of results)
        if (result.status === 'rejected') log.error('A due job was not moved', { error: result.reason as Error })
    }
  }
  return { jobs }
}
