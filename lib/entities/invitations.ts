/** Stored invitations, listed by environment and by guest; the mail is sealed, because its link lets in. They expire by themselves. */
import * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import { Invitation } from '../../schemas/invitation.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Invitation.omit({ text: true }).extend({
  accountId: Id,
  sealed: z.string(),
  /** Of the magic link's token; absent where the link is shared. */
  hash: z.string().optional(),
  /** Seconds since 1970, as DynamoDB's time to live has it. */
  expires: z.number(),
})

const stored = entity({
  name: 'invitation',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, ofGuest: { index: 'gsi2', of: ['guestId'] } },
})
export type StoredInvitation = Stored<typeof Shape>

export const Invitations = {
  get: stored.get,
  create: stored.create,
  replace: stored.replace,
  inEnvironment: (environmentId: string): Promise<StoredInvitation[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  /** The newest of the guest's, some of them. */
  newestOf: (guestId: string): Promise<StoredInvitation[]> =>
    stored.list('ofGuest', { guestId }, { order: 'desc', limit: 20 }),
}
