/**
 * What API tests stand on: the running embedded cloud, a fresh account for each suite, and small callers. The server is
 * started once by global-setup.ts; the address comes by vitest's `inject`.
 */
import { expect, inject } from 'vitest'
import type { NewAccount } from '../../lib/auth/new-account.ts'

export interface Server {
  /** Ends in /api. */
  baseUrl: string
  /** The embedded cloud's endpoint. */
  cloud: string
  environment: Record<string, string>
}

declare module 'vitest' {
  interface ProvidedContext {
    server: Server
    /** A folder of this run's own. */
    scratch: string
  }
}

let own: Server | undefined

/** Has this file's callers ask another server than the one all share. */
export const useServer = (other: Server): void => {
  own = other
}

/** Told of the text of every answer that callers get. */
export const listeners: ((text: string) => void)[] = []

export const server = (): Server => {
  const provided = own ?? inject('server')
  Object.assign(process.env, provided.environment)
  return provided
}

export interface TestAccount extends NewAccount {
  email: string
  password: string
  environmentId: string
  secretKey: string
  publishableKey: string
}

let count = 0

/** An account nobody else uses; `environmentId` and the keys are of its development environment. */
export async function mintAccount(): Promise<TestAccount> {
  server()
  const { createAccount } = await import('../../lib/auth/new-account.ts')
  const email = `admin-${process.pid}-${Date.now()}-${count++}@example.com`
  const password = 'correct horse battery staple'
  const account = await createAccount({ name: 'Test', email, userName: 'Ada', password })
  const development = account.environments[0]!
  return {
    ...account,
    email,
    password,
    environmentId: development.environment.id,
    secretKey: development.secret.rawKey!,
    publishableKey: development.publishable.rawKey!,
  }
}

export interface Answer<T = unknown> {
  status: number
  headers: Headers
  body: T
}

function baseOf(path: string): string {
  const { baseUrl } = server()
  if (path.startsWith('/v2-alpha/')) return baseUrl
  return /^\/(v2|time|\.well-known|docs|health)(\/|$)/.test(path) ? new URL(baseUrl).origin : `${baseUrl}/v1`
}

/**
 * A caller with a bearer token: `call('POST', '/spaces', { name: 'x' })`; paths are below /api/v1, or name the version
 * themselves (`/v2-alpha/...`), or are the server's own (`/v2/...`). Bytes are sent as they are, anything else as JSON.
 */
export const callerOf =
  (token: string | undefined, extraHeaders: Record<string, string> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  async <T = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const raw = body instanceof Uint8Array
    const response = await fetch(`${baseOf(path)}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...extraHeaders,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    const text = await response.text()
    for (const listener of listeners) listener(text)
    const json =
      response.headers.get('content-type')?.startsWith('application/json;') ||
      response.headers.get('content-type') === 'application/json'
        ? JSON.parse(text)
        : text
    return { status: response.status, headers: response.headers, body: json as T }
  }

/** The data of a reply (some are it themselves); the test fails with what was said when its status is not 200. */
// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
export async function dataOf<T = any>(answer: Promise<Answer<any>>): Promise<T> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body).slice(0, 1000)).toBe(200)
  return body.data ?? body
}

/** A caller that answers the data alone. `caller` is asked for at each call, for tests make theirs before all. */
export const mustOf =
  (caller: () => ReturnType<typeof callerOf>) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  <T = any>(method: string, path: string, body?: unknown, by = caller()): Promise<T> =>
    dataOf(by(method, path, body))

export interface Seen {
  topic: string
  payload: Record<string, unknown>
  context: Record<string, unknown>
  namespaces?: string[]
}

/** The events of a space as a caller sees them. */
export const eventsIn = async (caller: ReturnType<typeof callerOf>, spaceId: string): Promise<Seen[]> =>
  (await caller('GET', `/events?spaceId=${spaceId}&pageSize=100`)).body.data

/** The events of all jobs of an environment, oldest first; up to 1,000. */
export const jobEventsIn = <E = Seen>(caller: ReturnType<typeof callerOf>, environmentId: string): Promise<E[]> =>
  dataOf(caller('GET', `/events?environmentId=${environmentId}&domain=job&includeAcknowledged=true&pageSize=1000`))

/** Asks again until `check` gives something, at most `seconds`. */
export async function until<T>(check: () => Promise<T | undefined | false>, seconds = 10): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Nothing came in ${seconds} s.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
