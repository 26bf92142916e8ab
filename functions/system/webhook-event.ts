/** For each event: begins its delivery to the webhooks that want it, makes the first try, and measures how late it came. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Webhooks } from '../../lib/entities/webhooks.ts'
import { followUp, resourcesOf } from '../../lib/events/follow-up.ts'
import { measureArrival } from '../../lib/events/measured.ts'
import { deliver } from '../../lib/webhooks/deliver.ts'
import { wants } from '../../lib/webhooks/match.ts'
import { Event } from '../../schemas/events.ts'

const clock = () => new Date()

type Delivery = Pick<EventBridgeEvent<string, unknown>, 'detail'> & { resources?: string[] }

/** @throws when a delivery could not be begun: the run is repeated, and begins those that are left */
export const handler = followUp(async (delivery: Delivery): Promise<void> => {
  const arrived = clock()
  const event = Event.parse(delivery.detail)
  const webhooks = await Webhooks.inEnvironment(event.context.environmentId)
  const wanting = webhooks.filter((webhook) => wants(webhook, event))
  const results = await Promise.allSettled(wanting.map((webhook) => deliver(webhook, event, clock)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  measureArrival(event, resourcesOf(delivery), arrived)
})
