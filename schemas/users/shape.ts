import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id, Time } from '../kit/ids.ts'

export const INVITE_HOURS = 72
export const MAX_TOKENS_PER_USER = 50

export const User = z.object({
  id: Id,
  accountId: Id,
  email: z.string(),
  name: z.string(),
  idp: z.string(),
  idpRef: z.string().optional(),
  metadata: AnyObject,
  dashboard: z.number().int().optional(),
  createdAt: Time,
  updatedAt: Time,
  lastSeenAt: Time.optional(),
})
export type User = z.infer<typeof User>
