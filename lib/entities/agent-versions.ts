/** Stored agent versions, listed by agent; each package is an object named by its digest. */
import * as z from 'zod'
import { AgentVersion } from '../../schemas/agents/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = AgentVersion.omit({ agent_id: true }).extend({
  agentId: Id,
  accountId: Id,
  environmentId: Id,
  packageKey: z.string(),
  createdBy: Id,
})

const stored = entity({ name: 'agent-version', shape: Shape, by: { ofAgent: { index: 'gsi1', of: ['agentId'] } } })
export type StoredAgentVersion = Stored<typeof Shape>
export type NewAgentVersion = z.infer<typeof Shape>

export const AgentVersions = {
  ...stored,
  ofAgent: (agentId: string): Promise<StoredAgentVersion[]> => stored.list('ofAgent', { agentId }, { order: 'desc' }),
}

export const serializeVersion = ({ agentId, ...version }: NewAgentVersion): AgentVersion => ({
  ...version,
  agent_id: agentId,
})
