/** Mappings a user accepted for sheets of one name in one environment. Never shared across accounts. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { EnumValue } from '../../schemas/programs/plan.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Write } from '../table/write.ts'
import { packToFit, unpack } from './packed.ts'

const LearnedEdge = z.object({
  field: z.string(),
  source: z.string(),
  count: z.number().int(),
  at: Time,
  spaceId: Id.optional(),
})
export type LearnedEdge = z.infer<typeof LearnedEdge>

const Translation = z.object({ field: z.string(), from: z.string(), to: EnumValue, at: Time })

const LearnedMappings = z.object({ edges: z.array(LearnedEdge), translations: z.array(Translation) })
export type LearnedMappings = z.infer<typeof LearnedMappings>

const Shape = z.object({
  id: z.string(),
  accountId: Id,
  environmentId: Id,
  destination: z.string(),
  actorId: Id,
  packed: z.string(),
  updatedAt: Time,
})
const stored = entity({
  name: 'mapping-memory',
  shape: Shape,
  by: {
    inEnvironment: { index: 'gsi1', of: ['environmentId'] },
    ofSheets: { index: 'gsi2', of: ['accountId', 'destination'] },
  },
})
export type StoredLearnedMappings = Stored<typeof Shape>

export type LearningScope = Pick<z.infer<typeof Shape>, 'accountId' | 'environmentId' | 'destination' | 'actorId'>

const deriveId = ({ environmentId, destination, actorId }: LearningScope): string =>
  createHash('sha256')
    .update(JSON.stringify([environmentId, destination, actorId]))
    .digest('base64url')

const dropOlderHalf = ({ edges, translations }: LearnedMappings): LearnedMappings => ({
  edges: edges.slice(Math.ceil(edges.length / 2)),
  translations: translations.slice(Math.ceil(translations.length / 2)),
})

export const MappingMemories = {
  async ofSheets(accountId: string, destination: string): Promise<(LearnedMappings & { environmentId: string })[]> {
    const found = await stored.list('ofSheets', { accountId, destination })
    return found.map(({ environmentId, packed }) => ({ environmentId, ...LearnedMappings.parse(unpack(packed)) }))
  },
  inEnvironment: (environmentId: string): Promise<StoredLearnedMappings[]> =>
    stored.list('inEnvironment', { environmentId }),
  remove: stored.remove,
  async change(scope: LearningScope, at: string, change: (before: LearnedMappings) => LearnedMappings): Promise<Write> {
    const id = deriveId(scope)
    const before = await stored.get(id)
    const after = change(before ? LearnedMappings.parse(unpack(before.packed)) : { edges: [], translations: [] })
    const item = { ...scope, id, updatedAt: at, packed: packToFit(after, dropOlderHalf) }
    return before ? stored.replace(before, item) : stored.create(item)
  },
}
