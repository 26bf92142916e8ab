/**
 * By the clock: tells each environment with an agent subscribed to a cron topic that its time has come. An event's id
 * follows from its environment, topic and tick, so however often a tick is run, each environment is told of it once.
 */
import * as z from 'zod'
import { derivedId } from '../../lib/core/ids.ts'
import { tryEach } from '../../lib/core/in-flight.ts'
import { log } from '../../lib/core/log.ts'
import { type CronPlace, environmentsTicking } from '../../lib/entities/cron.ts'
import { committed } from '../../lib/table/transact.ts'
import { begin, platformActor } from '../../lib/tx.ts'
import { CRON_TOPICS } from '../../schemas/cron.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** A Monday: weeks count from it, as the other periods may from any midnight. */
const EPOCH = Date.UTC(1970, 0, 5)
const PERIODS = {
  'cron:5-minutes': 5 * MINUTE,
  'cron:hourly': 60 * MINUTE,
  'cron:daily': DAY,
  'cron:weekly': 7 * DAY,
} as const
type CronTopic = (typeof CRON_TOPICS)[number]

/** What the schedules in serverless.yml give; `time` is the schedule's own clock. */
const Tick = z.object({
  topic: z.string().transform((name, context) => {
    const topic = CRON_TOPICS.find((each) => each.topic === name)
    if (topic) return topic
    context.addIssue({ code: 'custom', message: `is not a cron topic: ${name}` })
    return z.NEVER
  }),
  time: z.iso.datetime(),
})

/** Environments told at the same time. */
const AT_ONCE = 25

/** @throws when an environment could not be told: the run is repeated, and tells those that are left */
export async function handler(event: unknown): Promise<{ emitted: number }> {
  const { topic, time } = Tick.parse(event)
  const tick = tickOf(topic, Date.parse(time))
  let emitted = 0
  const failures: unknown[] = []
  for await (const places of environmentsTicking(topic.topic)) {
    const failed = await tryEach(AT_ONCE, places, async (place) => {
      if (await tell(topic, place, tick)) emitted++
    })
    failures.push(...failed)
  }
  if (failures.length > 0) {
    log.error('Environments were not told of a tick', { topic: topic.topic, count: failures.length })
    throw failures[0]
  }
  return { emitted }
}

/** The beginning of the period the schedule ran in: one that runs a moment late, or twice, means the same tick. */
function tickOf(topic: CronTopic, time: number): number {
  const period = PERIODS[topic.topic]
  return EPOCH + Math.floor((time - EPOCH) / period) * period
}

/** @returns whether the environment had not been told before */
async function tell(topic: CronTopic, { accountId, environmentId }: CronPlace, tick: number): Promise<boolean> {
  const tx = begin(platformActor(accountId), new Date(tick).toISOString())
  const id = derivedId('event', { time: tick, sequence: 0, of: `${environmentId}#${topic.topic}` })
  tx.emit(topic, { environmentId }, {}, { id })
  tx.onConflict((error) => error)
  return committed(tx.commit())
}
