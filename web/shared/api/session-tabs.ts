/**
 * Shares the session with the other tabs of this browser, which keep it in memory and sessionStorage only. A new tab
 * asks the others; signing out of one ends all that have the same token.
 */
import type { Session } from './session-shape.ts'

/** Longest wait of a new tab for another one, before it shows the sign-in. */
const MAX_WAIT_MS = 150

type Message =
  | { type: 'request'; spaceId?: string | undefined }
  | { type: 'session'; session: Session }
  | { type: 'end'; token: string }

const findSpaceId = (): string | undefined => /^\/s\/([^/]+)/.exec(location.pathname)?.[1]

/** The session of a guest with a shared link opens one space only. */
const opens = (session: Session, spaceId: string | undefined): boolean =>
  session.kind === 'user' || spaceId === undefined || session.spaceId === spaceId || session.byShared !== true

export function connectTabs(tab: { get(): Session | undefined; end(token: string): void }) {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('wharf.session') : undefined
  let receive: ((session: Session) => void) | undefined
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const session = tab.get()
    if (data.type === 'session') receive?.(data.session)
    else if (data.type === 'end') tab.end(data.token)
    else if (session && session.kind !== 'embedded' && opens(session, data.spaceId))
      channel.postMessage({ type: 'session', session } satisfies Message)
  })
  return {
    announceEnd: (token: string) => channel?.postMessage({ type: 'end', token } satisfies Message),
    request: (): Promise<Session | undefined> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), channel ? MAX_WAIT_MS : 0)
        receive = (session) => {
          if (session.expiresAt <= Date.now()) return
          clearTimeout(timer)
          resolve(session)
        }
        channel?.postMessage({ type: 'request', spaceId: findSpaceId() } satisfies Message)
      }),
  }
}
