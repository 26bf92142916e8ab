import type { EventBridgeEvent } from 'aws-lambda'
import { Agents, getCalledTopics } from '../../lib/entities/agents.ts'
import { Webhooks } from '../../lib/entities/webhooks.ts'
import { completeAudience, readAudience } from '../../lib/events/audience.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { matchesEvent } from '../../lib/events/webhook-match.ts'
import { shareRead } from '../../lib/table/query.ts'
import { deliver } from '../../lib/webhooks/deliver.ts'
import { Event } from '../../schemas/events/shape.ts'

const clock = () => new Date()

type Delivery = Pick<EventBridgeEvent<string, unknown>, 'detail'>

export const handler = handleEvent(async (delivery: Delivery): Promise<void> => {
  const event = Event.parse(delivery.detail)
  const { environmentId } = event.context
  const webhooks = await shareRead(`webhooks#${environmentId}`, () => Webhooks.inEnvironment(environmentId))
  const subscribers = webhooks.filter((webhook) => matchesEvent(webhook, event))
  const results = await Promise.allSettled(subscribers.map((webhook) => deliver(webhook, event, clock)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  await describeAudience(environmentId)
})

async function describeAudience(environmentId: string): Promise<void> {
  if ((await readAudience(environmentId)).isComplete) return
  const [agents, webhooks] = await Promise.all([
    Agents.inEnvironment(environmentId),
    Webhooks.inEnvironment(environmentId),
  ])
  const called = agents.map((agent) => ({ id: agent.id, topics: getCalledTopics(agent) }))
  await completeAudience(environmentId, called, webhooks)
}
