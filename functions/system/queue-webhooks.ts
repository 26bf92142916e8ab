/** Creates the webhook deliveries of an event, makes the first attempt and measures the event's latency. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Webhooks } from '../../lib/entities/webhooks.ts'
import { getBusResources, handleEvent } from '../../lib/events/bus-handler.ts'
import { recordArrival } from '../../lib/events/event-metrics.ts'
import { shareRead } from '../../lib/table/query.ts'
import { deliver } from '../../lib/webhooks/deliver.ts'
import { matchesEvent } from '../../lib/webhooks/match.ts'
import { Event } from '../../schemas/events/shape.ts'

const clock = () => new Date()

type Delivery = Pick<EventBridgeEvent<string, unknown>, 'detail'> & { resources?: string[] }

export const handler = handleEvent(async (delivery: Delivery): Promise<void> => {
  const arrived = clock()
  const event = Event.parse(delivery.detail)
  const { environmentId } = event.context
  const webhooks = await shareRead(`webhooks#${environmentId}`, () => Webhooks.inEnvironment(environmentId))
  const subscribers = webhooks.filter((webhook) => matchesEvent(webhook, event))
  const results = await Promise.allSettled(subscribers.map((webhook) => deliver(webhook, event, clock)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  recordArrival(event, getBusResources(delivery), arrived)
})
