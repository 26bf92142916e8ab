/**
 * Deploys and removes agents. An agent's item is there before its function and its rules are, and goes after them: a
 * crash never leaves a function that is called without an item, and repeating the request completes what it left.
 */
import type { AgentConfig } from '../../schemas/agents.ts'
import * as agents from '../../schemas/agents.ts'
import { keyIdOf, keyMatches, type NewKey, newKey } from '../auth/keys.ts'
import { env } from '../core/env.ts'
import { conflict } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Agents, agentContext, type NewAgent, type StoredAgent } from '../entities/agents.ts'
import { cronSubscriptions } from '../entities/cron.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { describeFunction, functionNameOf, putFunction, removeFunction } from './function.ts'
import { packageOf } from './package.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

/** Where an agent lives. */
interface Home {
  accountId: string
  environmentId: string
}

/**
 * Deploys an agent, or deploys the one with this slug anew. Its function and rules stand when this returns; `tx` then
 * commits its item and the event.
 * @throws 400 for a source that is no CommonJS module, 413 for one too large, 409 when the bus takes no more rules
 */
export async function deployAgent(tx: Tx, home: Home, config: AgentConfig): Promise<NewAgent> {
  const code = packageOf(config)
  const before = await reserve(tx.actor, home, config)
  const key = await ownKey(tx.actor, before)
  const functionArn = await putFunction(before.functionName, code, variablesOf(before, key.value))
  await subscribe(
    { functionName: before.functionName, functionArn, environmentId: before.environmentId },
    config.topics,
  )

  const after: NewAgent = { ...before, ...described(config), status: 'active', keyId: key.id, updatedAt: tx.now }
  tx.write(Agents.replace(before, after), ...cronSubscriptions(after))
  for (const old of await keysOf(before)) if (old.id !== key.id) tx.write(Keys.remove(old))
  tx.emit(before.status === 'active' ? agents.updated : agents.created, agentContext(after), {
    agentId: after.id,
    environmentId: after.environmentId,
  })
  return after
}

/** Stops the agent: nothing calls it any more when this returns; `tx` then commits the end of its item and its keys. */
export async function removeAgent(tx: Tx, agent: StoredAgent): Promise<void> {
  await unsubscribe(agent.functionName)
  await removeFunction(agent.functionName)
  Agents.delete(tx, agent)
  tx.write(...cronSubscriptions({ ...agent, topics: [] }))
  for (const key of await keysOf(agent)) tx.write(Keys.remove(key))
  tx.emit(agents.deleted, agentContext(agent), { agentId: agent.id, environmentId: agent.environmentId })
}

/** The agent of that slug, or a new item that holds the slug while its function is being made. */
async function reserve(actor: Actor, home: Home, config: AgentConfig): Promise<StoredAgent> {
  const existing = config.slug === undefined ? undefined : await Agents.bySlug(home.environmentId, config.slug)
  if (existing) return existing
  const id = newId('agent')
  const tx = begin(actor)
  Agents.insert(tx, {
    id,
    accountId: home.accountId,
    environmentId: home.environmentId,
    slug: config.slug ?? `agent-${id.slice(-8).toLowerCase()}`,
    compiler: 'js',
    ...described(config),
    status: 'deploying',
    createdBy: actor.actorId,
    functionName: functionNameOf(id),
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  tx.onConflict(() => conflict(`The agent ${config.slug} is being deployed by somebody else: repeat the request.`))
  await tx.commit()
  return (await Agents.get(id))!
}

/** What of the config is kept on the item. */
const described = ({ topics, namespace, isSystem, options, packageVersions, commitInfo }: AgentConfig) => ({
  topics,
  namespace,
  isSystem: isSystem ?? false,
  options,
  packageVersions,
  commitInfo,
})

/**
 * The key the function has already, if it is still the agent's: a run in progress goes on with it. Else a new one, stored
 * before the function gets it, so that the function never has a key that does not work.
 */
async function ownKey(actor: Actor, agent: StoredAgent): Promise<Pick<NewKey, 'id' | 'value'>> {
  const value = (await describeFunction(agent.functionName))?.variables.FLATFILE_BEARER_TOKEN
  const id = value === undefined ? undefined : keyIdOf(value)?.id
  const held = id === undefined ? undefined : await Keys.get(id)
  if (held?.agentId === agent.id && value !== undefined && keyMatches(value, held.hash)) return { id: held.id, value }

  const key = newKey('agk')
  const tx = begin(actor)
  tx.write(
    Keys.create({
      id: key.id,
      accountId: agent.accountId,
      environmentId: agent.environmentId,
      type: 'AGENT',
      agentId: agent.id,
      hash: key.hash,
      createdBy: actor.actorId,
      createdAt: tx.now,
    }),
  )
  await tx.commit()
  return key
}

/** Every key made for the agent, one that an interrupted deployment left included. */
async function keysOf(agent: StoredAgent): Promise<StoredKey[]> {
  const { id, environmentId, keyId } = agent
  const [listed, own] = await Promise.all([
    Keys.list('inEnvironment', { environmentId }),
    keyId === undefined ? undefined : Keys.get(keyId),
  ])
  const others = listed.filter((key) => key.agentId === id && key.id !== keyId)
  return own ? [own, ...others] : others
}

/** What public listeners, plugins and the SDK read from their environment. */
const variablesOf = (agent: StoredAgent, token: string): Record<string, string> => ({
  AGENT_INTERNAL_URL: env().BASE_URL,
  FLATFILE_API_URL: env().BASE_URL,
  FLATFILE_BEARER_TOKEN: token,
  FLATFILE_API_KEY: token,
  FLATFILE_ENVIRONMENT_ID: agent.environmentId,
})
