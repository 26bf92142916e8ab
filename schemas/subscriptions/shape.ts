import * as z from 'zod'
import { Id } from '../kit/ids.ts'

export const SUBSCRIPTION_MINUTES = 15

export const EventToken = z.object({
  accountId: Id,
  subscribeKey: z.string(),
  ttl: z.number().int(),
  token: z.string(),
  webSocketUrl: z.string().optional(),
})
export type EventToken = z.infer<typeof EventToken>
