/** Stored environment keys: a hash for comparison, and the encrypted value for administrators. */
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  type: z.enum(['SECRET', 'PUBLISHABLE', 'AGENT']),
  agentId: Id.optional(),
  hash: z.string(),
  sealed: z.string().optional(),
  createdBy: Id,
  createdAt: Time,
})

const stored = entity({ name: 'key', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredKey = Stored<typeof Shape>

export const Keys = {
  ...stored,
  async inEnvironment(environmentId: string): Promise<StoredKey[]> {
    const keys = await stored.list('inEnvironment', { environmentId })
    return keys.filter((key) => key.type !== 'AGENT').sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
  },
}
