/** Which events a webhook wants. Pure. */
import type { Event } from '../../schemas/events.ts'
import { domainOfTopic } from '../../schemas/topic.ts'

interface Wanting {
  active: boolean
  spaceId?: string | undefined
  topics: readonly string[]
}

const CRON = 'cron'

export const wants = ({ active, spaceId, topics }: Wanting, event: Pick<Event, 'topic' | 'context'>): boolean =>
  active &&
  (spaceId === undefined || spaceId === event.context.spaceId) &&
  topics.some((subscription) => covers(subscription, event.topic))

/** Everything does not mean the ticks of the clock: these are named. */
function covers(subscription: string, topic: string): boolean {
  const domain = domainOfTopic(topic)
  if (subscription === '**') return domain !== CRON
  return subscription === topic || subscription === `${domain}:*`
}
