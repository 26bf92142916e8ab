/** Invitations as they are kept and shown: each is the mail that a guest or a user gets. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** A magic link works once, within this time. */
export const MAGIC_LINK_MINUTES = 15
/** Mails are kept this long. */
export const MAIL_DAYS = 3

export const Invitation = z.object({
  id: Id,
  /** Of a mail to a guest. */
  environmentId: Id.optional(),
  spaceId: Id.optional(),
  guestId: Id.optional(),
  /** Of a mail to a user. */
  userId: Id.optional(),
  to: z.string(),
  subject: z.string(),
  /** The mail, with the link in it; none once it was sent. */
  text: z.string().optional(),
  createdAt: Time,
  /** When it was handed to the mail service. */
  sentAt: Time.optional(),
  /** When its magic link was used. */
  usedAt: Time.optional(),
})
export type Invitation = z.infer<typeof Invitation>
