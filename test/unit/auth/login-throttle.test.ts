/** Login throttling by name and network, by name, and by network. */
import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../../lib/core/errors.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

let count = 0
const newName = (what: string) => `${what}-${process.pid}-${++count}`

const cloud = await startAuthCloud({ ADDRESS_RATE_LIMIT: '2' })
const guarded = (await import('../../../lib/auth/login-throttle.ts')).withLoginThrottle
const tally = (await import('../../../lib/table/counters.ts')).readCounter

const NOW = Date.parse('2026-01-02T03:04:05.678Z')
const failCheck = async () => undefined
const attempt = (name: string, place: string, now: number, check: () => Promise<string | undefined> = failCheck) =>
  guarded(name, place, check, now).catch((error: ApiError) => Number(error.headers['retry-after']))

async function setCount(what: string, times: number): Promise<void> {
  const { sha256 } = await import('../../../lib/core/crypto.ts')
  const { documents, getTableName } = await import('../../../lib/table/client.ts')
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb')
  const name = what.startsWith('#') ? `guess#place#${sha256(what.slice(1))}` : `guess#${sha256(what)}`
  const Item = { pk: `count#${name}`, sk: '-', total: times, last: NOW, expires: NOW / 1000 + 1000 }
  await documents.send(new PutCommand({ TableName: getTableName(), Item }))
}

describe('wrong credentials', () => {
  it('for one name from one network are free five times, then delayed twice as long each time, up to 15 minutes', async () => {
    const [name, place] = [newName('name'), newName('place')]
    let now = NOW
    for (let i = 0; i < 5; i++) expect(await attempt(name, place, now)).toBeUndefined()
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await attempt(name, place, now)).toBe(seconds)
      expect(await attempt(name, place, now + seconds * 1000 - 1)).toBe(1)
      now += seconds * 1000
      expect(await attempt(name, place, now)).toBeUndefined()
    }
  })

  it('for one name from one IPv6 network count together', async () => {
    const name = newName('name')
    for (let i = 1; i <= 5; i++) expect(await attempt(name, `2001:db8:5:6::${i}`, NOW)).toBeUndefined()
    expect(await attempt(name, '2001:db8:5:6:ffff::1', NOW)).toBeGreaterThan(0)
    expect(await attempt(name, '2001:db8:5:7::1', NOW)).toBeUndefined()
  })

  it('are not checked during the delay, right or wrong', async () => {
    const [name, place] = [newName('name'), newName('place')]
    for (let i = 0; i < 5; i++) await attempt(name, place, NOW)
    let looked = false
    const countingCheck = async () => {
      looked = true
      return 'in'
    }
    const answer = guarded(name, place, countingCheck, NOW)
    await expect(answer).rejects.toMatchObject({
      code: 'too-many-requests',
      status: 429,
      message: 'Too many failed attempts with these credentials. Try again later.',
    })
    expect(looked).toBe(false)
    expect(await attempt(name, place, NOW + 2000, async () => 'in')).toBe('in')
  })

  it('count for one name however it is written, and for no other', async () => {
    const [name, place] = [newName('name'), newName('place')]
    for (const written of [name, ` ${name}`, `${name} `, name.toUpperCase(), name]) await attempt(written, place, NOW)
    expect(await attempt(name, place, NOW)).toBe(2)
    expect(await attempt(newName('name'), place, NOW)).toBeUndefined()
    expect(await attempt(name, newName('place'), NOW)).toBeUndefined()
  })

  it('are reset by a correct sign-in from this network', async () => {
    const [name, place] = [newName('name'), newName('place')]
    for (let i = 0; i < 5; i++) await attempt(name, place, NOW)
    expect(await attempt(name, place, NOW + 2000, async () => 'in')).toBe('in')
    for (let i = 0; i < 5; i++) expect(await attempt(name, place, NOW + 2000)).toBeUndefined()
    expect(await attempt(name, place, NOW + 2000)).toBe(2)
  })

  it('are forgotten after a day', async () => {
    const [name, place] = [newName('name'), newName('place')]
    for (let i = 0; i < 14; i++) await attempt(name, place, NOW + i * 900_000)
    expect(await attempt(name, place, NOW + 14 * 900_000 + 86_390_000 - 900_000)).toBeUndefined()
    expect(await attempt(name, place, NOW + 14 * 900_000 + 86_390_000 - 900_000)).toBe(900)
    expect(await attempt(name, place, NOW + 16 * 900_000 + 2 * 86_400_000)).toBeUndefined()
    expect(await attempt(name, place, NOW + 16 * 900_000 + 2 * 86_400_000)).toBeUndefined()
  })

  it('for one name from all networks are free a hundred times, then delayed up to 30 seconds', async () => {
    const name = newName('name')
    await setCount(name, 99)
    expect(await attempt(name, newName('place'), NOW)).toBeUndefined()
    expect(await attempt(name, newName('place'), NOW)).toBe(2)
    let now = NOW
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      expect(await attempt(name, newName('place'), now)).toBe(seconds)
      now += seconds * 1000
      expect(await attempt(name, newName('place'), now)).toBeUndefined()
    }
    now += 30_000
    expect(await attempt(name, newName('place'), now, async () => 'in')).toBe('in')
    expect(await attempt(name, newName('place'), now)).toBeUndefined()
    expect(await attempt(name, newName('place'), now)).toBe(30)
  })

  it('for all names from one network are free up to 30 seconds of its request limit', async () => {
    const place = newName('place')
    await setCount(`#${place}`, 59)
    expect(await attempt(newName('name'), place, NOW)).toBeUndefined()
    expect(await attempt(newName('name'), place, NOW)).toBe(2)
    expect(await attempt(newName('name'), newName('place'), NOW)).toBeUndefined()
    expect(await attempt(newName('name'), place, NOW + 2000, async () => 'in')).toBe('in')
    expect(await attempt(newName('name'), place, NOW + 2000)).toBeUndefined()
    expect(await attempt(newName('name'), place, NOW + 2000)).toBe(4)
  })

  it('are checked at most five times for many concurrent requests', async () => {
    const [name, place] = [newName('name'), newName('place')]
    let looked = 0
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => attempt(name, place, NOW, async () => void looked++)),
    )
    expect(looked).toBeLessThanOrEqual(5)
    expect(looked).toBeGreaterThan(0)
    for (const seconds of answers) if (seconds !== undefined) expect([1, 2]).toContain(seconds)
    expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(looked)
  })

  it('are all counted when they arrive concurrently from several networks', async () => {
    const name = newName('name')
    const { sha256 } = await import('../../../lib/core/crypto.ts')
    await Promise.all(Array.from({ length: 8 }, () => attempt(name, newName('place'), NOW)))
    expect((await tally(`guess#${sha256(name)}`, NOW)).total).toBe(8)
  })

  it('are stored without the name or the network', async () => {
    const [name, place] = [newName('visible'), newName('192.0.2')]
    await attempt(name, place, NOW)
    const { documents } = await import('../../../lib/table/client.ts')
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb')
    const { Items } = await documents.send(new ScanCommand({ TableName: process.env.TABLE_NAME }))
    expect(JSON.stringify(Items)).toContain('guess#')
    expect(JSON.stringify(Items)).not.toMatch(/visible-|192\.0\.2/)
  })
})

describe('failing check', () => {
  it('counts as a wrong one', async () => {
    const [name, place] = [newName('name'), newName('place')]
    const throwingCheck = async () => {
      throw new Error('broken')
    }
    for (let i = 0; i < 5; i++) await expect(guarded(name, place, throwingCheck, NOW)).rejects.toThrow('broken')
    expect(await attempt(name, place, NOW)).toBe(2)
  })
})

describe('deployment without an address limit', () => {
  it('counts nothing by network, which is the same for every caller', async () => {
    const { vi } = await import('vitest')
    vi.resetModules()
    process.env.ADDRESS_RATE_LIMIT = '0'
    const free = (await import('../../../lib/auth/login-throttle.ts')).withLoginThrottle
    cloud.reset()
    await free(newName('name'), newName('place'), failCheck, NOW)
    expect(cloud.requests.toSorted()).toEqual(['GetItem', 'GetItem', 'UpdateItem', 'UpdateItem'])
    const place = newName('place')
    await setCount(`#${place}`, 1000)
    expect(await free(newName('name'), place, failCheck, NOW)).toBeUndefined()
  })
})
