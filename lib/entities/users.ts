/** Stored users. Their e-mail addresses are claimed once in the whole deployment: a user signs in by it. */
import * as z from 'zod'
import { HeldRole } from '../../schemas/held-role.ts'
import { Time } from '../../schemas/ids.ts'
import { User } from '../../schemas/user.ts'
import { entity, type Stored } from '../table/entity.ts'
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

export const emailOf = ({ email }: Pick<NewUser, 'email'>) => ['user.email', email.toLowerCase()] as const

/** They are written by lib/entities/user-changes.ts. */
export const Users = {
  ...stored,
  inAccount: (accountId: string): Promise<StoredUser[]> => stored.list('inAccount', { accountId }),
  async byEmail(email: string): Promise<StoredUser | undefined> {
    const id = await ownerOf(...emailOf({ email }))
    return id ? stored.get(id) : undefined
  },
}
