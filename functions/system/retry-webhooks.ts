/** Scheduled: retries due webhook deliveries. */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Deliveries } from '../../lib/entities/webhooks.ts'
import { retry } from '../../lib/webhooks/deliver.ts'

const CONCURRENCY = 50
const RESERVE_MS = 30_000

/** `time` is the scheduled time, and advances while this runs. Remaining deliveries are due in the next run. */
export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ attempts: number }> {
  const clockOffset = Date.parse(time) - Date.now()
  const clock = () => new Date(Date.now() + clockOffset)
  const dueTime = new Date(time)
  let attempts = 0
  const running = new Set<Promise<void>>()
  const track = (attempt: Promise<void>) => {
    const settled = attempt
      .catch((error: unknown) => log.error('Could not attempt a webhook delivery', { error: error as Error }))
      .finally(() => running.delete(settled))
    running.add(settled)
  }
  for await (const deliveries of Deliveries.listDue(dueTime)) {
    for (const delivery of deliveries) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) break
      if (running.size >= CONCURRENCY) await Promise.race(running)
      track(retry(delivery, clock))
      attempts++
    }
    if (context.getRemainingTimeInMillis() < RESERVE_MS) break
  }
  await Promise.all(running)
  return { attempts }
}
