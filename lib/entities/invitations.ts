/**
 * Stored invitations, listed by place (an environment, or the account for its users) and by person; the mail is sealed,
 * because its link lets in. They expire by themselves.
 */
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import { Invitation } from '../../schemas/invitation.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = Invitation.omit({ text: true }).extend({
  accountId: Id,
  place: Id,
  person: Id,
  /** The mail's text, as long as it was not sent. */
  sealed: z.string().optional(),
  /** Sendings begun, and when the last one was. */
  attempts: z.number().int().default(0),
  triedAt: Time.optional(),
  /** Of the magic link's token; absent where the link is shared. */
  hash: z.string().optional(),
  /** Seconds since 1970, as DynamoDB's time to live has it. */
  expires: z.number(),
})

const stored = entity({
  name: 'invitation',
  shape: Shape,
  by: { inPlace: { index: 'gsi1', of: ['place'] }, ofPerson: { index: 'gsi2', of: ['person'] } },
})
/** Mails that wait for the mailer. */
export const MAIL_QUEUE = 'mail'

export type StoredInvitation = Stored<typeof Shape>

export const Invitations = {
  get: stored.get,
  create: stored.create,
  replace: stored.replace,
  /** Of an environment's guests, or of an account's users. */
  inPlace: (place: string): Promise<StoredInvitation[]> => stored.list('inPlace', { place }, { order: 'desc' }),
  /** The newest of the person's, some of them. */
  newestOf: (person: string): Promise<StoredInvitation[]> =>
    stored.list('ofPerson', { person }, { order: 'desc', limit: 20 }),
}
