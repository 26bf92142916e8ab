/** Records compared with another version. */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id } from '../kit/ids.ts'

const DiffValue = z.object({
  value: z.unknown(),
  snapshotValue: z.unknown(),
  messages: z.array(z.unknown()),
  valid: z.boolean(),
})

export const DiffRecord = z.object({
  id: Id,
  values: z.record(z.string(), DiffValue),
  valid: z.boolean(),
  metadata: AnyObject,
  config: AnyObject,
})
