/** What the ways to follow events have in common. */
import type { Api } from './api.ts'
import type { Tokens } from './tokens.ts'

export type Transport = 'websocket' | 'long-poll'

/** An event as the platform sends it. */
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
  /** Why it waits before it connects again, or why it gave up. */
  error?: Error
  /** Milliseconds it waits. */
  retryMs?: number
}

/** What a transport works with. */
export interface Session {
  api: Api
  tokens: Tokens
  /** `environment.<id>` or `space.<id>`. */
  channel: string
  /** Aborted when the driver closes. */
  signal: AbortSignal
  /** The last position the server named: 17 digits; undefined before the first. */
  position: string | undefined
  /** Ids that came after the position, or shortly before it. */
  recent(): string[]
  /** Hands events on: those already seen are dropped. */
  deliver(events: LiveEvent[]): void
  connected(): void
  /** Is long poll still the way to follow? */
  mayStay(): boolean
}

/** The position of a time. */
export const positionAt = (milliseconds: number): string => `${String(milliseconds).padStart(13, '0')}0000`

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** When an event's id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number | undefined {
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
