/**
 * Chooses how events reach an agent: its own bus rules while these are few enough, otherwise the router.
 * A switch loses and duplicates nothing: meanwhile both ways end in the router, which lets the first arrival win.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { message } from '../../schemas/messages/index.ts'
import { env } from '../core/env.ts'
import { conflict } from '../core/errors.ts'
import { Agents, type NewAgent } from '../entities/agents.ts'
import { listAgent, unlistAgent } from '../events/audience.ts'
import type { Write } from '../table/write.ts'
import { CLAIM_FOREVER, getClaimDeadline, putRoute, removeRoute, setClaimUntil } from './routes.ts'
import { buildPatterns } from './rules.ts'
import {
  BusFullError,
  countRules,
  redirectRules,
  type Subscriber,
  subscribe,
  subscribeRouter,
  unsubscribe,
} from './subscribe.ts'

/** Events the bus has already passed to the old target arrive within this time. */
const RULE_CHANGE_DELAY_MS = 1_000

export type DeliveryAgent = Subscriber & Pick<NewAgent, 'delivery' | 'recordsPerEvent'>

export interface DeliveryChange {
  delivery: 'rule' | 'router'
  rules: number
  writes: Write[]
  /** Closes the way that is no longer used. Call it after the commit. */
  close(): Promise<void>
}

/** @throws 409 when the bus accepts no rule at all */
export async function openDelivery(agent: DeliveryAgent, topics: readonly string[]): Promise<DeliveryChange> {
  const change = await openRulesOrRoute(agent, topics)
  return { ...change, writes: [...change.writes, listAgent(agent.environmentId, agent.agentId, topics)] }
}

async function openRulesOrRoute(agent: DeliveryAgent, topics: readonly string[]): Promise<DeliveryChange> {
  try {
    const rules = buildPatterns(topics, agent).length
    const hasRuleCapacity = (await Agents.countOtherRules(agent.agentId)) + rules <= env().AGENT_RULES
    return hasRuleCapacity
      ? await openRules(agent, topics, rules).catch(fallBackToRouter)
      : await openRoute(agent, topics)
  } catch (error) {
    if (!(error instanceof BusFullError)) throw error
    throw conflict(message('agents.busFull'), {
      cause: error,
    })
  }

  function fallBackToRouter(error: unknown): Promise<DeliveryChange> {
    if (error instanceof BusFullError) return openRoute(agent, topics)
    throw error
  }
}

/** Closes every way. The returned writes are committed with the deletion of the agent. */
export async function closeDelivery({
  functionName,
  environmentId,
  agentId,
}: Omit<DeliveryAgent, 'functionArn'>): Promise<Write[]> {
  await unsubscribe(functionName)
  return [removeRoute(environmentId, agentId), unlistAgent(environmentId, agentId)]
}

async function openRules(agent: DeliveryAgent, topics: readonly string[], rules: number): Promise<DeliveryChange> {
  const { agentId, environmentId, recordsPerEvent } = agent
  const callee = recordsPerEvent === undefined ? 'function' : 'router'
  if (agent.delivery !== 'router') {
    await subscribe(agent, topics, callee)
    return { delivery: 'rule', rules, writes: [], close: async () => {} }
  }
  await setClaimUntil(environmentId, agentId, CLAIM_FOREVER)
  await subscribe(agent, topics, 'router')
  await sleep(RULE_CHANGE_DELAY_MS)
  const writes = [removeRoute(environmentId, agentId)]
  return { delivery: 'rule', rules, writes, close: () => redirectRules(agent, callee) }
}

async function openRoute(agent: DeliveryAgent, topics: readonly string[]): Promise<DeliveryChange> {
  const { agentId, environmentId, functionName, recordsPerEvent } = agent
  await subscribeRouter()
  const route = { agentId, functionName, topics: [...topics], claimUntil: getClaimDeadline(), recordsPerEvent }
  if ((await countRules(functionName)) === 0)
    return { delivery: 'router', rules: 0, writes: [putRoute(environmentId, route)], close: async () => {} }
  await redirectRules(agent, 'router')
  await sleep(RULE_CHANGE_DELAY_MS)
  const closeRules = async () => {
    await unsubscribe(functionName)
    await setClaimUntil(environmentId, agentId, getClaimDeadline())
  }
  const writes = [putRoute(environmentId, { ...route, claimUntil: CLAIM_FOREVER })]
  return { delivery: 'router', rules: 0, writes, close: closeRules }
}
