/** Revoked credentials are rejected from the next request on, and rotation never fails a request. */
import { setTimeout as sleep } from 'node:timers/promises'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, createCaller, createTestAccount, getServer, type TestAccount } from '../support/api.ts'
import { startOwnPlatform } from '../support/own-platform.ts'

type Call = ReturnType<typeof createCaller>

let account: TestAccount
let adminToken: string
let admin: Call
let count = 0
const anybody = createCaller(undefined)
const uniqueName = (what: string) => `${what}-${process.pid}-${Date.now()}-${count++}`

let end: () => Promise<void>

beforeAll(async () => {
  end = await startOwnPlatform()
  account = await createTestAccount()
  adminToken = (await anybody('POST', '/auth', { email: account.email, password: account.password })).body.accessToken
  admin = createCaller(adminToken)
}, 90_000)
afterAll(() => end())

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
async function must(answer: Promise<ApiResponse<any>>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data ?? body
}
const statusOf = async (token: string, path = '/spaces') => (await createCaller(token)('GET', path)).status
const newSpace = (more: object = {}) =>
  must(admin('POST', '/spaces', { environmentId: account.environmentId, name: 'Import', ...more }))
const newGuest = async (...spaceIds: string[]) => {
  const spaces = spaceIds.map((id) => ({ id }))
  const email = `${uniqueName('guest')}@example.com`
  const [guest] = await must(
    admin('POST', '/guests', { environmentId: account.environmentId, email, name: 'G', spaces }),
  )
  return guest as { id: string; email: string }
}
const tokenOfGuest = async (id: string) => (await must(admin('GET', `/guests/${id}/token`))).token as string

describe('rejected by the next request', () => {
  it('a deleted personal access token', async () => {
    const { token, personalAccessToken } = await must(admin('POST', '/auth/personal-access-tokens', { name: 'x' }))
    expect(await statusOf(token)).toBe(200)
    await must(admin('DELETE', `/auth/personal-access-tokens/${personalAccessToken.id}`))
    expect(await statusOf(token)).toBe(401)
  })

  it('a deleted secret key, and its subscriptions', async () => {
    const { environmentId } = account
    const [key] = await must(admin('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`))
    const { token } = await must(createCaller(key.rawKey)('GET', '/subscription'))
    const poll = () => anybody('GET', `/v2/subscribe/x/environment.${environmentId}/0?auth=${token}&tt=0`)
    expect([await statusOf(key.rawKey), (await poll()).status]).toEqual([200, 200])
    await must(admin('DELETE', `/auth/api-key?key=${key.id}&environmentId=${environmentId}`))
    expect([await statusOf(key.rawKey), (await poll()).status]).toEqual([401, 403])
  })

  it('a deleted publishable key, and its embedded tokens', async () => {
    const { environmentId } = account
    const [key] = await must(admin('POST', `/auth/api-key?type=PUBLISHABLE&environmentId=${environmentId}`))
    const { accessToken } = await must(createCaller(key.rawKey)('POST', '/spaces', { name: 'Embedded' }))
    expect(await statusOf(accessToken)).toBe(200)
    await must(admin('DELETE', `/auth/api-key?key=${key.id}&environmentId=${environmentId}`))
    expect(await statusOf(accessToken)).toBe(401)
    expect((await createCaller(key.rawKey)('POST', '/spaces', { name: 'x' })).status).toBe(401)
    expect((await anybody('POST', '/auth/refresh-token', accessToken)).status).toBe(401)
  })

  it('a guest who is deleted, or has lost the space', async () => {
    const [one, two] = [await newSpace(), await newSpace()]
    const [lost, gone] = [await newGuest(one.id, two.id), await newGuest(one.id)]
    const [token, other] = [await tokenOfGuest(lost.id), await tokenOfGuest(gone.id)]
    expect([await statusOf(token, `/spaces/${one.id}`), await statusOf(other, `/spaces/${one.id}`)]).toEqual([200, 200])
    await must(admin('PATCH', `/guests/${lost.id}`, { spaces: [{ id: two.id }] }))
    expect([await statusOf(token, `/spaces/${one.id}`), await statusOf(token, `/spaces/${two.id}`)]).toEqual([404, 200])
    await must(admin('DELETE', `/guests/${gone.id}`))
    expect(await statusOf(other, `/spaces/${one.id}`)).toBe(401)
    const config = { environmentId: account.environmentId, email: gone.email, name: 'G', spaces: [] }
    const [again] = await must(admin('POST', '/guests', config))
    expect(again.id).not.toBe(gone.id)
    expect(await statusOf(other, `/spaces/${one.id}`)).toBe(401)
  })

  it('a deleted user with all its tokens, and a removed role', async () => {
    const email = `${uniqueName('user')}@example.com`
    const password = 'a password of some length'
    const user = await must(admin('POST', '/users/invite', { email, name: 'Grace' }))
    const mails = await must(admin('GET', '/invitations?pageSize=1000'))
    const { text } = mails.find(({ to }: { to: string }) => to === email)
    await must(anybody('POST', '/users/accept-invite', { token: /#token=(\S+)/.exec(text)![1], password }))
    const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
    const { token } = await must(createCaller(accessToken)('POST', '/auth/personal-access-tokens', { name: 'x' }))
    const [role] = await must(admin('GET', `/users/${user.id}/roles`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/users')).toBe(200)
    await must(admin('DELETE', `/users/${user.id}/roles/${role.id}`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/users')).toBe(403)
    await must(admin('DELETE', `/users/${user.id}`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/accounts/current')).toBe(401)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(401)
    expect((await anybody('POST', '/auth/refresh-token', accessToken)).status).toBe(401)
  })

  it('a deleted agent', async () => {
    const { accountId, environmentId } = account
    const source = 'module.exports = { routeEvent: async () => {} }'
    const config = { topics: ['a:b'], compiler: 'js', slug: uniqueName('agent'), source }
    const agent = await must(admin('POST', `/agents?environmentId=${environmentId}`, config))
    const { Keys } = await import('../../lib/entities/keys.ts')
    const { generateKey } = await import('../../lib/auth/keys.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const key = generateKey('agk')
    const owner = { accountId, environmentId, agentId: agent.id, createdBy: agent.id, createdAt: agent.createdAt }
    await transact([Keys.create({ id: key.id, type: 'AGENT', hash: key.hash, ...owner })])
    expect(await statusOf(key.value)).toBe(200)
    await must(admin('DELETE', `/agents/${agent.id}?environmentId=${environmentId}`))
    expect(await statusOf(key.value)).toBe(401)
  })

  it('a clip that is closed, or no longer shared with the guest', async () => {
    const space = await newSpace()
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const workbook = await must(admin('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets }))
    await must(admin('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ a: { value: 'x' } }]))
    const clip = (await admin('POST', '/data-clips', { name: 'Clip', sourceSheetId: workbook.sheets[0].id })).body
    const { buildClipLink } = await import('../../lib/auth/guest-links.ts')
    const setLinkAccess = (sharedLinkAccess: string) => admin('PATCH', `/data-clips/${clip.id}`, { sharedLinkAccess })
    expect((await setLinkAccess('public')).status).toBe(200)
    const token = new URL(buildClipLink({ ...clip, sharedLinkAccess: 'public' })).hash.replace('#token=', '')
    const email = `${uniqueName('clip')}@example.com`
    const entered = await must(anybody('POST', '/invitations/exchange', { token, email }))
    const path = `/sheets/${clip.clipSheetId}/records`
    expect(await statusOf(entered.token, path)).toBe(200)
    expect((await setLinkAccess('restricted')).status).toBe(200)
    expect(await statusOf(entered.token, path)).toBe(401)
    expect((await must(anybody('POST', '/invitations/exchange', { token, email }))).valid).toBe(false)
    const { id } = await newGuest(space.id)
    const asGuest = await tokenOfGuest(id)
    expect(await statusOf(asGuest, `/sheets/${workbook.sheets[0].id}/records`)).toBe(200)
    await must(admin('PATCH', `/guests/${id}`, { spaces: [] }))
    expect(await statusOf(asGuest, `/sheets/${workbook.sheets[0].id}/records`)).toBe(401)
  })

  it('every access token, once the signing keys are dropped', async () => {
    const space = await newSpace()
    const other = await createTestAccount()
    const signIn = async () => (await anybody('POST', '/auth', { email: other.email, password: other.password })).body
    const { accessToken } = await signIn()
    const guest = await tokenOfGuest((await newGuest(space.id)).id)
    const embedded = (await must(createCaller(account.publishableKey)('POST', '/spaces', { name: 'E' }))).accessToken
    const tokens = [accessToken, guest, embedded]
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
    await rotateSigningKeys({ revoke: true })
    for (const token of tokens) {
      expect(await statusOf(token)).toBe(401)
      expect((await anybody('POST', '/auth/refresh-token', token)).status).toBe(401)
    }
    expect(await statusOf((await signIn()).accessToken)).toBe(200)
    expect(await statusOf(account.secretKey)).toBe(200)
    adminToken = (await anybody('POST', '/auth', { email: account.email, password: account.password })).body.accessToken
    admin = createCaller(adminToken)
  })
})

async function rotateSigningKeys(rotateKeys: object): Promise<void> {
  const lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
  const FunctionName = `${getServer().environment.PLATFORM_PREFIX}publish-pending`
  await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ rotateKeys }) }))
}

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
const seconds = (count: number) => sleep(count * 1000)

describe('at 50 requests per second no request fails', () => {
  it('while a secret key is rotated, and the old one is rejected', async () => {
    const { environmentId } = account
    const create = async () =>
      (await must(admin('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`)))[0] as {
        id: string
        rawKey: string
      }
    let key = await create()
    const replaced: string[] = []
    const statuses = await under50RequestsASecond(
      () => key.rawKey,
      async (settled) => {
        for (let round = 0; round < 3; round++) {
          await seconds(1)
          const old = key
          key = await create()
          await settled()
          await must(admin('DELETE', `/auth/api-key?key=${old.id}&environmentId=${environmentId}`))
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
          tokens.push((await anybody('POST', '/auth', { email, password })).body.accessToken)
          await seconds(1)
        }
      },
    )
    expect(statuses.length).toBeGreaterThan(30)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 60_000)
})
