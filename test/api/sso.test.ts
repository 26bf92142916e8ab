/** Single sign-on against a real OpenID provider: who is let in, who is not, and what no longer works beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount } from '../support/api.ts'
import {
  browser,
  CLIENT,
  type IdentityProvider,
  STATE,
  backFromProvider as signedInAtProvider,
  startOf,
  startProvider,
} from '../support/single-sign-on.ts'

const anybody = callerOf(undefined)
let provider: IdentityProvider
let issuer: string
let account: TestAccount
let admin: ReturnType<typeof callerOf>
let count = 0

beforeAll(async () => {
  provider = await startProvider()
  issuer = provider.issuer
  account = await mintAccount()
  const { email, password } = account
  const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
  const made = await callerOf(accessToken)('POST', '/auth/personal-access-tokens', { name: 'kept' })
  admin = callerOf(made.body.data.token)
  expect((await admin('PUT', '/auth/sso', { issuer, ...CLIENT })).status).toBe(200)
}, 60_000)
afterAll(() => provider.stop())

const start = (accountId = account.accountId) => startOf(accountId)
const backFromProvider = (at: ReturnType<typeof browser>, name: string) =>
  signedInAtProvider(at, account.accountId, name)

async function invited(): Promise<string> {
  const name = `sso-${process.pid}-${Date.now()}-${count++}`
  const answer = await admin('POST', '/users/invite', { email: `${name}@example.com`, name })
  expect(answer.status).toBe(200)
  return name
}

describe('single sign-on', () => {
  it('lets an invited user in, with the rights it was given, again and again', async () => {
    const name = await invited()
    const mail = (await admin('GET', '/invitations')).body.data.find(({ to }: { to: string }) => to.startsWith(name))
    expect(mail.text).toContain(start())
    for (let time = 0; time < 2; time++) {
      const at = browser()
      const answer = await at.go(await backFromProvider(at, name))
      expect(answer.status, answer.text).toBe(302)
      const { origin, pathname, hash } = new URL(answer.location!)
      expect(origin + pathname).toBe(`${new URL(server().baseUrl).origin}/signed-in`)
      const behind = new URLSearchParams(hash.slice(1))
      expect(behind.get('state')).toBe(STATE)
      const accessToken = behind.get('token')!
      const user = (await admin('GET', '/users?pageSize=100')).body.data.find(
        ({ email }: { email: string }) => email === `${name}@example.com`,
      )
      const { body } = await callerOf(accessToken)('GET', `/users/${user.id}`)
      expect(body.data).toMatchObject({ idp: 'oidc', idpRef: `${issuer}#${name}` })
    }
  }, 30_000)

  it('starts at the sign-in page: the page keeps a state, and uses no token that comes without it', async () => {
    const at = browser()
    const { status, location } = await at.go(start())
    const page = `${new URL(server().baseUrl).origin}/sign-in?accountId=${account.accountId}`
    expect([status, location]).toEqual([302, page])
    expect(at.jar(server().baseUrl).size).toBe(0)
    for (const state of ['short', 'with spaces and more', 'x'.repeat(201)])
      expect((await at.go(`${start()}&state=${encodeURIComponent(state)}`)).status).toBe(400)
  })

  it('lets in nobody who was not invited, or whose address is not proven', async () => {
    const stranger = browser()
    const refused = await stranger.go(await backFromProvider(stranger, `nobody-${Date.now()}`))
    expect(refused.status).toBe(403)
    const name = await invited()
    const unproven = browser()
    expect((await unproven.go(await backFromProvider(unproven, `unproven-${name}`))).status).toBe(403)
  }, 30_000)

  it('needs the word of the provider that the address is proven, or the word of the account that all of them are', async () => {
    const name = await invited()
    const signIn = async () => {
      const at = browser()
      return (await at.go(await backFromProvider(at, `unsaid-${name}`))).status
    }
    expect(await signIn()).toBe(403)
    const settings = { issuer, ...CLIENT }
    expect((await admin('PUT', '/auth/sso', { ...settings, trustEmails: true })).body.data.trustEmails).toBe(true)
    expect(await signIn()).toBe(302)
    expect((await admin('PUT', '/auth/sso', settings)).body.data.trustEmails).toBe(false)
    // By now the person is known by the provider's own id.
    expect(await signIn()).toBe(302)
    const other = browser()
    expect((await other.go(await backFromProvider(other, name))).status).toBe(403)
  }, 30_000)

  it('keeps to the person it met first, whoever has the address later', async () => {
    const name = await invited()
    const at = browser()
    expect((await at.go(await backFromProvider(at, name))).status).toBe(302)
    const { Users } = await import('../../lib/entities/users.ts')
    const { UserChanges } = await import('../../lib/entities/user-changes.ts')
    const { begin } = await import('../../lib/tx.ts')
    const user = (await Users.byEmail(account.accountId, `${name}@example.com`))!
    const tx = begin({ accountId: account.accountId, actorId: user.id })
    await UserChanges.change(tx, user, { ...user, idpRef: `${issuer}#somebody before` })
    await tx.commit()
    const again = browser()
    expect((await again.go(await backFromProvider(again, name))).status).toBe(403)
  }, 30_000)

  it('is not ended by another browser, with another state, or by a forged cookie, and a code works once', async () => {
    const name = await invited()
    const at = browser()
    const back = await backFromProvider(at, name)
    expect((await browser().go(back)).status).toBe(409)
    const other = browser()
    await other.go(`${start()}&state=${STATE}`)
    expect((await other.go(back)).status).toBe(401)
    const forged = browser()
    forged.jar(back).set('wharf_sign_in', '1.AAAA')
    expect((await forged.go(back)).status).toBe(409)
    const cookies = new Map(at.jar(back))
    expect((await at.go(back)).status).toBe(302)
    for (const [key, value] of cookies) at.jar(back).set(key, value)
    expect((await at.go(back)).status).toBe(401)
  }, 30_000)

  it('takes the place of e-mail and password, and leaves personal access tokens', async () => {
    const { email, password } = account
    const refused = await anybody('POST', '/auth', { email, password })
    expect(refused.status).toBe(401)
    // Nobody learns by it that there is such a user.
    const ofNobody = await anybody('POST', '/auth', { email: `nobody-${email}`, password })
    expect(ofNobody).toMatchObject({ status: 401, body: refused.body })
    expect((await admin('GET', '/accounts/current')).status).toBe(200)
    const shown = await admin('GET', '/auth/sso')
    expect(shown.body.data).toMatchObject({ issuer, clientId: 'wharf', signInUrl: start() })
    expect(JSON.stringify(shown.body)).not.toContain(CLIENT.clientSecret)
    expect((await callerOf(account.secretKey)('GET', '/auth/sso')).status).toBe(403)
  })

  it('is not configured with what is no provider on the internet', async () => {
    const put = async (to: string) => (await admin('PUT', '/auth/sso', { ...CLIENT, issuer: to })).status
    expect(await put('http://example.com')).toBe(400)
    expect(await put('https://169.254.169.254/latest')).toBe(400)
    expect(await put('http://127.0.0.1:9')).toBe(409)
    const { cloud, baseUrl } = server()
    for (const own of [cloud, cloud.replace('127.0.0.1', 'localhost'), new URL(baseUrl).origin])
      expect(await put(own)).toBe(400)
    expect((await admin('GET', '/auth/sso')).body.data.issuer).toBe(issuer)
  })

  it('ends, and passwords work again', async () => {
    const other = await mintAccount()
    const { email, password } = other
    const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
    const session = callerOf(accessToken)
    const call = callerOf((await session('POST', '/auth/personal-access-tokens', { name: 'kept' })).body.data.token)
    expect((await browser().go(`${start(other.accountId)}&state=${STATE}`)).status).toBe(409)
    expect((await session('PUT', '/auth/sso', { issuer, ...CLIENT })).status).toBe(200)
    // The session was one by password.
    expect((await session('GET', '/users')).status).toBe(401)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(401)
    expect((await call('DELETE', '/auth/sso')).status).toBe(200)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(200)
  })
})
