/** The operation `agent:agent-export`, for agents whose code is deployed here. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { AgentVersions, type StoredAgentVersion } from '../../entities/agent-versions.ts'
import { Agents, type StoredAgent } from '../../entities/agents.ts'
import type { JobLocation } from '../resolve-resources.ts'
import { parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'

export const exportAgent: PlatformOperation = {
  operation: operations.exportAgent,
  matches: () => true,
  validate: async (job, location) => void (await resolveAgentExport(job, location)),
}

export async function resolveAgentExport(job: JobRequest, location: JobLocation) {
  const { exportType } = parseConfig(operations.exportAgent, job)
  const agent = await Agents.get(job.source)
  if (!agent || agent.environmentId !== location.environmentId) throw notFound('agent', job.source)
  return { exportType, agent, version: await getRunningVersion(agent) }
}

async function getRunningVersion({ slug, versionId }: StoredAgent): Promise<StoredAgentVersion> {
  const version = versionId === undefined ? undefined : await AgentVersions.get(versionId)
  if (!version) throw conflict(message('agents.notDeployed', { agent: slug }))
  return version
}
