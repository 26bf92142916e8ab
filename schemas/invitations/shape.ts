import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const MAGIC_LINK_MINUTES = 15
export const MAIL_RETENTION_DAYS = 3

export const Invitation = z.object({
  id: Id,
  environmentId: Id.optional(),
  spaceId: Id.optional(),
  guestId: Id.optional(),
  userId: Id.optional(),
  to: z.string(),
  subject: z.string(),
  /** Includes the link, so it is deleted once the mail is sent. */
  text: z.string().optional(),
  createdAt: Time,
  sentAt: Time.optional(),
  usedAt: Time.optional(),
})
export type Invitation = z.infer<typeof Invitation>
