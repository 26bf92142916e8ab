/** Lifetimes and schemas of tokens. Endpoint guards import only this file, to stay small. */
import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../kit/time.ts'
import { AgentAccess } from '../oauth/shape.ts'

export const TOKEN_SECONDS = { administrator: DAY_SECONDS, publishable: DAY_SECONDS, guest: HOUR_SECONDS } as const

export const SESSION_SECONDS = 7 * DAY_SECONDS

export const PersonalAccessToken = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  lastUsedAt: Time.optional(),
  /** Set for a connected AI agent. */
  connection: z.object({ environmentId: Id, access: AgentAccess }).optional(),
})
export type PersonalAccessToken = z.infer<typeof PersonalAccessToken>
