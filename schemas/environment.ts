/** Environments as they are kept and shown; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id } from './ids.ts'

const GuestAuthenticationType = z.enum(['shared_link', 'magic_link'])
export type GuestAuthentication = z.infer<typeof GuestAuthenticationType>

/** How guests get access. Written as one value or a list; stored and answered as one (a list to the public SDK). */
export const GuestAuthentication = z
  .union([GuestAuthenticationType, z.array(GuestAuthenticationType).min(1).max(1)])
  .transform((value) => (Array.isArray(value) ? value[0]! : value))

export const Environment = z.object({
  id: Id,
  accountId: Id,
  name: z.string(),
  slug: z.string(),
  isProd: z.boolean(),
  guestAuthentication: GuestAuthenticationType,
  features: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  translationsPath: z.string().optional(),
  namespaces: z.array(z.string()).optional(),
  languageOverride: z.string().optional(),
  /** Origins of pages that may use publishable keys, embedded tokens and guests' tokens; any where it is absent or has `*`. */
  allowedOrigins: z.array(z.string()).optional(),
})
export type Environment = z.infer<typeof Environment>
