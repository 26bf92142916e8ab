/** Stored users. An email address is unique in an account; a set per address lists users across accounts. */
import * as z from 'zod'
import { RoleAssignment } from '../../schemas/access/assignments.ts'
import { Time } from '../../schemas/kit/ids.ts'
import { User } from '../../schemas/users/shape.ts'
import { entity, type Stored } from '../table/entity.ts'
import { listMembers } from '../table/sets.ts'
import { findOwner } from '../table/unique-names.ts'

const Shape = User.extend({
  passwordHash: z.string().optional(),
  actorRoles: z.array(RoleAssignment),
  invite: z.object({ hash: z.string(), createdAt: Time }).optional(),
})

const stored = entity({ name: 'user', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredUser = Stored<typeof Shape>
export type NewUser = z.infer<typeof Shape>

type EmailOwner = Pick<NewUser, 'accountId' | 'email'>

export const buildEmailClaim = ({ accountId, email }: EmailOwner) =>
  ['user.email', `${accountId}#${email.toLowerCase()}`] as const
export const buildEmailSet = ({ email }: Pick<NewUser, 'email'>): string => `users#${email.toLowerCase()}`
export const buildIdpClaim = (accountId: string, idpRef: string) => ['user.idp', `${accountId}#${idpRef}`] as const

async function findByClaim(claim: readonly [string, string]): Promise<StoredUser | undefined> {
  const id = await findOwner(...claim)
  return id ? stored.get(id) : undefined
}

export const Users = {
  ...stored,
  inAccount: (accountId: string): Promise<StoredUser[]> => stored.list('inAccount', { accountId }),
  byEmail: (accountId: string, email: string): Promise<StoredUser | undefined> =>
    findByClaim(buildEmailClaim({ accountId, email })),
  byIdpRef: (accountId: string, idpRef: string): Promise<StoredUser | undefined> =>
    findByClaim(buildIdpClaim(accountId, idpRef)),
  async listByEmail(email: string): Promise<{ id: string; accountId: string }[]> {
    const found: { id: string; accountId: string }[] = []
    for await (const members of listMembers(buildEmailSet({ email })))
      found.push(...members.map(({ member, attributes }) => ({ id: member, accountId: attributes.accountId! })))
    return found
  },
}
