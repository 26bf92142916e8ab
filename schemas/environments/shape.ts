import * as z from 'zod'
import { Month, MonthlyUsage } from '../accounts/usage.ts'
import { AnyObject } from '../kit/any-object.ts'
import { Id } from '../kit/ids.ts'

const GuestAuthenticationType = z.enum(['shared_link', 'magic_link'])
export type GuestAuthentication = z.infer<typeof GuestAuthenticationType>

/** Accepted as a value or a list of one; returned as a value, or as a list to the public SDK. */
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
  features: AnyObject,
  metadata: AnyObject,
  translationsPath: z.string().optional(),
  namespaces: z.array(z.string()).optional(),
  languageOverride: z.string().optional(),
  /** Pages that can use publishable keys, embedded tokens and guest tokens. Absent or `*` allows any. */
  allowedOrigins: z.array(z.string()).optional(),
})
export type Environment = z.infer<typeof Environment>

export const MAX_ORIGINS_PER_ENVIRONMENT = 50

export const Usage = z.object({
  environmentId: Id,
  /** Usage in development environments is not billable. */
  countsTowardCredits: z.boolean(),
  spaces: z.number().int(),
  workbooks: z.number().int(),
  sheets: z.number().int(),
  records: z.number().int(),
  files: z.number().int(),
  fileBytes: z.number().int(),
  since: z.string(),
  agentRuns: z.number().int(),
  failedAgentRuns: z.number().int(),
  agentMilliseconds: z.number(),
  month: Month,
  used: MonthlyUsage.shape.used,
  billable: MonthlyUsage.shape.billable,
})
