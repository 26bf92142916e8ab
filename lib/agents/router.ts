/** Hands events to the agents that have no rule of their own, each through its function's queue as a rule would. */
import type { Event } from '../../schemas/events.ts'
import { Agents } from '../entities/agents.ts'
import { invokeLater } from '../events/later.ts'
import { unlessMissing } from './missing.ts'
import { claimDelivery, mayComeTwice, routesFor } from './routes.ts'
import { isOwnAnswer } from './rules.ts'

/** An event as the bus hands it over: in its envelope. */
export interface BusEvent {
  /** Of this publication; the event's own id is in `detail`. */
  id: string
  'detail-type': string
  detail: Event
}

/**
 * To every agent of the environment that has a route for the topic.
 * @throws the first failure, once every agent was tried: the invocation is repeated, to all of them
 */
export async function routeEvent(event: BusEvent): Promise<void> {
  const { environmentId } = event.detail.context
  const routes = await routesFor(environmentId, event['detail-type'])
  const handed = await Promise.allSettled(
    routes.map(async (route) => {
      if (isOwnAnswer(event.detail, route.agentId)) return
      if (mayComeTwice(route) && !(await claimDelivery(route.agentId, event.id, 'router'))) return
      await hand(route.functionName, event)
    }),
  )
  const failed = handed.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** To the one agent whose rule led here. */
export async function routeRedirected(agentId: string, event: BusEvent): Promise<void> {
  const agent = await Agents.get(agentId)
  if (agent && (await claimDelivery(agentId, event.id, 'rule'))) await hand(agent.functionName, event)
}

/** An agent deleted meanwhile has no function any more. */
const hand = (functionName: string, event: BusEvent) => unlessMissing(invokeLater(functionName, event))
