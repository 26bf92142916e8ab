/** Scheduled: emits cron events. Their ids are derived from environment, topic and tick, so each is emitted once. */
import * as z from 'zod'
import { forEachSettled } from '../../lib/core/concurrency.ts'
import { deriveId } from '../../lib/core/ids.ts'
import { log } from '../../lib/core/log.ts'
import { type CronEnvironment, listCronEnvironments } from '../../lib/entities/cron.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { tryCommit } from '../../lib/table/transact.ts'
import { begin, createPlatformActor } from '../../lib/tx.ts'
import { CRON_TOPICS } from '../../schemas/cron/events.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schemas/kit/time.ts'

const EPOCH = Date.UTC(1970, 0, 5)
const PERIODS = {
  'cron:5-minutes': 5 * MINUTE_MS,
  'cron:hourly': HOUR_MS,
  'cron:daily': DAY_MS,
  'cron:weekly': 7 * DAY_MS,
} as const
type CronTopic = (typeof CRON_TOPICS)[number]

const Tick = z.object({
  topic: z.string().transform((name, context) => {
    const topic = CRON_TOPICS.find((cronTopic) => cronTopic.topic === name)
    if (topic) return topic
    context.addIssue({ code: 'custom', message: `is not a known cron topic: ${name}` })
    return z.NEVER
  }),
  time: z.iso.datetime(),
})

const CONCURRENCY = 25

export const handler = handleEvent(async (event: unknown): Promise<{ emitted: number }> => {
  const { topic, time } = Tick.parse(event)
  const tick = startOfPeriod(topic, Date.parse(time))
  let emitted = 0
  const failures: unknown[] = []
  for await (const locations of listCronEnvironments(topic.topic)) {
    const failed = await forEachSettled(CONCURRENCY, locations, async (location) => {
      if (await emitTick(topic, location, tick)) emitted++
    })
    failures.push(...failed)
  }
  if (failures.length > 0) {
    log.error('Could not emit a cron event to some environments', { topic: topic.topic, count: failures.length })
    throw failures[0]
  }
  return { emitted }
})

/** The start of the period, so that a late or repeated run means the same tick. */
function startOfPeriod(topic: CronTopic, time: number): number {
  const period = PERIODS[topic.topic]
  return EPOCH + Math.floor((time - EPOCH) / period) * period
}

async function emitTick(
  topic: CronTopic,
  { accountId, environmentId }: CronEnvironment,
  tick: number,
): Promise<boolean> {
  const tx = begin(createPlatformActor(accountId), new Date(tick).toISOString())
  const id = deriveId('event', { time: tick, sequence: 0, of: `${environmentId}#${topic.topic}` })
  tx.emit(topic, { environmentId }, {}, { id })
  return tryCommit(tx.commit())
}
