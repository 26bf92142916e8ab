/** Stored users. Their e-mail addresses are claimed once in the whole deployment: a user signs in by it. */
import * as z from 'zod'
import { User } from '../../schemas/users.ts'
import { entity, type Stored } from '../table/entity.ts'
import { claim, ownerOf } from '../table/unique.ts'

const Shape = User.extend({ passwordHash: z.string().optional() })

export const Users = {
  ...entity({ name: 'user', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } }),
  claimEmail: (email: string, id: string) => claim('user.email', email.toLowerCase(), id),
  async byEmail(email: string): Promise<StoredUser | undefined> {
    const id = await ownerOf('user.email', email.toLowerCase())
    return id ? Users.get(id) : undefined
  },
}
export type StoredUser = Stored<typeof Shape>
