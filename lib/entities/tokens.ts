/** Stored personal access tokens (hashes only). The token contains its id, so authentication is one read. */
import * as z from 'zod'
import { PersonalAccessToken } from '../../schemas/auth/token.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = PersonalAccessToken.extend({
  accountId: Id,
  userId: Id,
  hash: z.string(),
  previousHash: z.string().optional(),
})

const stored = entity({ name: 'token', shape: Shape, by: { ofUser: { index: 'gsi1', of: ['userId'] } } })
export type StoredToken = Stored<typeof Shape>

export const Tokens = {
  ...stored,
  ofUser: (userId: string): Promise<StoredToken[]> => stored.list('ofUser', { userId }),
}
