/** Guessing is slowed down by name and place, by name, and by place. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiError } from '../../../lib/core/errors.ts'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'

let cloud: AuthCloud
let guarded: typeof import('../../../lib/auth/guesses.ts')['guarded']
let tally: typeof import('../../../lib/table/counters.ts')['tally']
let count = 0
const fresh = (what: string) => `${what}-${process.pid}-${++count}`

beforeAll(async () => {
  cloud = await authCloud({ ADDRESS_RATE_LIMIT: '2' })
  guarded = (await import('../../../lib/auth/guesses.ts')).guarded
  tally = (await import('../../../lib/table/counters.ts')).tally
})
afterAll(() => cloud.close())

const NOW = Date.parse('2026-01-02T03:04:05.678Z')
const wrong = async () => undefined
/** Seconds to wait, or what the check gave. */
const tried = (name: string, place: string, now: number, check: () => Promise<string | undefined> = wrong) =>
  guarded(name, place, check, now).catch((error: ApiError) => Number(error.headers['retry-after']))

/** As if so many had been wrong: for a name from everywhere, or for `#<place>` with everybody. */
async function counted(what: string, times: number): Promise<void> {
  const { sha256 } = await import('../../../lib/auth/secrets.ts')
  const { documents, tableName } = await import('../../../lib/table/client.ts')
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb')
  const name = what.startsWith('#') ? `guess#place#${sha256(what.slice(1))}` : `guess#${sha256(what)}`
  const Item = { pk: `count#${name}`, sk: '-', total: times, last: NOW, expires: NOW / 1000 + 1000 }
  await documents.send(new PutCommand({ TableName: tableName(), Item }))
}

describe('wrong credentials', () => {
  it('of one name from one place cost nothing five times, then twice as long each time, up to a quarter of an hour', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    let now = NOW
    for (let i = 0; i < 5; i++) expect(await tried(name, place, now)).toBeUndefined()
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await tried(name, place, now)).toBe(seconds)
      expect(await tried(name, place, now + seconds * 1000 - 1)).toBe(1)
      now += seconds * 1000
      expect(await tried(name, place, now)).toBeUndefined()
    }
  })

  it('of one name from one IPv6 network count together, whatever the address in it', async () => {
    const name = fresh('name')
    for (let i = 1; i <= 5; i++) expect(await tried(name, `2001:db8:5:6::${i}`, NOW)).toBeUndefined()
    expect(await tried(name, '2001:db8:5:6:ffff::1', NOW)).toBeGreaterThan(0)
    expect(await tried(name, '2001:db8:5:7::1', NOW)).toBeUndefined()
  })

  it('are looked at by nobody while it is too early, right or wrong', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    for (let i = 0; i < 5; i++) await tried(name, place, NOW)
    let looked = false
    const look = async () => {
      looked = true
      return 'in'
    }
    const answer = guarded(name, place, look, NOW)
    await expect(answer).rejects.toMatchObject({
      code: 'too-many-requests',
      status: 429,
      message: 'Too many attempts with these credentials: try again later.',
    })
    expect(looked).toBe(false)
    expect(await tried(name, place, NOW + 2000, async () => 'in')).toBe('in')
  })

  it('are counted for one however the name is written, and for nobody else', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    for (const written of [name, ` ${name}`, `${name} `, name.toUpperCase(), name]) await tried(written, place, NOW)
    expect(await tried(name, place, NOW)).toBe(2)
    expect(await tried(fresh('name'), place, NOW)).toBeUndefined()
    expect(await tried(name, fresh('place'), NOW)).toBeUndefined()
  })

  it('are forgotten after a right one, in this place', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    for (let i = 0; i < 5; i++) await tried(name, place, NOW)
    expect(await tried(name, place, NOW + 2000, async () => 'in')).toBe('in')
    for (let i = 0; i < 5; i++) expect(await tried(name, place, NOW + 2000)).toBeUndefined()
    expect(await tried(name, place, NOW + 2000)).toBe(2)
  })

  it('are forgotten after a day', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    for (let i = 0; i < 14; i++) await tried(name, place, NOW + i * 900_000)
    expect(await tried(name, place, NOW + 14 * 900_000 + 86_390_000 - 900_000)).toBeUndefined()
    expect(await tried(name, place, NOW + 14 * 900_000 + 86_390_000 - 900_000)).toBe(900)
    expect(await tried(name, place, NOW + 16 * 900_000 + 2 * 86_400_000)).toBeUndefined()
    expect(await tried(name, place, NOW + 16 * 900_000 + 2 * 86_400_000)).toBeUndefined()
  })

  it('of one name from everywhere cost nothing a hundred times, then up to half a minute', async () => {
    const name = fresh('name')
    await counted(name, 99)
    expect(await tried(name, fresh('place'), NOW)).toBeUndefined()
    expect(await tried(name, fresh('place'), NOW)).toBe(2)
    let now = NOW
    for (const seconds of [2, 4, 8, 16, 30, 30]) {
      expect(await tried(name, fresh('place'), now)).toBe(seconds)
      now += seconds * 1000
      expect(await tried(name, fresh('place'), now)).toBeUndefined()
    }
    // A right one elsewhere does not begin that count anew.
    now += 30_000
    expect(await tried(name, fresh('place'), now, async () => 'in')).toBe('in')
    expect(await tried(name, fresh('place'), now)).toBeUndefined()
    expect(await tried(name, fresh('place'), now)).toBe(30)
  })

  it('of everybody from one place cost nothing for as many as half a minute of its requests', async () => {
    const place = fresh('place')
    await counted(`#${place}`, 59)
    expect(await tried(fresh('name'), place, NOW)).toBeUndefined()
    expect(await tried(fresh('name'), place, NOW)).toBe(2)
    expect(await tried(fresh('name'), fresh('place'), NOW)).toBeUndefined()
    expect(await tried(fresh('name'), place, NOW + 2000, async () => 'in')).toBe('in')
    expect(await tried(fresh('name'), place, NOW + 2000)).toBeUndefined()
    expect(await tried(fresh('name'), place, NOW + 2000)).toBe(4)
  })

  it('are no more than five of very many at the same moment', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    let looked = 0
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => tried(name, place, NOW, async () => void looked++)),
    )
    expect(looked).toBeLessThanOrEqual(5)
    expect(looked).toBeGreaterThan(0)
    for (const seconds of answers) if (seconds !== undefined) expect([1, 2]).toContain(seconds)
    expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(looked)
  })

  it('are all counted where they came at the same moment from several places', async () => {
    const name = fresh('name')
    const { sha256 } = await import('../../../lib/auth/secrets.ts')
    await Promise.all(Array.from({ length: 8 }, () => tried(name, fresh('place'), NOW)))
    expect((await tally(`guess#${sha256(name)}`, NOW)).total).toBe(8)
  })

  it('are kept without the name or the place', async () => {
    const [name, place] = [fresh('visible'), fresh('192.0.2')]
    await tried(name, place, NOW)
    const { documents } = await import('../../../lib/table/client.ts')
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb')
    const { Items } = await documents.send(new ScanCommand({ TableName: process.env.TABLE_NAME }))
    expect(JSON.stringify(Items)).toContain('guess#')
    expect(JSON.stringify(Items)).not.toMatch(/visible-|192\.0\.2/)
  })
})

describe('a check that fails', () => {
  it('counts in its place as a wrong one', async () => {
    const [name, place] = [fresh('name'), fresh('place')]
    const broken = async () => {
      throw new Error('broken')
    }
    for (let i = 0; i < 5; i++) await expect(guarded(name, place, broken, NOW)).rejects.toThrow('broken')
    expect(await tried(name, place, NOW)).toBe(2)
  })
})

describe('where addresses have no limit', () => {
  it('nothing is counted for a place, which is the same for everybody', async () => {
    const { vi } = await import('vitest')
    vi.resetModules()
    process.env.ADDRESS_RATE_LIMIT = '0'
    const free = (await import('../../../lib/auth/guesses.ts')).guarded
    cloud.reset()
    await free(fresh('name'), fresh('place'), wrong, NOW)
    // By name, and by name and place: each read and counted.
    expect(cloud.requests.toSorted()).toEqual(['GetItem', 'GetItem', 'UpdateItem', 'UpdateItem'])
    const place = fresh('place')
    await counted(`#${place}`, 1000)
    expect(await free(fresh('name'), place, wrong, NOW)).toBeUndefined()
  })
})
