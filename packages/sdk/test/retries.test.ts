import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  Conflict,
  ConnectionError,
  NotFound,
  RateLimited,
  ServerError,
  ValidationFailed,
  Wharf,
  WharfError,
} from '../src/index.ts'
import { createClient } from './client.ts'
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const OK = { status: 200, body: { data: { id: 'us_sp_1' } } }
const connect = ({ baseUrl }: ScriptedServer, options: object = {}) => new Wharf({ token: 'sk', baseUrl, ...options })

describe('a request that fails for a time', () => {
  it.each([
    ['503', { status: 503 }],
    ['502 of a gateway without JSON', { status: 502, headers: { 'content-type': 'text/html' } }],
    ['504', { status: 504 }],
    ['429', { status: 429, headers: { 'retry-after': '0' } }],
    ['a closed connection', 'reset'],
  ] as const)('is repeated after %s', async (_, failure) => {
    const server = await startScriptedServer(failure, failure, OK)
    expect(await connect(server).spaces.get('us_sp_1')).toEqual({ id: 'us_sp_1' })
    expect(server.requests).toHaveLength(3)
  })

  it('is repeated if the body of the response ends too early', async () => {
    const interrupt = (_: unknown, res: ServerResponse) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      res.write('{"data":', () => res.destroy())
    }
    const server = await startScriptedServer(interrupt, OK)
    expect(await connect(server).spaces.get('us_sp_1')).toEqual({ id: 'us_sp_1' })
    expect(server.requests).toHaveLength(2)
  })

  it('waits as long as Retry-After says', async () => {
    const server = await startScriptedServer({ status: 429, headers: { 'retry-after': '1' } }, OK)
    const start = performance.now()
    await connect(server).spaces.get('us_sp_1')
    expect(performance.now() - start).toBeGreaterThanOrEqual(1000)
  })

  it('is repeated as a POST with the same Idempotency-Key, and each call has a separate key', async () => {
    const server = await startScriptedServer('reset', { status: 503 }, OK, OK)
    const wharf = connect(server)
    await wharf.spaces.create({ name: 'Once' })
    await wharf.spaces.create({ name: 'Once' })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[!-~]{16,255}$/)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
  })

  it('is repeated while the first attempt with the same key still runs', async () => {
    const server = await startScriptedServer('silent', { status: 409, headers: { 'retry-after': '0' } }, OK)
    await connect(server, { timeoutMs: 100 }).spaces.create({ name: 'Slow' })
    expect(server.requests).toHaveLength(3)
  })

  it('is not repeated if a second execution could have another effect', async () => {
    const server = await startScriptedServer({ status: 503 }, { status: 503 }, 'reset')
    const wharf = connect(server)
    await expect(wharf.spaces.update('us_sp_1', { name: 'x' })).rejects.toBeInstanceOf(ServerError)
    await expect(wharf.records.findReplace('us_sh_1', { find: 'a', replace: 'aa' })).rejects.toMatchObject({
      status: 503,
    })
    await expect(
      wharf.auth.exchange({ email: 'ada@example.com', password: 'x', type: 'userCredentials' }),
    ).rejects.toBeInstanceOf(ConnectionError)
    expect(server.requests).toHaveLength(3)
    expect(server.requests[2]!.headers).not.toHaveProperty('idempotency-key')
  })

  it('is repeated only as often as `retries` says', async () => {
    const server = await startScriptedServer({ status: 503 }, { status: 503 }, OK)
    const error = await connect(server, { retries: 1 })
      .spaces.get('us_sp_1')
      .catch((reason) => reason)
    expect(error).toMatchObject({ name: 'ServerError', status: 503, code: 'unavailable' })
    expect(server.requests).toHaveLength(2)
    await expect(connect(server).spaces.get('us_sp_1', { retries: 0 })).resolves.toEqual({ id: 'us_sp_1' })
  })

  it('fails immediately if the wait would be longer than a minute', async () => {
    const server = await startScriptedServer({ status: 429, headers: { 'retry-after': '120' } }, OK)
    const error = await connect(server)
      .spaces.get('us_sp_1')
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(RateLimited)
    expect(error).toMatchObject({ retryAfterSeconds: 120, code: 'too-many-requests' })
  })

  it('ends with a timeout or with the reason of its signal', async () => {
    const server = await startScriptedServer('silent', 'silent')
    const wharf = connect(server, { retries: 0 })
    await expect(wharf.spaces.get('us_sp_1', { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
      status: 0,
      code: 'no-response',
    })
    const stop = new AbortController()
    const request = wharf.spaces.get('us_sp_1', { signal: stop.signal })
    stop.abort(new Error('The user left.'))
    await expect(request).rejects.toThrow('The user left.')
  })

  it('is not sent with an id that would lead to another endpoint', async () => {
    const server = await startScriptedServer()
    expect(() => connect(server).spaces.get('..')).toThrow(TypeError)
    expect(() => connect(server).spaces.get('')).toThrow(TypeError)
    expect(server.requests).toHaveLength(0)
  })
})

describe('a POST whose response is lost', () => {
  it('creates one resource on the platform', async () => {
    let calls = 0
    const lossy: typeof fetch = async (...args) => {
      const response = await fetch(...args)
      calls++
      if (calls === 1) throw new TypeError('The connection was closed.')
      return response
    }
    const wharf = await createClient({ fetch: lossy })
    const { id } = await wharf.spaces.create({ name: 'Only once' })
    const { data } = await wharf.spaces.list()
    expect(data.map((space) => space.id)).toEqual([id])
    expect(calls).toBe(3)
  })
})

describe('an error of the platform', () => {
  it('has a class, a status, a code and every problem', async () => {
    const wharf = await createClient()
    const missing = await wharf.spaces.get('us_sp_01KJM5Z8Q4T7W9XA2BCDEFGH3J').catch((error) => error)
    expect(missing).toBeInstanceOf(NotFound)
    expect(missing).toBeInstanceOf(WharfError)
    expect(missing).toMatchObject({ status: 404, code: 'not-found', requestId: expect.stringMatching(/^[\w-]{8,}$/) })
    const invalid = await wharf.workbooks.create({ spaceId: 7 } as never).catch((error) => error)
    expect(invalid).toBeInstanceOf(ValidationFailed)
    expect(invalid.errors.map(({ key }: { key: string }) => key)).toEqual(['name', 'spaceId'])
    expect(invalid.message).toContain('spaceId: ')
    const { id } = await wharf.spaces.create({ name: 'x' })
    const file = await wharf.files.createUpload({ spaceId: id, name: 'a.csv', size: 1 })
    await expect(wharf.files.clone(file.file.id, {})).rejects.toBeInstanceOf(Conflict)
  })
})
