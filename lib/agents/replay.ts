/** Hands events to one agent once more, through Lambda's queue with its retries, under the ids they have. */
import { type Event, REPLAYED_AT_ONCE, type Replayed } from '../../schemas/events.ts'
import { conflict } from '../core/errors.ts'
import { inFlight } from '../core/in-flight.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Executions } from '../entities/executions.ts'
import { carried } from '../events/claimed.ts'
import { invokeLater } from '../events/later.ts'
import { asEvent, Events } from '../events/store.ts'
import { type EventWindow, eventsWithin } from '../events/window.ts'

const IN_FLIGHT = 20

type Window = Omit<EventWindow, 'environmentId'>

/** These events. @throws 409 for one that is not for the agent: then none is handed over */
export async function redeliver(agent: StoredAgent, events: Event[]): Promise<Replayed> {
  for (const { topic, context } of events) {
    if (context.environmentId !== agent.environmentId || !agent.topics.includes(topic))
      throw conflict(`The agent ${agent.slug} is not called for ${topic} of ${context.environmentId}.`)
  }
  await handOver(agent, events)
  return { success: true, replayed: events.length }
}

/** Events of the agent's topics in a window, however they ended. */
export async function redeliverWindow(agent: StoredAgent, window: Window): Promise<Replayed> {
  const { environmentId } = agent
  const heard = (event: Event) => event.context.environmentId === environmentId && agent.topics.includes(event.topic)
  const { events, next } = await eventsWithin({ ...window, environmentId }, heard)
  await handOver(agent, events.map(asEvent))
  return { success: true, replayed: events.length, next }
}

/** Events that failed for the agent and have not been replayed well since; those of topics it has no more are left. */
export async function redeliverFailed(agent: StoredAgent, { after, ...window }: Window): Promise<Replayed> {
  const { environmentId, id: agentId } = agent
  const runs = await Executions.failed({ ...window, environmentId, agentId }, after, REPLAYED_AT_ONCE)
  const events = await Events.getMany(runs.map(({ eventId }) => eventId))
  const heard = events.map(asEvent).filter(({ topic }) => agent.topics.includes(topic))
  await handOver(agent, heard)
  const next = runs.length === REPLAYED_AT_ONCE ? runs.at(-1)!.id : undefined
  return { success: true, replayed: heard.length, next }
}

/** As the bus does. */
async function handOver({ functionName }: StoredAgent, events: Event[]): Promise<void> {
  await inFlight(IN_FLIGHT, events, (event) =>
    invokeLater(functionName, { source: 'wharf', 'detail-type': event.topic, detail: carried(event) }),
  )
}
