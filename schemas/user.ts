/** Users as they are kept and shown; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** An invitation's link works once, within this time. */
export const INVITE_HOURS = 72
/** Personal access tokens, legacy pairs included, one user may have. */
export const TOKENS_PER_USER = 50

export const User = z.object({
  id: Id,
  accountId: Id,
  email: z.string(),
  name: z.string(),
  /** Who vouches for the user: `wharf` for e-mail and password, `oidc` for the account's single sign-on. */
  idp: z.string(),
  /** The user's id where it signs in: `<issuer>#<sub>`. */
  idpRef: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  /** Which of the console's dashboards the user chose. */
  dashboard: z.number().int().optional(),
  createdAt: Time,
  updatedAt: Time,
  lastSeenAt: Time.optional(),
})
export type User = z.infer<typeof User>
