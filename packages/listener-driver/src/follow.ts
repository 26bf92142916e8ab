import { type Api, Refused } from './api.ts'
import { backOffMs, sleep } from './back-off.ts'
import { type LiveEvent, parseIdTime, type Session, type Status, type Transport, toPosition } from './connection.ts'
import { longPoll } from './long-poll.ts'
import { createSeen } from './seen.ts'
import { NoSocket, runSocket } from './socket.ts'
import { createTokenCache } from './tokens.ts'

export interface FollowOptions {
  /** Id of the environment or space to follow. */
  scope: string
  /** The starting point: a `position` of an earlier connection or the id of its last event. Defaults to now. */
  since?: string | undefined
  /** `auto` uses a WebSocket and falls back to long polling. */
  transport?: 'auto' | Transport | undefined
  onStatus?: ((status: Status) => void) | undefined
}

interface FollowTarget {
  /** Its `url` ends in /api. */
  api: Api
  onEvent(event: LiveEvent): void
}

/** How long to use long polling before retrying the WebSocket. */
const SOCKET_RETRY_MS = 300_000
const MAX_SEEN_IDS = 500

function deferred() {
  let resolve = () => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone
    reject = onError
  })
  return { promise, resolve, reject }
}

/** Connects and reconnects until it is closed, and delivers each event once. */
export class Follower {
  readonly #options: FollowOptions & FollowTarget
  readonly #stop = new AbortController()
  readonly #seen = createSeen()
  readonly #session: Session
  #running: Promise<void> | undefined
  #longPollUntil = 0
  readonly #ready = deferred()

  /** @throws Error if `since` is invalid */
  constructor(options: FollowOptions & FollowTarget) {
    this.#options = options
    this.#session = this.#newSession(options.since === undefined ? undefined : parsePosition(options.since))
    // Errors are also reported to onStatus, so they need not be handled here.
    this.#ready.promise.catch(() => {})
  }

  /** Resolves once connected; rejects if that is impossible or it is closed first. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  get position(): string | undefined {
    return this.#session.position
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async close(): Promise<void> {
    if (!this.#stop.signal.aborted) this.#stop.abort()
    this.#ready.reject(new Error('The driver was closed.'))
    await this.#running
  }

  async #run(): Promise<void> {
    const session = this.#session
    let attempt = 0
    while (!session.signal.aborted) {
      try {
        const transport = this.#choose()
        let isFirst = true
        session.onConnected = () => {
          attempt = 0
          this.#ready.resolve()
          if (isFirst) this.#tell({ state: 'connected', transport })
          isFirst = false
        }
        await (transport === 'websocket' ? runSocket : longPoll)(session)
      } catch (caught) {
        const error = caught as Error
        if (session.signal.aborted) break
        if (error instanceof Refused) return this.#giveUp(error)
        if (error instanceof NoSocket && this.#withoutSocket(session)) continue
        this.#longPollUntil = 0
        const retryMs = backOffMs(attempt++)
        this.#tell({ state: 'waiting', error, retryMs })
        await sleep(retryMs, session.signal)
      }
    }
    this.#tell({ state: 'closed' })
  }

  #choose(): Transport {
    const { transport = 'auto' } = this.#options
    if (transport !== 'auto') return transport
    return Date.now() < this.#longPollUntil ? 'long-poll' : 'websocket'
  }

  #withoutSocket(session: Session): boolean {
    session.tokens.discard()
    if (this.#options.transport === 'websocket') return false
    this.#longPollUntil = Date.now() + SOCKET_RETRY_MS
    return true
  }

  #giveUp(error: Error): void {
    this.#ready.reject(error)
    this.#tell({ state: 'closed', error })
  }

  #newSession(position: string | undefined): Session {
    const { scope, api } = this.#options
    return {
      api,
      tokens: createTokenCache(api, scope),
      channel: `${scope.includes('_env_') ? 'environment' : 'space'}.${scope}`,
      signal: this.#stop.signal,
      position,
      recentIds: () => this.#seen.last(MAX_SEEN_IDS),
      deliver: (events) => this.#deliver(events),
      onConnected: () => {},
      canStay: () => this.#choose() === 'long-poll',
    }
  }

  #deliver(events: LiveEvent[]): void {
    for (const event of events) if (this.#seen.add(event.id)) this.#options.onEvent(event)
  }

  #tell(status: Status): void {
    this.#options.onStatus?.(status)
  }
}

function parsePosition(since: string): string {
  if (/^\d{17}$/.test(since)) return since
  const time = parseIdTime(since)
  if (time === undefined) throw new Error(`since is neither a position nor an event id: ${since}`)
  return toPosition(time)
}
