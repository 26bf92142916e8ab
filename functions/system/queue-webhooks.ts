import type { EventBridgeEvent } from 'aws-lambda'
import { Agents, getCalledTopics } from '../../lib/entities/agents.ts'
import { Environments } from '../../lib/entities/environments.ts'
import { type StoredWebhook, Webhooks } from '../../lib/entities/webhooks.ts'
import { type Audience, completeAudience, readAudience } from '../../lib/events/audience.ts'
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
  const audience = await readAudience(environmentId)
  const webhooks = audience.isComplete ? await getListed(audience, event) : await listWebhooks(environmentId)
  const subscribers = webhooks.filter((webhook) => matchesEvent(webhook, event))
  const results = await Promise.allSettled(subscribers.map((webhook) => deliver(webhook, event, clock)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  if (!audience.isComplete) await describeAudience(environmentId)
})

const listWebhooks = (environmentId: string): Promise<StoredWebhook[]> =>
  shareRead(`webhooks#${environmentId}`, () => Webhooks.inEnvironment(environmentId))

/** By consistent reads: the index of webhooks may not have one yet that was created just before the event. */
async function getListed(audience: Audience, event: Event): Promise<StoredWebhook[]> {
  const listed = audience.webhooks.filter((webhook) => matchesEvent(webhook, event))
  const webhooks = await Promise.all(listed.map(({ id }) => Webhooks.get(id)))
  return webhooks.filter((webhook) => webhook !== undefined)
}

async function describeAudience(environmentId: string): Promise<void> {
  if (!(await Environments.get(environmentId))) return
  const [agents, webhooks] = await Promise.all([
    Agents.inEnvironment(environmentId),
    Webhooks.inEnvironment(environmentId),
  ])
  const called = agents.map((agent) => ({ id: agent.id, topics: getCalledTopics(agent) }))
  await completeAudience(environmentId, called, webhooks)
}
