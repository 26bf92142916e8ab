import type { Api } from './api.ts'
import type { Tokens } from './tokens.ts'

export type Transport = 'websocket' | 'long-poll'

export interface LiveEvent {
  id: string
  topic: string
  context: Record<string, unknown>
  payload: unknown
  [key: string]: unknown
}

export interface Status {
  state: 'connected' | 'waiting' | 'closed'
  transport?: Transport
  error?: Error
  retryMs?: number
}

export interface Session {
  api: Api
  tokens: Tokens
  /** `environment.<id>` or `space.<id>`. */
  channel: string
  signal: AbortSignal
  /** The last cursor from the server: 17 digits. */
  position: string | undefined
  recentIds(): string[]
  deliver(events: LiveEvent[]): void
  onConnected(): void
  canStay(): boolean
}

export const toPosition = (milliseconds: number): string => `${String(milliseconds).padStart(13, '0')}0000`

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function parseIdTime(id: string): number | undefined {
  const ulid = id.slice(id.lastIndexOf('_') + 1)
  if (ulid.length !== 26) return undefined
  let time = 0
  for (const letter of ulid.slice(0, 10)) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    time = time * 32 + digit
  }
  return time
}
