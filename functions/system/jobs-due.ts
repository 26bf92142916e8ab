/** Scheduled: processes due jobs, starts updates of tables, and recomputes mapping suggestions left by a crashed request. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, ScheduledEvent } from 'aws-lambda'
import { forEachSettled } from '../../lib/core/concurrency.ts'
import { log } from '../../lib/core/log.ts'
import { Jobs } from '../../lib/entities/jobs.ts'
import { Programs } from '../../lib/entities/programs.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { syncSeries } from '../../lib/jobs/scheduling/series.ts'
import { checkJob } from '../../lib/jobs/scheduling/timeouts.ts'
import { startTableUpdates } from '../../lib/tables/start.ts'
import { toActor } from '../../lib/tx.ts'
import { Event } from '../../schemas/events/shape.ts'

const CONCURRENCY = 20
const RESERVE_MS = 30_000

const WAIT_MS = 10_000

type Call = Pick<ScheduledEvent, 'time'> & { jobId?: string; detail?: unknown }

/** With `jobId`, waits for that job only; with an event in `detail`, updates the schedules of its actions. */
export const handler = handleEvent(
  async (
    { time, jobId, detail }: Call,
    context: Remaining,
  ): Promise<{ jobs: number; tables?: number; programs?: number }> => {
    const now = new Date(time)
    if (jobId !== undefined) return checkSingleJob(jobId, now)
    const event = Event.safeParse(detail)
    if (event.success) return updateSchedules(event.data)
    const tables = await startTableUpdates(now)
    const jobs = await checkDueJobs(now, context)
    return { jobs, tables, programs: await recomputeDuePrograms(now, context) }
  },
)

type Remaining = Pick<Context, 'getRemainingTimeInMillis'>

async function checkDueJobs(now: Date, context: Remaining): Promise<number> {
  let jobs = 0
  const hasTimeLeft = (): boolean => context.getRemainingTimeInMillis() >= RESERVE_MS
  for await (const due of Jobs.listDue(now)) {
    const failed = await forEachSettled(CONCURRENCY, due, async (job) => {
      if (!hasTimeLeft()) return
      jobs++
      await checkJob(job, now)
    })
    for (const error of failed) log.error('Could not process a due job', { error: error as Error })
    if (!hasTimeLeft()) break
  }
  return jobs
}

async function recomputeDuePrograms(now: Date, context: Remaining): Promise<number> {
  let recomputedCount = 0
  for await (const due of Programs.listDue(now)) {
    const { recomputeProgram } = await import('../../lib/mapping/recompute.ts')
    const { syncPlan } = await import('../../lib/jobs/mapping/sync-program.ts')
    for (const { id, accountId, updatedBy } of due) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) return recomputedCount
      try {
        await recomputeProgram({ accountId, actorId: updatedBy }, id, syncPlan)
        recomputedCount++
      } catch (error) {
        log.error('Could not recompute mapping suggestions', { programId: id, error: error as Error })
      }
    }
  }
  return recomputedCount
}

async function checkSingleJob(jobId: string, time: Date): Promise<{ jobs: number }> {
  await sleep(Math.max(0, Math.min(WAIT_MS, time.getTime() - Date.now())))
  const job = await Jobs.get(jobId)
  if (job) await checkJob(job, new Date(Math.max(Date.now(), time.getTime())))
  return { jobs: job ? 1 : 0 }
}

async function updateSchedules({ topic, context, payload }: Event): Promise<{ jobs: number }> {
  const domain = topic.split(':')[0]
  const { actionId } = payload as { actionId?: unknown }
  const ownerId = domain === 'action' ? actionId : context[`${domain}Id`]
  const actor = toActor(context)
  if (typeof ownerId === 'string') await syncSeries(actor, ownerId)
  return { jobs: 0 }
}
