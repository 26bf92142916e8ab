/** Schemas of accounts and entitlements. Access checks load only this file, not the endpoints. */

import * as z from 'zod'
import { AnyObject } from './any-object.ts'
import { Id, Time } from './ids.ts'
import { message } from './messages/index.ts'

export const Account = z.object({
  id: Id,
  name: z.string(),
  subdomain: z.string().optional(),
  metadata: AnyObject,
  defaultAppId: Id.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Account = z.infer<typeof Account>

const MAX_METADATA_BYTES = 2048

export const Entitlement = z.object({
  key: z.string().min(1).max(200),
  metadata: z
    .unknown()
    .refine(
      (value) => JSON.stringify(value ?? null).length <= MAX_METADATA_BYTES,
      message('shape.bytesAsJson', { count: MAX_METADATA_BYTES }),
    )
    .optional(),
})
export type Entitlement = z.infer<typeof Entitlement>
