import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id } from '../kit/ids.ts'

export const Message = z.object({
  type: z.enum(['error', 'warn', 'info']),
  source: z.string(),
  message: z.string(),
  field: z.string().optional(),
  path: z.string().optional(),
  original: z.string().optional(),
})
export const Record = z.object({
  id: Id,
  values: z.record(z.string(), z.object({ value: z.unknown(), messages: z.array(Message), valid: z.boolean() })),
  valid: z.boolean(),
  metadata: AnyObject,
  config: AnyObject,
})

export const Counts = z.object({
  total: z.number().int(),
  valid: z.number().int(),
  error: z.number().int(),
  errorsByField: z.record(z.string(), z.number()).optional(),
  byField: z
    .record(z.string(), z.object({ total: z.number(), valid: z.number(), error: z.number(), empty: z.number() }))
    .optional(),
})
