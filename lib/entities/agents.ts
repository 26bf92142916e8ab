/** Stored agents, listed by environment; a slug is unique in an environment. Bundles are stored with the versions. */
import * as z from 'zod'
import { RoleAssignment } from '../../schemas/access/assignments.ts'
import { Agent } from '../../schemas/agents/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Tx } from '../tx.ts'

const Shape = Agent.extend({
  isActive: z.boolean().default(true),
  createdBy: Id,
  functionName: z.string(),
  keyId: Id.optional(),
  versionId: Id.optional(),
  versions: z.number().int().default(0),
  delivery: z.enum(['rule', 'router']).optional(),
  rules: z.number().int().default(0),
  actorRoles: z.array(RoleAssignment).optional(),
})

const stored = entity({
  name: 'agent',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, delivered: { index: 'gsi2', of: ['delivery'] } },
})
export type StoredAgent = Stored<typeof Shape>
export type NewAgent = z.infer<typeof Shape>

const buildClaimKey = ({ environmentId, slug }: Pick<NewAgent, 'environmentId' | 'slug'>) =>
  ['agent.slug', `${environmentId}#${slug}`] as const

export const Agents = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredAgent[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  async countOtherRules(agentId: string): Promise<number> {
    const agentsWithRules = await stored.list('delivered', { delivery: 'rule' })
    return agentsWithRules.reduce((total, { id, rules }) => (id === agentId ? total : total + rules), 0)
  },
  async bySlug(environmentId: string, slug: string): Promise<StoredAgent | undefined> {
    const id = await findOwner(...buildClaimKey({ environmentId, slug }))
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, agent: NewAgent): void {
    tx.write(stored.create(agent), claimUnique(...buildClaimKey(agent), agent.id))
  },
  delete(tx: Tx, before: StoredAgent): void {
    tx.write(stored.remove(before), releaseUnique(...buildClaimKey(before)))
  },
}

export const getCalledTopics = ({ isActive, topics }: Pick<NewAgent, 'isActive' | 'topics'>): string[] =>
  isActive ? topics : []

export const agentContext = (agent: Pick<NewAgent, 'id' | 'environmentId'>) => ({
  environmentId: agent.environmentId,
  agentId: agent.id,
})
