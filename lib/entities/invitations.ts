/** Stored invitations, listed by place and by person. The mail is encrypted because its link signs the recipient in. */
import * as z from 'zod'
import { Invitation } from '../../schemas/invitations/shape.ts'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Invitation.omit({ text: true }).extend({
  accountId: Id,
  place: Id,
  person: Id,
  sealed: z.string().optional(),
  attempts: z.number().int().default(0),
  triedAt: Time.optional(),
  hash: z.string().optional(),
  /** Seconds since 1970, for DynamoDB's TTL. */
  expires: z.number(),
})

const stored = entity({
  name: 'invitation',
  shape: Shape,
  by: { inPlace: { index: 'gsi1', of: ['place'] }, ofPerson: { index: 'gsi2', of: ['person'] } },
})
export const MAIL_QUEUE = 'mail'

export type StoredInvitation = Stored<typeof Shape>

export const Invitations = {
  get: stored.get,
  create: stored.create,
  replace: stored.replace,
  inPlace: (place: string): Promise<StoredInvitation[]> => stored.list('inPlace', { place }, { order: 'desc' }),
  newestOf: (person: string): Promise<StoredInvitation[]> =>
    stored.list('ofPerson', { person }, { order: 'desc', limit: 20 }),
}
