/** Redelivers events to one agent through Lambda's asynchronous queue, under their original ids. */
import { type Event, MAX_EVENTS_PER_REPLAY, type Replayed } from '../../schemas/events/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict } from '../core/errors.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Executions } from '../entities/executions.ts'
import { type EventWindow, readEventWindow } from '../events/replay-window.ts'
import { Events, toEvent } from '../events/store.ts'
import { invokeForParts } from './invoke-parts.ts'

type Window = Omit<EventWindow, 'environmentId'>

/** @throws 409 if any event is not for this agent; nothing is delivered then */
export async function redeliver(agent: StoredAgent, events: Event[]): Promise<Replayed> {
  for (const { topic, context } of events) {
    if (context.environmentId !== agent.environmentId || !agent.topics.includes(topic))
      throw conflict(message('agents.notSubscribed', { agent: agent.slug, topic, environment: context.environmentId }))
  }
  await invokeForParts(agent, events)
  return { success: true, replayed: events.length }
}

export async function redeliverWindow(agent: StoredAgent, window: Window): Promise<Replayed> {
  const { environmentId } = agent
  const isSubscribed = (event: Event) =>
    event.context.environmentId === environmentId && agent.topics.includes(event.topic)
  const { events, next } = await readEventWindow({ ...window, environmentId }, isSubscribed)
  await invokeForParts(agent, events.map(toEvent))
  return { success: true, replayed: events.length, next }
}

/** Events that failed and have not been replayed successfully since, limited to the agent's current topics. */
export async function redeliverFailed(agent: StoredAgent, { after, ...window }: Window): Promise<Replayed> {
  const { environmentId, id: agentId } = agent
  const runs = await Executions.listFailed({ ...window, environmentId, agentId }, after, MAX_EVENTS_PER_REPLAY)
  const events = await Events.getMany(runs.map(({ eventId }) => eventId))
  const subscribedEvents = events.map(toEvent).filter(({ topic }) => agent.topics.includes(topic))
  await invokeForParts(agent, subscribedEvents)
  const next = runs.length === MAX_EVENTS_PER_REPLAY ? runs.at(-1)!.id : undefined
  return { success: true, replayed: subscribedEvents.length, next }
}
