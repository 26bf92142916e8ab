/** Tokens as they are kept and shown, and how long they live; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** Seconds an access token lives. */
export const TOKEN_SECONDS = { administrator: 24 * 3600, publishable: 24 * 3600, guest: 3600 } as const

/** Tokens are refreshed until this long after credentials were given. */
export const SESSION_SECONDS = 7 * 24 * 3600

export const PersonalAccessToken = z.object({ id: Id, name: z.string(), createdAt: Time, lastUsedAt: Time.optional() })
export type PersonalAccessToken = z.infer<typeof PersonalAccessToken>
