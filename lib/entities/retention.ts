/**
 * Stored data retention policies, listed by environment, and what the clock walks: a set of all policies, and for each
 * environment the set of what has expired there. A policy that is gone stays in the set until the clock has seen it so.
 */
import { Id } from '../../schemas/ids.ts'
import { RetentionPolicy } from '../../schemas/retention-policy.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'
import { join, leave, membersOf } from '../table/members.ts'

const Shape = RetentionPolicy.extend({ accountId: Id })
const stored = entity({
  name: 'retention-policy',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredPolicy = Stored<typeof Shape>

const SET = 'retention'
const expiredIn = (environmentId: string) => `expired#${environmentId}`
/** By environment first: those of one environment follow one another. */
const memberOf = (environmentId: string, id: string) => `${environmentId}#${id}`

/** An environment in which things may be due, with the ids of the policies it has or had. */
export interface RetentionPlace {
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
    join(SET, memberOf(policy.environmentId, policy.id), {
      accountId: policy.accountId,
      environmentId: policy.environmentId,
    }),
  ],
  /** Nothing is left to be done for a policy that is gone. */
  forget: (environmentId: string, id: string): Write => leave(SET, memberOf(environmentId, id)),

  /** Every environment that has a policy, or had one the clock has not seen gone; each once. */
  async *places(): AsyncGenerator<RetentionPlace> {
    let place: RetentionPlace | undefined
    for await (const members of membersOf(SET)) {
      for (const { member, told } of members) {
        const { accountId = '', environmentId = '' } = told
        if (place && place.environmentId !== environmentId) yield place
        if (place?.environmentId !== environmentId) place = { accountId, environmentId, policyIds: [] }
        place.policyIds.push(member.slice(environmentId.length + 1))
      }
    }
    if (place) yield place
  },
}

/** What has expired and is not removed yet, by id. */
export const Expired = {
  join: (environmentId: string, id: string): Write => join(expiredIn(environmentId), id, {}),
  leave: (environmentId: string, id: string): Write => leave(expiredIn(environmentId), id),
  async *in(environmentId: string): AsyncGenerator<string[]> {
    for await (const members of membersOf(expiredIn(environmentId))) yield members.map(({ member }) => member)
  },
}
