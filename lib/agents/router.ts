/** Delivers events to the agents without own rules, through each function's queue as a rule would. */
import type { Event } from '../../schemas/events/shape.ts'
import { ignoreNotFound } from '../core/aws-errors.ts'
import { Agents } from '../entities/agents.ts'
import { invokeForParts } from './invoke-parts.ts'
import { claimDelivery, findRoutes, mayArriveTwice, type Route } from './routes.ts'
import { isOwnReply } from './rules.ts'

export interface BusEvent {
  id: string
  'detail-type': string
  detail: Event
}

/** @throws the first failure after trying every agent; the retry then goes to all of them again */
export async function routeEvent(event: BusEvent): Promise<void> {
  const { environmentId } = event.detail.context
  const routes = await findRoutes(environmentId, event['detail-type'])
  const results = await Promise.allSettled(
    routes.map(async (route) => {
      if (isOwnReply(event.detail, route.agentId)) return
      if (mayArriveTwice(route) && !(await claimDelivery(route.agentId, event.id, 'router'))) return
      await invokeAgent(route, event)
    }),
  )
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

export async function routeRedirected(agentId: string, event: BusEvent): Promise<void> {
  const agent = await Agents.get(agentId)
  if (agent && (await claimDelivery(agentId, event.id, 'rule'))) await invokeAgent(agent, event)
}

const invokeAgent = (agent: Pick<Route, 'functionName' | 'recordsPerEvent'>, event: BusEvent) =>
  ignoreNotFound(invokeForParts(agent, [event.detail], event))
