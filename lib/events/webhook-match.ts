/** Decides which events a webhook receives. Pure. */
import type { Event } from '../../schemas/events/shape.ts'
import { domainOfTopic } from '../../schemas/kit/topic.ts'

interface Subscriber {
  active: boolean
  spaceId?: string | undefined
  topics: readonly string[]
}

const CRON = 'cron'

export const matchesEvent = (
  { active, spaceId, topics }: Subscriber,
  event: Pick<Event, 'topic' | 'context'>,
): boolean =>
  active &&
  (spaceId === undefined || spaceId === event.context.spaceId) &&
  topics.some((subscription) => covers(subscription, event.topic))

/** `**` excludes cron events, which must be subscribed to by name. */
function covers(subscription: string, topic: string): boolean {
  const domain = domainOfTopic(topic)
  if (subscription === '**') return domain !== CRON
  return subscription === topic || subscription === `${domain}:*`
}
