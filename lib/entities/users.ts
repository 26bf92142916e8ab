/**
 * Stored users. An account has one user of an e-mail address; other accounts may have theirs, which a set for each address lists:
 * a user signs in by it.
 */
import * as z from 'zod'
import { HeldRole } from '../../schemas/held-role.ts'
import { Time } from '../../schemas/ids.ts'
import { User } from '../../schemas/user.ts'
import { entity, type Stored } from '../table/entity.ts'
import { membersOf } from '../table/members.ts'
import { ownerOf } from '../table/unique.ts'

const Shape = User.extend({
  passwordHash: z.string().optional(),
  actorRoles: z.array(HeldRole),
  /** The link it was invited by, as long as it was not used. */
  invite: z.object({ hash: z.string(), createdAt: Time }).optional(),
})

const stored = entity({ name: 'user', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredUser = Stored<typeof Shape>
export type NewUser = z.infer<typeof Shape>

type Addressed = Pick<NewUser, 'accountId' | 'email'>

export const emailClaim = ({ accountId, email }: Addressed) =>
  ['user.email', `${accountId}#${email.toLowerCase()}`] as const
export const emailSet = ({ email }: Pick<NewUser, 'email'>): string => `users#${email.toLowerCase()}`
/** The user's id where it signs in, for its account. */
export const idpClaim = (accountId: string, idpRef: string) => ['user.idp', `${accountId}#${idpRef}`] as const

async function ownedBy(claim: readonly [string, string]): Promise<StoredUser | undefined> {
  const id = await ownerOf(...claim)
  return id ? stored.get(id) : undefined
}

/** They are written by lib/entities/user-changes.ts. */
export const Users = {
  ...stored,
  inAccount: (accountId: string): Promise<StoredUser[]> => stored.list('inAccount', { accountId }),
  /** The account's user of the address. */
  byEmail: (accountId: string, email: string): Promise<StoredUser | undefined> =>
    ownedBy(emailClaim({ accountId, email })),
  /** The account's user of an id where it signs in. */
  byIdpRef: (accountId: string, idpRef: string): Promise<StoredUser | undefined> =>
    ownedBy(idpClaim(accountId, idpRef)),
  /** The users of the address in all accounts. */
  async ofAddress(email: string): Promise<{ id: string; accountId: string }[]> {
    const found: { id: string; accountId: string }[] = []
    for await (const members of membersOf(emailSet({ email })))
      found.push(...members.map(({ member, told }) => ({ id: member, accountId: told.accountId! })))
    return found
  },
}
