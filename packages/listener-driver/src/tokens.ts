/** Subscription tokens: one at a time, renewed before it ends. */
import { type Api, type EventToken, get } from './api.ts'

/** A token is renewed when this part of its time is left. */
const RENEW_AT = 0.2

export interface Tokens {
  /** A token with enough time left. @throws Refused when there is none to be had */
  current(signal: AbortSignal): Promise<EventToken>
  /** Milliseconds until the current token should be replaced. */
  freshMs(): number
  /** The current token was refused: the next is a new one. */
  drop(): void
}

export function tokensOf(api: Api, scope: string): Tokens {
  let held: { token: EventToken; renewAt: number } | undefined
  return {
    async current(signal) {
      if (!held || Date.now() >= held.renewAt) {
        const token = await get<EventToken>(api, `/subscription?scope=${encodeURIComponent(scope)}`, signal)
        held = { token, renewAt: Date.now() + token.ttl * 60_000 * (1 - RENEW_AT) }
      }
      return held.token
    },
    freshMs: () => Math.max(0, (held?.renewAt ?? 0) - Date.now()),
    drop() {
      held = undefined
    },
  }
}
