/** An agent's own API key and the environment variables of its function. */
import { generateKey, matchesKeyHash, type NewKey, parseKey } from '../auth/keys.ts'
import { env } from '../core/env.ts'
import type { StoredAgent } from '../entities/agents.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { type Actor, begin } from '../tx.ts'
import { describeFunction } from './function.ts'

/** A new key is stored before the function receives it, so that the function never has an invalid key. */
export async function getOrCreateKey(actor: Actor, agent: StoredAgent): Promise<Pick<NewKey, 'id' | 'value'>> {
  const value = (await describeFunction(agent.functionName))?.variables.FLATFILE_BEARER_TOKEN
  const id = value === undefined ? undefined : parseKey(value)?.id
  const storedKey = id === undefined ? undefined : await Keys.get(id)
  if (storedKey?.agentId === agent.id && value !== undefined && matchesKeyHash(value, storedKey.hash))
    return { id: storedKey.id, value }

  const key = generateKey('agk')
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

export async function listAgentKeys(agent: StoredAgent): Promise<StoredKey[]> {
  const { id, environmentId, keyId } = agent
  const [environmentKeys, currentKey] = await Promise.all([
    Keys.list('inEnvironment', { environmentId }),
    keyId === undefined ? undefined : Keys.get(keyId),
  ])
  const otherKeys = environmentKeys.filter((key) => key.agentId === id && key.id !== keyId)
  return currentKey ? [currentKey, ...otherKeys] : otherKeys
}

export const buildVariables = (agent: StoredAgent, token: string): Record<string, string> => ({
  AGENT_INTERNAL_URL: env().BASE_URL,
  FLATFILE_API_URL: env().BASE_URL,
  FLATFILE_BEARER_TOKEN: token,
  FLATFILE_API_KEY: token,
  FLATFILE_ENVIRONMENT_ID: agent.environmentId,
})
