/** The driver: connects and reconnects, and dispatches each event to the listener once. */
import { EventDriver, type EventHandler } from '@flatfile/listener'
import { type Api, Refused } from './api.ts'
import { backOffMs, sleep } from './back-off.ts'
import { type LiveEvent, parseIdTime, type Session, type Status, type Transport, toPosition } from './connection.ts'
import { longPoll } from './long-poll.ts'
import { createSeen } from './seen.ts'
import { NoSocket, runSocket } from './socket.ts'
import { createTokenCache } from './tokens.ts'

export interface DriverOptions {
  /** Id of the environment or space to follow. */
  scope: string
  /** Ends in /api. Defaults to AGENT_INTERNAL_URL or FLATFILE_API_URL. */
  apiUrl?: string
  token?: string
  /** The starting point: a `position` of an earlier driver or the id of its last event. Defaults to now. */
  since?: string
  /** `auto` uses a WebSocket and falls back to long polling. */
  transport?: 'auto' | Transport
  onStatus?: (status: Status) => void
}

const DRAIN_MS = 10_000
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

const readVariable = (...names: string[]): string | undefined =>
  names.map((name) => globalThis.process?.env[name]).find((value) => value)

export class Driver extends EventDriver {
  readonly #options: DriverOptions
  readonly #api: Api
  readonly #since: string | undefined
  readonly #stop = new AbortController()
  readonly #seen = createSeen()
  readonly #working = new Set<Promise<void>>()
  #running: Promise<void> | undefined
  #session: Session | undefined
  #longPollUntil = 0
  readonly #ready = deferred()

  /** @throws Error if the scope, URL or token is missing, or `since` is invalid */
  constructor(options: DriverOptions) {
    super()
    const url = options.apiUrl ?? readVariable('AGENT_INTERNAL_URL', 'FLATFILE_API_URL')
    const token = options.token ?? readVariable('FLATFILE_BEARER_TOKEN', 'FLATFILE_API_KEY')
    if (!options.scope) throw new Error('scope is required: the id of an environment or space')
    if (!url) throw new Error('apiUrl or the variable FLATFILE_API_URL is required: the URL of the API, ending in /api')
    if (!token) throw new Error('token or the variable FLATFILE_API_KEY is required')
    this.#options = options
    this.#since = options.since === undefined ? undefined : parsePosition(options.since)
    this.#api = { url: url.replace(/\/+$/, ''), token }
    // Errors are also reported to onStatus, so they need not be handled here.
    this.#ready.promise.catch(() => {})
  }

  /** Resolves once connected; rejects if that is impossible or the driver is closed first. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Pass it to a later driver as `since`. Events still being handled count as done. */
  get position(): string | undefined {
    return this.#session?.position
  }

  override mountEventHandler(handler: EventHandler): this {
    super.mountEventHandler(handler)
    handler.setVariables({ accessToken: this.#api.token, apiUrl: this.#api.url })
    this.#running ??= this.#run()
    return this
  }

  override unmountEventHandler(handler: EventHandler): this {
    super.unmountEventHandler(handler)
    void this.close()
    return this
  }

  /** Waits at most 10 s for running listeners. */
  async close(): Promise<void> {
    if (!this.#stop.signal.aborted) this.#stop.abort()
    this.#ready.reject(new Error('The driver was closed.'))
    await this.#running
    const drained = new AbortController()
    const working = Promise.allSettled(this.#working).then(() => drained.abort())
    await Promise.race([working, sleep(DRAIN_MS, drained.signal)])
  }

  async #run(): Promise<void> {
    const session = this.#newSession()
    this.#session = session
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

  #newSession(): Session {
    const { scope } = this.#options
    return {
      api: this.#api,
      tokens: createTokenCache(this.#api, scope),
      channel: `${scope.includes('_env_') ? 'environment' : 'space'}.${scope}`,
      signal: this.#stop.signal,
      position: this.#since,
      recentIds: () => this.#seen.last(MAX_SEEN_IDS),
      deliver: (events) => this.#deliver(events),
      onConnected: () => {},
      canStay: () => this.#choose() === 'long-poll',
    }
  }

  /** Events are dispatched concurrently, since one listener may wait for what another does. */
  #deliver(events: LiveEvent[]): void {
    for (const event of events) {
      if (!this.#seen.add(event.id) || !this._handler) continue
      const dispatch: Promise<void> = this._handler
        .dispatchEvent(event)
        .catch((error: unknown) => console.error(`A listener failed on ${event.topic} ${event.id}:`, error))
        .finally(() => this.#working.delete(dispatch))
      this.#working.add(dispatch)
    }
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
