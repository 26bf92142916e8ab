import * as z from 'zod'

/** Access of a connected AI agent: it reads, also proposes changes for approval, or also applies them. */
export const AGENT_ACCESS = ['read', 'propose', 'write'] as const
export const AgentAccess = z.enum(AGENT_ACCESS)
export type AgentAccess = z.infer<typeof AgentAccess>

export const ACCESS_TOKEN_SECONDS = 3600
export const CODE_SECONDS = 300
export const MAX_REDIRECT_ADDRESSES = 10
export const MAX_CLIENT_NAME_LENGTH = 100
/** The client id is an encrypted registration. */
export const MAX_CLIENT_ID_LENGTH = 8000
export const MAX_URL_LENGTH = 2000
