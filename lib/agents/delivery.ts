/**
 * How events reach an agent: by rules of its own on the bus as long as these are few enough, else by the router.
 *
 * Moving between them loses nothing and doubles nothing. While both ways are open, both end in the router (the rules'
 * target is exchanged, which is one step for the bus), and the router has each publication claimed by the way it came
 * first. A crash on the way leaves both open; the next deployment goes on from there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { env } from '../core/env.ts'
import { conflict } from '../core/errors.ts'
import { Agents, type NewAgent } from '../entities/agents.ts'
import type { Write } from '../table/entity.ts'
import { ALWAYS, claimUntil, putRoute, removeRoute, soon } from './routes.ts'
import { patternsFor } from './rules.ts'
import { BusFull, countRules, redirect, type Subscriber, subscribe, subscribeRouter, unsubscribe } from './subscribe.ts'

/** What the bus has handed to a function before the rule changed has arrived by then. */
const UNDER_WAY_MS = 1_000

/** The agent as it is on record. */
export type Delivered = Subscriber & Pick<NewAgent, 'delivery'>

export interface Opened {
  delivery: 'rule' | 'router'
  rules: number
  /** To be committed with the agent. */
  writes: Write[]
  /** To be done after the commit: closes the way that is not used any more. */
  close(): Promise<void>
}

/**
 * Opens the way for `topics`. What was there before goes on until `close`.
 * @throws 409 when the bus takes no rule at all
 */
export async function open(agent: Delivered, topics: readonly string[]): Promise<Opened> {
  try {
    const rules = patternsFor(topics, agent).length
    const fits = (await Agents.rulesBeside(agent.agentId)) + rules <= env().AGENT_RULES
    return fits ? await openRules(agent, topics, rules).catch(orRouter) : await openRoute(agent, topics)
  } catch (error) {
    if (!(error instanceof BusFull)) throw error
    throw conflict('The event bus takes no more rules: delete an agent, or ask for a higher limit.', { cause: error })
  }

  function orRouter(error: unknown): Promise<Opened> {
    if (error instanceof BusFull) return openRoute(agent, topics)
    throw error
  }
}

/** Closes every way. The write ends the route with the agent. */
export async function close({ functionName, environmentId, agentId }: Omit<Delivered, 'functionArn'>): Promise<Write> {
  await unsubscribe(functionName)
  return removeRoute(environmentId, agentId)
}

async function openRules(agent: Delivered, topics: readonly string[], rules: number): Promise<Opened> {
  const { agentId, environmentId } = agent
  if (agent.delivery !== 'router') {
    await subscribe(agent, topics, 'function')
    return { delivery: 'rule', rules, writes: [], close: async () => {} }
  }
  await claimUntil(environmentId, agentId, ALWAYS)
  await subscribe(agent, topics, 'router')
  await sleep(UNDER_WAY_MS)
  const writes = [removeRoute(environmentId, agentId)]
  return { delivery: 'rule', rules, writes, close: () => redirect(agent, 'function') }
}

async function openRoute(agent: Delivered, topics: readonly string[]): Promise<Opened> {
  const { agentId, environmentId, functionName } = agent
  await subscribeRouter()
  const route = { agentId, functionName, topics: [...topics], claimUntil: soon() }
  if ((await countRules(functionName)) === 0)
    return { delivery: 'router', rules: 0, writes: [putRoute(environmentId, route)], close: async () => {} }
  await redirect(agent, 'router')
  await sleep(UNDER_WAY_MS)
  const closeRules = async () => {
    await unsubscribe(functionName)
    await claimUntil(environmentId, agentId, soon())
  }
  const writes = [putRoute(environmentId, { ...route, claimUntil: ALWAYS })]
  return { delivery: 'router', rules: 0, writes, close: closeRules }
}
