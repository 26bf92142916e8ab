import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Offline, startOffline } from '../../localstack/offline/start.ts'
import { buildFunctionsOnce } from '../support/build-once.ts'

const ROOT = resolve(import.meta.dirname, '../..')

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}

describe.runIf(existsSync(join(ROOT, 'functions/http.yml')))(
  'the API served by serverless-offline from the bundles',
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'wharf-offline-'))
    let offline: Offline

    beforeAll(async () => {
      await buildFunctionsOnce()
      offline = await startOffline({ dataDir, port: await freePort(), cloudPort: 0 })
    }, 300_000)

    afterAll(async () => {
      await offline?.close()
      rmSync(dataDir, { recursive: true, force: true })
    })

    const json = (body: unknown): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

    it('invokes functions only on a socket in the data folder, which no web page reaches', () => {
      expect(statSync(join(dataDir, 'offline.sock')).isSocket()).toBe(true)
      expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    })

    it('accepts requests with a key, and both see the same data', async () => {
      const { secretKey, id: environmentId } = offline.local.environments[0]!
      const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
      const created = await fetch(`${offline.apiUrl}/api/v1/spaces`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ environmentId, name: 'Offline' }),
      })
      expect(created.status).toBe(200)
      const { data } = (await created.json()) as { data: { id: string } }
      const spaceAt = async (url: string) => {
        const answer = await fetch(`${url}/api/v1/spaces/${data.id}`, { headers })
        expect(answer.status).toBe(200)
        return JSON.parse((await answer.text()).replaceAll(url, ''))
      }
      expect(await spaceAt(offline.apiUrl)).toEqual(await spaceAt(offline.embeddedApiUrl))
    })

    it.each<[string, string, RequestInit]>([
      ['a list without a token', '/api/v1/spaces', {}],
      ['a list with a wrong token', '/api/v1/spaces', { headers: { authorization: 'Bearer nonsense' } }],
      [
        'wrong credentials',
        '/api/v1/auth',
        json({ type: 'userCredentials', email: 'nobody@example.com', password: 'wrong' }),
      ],
      ['a body that is no JSON', '/api/v1/auth', { ...json(''), body: '{' }],
      ['a doubled prefix', '/api/v1/v1/spaces', {}],
      ['a path nobody serves', '/api/v1/nothing-here', {}],
    ])('responds to %s like the embedded gateway', async (_name, path, init) => {
      const [served, embedded] = await Promise.all([
        fetch(offline.apiUrl + path, init),
        fetch(offline.embeddedApiUrl + path, init),
      ])
      expect(served.status).toBe(embedded.status)
      expect(served.status).toBeGreaterThanOrEqual(400)
      expect(served.status).toBeLessThan(500)
      expect(await served.json()).toEqual(await embedded.json())
    })

    it('stops when it is closed', async () => {
      await offline.close()
      await expect(fetch(offline.apiUrl)).rejects.toThrow()
      await expect(fetch(offline.embeddedApiUrl)).rejects.toThrow()
    })
  },
)
