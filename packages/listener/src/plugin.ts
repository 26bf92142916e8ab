import type { Connection } from './connection.ts'
import type { ListenerEvent } from './event.ts'

type Callback = (event: PluginEvent) => unknown

export type Register = (topics: string | readonly string[], filters: readonly object[], callback: Callback) => void

/** Methods, so that a plugin may declare its parameter as `FlatfileListener`. */
export interface PluginTarget {
  on(topic: string | string[], ...rest: unknown[]): PluginTarget
  use(plugin: Plugin): PluginTarget
  filter(filter: object, add?: (target: PluginTarget) => unknown): PluginTarget
  namespace(namespaces: string | string[], add?: (target: PluginTarget) => unknown): PluginTarget
}

interface Bivariant {
  plugin(target: PluginTarget): unknown
}
export type Plugin = Bivariant['plugin']

export function createPluginTarget(register: Register, filters: readonly object[] = []): PluginTarget {
  const target: PluginTarget = {
    on(topic, ...rest) {
      const callback = rest.pop() as Callback
      register(topic, [...filters, ...(rest as object[])], callback)
      return target
    },
    use(plugin) {
      plugin(target)
      return target
    },
    filter(filter, add) {
      const narrowed = createPluginTarget(register, [...filters, filter])
      add?.(narrowed)
      return narrowed
    },
    namespace: (namespaces, add) => target.filter({ namespaces }, add),
  }
  return target
}

export class PluginEvent {
  readonly src
  readonly id
  readonly topic
  readonly domain
  readonly context
  readonly payload
  readonly namespace
  readonly createdAt
  readonly target: string
  readonly origin: object
  readonly action: string
  readonly cache = new EventCache()
  readonly _apiUrl: string
  readonly _accessToken: string
  readonly #afterAll = new Map<string, (event: PluginEvent) => unknown>()
  readonly #event: ListenerEvent

  constructor(event: ListenerEvent, { apiUrl, token }: Connection) {
    const { target = '', origin = {} } = event.src as { target?: string; origin?: object }
    this.#event = event
    this.src = event.src
    this.id = event.id
    this.topic = event.topic
    this.domain = event.domain
    this.context = event.context
    this.payload = event.payload
    this.namespace = event.namespaces
    this.createdAt = event.createdAt
    this.target = target
    this.origin = origin
    this.action = String(event.context.actionName ?? '')
    this._apiUrl = apiUrl
    this._accessToken = token
  }

  readonly data = Object.assign((options: Record<string, unknown> = {}) => this.#read(options), {
    // biome-ignore lint/suspicious/noThenProperty: plugins await the function
    then: (onData: (value: unknown) => unknown, onError?: (error: unknown) => unknown) =>
      this.#read({}).then(onData, onError),
  })

  async fetch(path: string, { method = 'GET', headers = {}, data }: FetchOptions = {}): Promise<unknown> {
    const response = await fetch(`${this._apiUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers, authorization: `Bearer ${this._accessToken}` },
      ...(data === undefined ? {} : { body: data as string }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 2000)}`)
    return response.headers.get('content-type')?.includes('application/json') ? JSON.parse(text).data : text
  }

  update(changes: Parameters<ListenerEvent['update']>[0]): Promise<void> {
    return this.#event.update(changes)
  }

  secrets(name: string): Promise<string> {
    return this.#event.secret(name)
  }

  afterAll(callback: (event: PluginEvent) => unknown, key = callback.toString()): void {
    if (!this.#afterAll.has(key)) this.#afterAll.set(key, callback)
  }

  async finish(): Promise<void> {
    for (const callback of this.#afterAll.values()) await callback(this)
  }

  async #read(options: Record<string, unknown>): Promise<unknown> {
    const { dataUrl } = this.src
    if (!dataUrl) return this.payload
    const query = new URLSearchParams(
      Object.entries(options).flatMap(([name, value]) =>
        [value].flat().map((each): [string, string] => [name, String(each)]),
      ),
    )
    return this.fetch(query.size > 0 ? `${dataUrl}${dataUrl.includes('?') ? '&' : '?'}${query}` : dataUrl)
  }
}

interface FetchOptions {
  method?: string
  headers?: Record<string, string>
  data?: unknown
}

class EventCache {
  readonly #values = new Map<string, Promise<unknown>>()

  init<T>(key: string, load: () => Promise<T>): Promise<T> {
    const value = this.#values.get(key) ?? load()
    this.#values.set(key, value)
    return value as Promise<T>
  }

  set<T>(key: string, load: () => Promise<T>): Promise<T> {
    this.#values.delete(key)
    return this.init(key, load)
  }

  get<T>(key: string): Promise<T> {
    const value = this.#values.get(key)
    if (!value) throw new Error(`Nothing is cached as ${key}.`)
    return value as Promise<T>
  }

  delete(keys?: string | string[]): void {
    if (keys === undefined) this.#values.clear()
    else for (const key of [keys].flat()) this.#values.delete(key)
  }
}
