/** `agent:agent-export` is offered for every agent whose code is there. */
import * as operations from '../../../schemas/operations.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { AgentVersions, type StoredAgentVersion } from '../../entities/agent-versions.ts'
import { Agents, type StoredAgent } from '../../entities/agents.ts'
import type { JobPlace } from '../references.ts'
import { configOf } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'

export const exportAgent: Offer = {
  operation: operations.exportAgent,
  takes: () => true,
  check: async (job, place) => void (await exportedBy(job, place)),
}

/** What a job exports: the version that runs. Throws 404 for an agent that lives elsewhere, 409 for one that never ran. */
export async function exportedBy(job: JobRequest, place: JobPlace) {
  const { exportType } = configOf(operations.exportAgent, job)
  const agent = await Agents.get(job.source)
  if (!agent || agent.environmentId !== place.environmentId) throw notFound('agent', job.source)
  return { exportType, agent, version: await running(agent) }
}

async function running({ slug, versionId }: StoredAgent): Promise<StoredAgentVersion> {
  const version = versionId === undefined ? undefined : await AgentVersions.get(versionId)
  if (!version) throw conflict(`The agent ${slug} was not deployed to its end: deploy it again.`)
  return version
}
