/** Deploys and removes agents. An agent's item outlives its function, so that any crash can be repaired by a retry. */

import * as agents from '../../schemas/agents/events.ts'
import type { AgentConfig } from '../../schemas/agents/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { ApiError, conflict } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { AgentVersions, type NewAgentVersion, type StoredAgentVersion } from '../entities/agent-versions.ts'
import { Agents, agentContext, getCalledTopics, type NewAgent, type StoredAgent } from '../entities/agents.ts'
import { buildCronSubscriptions } from '../entities/cron.ts'
import { Keys } from '../entities/keys.ts'
import { tryCommit } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { checkBundle } from './check.ts'
import { closeDelivery, openDelivery } from './delivery.ts'
import { describeFunction, putFunction } from './function.ts'
import { buildVariables, getOrCreateKey, listAgentKeys } from './key.ts'
import { formatFunctionName } from './names.ts'
import { type Bundle, buildPackage } from './package.ts'
import { loadBundle, storePackage } from './package-store.ts'
import { removeFunction } from './remove-function.ts'
import type { Package } from './zip.ts'

interface AgentScope {
  accountId: string
  environmentId: string
}

type Settings = Pick<
  NewAgent,
  | 'topics'
  | 'namespace'
  | 'isSystem'
  | 'options'
  | 'packageVersions'
  | 'commitInfo'
  | 'compiler'
  | 'recordsPerEvent'
  | 'ignoreOwnCommits'
>

const pickSettings = (source: AgentConfig | StoredAgentVersion): Settings => ({
  compiler: 'js',
  topics: source.topics,
  namespace: source.namespace,
  isSystem: source.isSystem ?? false,
  options: source.options,
  packageVersions: source.packageVersions,
  commitInfo: source.commitInfo,
  recordsPerEvent: source.recordsPerEvent,
  ignoreOwnCommits: source.ignoreOwnCommits,
})

/** Commits `tx`. @throws 400 for invalid source, 413 for too large, 409 for a concurrent deployment or a full bus */
export async function deployAgent(tx: Tx, scope: AgentScope, config: AgentConfig, bundle: Bundle): Promise<NewAgent> {
  const code = buildPackage(bundle)
  const existing = await reserveAgent(tx.actor, scope, config)
  await checkNewCode(tx.actor, existing, code)
  const { agent } = await installVersion(tx, existing, code, pickSettings(config))
  return agent
}

/** Loads the code once. If that fails and the agent has no version yet, the agent is deleted again. */
async function checkNewCode(actor: Actor, agent: StoredAgent, code: Package): Promise<void> {
  const key = await getOrCreateKey(actor, agent)
  try {
    await checkBundle(agent.functionName, code, buildVariables(agent, key.value))
  } catch (error) {
    if (error instanceof ApiError && agent.versions === 0) await discardAgent(actor, agent)
    throw error
  }
}

async function discardAgent(actor: Actor, agent: StoredAgent): Promise<void> {
  const tx = begin(actor)
  Agents.delete(tx, agent)
  for (const key of await listAgentKeys(agent)) tx.write(Keys.remove(key))
  // Another deployment under the same slug may have created a version meanwhile.
  await tryCommit(tx.commit())
}

/** Deploys an earlier version as a new version; does nothing if it is the running one. Commits `tx`. */
export async function revertAgent(tx: Tx, agent: StoredAgent, target: StoredAgentVersion): Promise<NewAgentVersion> {
  const current = agent.versionId === undefined ? undefined : await AgentVersions.get(agent.versionId)
  if (current && (current.id === target.id || current.origin === target.origin)) return current
  const code = buildPackage(await loadBundle(target.packageKey))
  const { version } = await installVersion(tx, agent, code, pickSettings(target), target.origin)
  return version
}

/** Stops the agent before it returns; `tx` then commits the deletion of its item and keys. */
export async function removeAgent(tx: Tx, agent: StoredAgent): Promise<void> {
  const { id: agentId, environmentId, functionName } = agent
  tx.write(...(await closeDelivery({ agentId, environmentId, functionName })))
  await removeFunction(functionName)
  Agents.delete(tx, agent)
  tx.write(...buildCronSubscriptions({ ...agent, topics: [] }))
  for (const key of await listAgentKeys(agent)) tx.write(Keys.remove(key))
  tx.emit(agents.deleted, agentContext(agent), { agentId, environmentId })
}

/** Commits `tx`. @throws 409 for a concurrent deployment or a full bus */
export async function setAgentActive(tx: Tx, agent: StoredAgent, isActive: boolean): Promise<NewAgent> {
  if (agent.isActive === isActive) return agent
  const { id: agentId, environmentId, functionName, delivery, recordsPerEvent } = agent
  const deployed = agent.status === 'active' ? await describeFunction(functionName) : undefined
  if (!deployed) throw conflict(message('agents.notDeployed', { agent: agent.slug }))
  const topics = getCalledTopics({ ...agent, isActive })
  const subscriber = { agentId, functionName, functionArn: deployed.arn, environmentId, delivery, recordsPerEvent }
  const change = await openDelivery(subscriber, topics)
  const updated = { ...agent, isActive, delivery: change.delivery, rules: change.rules, updatedAt: tx.now }
  tx.write(Agents.replace(agent, updated), ...buildCronSubscriptions({ ...agent, topics }), ...change.writes)
  tx.emit(agents.updated, agentContext(agent), { agentId, environmentId })
  await commitOrReactivate(tx, agentId)
  await change.close()
  return updated
}

async function commitOrReactivate(tx: Tx, agentId: string): Promise<void> {
  try {
    await tx.commit()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') await reactivateStoredVersion(tx.actor, agentId)
    throw error
  }
}

async function reserveAgent(actor: Actor, scope: AgentScope, config: AgentConfig): Promise<StoredAgent> {
  const existing = config.slug === undefined ? undefined : await Agents.bySlug(scope.environmentId, config.slug)
  if (existing) return existing
  const id = newId('agent')
  const tx = begin(actor)
  Agents.insert(tx, {
    id,
    accountId: scope.accountId,
    environmentId: scope.environmentId,
    slug: config.slug ?? `agent-${id.slice(-8).toLowerCase()}`,
    ...pickSettings(config),
    status: 'deploying',
    isActive: true,
    createdBy: actor.actorId,
    functionName: formatFunctionName(id),
    versions: 0,
    rules: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  tx.onConflict(() => conflict(message('agents.beingDeployed', { agent: config.slug ?? id })))
  await tx.commit()
  return (await Agents.get(id))!
}

async function installVersion(
  tx: Tx,
  existing: StoredAgent,
  code: Package,
  settings: Settings,
  origin?: number,
): Promise<{ agent: NewAgent; version: NewAgentVersion }> {
  const packageKey = await storePackage(existing.id, code)
  const called = { ...settings, topics: getCalledTopics({ ...existing, ...settings }) }
  const { keyId, opened: deliveryChange } = await activatePackage(tx.actor, existing, code, called)
  const number = existing.versions + 1
  const { id: agentId, accountId, environmentId, slug } = existing
  const version: NewAgentVersion = {
    ...settings,
    id: newId('agentVersion'),
    agentId,
    accountId,
    environmentId,
    slug,
    version: number,
    origin: origin ?? number,
    packageKey,
    createdBy: tx.actor.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  const agent: NewAgent = {
    ...existing,
    ...settings,
    status: 'active',
    keyId,
    versionId: version.id,
    versions: number,
    delivery: deliveryChange.delivery,
    rules: deliveryChange.rules,
    updatedAt: tx.now,
  }
  tx.write(
    Agents.replace(existing, agent),
    AgentVersions.create(version),
    ...buildCronSubscriptions({ ...agent, topics: getCalledTopics(agent) }),
    ...deliveryChange.writes,
  )
  for (const oldKey of await listAgentKeys(existing)) if (oldKey.id !== keyId) tx.write(Keys.remove(oldKey))
  tx.emit(existing.status === 'active' ? agents.updated : agents.created, agentContext(agent), {
    agentId,
    environmentId,
  })
  await commitOrReactivate(tx, agentId)
  await deliveryChange.close()
  return { agent, version }
}

async function activatePackage(
  actor: Actor,
  agent: StoredAgent,
  code: Package,
  { topics, recordsPerEvent }: Pick<Settings, 'topics' | 'recordsPerEvent'>,
) {
  const key = await getOrCreateKey(actor, agent)
  const { id: agentId, functionName, environmentId, delivery } = agent
  const functionArn = await putFunction(functionName, code, buildVariables(agent, key.value))
  const subscriber = { agentId, functionName, functionArn, environmentId, delivery, recordsPerEvent }
  const deliveryChange = await openDelivery(subscriber, topics)
  return { keyId: key.id, opened: deliveryChange }
}

async function reactivateStoredVersion(actor: Actor, agentId: string): Promise<void> {
  const agent = await Agents.get(agentId)
  const version = agent?.versionId === undefined ? undefined : await AgentVersions.get(agent.versionId)
  if (!agent || !version) return
  const code = buildPackage(await loadBundle(version.packageKey))
  const called = { ...version, topics: getCalledTopics({ ...agent, topics: version.topics }) }
  const { keyId, opened: deliveryChange } = await activatePackage(actor, agent, code, called)
  const { delivery, rules } = deliveryChange
  const tx = begin(actor)
  tx.write(Agents.replace(agent, { ...agent, keyId, delivery, rules }), ...deliveryChange.writes)
  for (const oldKey of await listAgentKeys(agent)) if (oldKey.id !== keyId) tx.write(Keys.remove(oldKey))
  await tx.commit()
  await deliveryChange.close()
}
