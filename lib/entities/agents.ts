/** Stored agents, listed by environment; a slug exists once in an environment. The bundle is kept with the agent's versions. */
import * as z from 'zod'
import { Agent } from '../../schemas/agent.ts'
import { HeldRole } from '../../schemas/held-role.ts'
import { Id } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'

const Shape = Agent.extend({
  createdBy: Id,
  functionName: z.string(),
  /** Its own key; absent until its function is made. */
  keyId: Id.optional(),
  /** The version that runs; absent until the first one does. */
  versionId: Id.optional(),
  /** Versions there have been. */
  versions: z.number().int().default(0),
  /** How events reach it: by rules of its own, or by the router; absent until they do. */
  delivery: z.enum(['rule', 'router']).optional(),
  /** Its own rules. */
  rules: z.number().int().default(0),
  /** What it was given; absent as long as it has what every agent has from its deployment on. */
  actorRoles: z.array(HeldRole).optional(),
})

const stored = entity({
  name: 'agent',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, delivered: { index: 'gsi2', of: ['delivery'] } },
})
export type StoredAgent = Stored<typeof Shape>
export type NewAgent = z.infer<typeof Shape>

const claimed = ({ environmentId, slug }: Pick<NewAgent, 'environmentId' | 'slug'>) =>
  ['agent.slug', `${environmentId}#${slug}`] as const

export const Agents = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredAgent[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  /** Rules that all agents of the deployment have, but for one agent's. */
  async rulesBeside(agentId: string): Promise<number> {
    const ruled = await stored.list('delivered', { delivery: 'rule' })
    return ruled.reduce((sum, { id, rules }) => (id === agentId ? sum : sum + rules), 0)
  },
  /** By its slug; a strongly consistent read. */
  async bySlug(environmentId: string, slug: string): Promise<StoredAgent | undefined> {
    const id = await ownerOf(...claimed({ environmentId, slug }))
    return id === undefined ? undefined : stored.get(id)
  },
  insert(tx: Tx, agent: NewAgent): void {
    tx.write(stored.create(agent), claim(...claimed(agent), agent.id))
  },
  delete(tx: Tx, before: StoredAgent): void {
    tx.write(stored.remove(before), release(...claimed(before)))
  },
}

/** The context of an event about the agent. */
export const agentContext = (agent: Pick<NewAgent, 'id' | 'environmentId'>) => ({
  environmentId: agent.environmentId,
  agentId: agent.id,
})
