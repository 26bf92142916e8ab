/** Callers whose requests share a rate limit; a caller stays counted with many others. */
import { type InnerList, type Item, parseList } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

let count = 0
const id = () => `${process.pid}-${Date.now()}-${count++}`
const createCaller = (more: object) =>
  ({ accountId: 'a', actorId: 'u', role: 'environment', ...more }) as unknown as Principal

await startAuthCloud({ RATE_LIMIT: '3', ADDRESS_RATE_LIMIT: '3' })
const rates = await import('../../../lib/http/rate-limit.ts')

async function countAdmitted(caller: Principal, requests: number): Promise<number> {
  let passed = 0
  for (let i = 0; i < requests; i++)
    passed += await rates.admitCaller(caller).then(
      () => 1,
      () => 0,
    )
  return passed
}

describe('rate limit', () => {
  it('counts requests with one key together, and spaces embedded with one key separately', async () => {
    const keyId = id()
    const createEmbedded = () => createCaller({ role: 'embedded', keyId, spaceId: id() })
    const [one, other] = [createEmbedded(), createEmbedded()]
    expect(await countAdmitted(one, 100)).toBeLessThanOrEqual(60)
    expect(await countAdmitted(other, 20)).toBe(20)
    const key = { keyId: id() }
    expect(await countAdmitted(createCaller({ ...key, actorId: 'a' }), 100)).toBeLessThanOrEqual(60)
    expect(await countAdmitted(createCaller({ ...key, actorId: 'b' }), 20)).toBeLessThan(20)
  })

  it('keeps counting a caller while ten thousand others make requests', async () => {
    const sendAsOthers = async (many: number) => {
      for (let i = 0; i < many; i++) await rates.admitCaller(createCaller({ keyId: id() }))
    }
    const countRemaining = async () => {
      const caller = createCaller({ keyId: id() })
      await sendAsOthers(200)
      for (let i = 0; i < 8; i++) await rates.admitCaller(caller)
      await sendAsOthers(9_900)
      return Number((await rates.admitCaller(caller))['ratelimit-remaining'])
    }
    const left = await countRemaining()
    expect(left === 21 ? left : await countRemaining()).toBe(21)
  })

  it('reports the quota and the rest as structured fields, with one policy for callers and one for addresses', async () => {
    const parse = (field: string | undefined) =>
      parseList(field!).map(([name, parameters]: Item | InnerList) => [name, Object.fromEntries(parameters)])
    const caller = await rates.admitCaller(createCaller({ keyId: id() }))
    expect(parse(caller['ratelimit-policy'])).toEqual([['default', { q: 30, w: 10 }]])
    expect(parse(caller.ratelimit)).toEqual([['default', { r: 29, t: Number(caller['ratelimit-reset']) }]])
    expect(Number(caller['ratelimit-reset'])).toBeGreaterThan(0)
    const address = await rates.admitAddress(`198.51.100.${count++}`)
    expect(parse(address['ratelimit-policy'])).toEqual([['address', { q: 30, w: 10 }]])
    expect(parse(address.ratelimit)).toEqual([['address', { r: 29, t: Number(address['ratelimit-reset']) }]])
  })

  it('names the exhausted policy in a refusal', async () => {
    const caller = createCaller({ keyId: id() })
    const refuse = async () => {
      for (let i = 0; i < 60; i++) await rates.admitCaller(caller)
    }
    await expect(refuse()).rejects.toMatchObject({
      status: 429,
      headers: { ratelimit: expect.stringMatching(/^"default";r=0;t=\d+$/), 'retry-after': expect.any(String) },
    })
  })
})
