/** Values encrypted per environment and owner with KMS data keys, with few KMS requests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startKms } from '../../../packages/local-cloud/src/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-sealing-'))
const KEY = 'wharf-test-sealingkey'
const kmsCalls: string[] = []
let isDown = false
let server: Server
let sealing: typeof import('../../../lib/auth/envelope-encryption.ts')
let secrets: typeof import('../../../lib/core/crypto.ts')

beforeAll(async () => {
  const service = startKms({ folder })
  service.ensureKey(KEY)
  server = createServer((req, res) => {
    kmsCalls.push(String(req.headers['x-amz-target']).replace('TrentService.', ''))
    if (isDown)
      res.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end('{"__type":"DisabledException"}')
    else void service.handle(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  const { port } = server.address() as AddressInfo
  vi.resetModules()
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: 'none',
    BUCKET_NAME: 'none',
    BUS_NAME: 'none',
    BASE_URL: 'http://127.0.0.1/api',
    WHARF_SECRET: 'a secret of thirty-two characters or more',
    SEALING_KEY: `arn:aws:kms:us-east-1:000000000000:key/${KEY}`,
  })
  sealing = await import('../../../lib/auth/envelope-encryption.ts')
  secrets = await import('../../../lib/core/crypto.ts')
  kmsCalls.length = 0
  isDown = false
})
afterEach(() => void vi.useRealTimers())

describe('value encrypted for an environment', () => {
  it('is decrypted there for its owner', async () => {
    for (const value of ['zebra é', '', 'x'.repeat(1024)]) {
      const sealed = await sealing.encryptForEnvironment('us_env_1', value, 'us_sec_1')
      expect(sealed).toMatch(/^2\.[\w-]+$/)
      expect(Buffer.from(sealed.slice(2), 'base64url').includes('zebra')).toBe(false)
      expect(await sealing.decryptForEnvironment('us_env_1', sealed, 'us_sec_1')).toBe(value)
    }
  })

  it('is rejected by KMS in another environment', async () => {
    const sealed = await sealing.encryptForEnvironment('us_env_1', 'zebra', 'us_sec_1')
    await expect(sealing.decryptForEnvironment('us_env_2', sealed, 'us_sec_1')).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    })
  })

  it('is rejected for another owner or with any byte changed', async () => {
    const sealed = await sealing.encryptForEnvironment('us_env_1', 'zebra', 'us_sec_1')
    await expect(sealing.decryptForEnvironment('us_env_1', sealed, 'us_sec_2')).rejects.toThrow()
    const bytes = Buffer.from(sealed.slice(2), 'base64url')
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      await expect(
        sealing.decryptForEnvironment('us_env_1', `2.${changed.toString('base64url')}`, 'us_sec_1'),
      ).rejects.toThrow()
    }
  })

  it('can predate the data keys', async () => {
    const old = secrets.encrypt('zebra', 'us_sec_1')
    expect(await sealing.decryptForEnvironment('us_env_1', old, 'us_sec_1')).toBe('zebra')
    expect(kmsCalls).toEqual([])
  })
})

describe('KMS', () => {
  it('is called once for many values, once per environment, and again after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const seal = (environmentId: string) => sealing.encryptForEnvironment(environmentId, 'zebra', 'us_sec_1')
    const [first] = await Promise.all(Array.from({ length: 50 }, () => seal('us_env_1')))
    expect(kmsCalls).toEqual(['GenerateDataKey'])
    await seal('us_env_2')
    expect(kmsCalls).toEqual(['GenerateDataKey', 'GenerateDataKey'])
    for (let times = 0; times < 3; times++) await sealing.decryptForEnvironment('us_env_1', first!, 'us_sec_1')
    expect(kmsCalls.slice(2)).toEqual(['Decrypt'])
    vi.setSystemTime(Date.now() + 5 * 60_000 + 1)
    await seal('us_env_1')
    await sealing.decryptForEnvironment('us_env_1', first!, 'us_sec_1')
    expect(kmsCalls.slice(3)).toEqual(['GenerateDataKey', 'Decrypt'])
  })

  it('creates a new key after a thousand values', async () => {
    for (let made = 0; made < 1001; made++) await sealing.encryptForEnvironment('us_env_1', 'zebra', 'us_sec_1')
    expect(kmsCalls).toEqual(['GenerateDataKey', 'GenerateDataKey'])
  })

  it('is called again after a failure', async () => {
    isDown = true
    await expect(sealing.encryptForEnvironment('us_env_1', 'zebra', 'us_sec_1')).rejects.toMatchObject({
      name: 'DisabledException',
    })
    isDown = false
    const sealed = await sealing.encryptForEnvironment('us_env_1', 'zebra', 'us_sec_1')
    expect(await sealing.decryptForEnvironment('us_env_1', sealed, 'us_sec_1')).toBe('zebra')
  })
})
