/**
 * Deploys and removes agents. An agent's item is there before its function and its rules are, and goes after them: a
 * crash never leaves a function that is called without an item, and repeating the request completes what it left.
 */
import type { AgentConfig } from '../../schemas/agent.ts'
import * as agents from '../../schemas/agents.ts'
import { ApiError, conflict } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { AgentVersions, type NewAgentVersion, type StoredAgentVersion } from '../entities/agent-versions.ts'
import { Agents, agentContext, type NewAgent, type StoredAgent } from '../entities/agents.ts'
import { cronSubscriptions } from '../entities/cron.ts'
import { Keys } from '../entities/keys.ts'
import { committed } from '../table/transact.ts'
import { type Actor, begin, type Tx } from '../tx.ts'
import { checkBundle } from './check.ts'
import { close, open } from './delivery.ts'
import { putFunction } from './function.ts'
import { keysOf, ownKey, variablesOf } from './key.ts'
import { functionNameOf } from './names.ts'
import { type Bundle, packageOf } from './package.ts'
import { keepPackage, keptBundle } from './packages.ts'
import { removeFunction } from './remove-function.ts'
import type { Package } from './zip.ts'

/** Where an agent lives. */
interface Home {
  accountId: string
  environmentId: string
}

/** What of a deployment is kept on the agent and on its version. */
type Settings = Pick<
  NewAgent,
  'topics' | 'namespace' | 'isSystem' | 'options' | 'packageVersions' | 'commitInfo' | 'compiler'
>

const settingsOf = (from: AgentConfig | StoredAgentVersion): Settings => ({
  compiler: 'js',
  topics: from.topics,
  namespace: from.namespace,
  isSystem: from.isSystem ?? false,
  options: from.options,
  packageVersions: from.packageVersions,
  commitInfo: from.commitInfo,
})

/**
 * Deploys an agent, or deploys the one with this slug anew, as its next version. Commits `tx`: the agent's item, the
 * version and the event.
 * @throws 400 for a source that cannot work, 413 for one too large, 409 when the bus takes no more rules or
 * somebody else deployed the agent at the same time
 */
export async function deployAgent(tx: Tx, home: Home, config: AgentConfig, bundle: Bundle): Promise<NewAgent> {
  const code = packageOf(bundle)
  const before = await reserve(tx.actor, home, config)
  await checkNew(tx.actor, before, code)
  const { agent } = await install(tx, before, code, settingsOf(config))
  return agent
}

/** Loads the code once. What it is refused for leaves nothing of an agent that has no version yet. */
async function checkNew(actor: Actor, agent: StoredAgent, code: Package): Promise<void> {
  const key = await ownKey(actor, agent)
  try {
    await checkBundle(agent.functionName, code, variablesOf(agent, key.value))
  } catch (error) {
    if (error instanceof ApiError && agent.versions === 0) await forget(actor, agent)
    throw error
  }
}

async function forget(actor: Actor, agent: StoredAgent): Promise<void> {
  const tx = begin(actor)
  Agents.delete(tx, agent)
  for (const key of await keysOf(agent)) tx.write(Keys.remove(key))
  tx.onConflict((error) => error)
  // Another deployment under the slug made it an agent meanwhile.
  await committed(tx.commit())
}

/**
 * Deploys the package and settings of an earlier version again, as a new version; of the version that runs nothing
 * changes. Commits `tx`.
 */
export async function revertAgent(tx: Tx, agent: StoredAgent, to: StoredAgentVersion): Promise<NewAgentVersion> {
  const current = agent.versionId === undefined ? undefined : await AgentVersions.get(agent.versionId)
  if (current && (current.id === to.id || current.origin === to.origin)) return current
  const code = packageOf(await keptBundle(to.packageKey))
  const { version } = await install(tx, agent, code, settingsOf(to), to.origin)
  return version
}

/** Stops the agent: nothing calls it any more when this returns; `tx` then commits the end of its item and its keys. */
export async function removeAgent(tx: Tx, agent: StoredAgent): Promise<void> {
  const { id: agentId, environmentId, functionName } = agent
  tx.write(await close({ agentId, environmentId, functionName }))
  await removeFunction(functionName)
  Agents.delete(tx, agent)
  tx.write(...cronSubscriptions({ ...agent, topics: [] }))
  for (const key of await keysOf(agent)) tx.write(Keys.remove(key))
  tx.emit(agents.deleted, agentContext(agent), { agentId, environmentId })
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
    ...settingsOf(config),
    status: 'deploying',
    createdBy: actor.actorId,
    functionName: functionNameOf(id),
    versions: 0,
    rules: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  tx.onConflict(() => conflict(`The agent ${config.slug} is being deployed by somebody else: repeat the request.`))
  await tx.commit()
  return (await Agents.get(id))!
}

/** Makes the function run the package, called for the settings' topics, and commits that as the agent's next version. */
async function install(
  tx: Tx,
  before: StoredAgent,
  code: Package,
  settings: Settings,
  origin?: number,
): Promise<{ agent: NewAgent; version: NewAgentVersion }> {
  const packageKey = await keepPackage(before.id, code)
  const { keyId, opened } = await run(tx.actor, before, code, settings.topics)
  const number = before.versions + 1
  const { id: agentId, accountId, environmentId, slug } = before
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
    ...before,
    ...settings,
    status: 'active',
    keyId,
    versionId: version.id,
    versions: number,
    delivery: opened.delivery,
    rules: opened.rules,
    updatedAt: tx.now,
  }
  tx.write(Agents.replace(before, agent), AgentVersions.create(version), ...cronSubscriptions(agent), ...opened.writes)
  for (const old of await keysOf(before)) if (old.id !== keyId) tx.write(Keys.remove(old))
  tx.emit(before.status === 'active' ? agents.updated : agents.created, agentContext(agent), {
    agentId,
    environmentId,
  })
  try {
    await tx.commit()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') await settle(tx.actor, agentId)
    throw error
  }
  await opened.close()
  return { agent, version }
}

/** Has the function run the package and be called for the topics. Answers the id of the key it has. */
async function run(actor: Actor, agent: StoredAgent, code: Package, topics: readonly string[]) {
  const key = await ownKey(actor, agent)
  const { id: agentId, functionName, environmentId, delivery } = agent
  const functionArn = await putFunction(functionName, code, variablesOf(agent, key.value))
  const opened = await open({ agentId, functionName, functionArn, environmentId, delivery }, topics)
  return { keyId: key.id, opened }
}

/** Of several deployments at once one is on record; whoever came second makes that one run again. */
async function settle(actor: Actor, agentId: string): Promise<void> {
  const agent = await Agents.get(agentId)
  const version = agent?.versionId === undefined ? undefined : await AgentVersions.get(agent.versionId)
  if (!agent || !version) return
  const code = packageOf(await keptBundle(version.packageKey))
  const { keyId, opened } = await run(actor, agent, code, version.topics)
  const { delivery, rules } = opened
  const tx = begin(actor)
  tx.write(Agents.replace(agent, { ...agent, keyId, delivery, rules }), ...opened.writes)
  for (const old of await keysOf(agent)) if (old.id !== keyId) tx.write(Keys.remove(old))
  await tx.commit()
  await opened.close()
}
