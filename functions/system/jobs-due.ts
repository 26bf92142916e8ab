/**
 * By the clock: makes scheduled jobs ready, tells what was held back, fails jobs whose listener vanished, and computes
 * suggestions of mapping programs whose request died before it had.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Context, ScheduledEvent } from 'aws-lambda'
import { tryEach } from '../../lib/core/in-flight.ts'
import { log } from '../../lib/core/log.ts'
import { Jobs } from '../../lib/entities/jobs.ts'
import { Programs } from '../../lib/entities/programs.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import { settleSeries } from '../../lib/jobs/actions/series.ts'
import { attend } from '../../lib/jobs/due.ts'
import { actorOf } from '../../lib/tx.ts'
import { Event } from '../../schemas/events.ts'

/** Jobs under way at the same time. */
const AT_ONCE = 20
/** No more are begun with less left. */
const RESERVE_MS = 30_000

/** One job is waited for no longer than this: the schedule finds it too. */
const WAIT_MS = 10_000

type Call = Pick<ScheduledEvent, 'time'> & { jobId?: string; detail?: unknown }

/**
 * `time` is the schedule's own clock. What is left over, or fails, is due in the next run.
 * With a `jobId` it looks at that job alone, at that time, and waits for it (lib/jobs/telling.ts).
 * An event of a thing with actions, in `detail`, brings their schedules in line.
 */
export const handler = followUp(
  async ({ time, jobId, detail }: Call, context: Remaining): Promise<{ jobs: number; programs?: number }> => {
    const now = new Date(time)
    if (jobId !== undefined) return one(jobId, now)
    const event = Event.safeParse(detail)
    if (event.success) return schedules(event.data)
    const jobs = await dueJobs(now, context)
    return { jobs, programs: await duePrograms(now, context) }
  },
)

type Remaining = Pick<Context, 'getRemainingTimeInMillis'>

async function dueJobs(now: Date, context: Remaining): Promise<number> {
  let jobs = 0
  const isTime = (): boolean => context.getRemainingTimeInMillis() >= RESERVE_MS
  for await (const due of Jobs.due(now)) {
    const failed = await tryEach(AT_ONCE, due, async (job) => {
      if (!isTime()) return
      jobs++
      await attend(job, now)
    })
    for (const error of failed) log.error('A due job was not moved', { error: error as Error })
    if (!isTime()) break
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

async function one(jobId: string, time: Date): Promise<{ jobs: number }> {
  await wait(Math.max(0, Math.min(WAIT_MS, time.getTime() - Date.now())))
  const job = await Jobs.get(jobId)
  // Another machine's clock may be behind.
  if (job) await attend(job, new Date(Math.max(Date.now(), time.getTime())))
  return { jobs: job ? 1 : 0 }
}

async function schedules({ topic, context, payload }: Event): Promise<{ jobs: number }> {
  const domain = topic.split(':')[0]
  const { actionId } = payload as { actionId?: unknown }
  const ownerId = domain === 'action' ? actionId : context[`${domain}Id`]
  const actor = actorOf(context)
  if (typeof ownerId === 'string') await settleSeries(actor, ownerId)
  return { jobs: 0 }
}
