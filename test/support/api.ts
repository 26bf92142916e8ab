/** The worker's platform (started by platforms.ts), a fresh account per suite, and small callers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import type { NewAccount } from '../../lib/auth/new-account.ts'
import { createUniqueName } from './unique-name.ts'

export interface Server {
  baseUrl: string
  cloud: string
  environment: Record<string, string>
  dataDir?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    servers: Server[]
    scratch: string
  }
}

let ownServer: Server | undefined

export const useServer = (other: Server): void => {
  ownServer = other
}

export const responseListeners: ((text: string) => void)[] = []

function getWorkerServer(): Server {
  const servers = inject('servers')
  return servers[Number(process.env.VITEST_POOL_ID) % servers.length]!
}

export const getServer = (): Server => {
  const provided = ownServer ?? getWorkerServer()
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

export async function createTestAccount({
  name = 'Test',
  userName = 'Ada',
  email = `${createUniqueName('admin')}@example.com`,
} = {}): Promise<TestAccount> {
  getServer()
  const { createAccount } = await import('../../lib/auth/new-account.ts')
  const password = 'correct horse battery staple'
  const account = await createAccount({ name, email, userName, password })
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

export interface ApiResponse<T = unknown> {
  status: number
  headers: Headers
  body: T
}

function getBaseUrl(path: string): string {
  const { baseUrl } = getServer()
  if (path.startsWith('/v2-alpha/')) return baseUrl
  return /^\/(v2|time|\.well-known|docs|health)(\/|$)/.test(path) ? new URL(baseUrl).origin : `${baseUrl}/v1`
}

/**
 * Creates a caller with a bearer token: `call('POST', '/spaces', { name: 'x' })`. Paths are relative to /api/v1 unless
 * they name a version. Bytes are sent unchanged, anything else as JSON.
 */
export const createCaller =
  (token: string | undefined, extraHeaders: Record<string, string> = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  async <T = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<T>> => {
    const raw = body instanceof Uint8Array
    const response = await fetch(`${getBaseUrl(path)}${path}`, {
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
    for (const listener of responseListeners) listener(text)
    const json =
      response.headers.get('content-type')?.startsWith('application/json;') ||
      response.headers.get('content-type') === 'application/json'
        ? JSON.parse(text)
        : text
    return { status: response.status, headers: response.headers, body: json as T }
  }

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
export async function getData<T = any>(response: Promise<ApiResponse<any>>): Promise<T> {
  const { status, body } = await response
  expect(status, JSON.stringify(body).slice(0, 1000)).toBe(200)
  return body.data ?? body
}

type Credentials = { email: string; password: string } | { clientId: string; secret: string }

export const getAccessToken = async (credentials: Credentials): Promise<string> =>
  (await getData(createCaller(undefined)('POST', '/auth', credentials))).accessToken

/** Creates a caller that returns only the data. Calls `caller` each time, because tests assign it in `beforeAll`. */
export const createDataCaller =
  (caller: () => ReturnType<typeof createCaller>) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
  <T = any>(method: string, path: string, body?: unknown, by = caller()): Promise<T> =>
    getData(by(method, path, body))

export interface SeenEvent {
  topic: string
  payload: Record<string, unknown>
  context: Record<string, unknown>
  namespaces?: string[]
}

export const listEvents = async (caller: ReturnType<typeof createCaller>, spaceId: string): Promise<SeenEvent[]> =>
  (await caller('GET', `/events?spaceId=${spaceId}&pageSize=100`)).body.data

export const listJobEvents = <E = SeenEvent>(
  caller: ReturnType<typeof createCaller>,
  environmentId: string,
): Promise<E[]> =>
  getData(caller('GET', `/events?environmentId=${environmentId}&domain=job&includeAcknowledged=true&pageSize=1000`))

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 200

/** Pauses grow with the time waited, because checks by many tests at a time take the processor from what they wait for. */
export async function waitUntil<T>(check: () => Promise<T | undefined | false>, seconds = 10): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(1.5 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await check()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`No result after ${seconds} s.`)
    await sleep(pauseMs)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
export const pluck = (list: any[], key: string): any[] => list.map((one) => one[key])
export const statusOf = async (response: Promise<ApiResponse>): Promise<number> => (await response).status
