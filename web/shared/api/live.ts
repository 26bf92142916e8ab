/**
 * Live events of an environment or a space, followed as the listener driver follows them: pushed over a WebSocket, by long
 * poll where there is none, each event once.
 */
import { Refused } from '../../../packages/listener-driver/src/api.ts'
import { backOffMs, pause } from '../../../packages/listener-driver/src/back-off.ts'
import type { LiveEvent, Session } from '../../../packages/listener-driver/src/connection.ts'
import { longPoll } from '../../../packages/listener-driver/src/long-poll.ts'
import { seen } from '../../../packages/listener-driver/src/seen.ts'
import { NoSocket, socket } from '../../../packages/listener-driver/src/socket.ts'
import { tokensOf } from '../../../packages/listener-driver/src/tokens.ts'
import { session as signedIn } from './session.ts'

export type { LiveEvent } from '../../../packages/listener-driver/src/connection.ts'

const LONG_POLL_MS = 300_000
const RECENT = 500

export interface Following {
  /** Id of the environment or space. */
  scope: string
  onEvent(event: LiveEvent): void
  /** Whether events come as they happen; without leave to follow them they never do. */
  onState(live: boolean): void
}

/** Begins to follow; @returns what ends it */
export function follow({ scope, onEvent, onState }: Following): () => void {
  const stop = new AbortController()
  const api = {
    url: `${location.origin}/api`,
    get token() {
      return signedIn()?.token ?? ''
    },
  }
  const known = seen()
  let longPollUntil = 0
  const session: Session = {
    api,
    tokens: tokensOf(api, scope),
    channel: `${scope.includes('_env_') ? 'environment' : 'space'}.${scope}`,
    signal: stop.signal,
    position: undefined,
    recent: () => known.last(RECENT),
    deliver(events) {
      for (const event of events) if (known.add(event.id)) onEvent(event)
    },
    connected: () => onState(true),
    mayStay: () => Date.now() < longPollUntil,
  }
  void run()
  return () => stop.abort()

  async function run(): Promise<void> {
    for (let attempt = 0; !stop.signal.aborted; ) {
      try {
        const first = Date.now() < longPollUntil ? longPoll : socket
        let told = false
        session.connected = () => {
          attempt = 0
          if (!told) onState(true)
          told = true
        }
        await first(session)
      } catch (error) {
        if (stop.signal.aborted) return
        onState(false)
        if (error instanceof Refused) return
        if (error instanceof NoSocket && Date.now() >= longPollUntil) {
          session.tokens.drop()
          longPollUntil = Date.now() + LONG_POLL_MS
          continue
        }
        longPollUntil = 0
        await pause(backOffMs(attempt++), stop.signal)
      }
    }
  }
}
