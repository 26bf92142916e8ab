/** Invokes agents that have no bus rule, or that are moving between a rule and the router. */
import type { EventBridgeEvent } from 'aws-lambda'
import { type BusEvent, routeEvent, routeRedirected } from '../../lib/agents/router.ts'
import type { RedirectedEvent } from '../../lib/agents/subscribe.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import type { Event } from '../../schemas/events/shape.ts'

export const handler = handleEvent(
  (event: EventBridgeEvent<string, Event> | RedirectedEvent): Promise<void> =>
    'agentId' in event ? routeRedirected(event.agentId, event.event as BusEvent) : routeEvent(event),
)
