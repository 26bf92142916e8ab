/** Values of an environment at rest, sealed under data keys of KMS: opened for this environment and owner, KMS asked seldom. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { kms } from '../../../localstack/cloud/kms.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-sealing-'))
const KEY = 'wharf-test-sealingkey'
/** What KMS was asked, in order. */
const asked: string[] = []
let isDown = false
let server: Server
let sealing: typeof import('../../../lib/auth/sealing.ts')
let secrets: typeof import('../../../lib/auth/secrets.ts')

beforeAll(async () => {
  const service = kms({ folder })
  service.ensureKey(KEY)
  server = createServer((req, res) => {
    asked.push(String(req.headers['x-amz-target']).replace('TrentService.', ''))
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
  sealing = await import('../../../lib/auth/sealing.ts')
  secrets = await import('../../../lib/auth/secrets.ts')
  asked.length = 0
  isDown = false
})
afterEach(() => void vi.useRealTimers())

describe('a value sealed in an environment', () => {
  it('is read again there, by its owner', async () => {
    for (const value of ['zebra é', '', 'x'.repeat(1024)]) {
      const sealed = await sealing.sealIn('us_env_1', value, 'us_sec_1')
      expect(sealed).toMatch(/^2\.[\w-]+$/)
      expect(Buffer.from(sealed.slice(2), 'base64url').includes('zebra')).toBe(false)
      expect(await sealing.unsealIn('us_env_1', sealed, 'us_sec_1')).toBe(value)
    }
  })

  it('is not read in another environment: KMS itself refuses', async () => {
    const sealed = await sealing.sealIn('us_env_1', 'zebra', 'us_sec_1')
    await expect(sealing.unsealIn('us_env_2', sealed, 'us_sec_1')).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    })
  })

  it('is not read by another owner, nor changed in any byte', async () => {
    const sealed = await sealing.sealIn('us_env_1', 'zebra', 'us_sec_1')
    await expect(sealing.unsealIn('us_env_1', sealed, 'us_sec_2')).rejects.toThrow()
    const bytes = Buffer.from(sealed.slice(2), 'base64url')
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      await expect(sealing.unsealIn('us_env_1', `2.${changed.toString('base64url')}`, 'us_sec_1')).rejects.toThrow()
    }
  })

  it('may have been sealed before there were data keys', async () => {
    const old = secrets.seal('zebra', 'us_sec_1')
    expect(await sealing.unsealIn('us_env_1', old, 'us_sec_1')).toBe('zebra')
    expect(asked).toEqual([])
  })
})

describe('KMS', () => {
  it('is asked once for many values, once an environment, and again after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const seal = (environmentId: string) => sealing.sealIn(environmentId, 'zebra', 'us_sec_1')
    const [first] = await Promise.all(Array.from({ length: 50 }, () => seal('us_env_1')))
    expect(asked).toEqual(['GenerateDataKey'])
    await seal('us_env_2')
    expect(asked).toEqual(['GenerateDataKey', 'GenerateDataKey'])
    for (let times = 0; times < 3; times++) await sealing.unsealIn('us_env_1', first!, 'us_sec_1')
    expect(asked.slice(2)).toEqual(['Decrypt'])
    vi.setSystemTime(Date.now() + 5 * 60_000 + 1)
    await seal('us_env_1')
    await sealing.unsealIn('us_env_1', first!, 'us_sec_1')
    expect(asked.slice(3)).toEqual(['GenerateDataKey', 'Decrypt'])
  })

  it('makes a new key after a thousand values', async () => {
    for (let made = 0; made < 1001; made++) await sealing.sealIn('us_env_1', 'zebra', 'us_sec_1')
    expect(asked).toEqual(['GenerateDataKey', 'GenerateDataKey'])
  })

  it('is asked again after it failed', async () => {
    isDown = true
    await expect(sealing.sealIn('us_env_1', 'zebra', 'us_sec_1')).rejects.toMatchObject({ name: 'DisabledException' })
    isDown = false
    const sealed = await sealing.sealIn('us_env_1', 'zebra', 'us_sec_1')
    expect(await sealing.unsealIn('us_env_1', sealed, 'us_sec_1')).toBe('zebra')
  })
})
