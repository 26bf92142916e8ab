/** Stored agent exports, listed by environment and by agent; each archive is an object under its agent. */
import * as z from 'zod'
import { AgentExport } from '../../schemas/agents/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = AgentExport.extend({
  objectKey: z.string(),
  fileName: z.string(),
  size: z.number().int(),
  createdBy: Id,
})

const stored = entity({
  name: 'agent-export',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofAgent: { index: 'gsi2', of: ['agentId'] } },
})
export type StoredAgentExport = Stored<typeof Shape>

export const AgentExports = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredAgentExport[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  ofAgent: (agentId: string): Promise<StoredAgentExport[]> => stored.list('ofAgent', { agentId }, { order: 'desc' }),
}
