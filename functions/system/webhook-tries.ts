/** By the clock: makes the tries of webhooks' deliveries that are due. */
import type { Context, ScheduledEvent } from 'aws-lambda'
import { log } from '../../lib/core/log.ts'
import { Deliveries } from '../../lib/entities/webhooks.ts'
import { retry } from '../../lib/webhooks/deliver.ts'

/** Tries under way at the same time. */
const AT_ONCE = 50
/** No try is begun with less left. */
const RESERVE_MS = 30_000

/** `time` is the schedule's own clock, which goes on while this runs. What is left over is due in the next run. */
export async function handler(
  { time }: Pick<ScheduledEvent, 'time'>,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ tries: number }> {
  const ahead = Date.parse(time) - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  const due = new Date(time)
  let tries = 0
  const running = new Set<Promise<void>>()
  const begin = (work: Promise<void>) => {
    const ended = work
      .catch((error: unknown) => log.error('A try of a delivery could not be made', { error: error as Error }))
      .finally(() => running.delete(ended))
    running.add(ended)
  }
  for await (const deliveries of Deliveries.due(due)) {
    for (const delivery of deliveries) {
      if (context.getRemainingTimeInMillis() < RESERVE_MS) break
      if (running.size >= AT_ONCE) await Promise.race(running)
      begin(retry(delivery, clock))
      tries++
    }
    if (context.getRemainingTimeInMillis() < RESERVE_MS) break
  }
  await Promise.all(running)
  return { tries }
}
