/**
 * Stored retention policies, with the sets the clock walks: all policies, and expired resources per environment.
 * A deleted policy stays in the set until the clock has processed it.
 */
import { Id } from '../../schemas/kit/ids.ts'
import { RetentionPolicy } from '../../schemas/retention/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { addMember, listMembers, removeMember } from '../table/sets.ts'
import type { Write } from '../table/write.ts'

const Shape = RetentionPolicy.extend({ accountId: Id })
const stored = entity({
  name: 'retention-policy',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredPolicy = Stored<typeof Shape>

const POLICY_SET = 'retention'
const buildExpiredSetName = (environmentId: string) => `expired#${environmentId}`
const buildMemberKey = (environmentId: string, id: string) => `${environmentId}#${id}`

export interface RetentionEnvironment {
  accountId: string
  environmentId: string
  policyIds: string[]
}

export const RetentionPolicies = {
  get: stored.get,
  getMany: stored.getMany,
  replace: stored.replace,
  remove: stored.remove,
  inEnvironment: (environmentId: string): Promise<StoredPolicy[]> => stored.list('inEnvironment', { environmentId }),
  create: (policy: Omit<StoredPolicy, 'rev'>): Write[] => [
    stored.create(policy),
    addMember(POLICY_SET, buildMemberKey(policy.environmentId, policy.id), {
      accountId: policy.accountId,
      environmentId: policy.environmentId,
    }),
  ],
  /** Call it when no work is left for a deleted policy. */
  removeFromSet: (environmentId: string, id: string): Write =>
    removeMember(POLICY_SET, buildMemberKey(environmentId, id)),

  /** Environments with a policy, or with a deleted one the clock has not processed; each once. */
  async *listEnvironments(): AsyncGenerator<RetentionEnvironment> {
    let environment: RetentionEnvironment | undefined
    for await (const members of listMembers(POLICY_SET)) {
      for (const { member, attributes } of members) {
        const { accountId = '', environmentId = '' } = attributes
        if (environment && environment.environmentId !== environmentId) yield environment
        if (environment?.environmentId !== environmentId) environment = { accountId, environmentId, policyIds: [] }
        environment.policyIds.push(member.slice(environmentId.length + 1))
      }
    }
    if (environment) yield environment
  },
}

export const ExpiredResources = {
  add: (environmentId: string, id: string): Write => addMember(buildExpiredSetName(environmentId), id, {}),
  remove: (environmentId: string, id: string): Write => removeMember(buildExpiredSetName(environmentId), id),
  async *list(environmentId: string): AsyncGenerator<string[]> {
    for await (const members of listMembers(buildExpiredSetName(environmentId)))
      yield members.map(({ member }) => member)
  },
}
