/** Lifetimes and schemas of tokens. Endpoint guards import only this file, to stay small. */
import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const TOKEN_SECONDS = { administrator: 24 * 3600, publishable: 24 * 3600, guest: 3600 } as const

export const SESSION_SECONDS = 7 * 24 * 3600

export const PersonalAccessToken = z.object({ id: Id, name: z.string(), createdAt: Time, lastUsedAt: Time.optional() })
export type PersonalAccessToken = z.infer<typeof PersonalAccessToken>
