/** Accounts as they are shown and stored, and what they are entitled to; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

export const Account = z.object({
  id: Id,
  name: z.string(),
  subdomain: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  defaultAppId: Id.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Account = z.infer<typeof Account>

/** The metadata of one as JSON, in bytes. */
const METADATA_BYTES = 2048

/** Something that clients may do or how much of it, by a key they know, e.g. `customRecordsPageSize`. */
export const Entitlement = z.object({
  key: z.string().min(1).max(200),
  metadata: z
    .unknown()
    .refine(
      (value) => JSON.stringify(value ?? null).length <= METADATA_BYTES,
      `may have ${METADATA_BYTES} bytes as JSON`,
    )
    .optional(),
})
export type Entitlement = z.infer<typeof Entitlement>
