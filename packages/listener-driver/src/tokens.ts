import { type Api, type EventToken, get } from './api.ts'

const RENEW_FRACTION = 0.2

export interface Tokens {
  current(signal: AbortSignal): Promise<EventToken>
  validMs(): number
  discard(): void
}

export function createTokenCache(api: Api, scope: string): Tokens {
  let cached: { token: EventToken; renewAt: number } | undefined
  return {
    async current(signal) {
      if (!cached || Date.now() >= cached.renewAt) {
        const token = await get<EventToken>(api, `/subscription?scope=${encodeURIComponent(scope)}`, signal)
        cached = { token, renewAt: Date.now() + token.ttl * 60_000 * (1 - RENEW_FRACTION) }
      }
      return cached.token
    },
    validMs: () => Math.max(0, (cached?.renewAt ?? 0) - Date.now()),
    discard() {
      cached = undefined
    },
  }
}
