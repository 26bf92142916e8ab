/**
 * Calls the agents that have no rule of their own on the bus. It is given every event by the router's rule, and those of
 * an agent that is moving between its rules and the router by the agent's rules.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import { type BusEvent, routeEvent, routeRedirected } from '../../lib/agents/router.ts'
import type { Redirected } from '../../lib/agents/subscribe.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import type { Event } from '../../schemas/events.ts'

export const handler = followUp(
  (given: EventBridgeEvent<string, Event> | Redirected): Promise<void> =>
    'agentId' in given ? routeRedirected(given.agentId, given.event as BusEvent) : routeEvent(given),
)
