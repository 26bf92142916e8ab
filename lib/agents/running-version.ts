import { message } from '../../schemas/messages/index.ts'
import { conflict } from '../core/errors.ts'
import { AgentVersions, type StoredAgentVersion } from '../entities/agent-versions.ts'
import type { StoredAgent } from '../entities/agents.ts'

export async function getRunningVersion({ slug, versionId }: StoredAgent): Promise<StoredAgentVersion> {
  const version = versionId === undefined ? undefined : await AgentVersions.get(versionId)
  if (!version) throw conflict(message('agents.notDeployed', { agent: slug }))
  return version
}
