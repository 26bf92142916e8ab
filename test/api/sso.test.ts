import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getAccessToken, getServer } from '../support/api.ts'
import { account, anybody, type Caller, createFreshAccount } from '../support/fresh-account.ts'
import {
  buildStartUrl,
  CLIENT,
  createBrowser,
  type IdentityProvider,
  STATE,
  signInAtProvider as signedInAtProvider,
  startProvider,
} from '../support/single-sign-on.ts'
import { createUniqueName } from '../support/unique-name.ts'

let provider: IdentityProvider
let issuer: string
let admin: Caller

beforeAll(async () => {
  provider = await startProvider()
  issuer = provider.issuer
  await createFreshAccount()
  const { email, password } = account
  const accessToken = await getAccessToken({ email, password })
  const made = await createCaller(accessToken)('POST', '/auth/personal-access-tokens', { name: 'kept' })
  admin = createCaller(made.body.data.token)
  expect((await admin('PUT', '/auth/sso', { issuer, ...CLIENT })).status).toBe(200)
}, 60_000)
afterAll(() => provider.stop())

const start = (accountId = account.accountId) => buildStartUrl(accountId)
const signInAtProvider = (at: ReturnType<typeof createBrowser>, name: string) =>
  signedInAtProvider(at, account.accountId, name)

async function invited(): Promise<string> {
  const name = createUniqueName('sso')
  const answer = await admin('POST', '/users/invite', { email: `${name}@example.com`, name })
  expect(answer.status).toBe(200)
  return name
}

describe('single sign-on', () => {
  it('signs in an invited user with the assigned roles, again and again', async () => {
    const name = await invited()
    const mail = (await admin('GET', '/invitations')).body.data.find(({ to }: { to: string }) => to.startsWith(name))
    expect(mail.text).toContain(start())
    for (let time = 0; time < 2; time++) {
      const at = createBrowser()
      const answer = await at.go(await signInAtProvider(at, name))
      expect(answer.status, answer.text).toBe(302)
      const { origin, pathname, hash } = new URL(answer.location!)
      expect(origin + pathname).toBe(`${new URL(getServer().baseUrl).origin}/signed-in`)
      const behind = new URLSearchParams(hash.slice(1))
      expect(behind.get('state')).toBe(STATE)
      const accessToken = behind.get('token')!
      const user = (await admin('GET', '/users?pageSize=100')).body.data.find(
        ({ email }: { email: string }) => email === `${name}@example.com`,
      )
      const { body } = await createCaller(accessToken)('GET', `/users/${user.id}`)
      expect(body.data).toMatchObject({ idp: 'oidc', idpRef: `${issuer}#${name}` })
    }
  }, 30_000)

  it('starts at the sign-in page: the page keeps a state, and rejects a token without it', async () => {
    const at = createBrowser()
    const { status, location } = await at.go(start())
    const page = `${new URL(getServer().baseUrl).origin}/sign-in?accountId=${account.accountId}`
    expect([status, location]).toEqual([302, page])
    expect(at.jar(getServer().baseUrl).size).toBe(0)
    for (const state of ['short', 'with spaces and more', 'x'.repeat(201)])
      expect((await at.go(`${start()}&state=${encodeURIComponent(state)}`)).status).toBe(400)
  })

  it('rejects a user who was not invited, or whose address is not verified', async () => {
    const stranger = createBrowser()
    const refused = await stranger.go(await signInAtProvider(stranger, `nobody-${Date.now()}`))
    expect(refused.status).toBe(403)
    const name = await invited()
    const unproven = createBrowser()
    expect((await unproven.go(await signInAtProvider(unproven, `unproven-${name}`))).status).toBe(403)
  }, 30_000)

  it('requires the provider or the account to state that the address is verified', async () => {
    const name = await invited()
    const signIn = async () => {
      const at = createBrowser()
      return (await at.go(await signInAtProvider(at, `unsaid-${name}`))).status
    }
    expect(await signIn()).toBe(403)
    const settings = { issuer, ...CLIENT }
    expect((await admin('PUT', '/auth/sso', { ...settings, trustEmails: true })).body.data.trustEmails).toBe(true)
    expect(await signIn()).toBe(302)
    expect((await admin('PUT', '/auth/sso', settings)).body.data.trustEmails).toBe(false)
    expect(await signIn()).toBe(302)
    const other = createBrowser()
    expect((await other.go(await signInAtProvider(other, name))).status).toBe(403)
  }, 30_000)

  it('stays bound to the first person, even if the address is reassigned', async () => {
    const name = await invited()
    const at = createBrowser()
    expect((await at.go(await signInAtProvider(at, name))).status).toBe(302)
    const { Users } = await import('../../lib/entities/users.ts')
    const { UserChanges } = await import('../../lib/entities/user-changes.ts')
    const { begin } = await import('../../lib/tx.ts')
    const user = (await Users.byEmail(account.accountId, `${name}@example.com`))!
    const tx = begin({ accountId: account.accountId, actorId: user.id })
    await UserChanges.change(tx, user, { ...user, idpRef: `${issuer}#somebody before` })
    await tx.commit()
    const again = createBrowser()
    expect((await again.go(await signInAtProvider(again, name))).status).toBe(403)
  }, 30_000)

  it('is not completed by another browser, another state, or a forged cookie, and a code works once', async () => {
    const name = await invited()
    const at = createBrowser()
    const back = await signInAtProvider(at, name)
    expect((await createBrowser().go(back)).status).toBe(409)
    const other = createBrowser()
    await other.go(`${start()}&state=${STATE}`)
    expect((await other.go(back)).status).toBe(401)
    const forged = createBrowser()
    forged.jar(back).set('wharf_sign_in', '1.AAAA')
    expect((await forged.go(back)).status).toBe(409)
    const cookies = new Map(at.jar(back))
    expect((await at.go(back)).status).toBe(302)
    for (const [key, value] of cookies) at.jar(back).set(key, value)
    expect((await at.go(back)).status).toBe(401)
  }, 30_000)

  it('replaces email and password, but not personal access tokens', async () => {
    const { email, password } = account
    const refused = await anybody('POST', '/auth', { email, password })
    expect(refused.status).toBe(401)
    const ofNobody = await anybody('POST', '/auth', { email: `nobody-${email}`, password })
    expect(ofNobody).toMatchObject({ status: 401, body: refused.body })
    expect((await admin('GET', '/accounts/current')).status).toBe(200)
    const shown = await admin('GET', '/auth/sso')
    expect(shown.body.data).toMatchObject({ issuer, clientId: 'wharf', signInUrl: start() })
    expect(JSON.stringify(shown.body)).not.toContain(CLIENT.clientSecret)
    expect((await createCaller(account.secretKey)('GET', '/auth/sso')).status).toBe(403)
  })

  it('rejects a configuration that is not an OpenID provider on the internet', async () => {
    const put = async (to: string) => (await admin('PUT', '/auth/sso', { ...CLIENT, issuer: to })).status
    expect(await put('http://example.com')).toBe(400)
    expect(await put('https://169.254.169.254/latest')).toBe(400)
    expect(await put('http://127.0.0.1:9')).toBe(409)
    const { cloud, baseUrl } = getServer()
    for (const own of [cloud, cloud.replace('127.0.0.1', 'localhost'), new URL(baseUrl).origin])
      expect(await put(own)).toBe(400)
    expect((await admin('GET', '/auth/sso')).body.data.issuer).toBe(issuer)
  })

  it('can be removed, and passwords work again', async () => {
    const other = await createTestAccount()
    const { email, password } = other
    const accessToken = await getAccessToken({ email, password })
    const session = createCaller(accessToken)
    const call = createCaller((await session('POST', '/auth/personal-access-tokens', { name: 'kept' })).body.data.token)
    expect((await createBrowser().go(`${start(other.accountId)}&state=${STATE}`)).status).toBe(409)
    expect((await session('PUT', '/auth/sso', { issuer, ...CLIENT })).status).toBe(200)
    expect((await session('GET', '/users')).status).toBe(401)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(401)
    expect((await call('DELETE', '/auth/sso')).status).toBe(200)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(200)
  })
})
