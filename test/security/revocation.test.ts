/** Revoked credentials are rejected from the next request on, and rotation never fails a request. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken } from '../support/api.ts'
import { account, createFreshAccount, mustAsAdmin } from '../support/fresh-account.ts'
import { useOwnPlatform } from '../support/own-platform.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

let adminToken: string

useOwnPlatform()
beforeAll(async () => {
  await createFreshAccount()
  adminToken = await getAccessToken({ email: account.email, password: account.password })
})

const statusOf = async (token: string, path = '/spaces') => (await createCaller(token)('GET', path)).status

const rotateSigningKeys = (rotateKeys: object) => invokePlatformFunction('publish-pending', { rotateKeys })

/** Concurrent requests: a busy machine gets fewer requests instead of slower ones. */
const UNDER_WAY = 20

async function under50RequestsASecond(
  bearer: () => string,
  work: (settled: () => Promise<unknown>) => Promise<void>,
): Promise<number[]> {
  const underWay = new Set<Promise<unknown>>()
  const statuses: number[] = []
  const ask = async () => void statuses.push(await statusOf(bearer(), `/environments/${account.environmentId}`))
  const ticking = setInterval(() => {
    if (underWay.size >= UNDER_WAY) return
    const asked: Promise<unknown> = ask().finally(() => underWay.delete(asked))
    underWay.add(asked)
  }, 20)
  try {
    await work(() => Promise.all(underWay))
  } finally {
    clearInterval(ticking)
    await Promise.all(underWay)
  }
  return statuses
}
const ROUND_MS = 400

describe('at 50 requests per second no request fails', () => {
  it('while a secret key is rotated, and the old one is rejected', async () => {
    const { environmentId } = account
    const create = async () =>
      (await mustAsAdmin('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`))[0] as {
        id: string
        rawKey: string
      }
    let key = await create()
    const replaced: string[] = []
    const statuses = await under50RequestsASecond(
      () => key.rawKey,
      async (settled) => {
        for (let round = 0; round < 3; round++) {
          await sleep(ROUND_MS)
          const old = key
          key = await create()
          await settled()
          await mustAsAdmin('DELETE', `/auth/api-key?key=${old.id}&environmentId=${environmentId}`)
          expect(await statusOf(old.rawKey)).toBe(401)
          replaced.push(old.rawKey)
        }
      },
    )
    expect(statuses.length).toBeGreaterThan(30)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    for (const old of replaced) expect(await statusOf(old)).toBe(401)
  }, 60_000)

  it('while signing keys are rotated', async () => {
    const { email, password } = account
    const tokens = [adminToken]
    let next = 0
    const statuses = await under50RequestsASecond(
      () => tokens[next++ % tokens.length]!,
      async () => {
        for (let round = 0; round < 3; round++) {
          await rotateSigningKeys({})
          tokens.push(await getAccessToken({ email, password }))
          await sleep(ROUND_MS)
        }
      },
    )
    expect(statuses.length).toBeGreaterThan(30)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 60_000)
})
