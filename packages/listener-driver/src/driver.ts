/** The driver: connects when it is mounted, connects again whenever it must, and hands each event to the listener once. */
import { EventDriver, type EventHandler } from '@flatfile/listener'
import { type Api, Refused } from './api.ts'
import { backOffMs, pause } from './back-off.ts'
import { type LiveEvent, positionAt, type Session, type Status, type Transport, timeOfId } from './connection.ts'
import { longPoll } from './long-poll.ts'
import { seen } from './seen.ts'
import { NoSocket, socket } from './socket.ts'
import { tokensOf } from './tokens.ts'

export interface DriverOptions {
  /** Id of the environment or space whose events are followed. */
  scope: string
  /** Where the API answers, ending in /api; AGENT_INTERNAL_URL, else FLATFILE_API_URL, unless told. */
  apiUrl?: string
  /** A key or token that may read events; FLATFILE_BEARER_TOKEN, else FLATFILE_API_KEY, unless told. */
  token?: string
  /** Where to go on: a `position` of an earlier driver, or the id of the last event it saw. The present unless told. */
  since?: string
  /** A WebSocket where there is one (`auto`), or one way always. */
  transport?: 'auto' | Transport
  /** Is told when it connects, waits, and closes. */
  onStatus?: (status: Status) => void
}

/** How long `close()` waits for listeners that still work on an event. */
const DRAIN_MS = 10_000
/** How long events come by long poll before a WebSocket is tried again. */
const LONG_POLL_MS = 300_000
/** Ids told to the server, which then does not send their events again. */
const RECENT = 500

/** A promise and what settles it. */
function settled() {
  let resolve = () => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone
    reject = onError
  })
  return { promise, resolve, reject }
}

const variable = (...names: string[]): string | undefined =>
  names.map((name) => globalThis.process?.env[name]).find((value) => value)

export class Driver extends EventDriver {
  readonly #options: DriverOptions
  readonly #api: Api
  readonly #since: string | undefined
  readonly #stop = new AbortController()
  readonly #seen = seen()
  readonly #working = new Set<Promise<void>>()
  #running: Promise<void> | undefined
  #session: Session | undefined
  #longPollUntil = 0
  readonly #ready = settled()

  /** @throws Error when the scope, the address or the token is missing, or `since` is no position */
  constructor(options: DriverOptions) {
    super()
    const url = options.apiUrl ?? variable('AGENT_INTERNAL_URL', 'FLATFILE_API_URL')
    const token = options.token ?? variable('FLATFILE_BEARER_TOKEN', 'FLATFILE_API_KEY')
    if (!options.scope) throw new Error('scope is required: the id of an environment or a space')
    if (!url)
      throw new Error('apiUrl is required, or the variable FLATFILE_API_URL: where the API answers, ending in /api')
    if (!token) throw new Error('token is required, or the variable FLATFILE_API_KEY')
    this.#options = options
    this.#since = options.since === undefined ? undefined : positionOf(options.since)
    this.#api = { url: url.replace(/\/+$/, ''), token }
    // Who does not wait for it is told by onStatus.
    this.#ready.promise.catch(() => {})
  }

  /** Settles when the first connection stands; fails when there can be none, or it is closed before. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Where it is; a later driver goes on from here with `since`. Events still worked on count as done. */
  get position(): string | undefined {
    return this.#session?.position
  }

  /** Called by `listener.mount(driver)`: begins to follow. */
  override mountEventHandler(handler: EventHandler): this {
    super.mountEventHandler(handler)
    // What the listener's own requests go to: `event.data`, `event.update(...)`.
    handler.setVariables({ accessToken: this.#api.token, apiUrl: this.#api.url })
    this.#running ??= this.#run()
    return this
  }

  /** Called by `listener.unmount(driver)`: closes. */
  override unmountEventHandler(handler: EventHandler): this {
    super.unmountEventHandler(handler)
    void this.close()
    return this
  }

  /** Ends the connection and waits, 10 s at most, for listeners that still work on an event. */
  async close(): Promise<void> {
    if (!this.#stop.signal.aborted) this.#stop.abort()
    this.#ready.reject(new Error('The driver was closed.'))
    await this.#running
    const drained = new AbortController()
    const working = Promise.allSettled(this.#working).then(() => drained.abort())
    await Promise.race([working, pause(DRAIN_MS, drained.signal)])
  }

  async #run(): Promise<void> {
    const session = this.#newSession()
    this.#session = session
    let attempt = 0
    while (!session.signal.aborted) {
      try {
        const transport = this.#choose()
        let first = true
        session.connected = () => {
          attempt = 0
          this.#ready.resolve()
          if (first) this.#tell({ state: 'connected', transport })
          first = false
        }
        await (transport === 'websocket' ? socket : longPoll)(session)
      } catch (caught) {
        const error = caught as Error
        if (session.signal.aborted) break
        if (error instanceof Refused) return this.#giveUp(error)
        if (error instanceof NoSocket && this.#withoutSocket(session)) continue
        // Neither way is open: the next attempt begins with the first of them again.
        this.#longPollUntil = 0
        const retryMs = backOffMs(attempt++)
        this.#tell({ state: 'waiting', error, retryMs })
        await pause(retryMs, session.signal)
      }
    }
    this.#tell({ state: 'closed' })
  }

  #choose(): Transport {
    const { transport = 'auto' } = this.#options
    if (transport !== 'auto') return transport
    return Date.now() < this.#longPollUntil ? 'long-poll' : 'websocket'
  }

  /** A WebSocket that cannot be had is tried again later, with a new token; until then events come another way. */
  #withoutSocket(session: Session): boolean {
    session.tokens.drop()
    if (this.#options.transport === 'websocket') return false
    this.#longPollUntil = Date.now() + LONG_POLL_MS
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
      tokens: tokensOf(this.#api, scope),
      channel: `${scope.includes('_env_') ? 'environment' : 'space'}.${scope}`,
      signal: this.#stop.signal,
      position: this.#since,
      recent: () => this.#seen.last(RECENT),
      deliver: (events) => this.#deliver(events),
      connected: () => {},
      mayStay: () => this.#choose() === 'long-poll',
    }
  }

  /** Listeners of one event do not wait for those of another: one may be waiting for what the other does. */
  #deliver(events: LiveEvent[]): void {
    for (const event of events) {
      if (!this.#seen.add(event.id) || !this._handler) continue
      const work: Promise<void> = this._handler
        .dispatchEvent(event)
        .catch((error: unknown) => console.error(`A listener failed at ${event.topic} ${event.id}:`, error))
        .finally(() => this.#working.delete(work))
      this.#working.add(work)
    }
  }

  #tell(status: Status): void {
    this.#options.onStatus?.(status)
  }
}

/** A position as it is, or the one of an event's id. @throws Error for anything else */
function positionOf(since: string): string {
  if (/^\d{17}$/.test(since)) return since
  const time = timeOfId(since)
  if (time === undefined) throw new Error(`since is neither a position nor the id of an event: ${since}`)
  return positionAt(time)
}
