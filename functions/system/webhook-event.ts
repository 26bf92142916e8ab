/** For each event: begins its delivery to the webhooks that want it, and makes the first try. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Webhooks } from '../../lib/entities/webhooks.ts'
import { deliver } from '../../lib/webhooks/deliver.ts'
import { wants } from '../../lib/webhooks/match.ts'
import { Event } from '../../schemas/events.ts'

const clock = () => new Date()

/** @throws when a delivery could not be begun: the run is repeated, and begins those that are left */
export async function handler({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> {
  const event = Event.parse(detail)
  const webhooks = await Webhooks.inEnvironment(event.context.environmentId)
  const wanting = webhooks.filter((webhook) => wants(webhook, event))
  const results = await Promise.allSettled(wanting.map((webhook) => deliver(webhook, event, clock)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
