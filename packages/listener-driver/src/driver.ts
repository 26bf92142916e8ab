import { EventDriver, type EventHandler } from '@flatfile/listener'
import type { Api } from './api.ts'
import { sleep } from './back-off.ts'
import type { LiveEvent } from './connection.ts'
import { Follower, type FollowOptions } from './follow.ts'

export interface DriverOptions extends FollowOptions {
  /** Ends in /api. Defaults to AGENT_INTERNAL_URL or FLATFILE_API_URL. */
  apiUrl?: string
  token?: string
}

const DRAIN_MS = 10_000

const readVariable = (...names: string[]): string | undefined =>
  names.map((name) => globalThis.process?.env[name]).find((value) => value)

export class Driver extends EventDriver {
  readonly #api: Api
  readonly #follower: Follower
  readonly #working = new Set<Promise<void>>()

  /** @throws Error if the scope, URL or token is missing, or `since` is invalid */
  constructor(options: DriverOptions) {
    super()
    const url = options.apiUrl ?? readVariable('AGENT_INTERNAL_URL', 'FLATFILE_API_URL')
    const token = options.token ?? readVariable('FLATFILE_BEARER_TOKEN', 'FLATFILE_API_KEY')
    if (!options.scope) throw new Error('scope is required: the id of an environment or space')
    if (!url) throw new Error('apiUrl or the variable FLATFILE_API_URL is required: the URL of the API, ending in /api')
    if (!token) throw new Error('token or the variable FLATFILE_API_KEY is required')
    this.#api = { url: url.replace(/\/+$/, ''), token }
    this.#follower = new Follower({ ...options, api: this.#api, onEvent: (event) => this.#dispatch(event) })
  }

  /** Resolves once connected; rejects if that is impossible or the driver is closed first. */
  get ready(): Promise<void> {
    return this.#follower.ready
  }

  /** Pass it to a later driver as `since`. Events still being handled count as done. */
  get position(): string | undefined {
    return this.#follower.position
  }

  override mountEventHandler(handler: EventHandler): this {
    super.mountEventHandler(handler)
    handler.setVariables({ accessToken: this.#api.token, apiUrl: this.#api.url })
    this.#follower.start()
    return this
  }

  override unmountEventHandler(handler: EventHandler): this {
    super.unmountEventHandler(handler)
    void this.close()
    return this
  }

  /** Waits at most 10 s for running listeners. */
  async close(): Promise<void> {
    await this.#follower.close()
    const drained = new AbortController()
    const working = Promise.allSettled(this.#working).then(() => drained.abort())
    await Promise.race([working, sleep(DRAIN_MS, drained.signal)])
  }

  /** Events are dispatched concurrently, since one listener may wait for what another does. */
  #dispatch(event: LiveEvent): void {
    if (!this._handler) return
    const dispatch: Promise<void> = this._handler
      .dispatchEvent(event)
      .catch((error: unknown) => console.error(`A listener failed on ${event.topic} ${event.id}:`, error))
      .finally(() => this.#working.delete(dispatch))
    this.#working.add(dispatch)
  }
}
