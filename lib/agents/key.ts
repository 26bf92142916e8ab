/** An agent's own key, and what its function's environment has: the key and where the API is. */
import { keyIdOf, keyMatches, type NewKey, newKey } from '../auth/keys.ts'
import { env } from '../core/env.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { type Actor, begin } from '../tx.ts'
import { describeFunction } from './function.ts'

/**
 * The key the function has already, if it is still the agent's: a run in progress goes on with it. Else a new one, stored
 * before the function gets it, so that the function never has a key that does not work.
 */
export async function ownKey(actor: Actor, agent: StoredAgent): Promise<Pick<NewKey, 'id' | 'value'>> {
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
export async function keysOf(agent: StoredAgent): Promise<StoredKey[]> {
  const { id, environmentId, keyId } = agent
  const [listed, own] = await Promise.all([
    Keys.list('inEnvironment', { environmentId }),
    keyId === undefined ? undefined : Keys.get(keyId),
  ])
  const others = listed.filter((key) => key.agentId === id && key.id !== keyId)
  return own ? [own, ...others] : others
}

/** What public listeners, plugins and the SDK read from their environment. */
export const variablesOf = (agent: StoredAgent, token: string): Record<string, string> => ({
  AGENT_INTERNAL_URL: env().BASE_URL,
  FLATFILE_API_URL: env().BASE_URL,
  FLATFILE_BEARER_TOKEN: token,
  FLATFILE_API_KEY: token,
  FLATFILE_ENVIRONMENT_ID: agent.environmentId,
})
