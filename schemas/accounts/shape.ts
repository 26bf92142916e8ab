import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id, Time } from '../kit/ids.ts'
import { message } from '../messages/index.ts'

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

export const MAX_ENTITLEMENTS_PER_CALL = 100
/** Requested by public clients on guest pages; other entitlements are hidden from guests. */
export const PUBLIC_ENTITLEMENTS: readonly string[] = ['headerSelection', 'sourceEditor', 'customRecordsPageSize']
