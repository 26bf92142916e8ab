/** Live events of an environment or a space by WebSocket, with long polling as a fallback. Each arrives once. */
import { Refused } from '../../../packages/listener-driver/src/api.ts'
import { backOffMs, sleep } from '../../../packages/listener-driver/src/back-off.ts'
import type { LiveEvent, Session } from '../../../packages/listener-driver/src/connection.ts'
import { longPoll } from '../../../packages/listener-driver/src/long-poll.ts'
import { createSeen } from '../../../packages/listener-driver/src/seen.ts'
import { NoSocket, runSocket } from '../../../packages/listener-driver/src/socket.ts'
import { createTokenCache } from '../../../packages/listener-driver/src/tokens.ts'
import { session as signedIn } from './session.ts'

export type { LiveEvent } from '../../../packages/listener-driver/src/connection.ts'

const LONG_POLL_MS = 300_000
const MAX_RECENT_IDS = 500

export interface FollowOptions {
  scope: string
  onEvent(event: LiveEvent): void
  onState(live: boolean): void
}

export function followEvents({ scope, onEvent, onState }: FollowOptions): () => void {
  const stop = new AbortController()
  const api = {
    url: `${location.origin}/api`,
    get token() {
      return signedIn()?.token ?? ''
    },
  }
  const seenEvents = createSeen()
  let longPollUntil = 0
  const session: Session = {
    api,
    tokens: createTokenCache(api, scope),
    channel: `${scope.includes('_env_') ? 'environment' : 'space'}.${scope}`,
    signal: stop.signal,
    position: undefined,
    recentIds: () => seenEvents.last(MAX_RECENT_IDS),
    deliver(events) {
      for (const event of events) if (seenEvents.add(event.id)) onEvent(event)
    },
    onConnected: () => onState(true),
    canStay: () => Date.now() < longPollUntil,
  }
  void run()
  return () => stop.abort()

  async function run(): Promise<void> {
    for (let attempt = 0; !stop.signal.aborted; ) {
      try {
        const connect = Date.now() < longPollUntil ? longPoll : runSocket
        let isConnected = false
        session.onConnected = () => {
          attempt = 0
          if (!isConnected) onState(true)
          isConnected = true
        }
        await connect(session)
      } catch (error) {
        if (stop.signal.aborted) return
        onState(false)
        if (error instanceof Refused) return
        if (error instanceof NoSocket && Date.now() >= longPollUntil) {
          session.tokens.discard()
          longPollUntil = Date.now() + LONG_POLL_MS
          continue
        }
        longPollUntil = 0
        await sleep(backOffMs(attempt++), stop.signal)
      }
    }
  }
}
