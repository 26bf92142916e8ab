/** What is revoked is refused from the next request on, whatever it is; and what takes its place never fails meanwhile. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'
import { ownPlatform } from '../support/own-platform.ts'

type Call = ReturnType<typeof callerOf>

let account: TestAccount
let adminToken: string
let admin: Call
let count = 0
const anybody = callerOf(undefined)
const fresh = (what: string) => `${what}-${process.pid}-${Date.now()}-${count++}`

let end: () => Promise<void>

// Dropping the signing keys ends the tokens of every account.
beforeAll(async () => {
  end = await ownPlatform()
  account = await mintAccount()
  adminToken = (await anybody('POST', '/auth', { email: account.email, password: account.password })).body.accessToken
  admin = callerOf(adminToken)
}, 90_000)
afterAll(() => end())

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
async function must(answer: Promise<Answer<any>>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data ?? body
}
const statusOf = async (token: string, path = '/spaces') => (await callerOf(token)('GET', path)).status
const newSpace = (more: object = {}) =>
  must(admin('POST', '/spaces', { environmentId: account.environmentId, name: 'Import', ...more }))
const newGuest = async (...spaceIds: string[]) => {
  const spaces = spaceIds.map((id) => ({ id }))
  const email = `${fresh('guest')}@example.com`
  const [guest] = await must(
    admin('POST', '/guests', { environmentId: account.environmentId, email, name: 'G', spaces }),
  )
  return guest as { id: string; email: string }
}
const tokenOfGuest = async (id: string) => (await must(admin('GET', `/guests/${id}/token`))).token as string

describe('refused by the next request', () => {
  it('a personal access token that is deleted', async () => {
    const { token, personalAccessToken } = await must(admin('POST', '/auth/personal-access-tokens', { name: 'x' }))
    expect(await statusOf(token)).toBe(200)
    await must(admin('DELETE', `/auth/personal-access-tokens/${personalAccessToken.id}`))
    expect(await statusOf(token)).toBe(401)
  })

  it('a secret key that is deleted, and what it subscribed to', async () => {
    const { environmentId } = account
    const [key] = await must(admin('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`))
    const { token } = await must(callerOf(key.rawKey)('GET', '/subscription'))
    const poll = () => anybody('GET', `/v2/subscribe/x/environment.${environmentId}/0?auth=${token}&tt=0`)
    expect([await statusOf(key.rawKey), (await poll()).status]).toEqual([200, 200])
    await must(admin('DELETE', `/auth/api-key?key=${key.id}&environmentId=${environmentId}`))
    expect([await statusOf(key.rawKey), (await poll()).status]).toEqual([401, 403])
  })

  it('a publishable key that is deleted, and the embedded tokens it got', async () => {
    const { environmentId } = account
    const [key] = await must(admin('POST', `/auth/api-key?type=PUBLISHABLE&environmentId=${environmentId}`))
    const { accessToken } = await must(callerOf(key.rawKey)('POST', '/spaces', { name: 'Embedded' }))
    expect(await statusOf(accessToken)).toBe(200)
    await must(admin('DELETE', `/auth/api-key?key=${key.id}&environmentId=${environmentId}`))
    expect(await statusOf(accessToken)).toBe(401)
    expect((await callerOf(key.rawKey)('POST', '/spaces', { name: 'x' })).status).toBe(401)
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
    // A new guest with the same address starts with nothing.
    const config = { environmentId: account.environmentId, email: gone.email, name: 'G', spaces: [] }
    const [again] = await must(admin('POST', '/guests', config))
    expect(again.id).not.toBe(gone.id)
    expect(await statusOf(other, `/spaces/${one.id}`)).toBe(401)
  })

  it('a user who is deleted, with all its tokens, and a role that is taken away', async () => {
    const email = `${fresh('user')}@example.com`
    const password = 'a password of some length'
    const user = await must(admin('POST', '/users/invite', { email, name: 'Grace' }))
    const mails = await must(admin('GET', '/invitations?pageSize=1000'))
    const { text } = mails.find(({ to }: { to: string }) => to === email)
    await must(anybody('POST', '/users/accept-invite', { token: /#token=(\S+)/.exec(text)![1], password }))
    const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
    const { token } = await must(callerOf(accessToken)('POST', '/auth/personal-access-tokens', { name: 'x' }))
    const [role] = await must(admin('GET', `/users/${user.id}/roles`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/users')).toBe(200)
    await must(admin('DELETE', `/users/${user.id}/roles/${role.id}`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/users')).toBe(403)
    await must(admin('DELETE', `/users/${user.id}`))
    for (const each of [accessToken, token]) expect(await statusOf(each, '/accounts/current')).toBe(401)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(401)
    expect((await anybody('POST', '/auth/refresh-token', accessToken)).status).toBe(401)
  })

  it('an agent that is deleted', async () => {
    const { accountId, environmentId } = account
    const source = 'module.exports = { routeEvent: async () => {} }'
    const config = { topics: ['a:b'], compiler: 'js', slug: fresh('agent'), source }
    const agent = await must(admin('POST', `/agents?environmentId=${environmentId}`, config))
    const { Keys } = await import('../../lib/entities/keys.ts')
    const { newKey } = await import('../../lib/auth/keys.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const key = newKey('agk')
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
    const { clipLinkOf } = await import('../../lib/auth/guest-links.ts')
    const share = (sharedLinkAccess: string) => admin('PATCH', `/data-clips/${clip.id}`, { sharedLinkAccess })
    expect((await share('public')).status).toBe(200)
    const token = new URL(clipLinkOf({ ...clip, sharedLinkAccess: 'public' })).hash.replace('#token=', '')
    const email = `${fresh('clip')}@example.com`
    const entered = await must(anybody('POST', '/invitations/exchange', { token, email }))
    const path = `/sheets/${clip.clipSheetId}/records`
    expect(await statusOf(entered.token, path)).toBe(200)
    expect((await share('restricted')).status).toBe(200)
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
    const other = await mintAccount()
    const signIn = async () => (await anybody('POST', '/auth', { email: other.email, password: other.password })).body
    const { accessToken } = await signIn()
    const guest = await tokenOfGuest((await newGuest(space.id)).id)
    const embedded = (await must(callerOf(account.publishableKey)('POST', '/spaces', { name: 'E' }))).accessToken
    const tokens = [accessToken, guest, embedded]
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
    await rotateSigningKeys({ revoke: true })
    for (const token of tokens) {
      expect(await statusOf(token)).toBe(401)
      expect((await anybody('POST', '/auth/refresh-token', token)).status).toBe(401)
    }
    // What is signed from now on is good at once, and keys were never meant.
    expect(await statusOf((await signIn()).accessToken)).toBe(200)
    expect(await statusOf(account.secretKey)).toBe(200)
    adminToken = (await anybody('POST', '/auth', { email: account.email, password: account.password })).body.accessToken
    admin = callerOf(adminToken)
  })
})

/** As `npm run keys:rotate` does it. */
async function rotateSigningKeys(rotateKeys: object): Promise<void> {
  const lambda = new LambdaClient({ endpoint: server().cloud, region: 'us-east-1' })
  const FunctionName = `${server().environment.PLATFORM_PREFIX}publish-pending`
  await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ rotateKeys }) }))
}

/** Requests under way at once: a busy machine is asked less often rather than longer and longer. */
const UNDER_WAY = 20

/**
 * 50 requests a second with what `bearer` gives at that moment, until the work is done; the statuses that came.
 * @param work is told how to wait until what is under way has ended
 */
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
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

describe('under 50 requests a second no request fails', () => {
  it('while a secret key is replaced, and the old one is refused', async () => {
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
          // What is under way with the old key ends before it is deleted.
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

  it('while signing keys are replaced', async () => {
    const { email, password } = account
    const tokens = [adminToken]
    let next = 0
    const statuses = await under50RequestsASecond(
      () => tokens[next++ % tokens.length]!,
      async () => {
        for (let round = 0; round < 3; round++) {
          await rotateSigningKeys({})
          // Those signed before and just now are used in turn.
          tokens.push((await anybody('POST', '/auth', { email, password })).body.accessToken)
          await seconds(1)
        }
      },
    )
    expect(statuses.length).toBeGreaterThan(30)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 60_000)
})
