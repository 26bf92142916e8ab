/** Invitations as they are kept and shown: each is the mail that a guest gets. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** A magic link works once, within this time. */
export const MAGIC_LINK_MINUTES = 15
/** Mails are kept this long. */
export const MAIL_DAYS = 1

export const Invitation = z.object({
  id: Id,
  environmentId: Id,
  spaceId: Id,
  guestId: Id,
  to: z.string(),
  subject: z.string(),
  /** The mail, with the link in it. */
  text: z.string(),
  createdAt: Time,
  /** When its magic link was used. */
  usedAt: Time.optional(),
})
export type Invitation = z.infer<typeof Invitation>
