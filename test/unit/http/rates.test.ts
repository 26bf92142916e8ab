/** Whose requests are counted together, and that many callers do not make one forgotten. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { server } from '../../support/api.ts'

let rates: typeof import('../../../lib/http/rates.ts')
let count = 0
const id = () => `${process.pid}-${Date.now()}-${count++}`
const callerOf = (more: object) =>
  ({ accountId: 'a', actorId: 'u', role: 'environment', ...more }) as unknown as Principal

beforeAll(async () => {
  server()
  Object.assign(process.env, { RATE_LIMIT: '3', ADDRESS_RATE_LIMIT: '3' })
  rates = await import('../../../lib/http/rates.ts')
})

/** How many of so many requests are admitted; those of two windows where one ends meanwhile. */
async function admitted(caller: Principal, requests: number): Promise<number> {
  let passed = 0
  for (let i = 0; i < requests; i++)
    passed += await rates.admitCaller(caller).then(
      () => 1,
      () => 0,
    )
  return passed
}

describe('the requests of', () => {
  it('a key are counted together, those of spaces embedded with one key apart', async () => {
    const keyId = id()
    const embedded = () => callerOf({ role: 'embedded', keyId, spaceId: id() })
    const [one, other] = [embedded(), embedded()]
    expect(await admitted(one, 100)).toBeLessThanOrEqual(60)
    expect(await admitted(other, 20)).toBe(20)
    const key = { keyId: id() }
    expect(await admitted(callerOf({ ...key, actorId: 'a' }), 100)).toBeLessThanOrEqual(60)
    expect(await admitted(callerOf({ ...key, actorId: 'b' }), 20)).toBeLessThan(20)
  })

  it('a caller stay counted while ten thousand others come', async () => {
    const others = async (many: number) => {
      for (let i = 0; i < many; i++) await rates.admitCaller(callerOf({ keyId: id() }))
    }
    const remaining = async () => {
      const caller = callerOf({ keyId: id() })
      await others(200)
      for (let i = 0; i < 8; i++) await rates.admitCaller(caller)
      await others(9_900)
      return Number((await rates.admitCaller(caller))['ratelimit-remaining'])
    }
    // A window may end meanwhile: then it is tried in the next one.
    const left = await remaining()
    expect(left === 21 ? left : await remaining()).toBe(21)
  })
})
