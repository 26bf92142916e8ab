/** Single sign-on against a real OpenID provider: who is let in, who is not, and what no longer works beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, server, type TestAccount, until } from '../support/api.ts'

const anybody = callerOf(undefined)
const CLIENT = { clientId: 'wharf', clientSecret: 'a secret of the provider' }
let provider: ChildProcess
let issuer: string
let account: TestAccount
let admin: ReturnType<typeof callerOf>
let count = 0

beforeAll(async () => {
  const callback = `${server().baseUrl}/v1/auth/sso/callback`
  provider = spawn(process.execPath, ['test/support/openid-provider.mjs', callback], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  provider.stdout!.on('data', (chunk) => (text += chunk))
  issuer = await until(async () => /http:\/\/127\S+/.exec(text)?.[0], 30)
  account = await mintAccount()
  const { email, password } = account
  const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
  const made = await callerOf(accessToken)('POST', '/auth/personal-access-tokens', { name: 'kept' })
  admin = callerOf(made.body.data.token)
  expect((await admin('PUT', '/auth/sso', { issuer, ...CLIENT })).status).toBe(200)
}, 60_000)
afterAll(() => void provider.kill('SIGKILL'))

/** A browser: keeps cookies by host, and does not follow by itself. */
function browser() {
  const jar = new Map<string, Map<string, string>>()
  const of = (url: string) => {
    const { host } = new URL(url)
    if (!jar.has(host)) jar.set(host, new Map())
    return jar.get(host)!
  }
  return {
    jar: of,
    async go(
      url: string,
      form?: Record<string, string>,
    ): Promise<{ status: number; url: string; text: string; location?: string }> {
      const cookies = [...of(url)].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, {
        redirect: 'manual',
        headers: cookies ? { cookie: cookies } : {},
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        if (value) of(url).set(name!, value)
        else of(url).delete(name!)
      }
      const location = response.headers.get('location')
      return {
        status: response.status,
        url,
        text: await response.text(),
        ...(location ? { location: new URL(location, url).href } : {}),
      }
    },
  }
}

const start = (accountId = account.accountId) => `${server().baseUrl}/v1/auth/sso/start?accountId=${accountId}`

/** What a page of the application starts a sign-in with. */
const STATE = 'state-of-the-page'

/** Signs in at the provider and consents; answers where the provider leads back to. */
async function backFromProvider(at: ReturnType<typeof browser>, name: string): Promise<string> {
  let page = await at.go(`${start()}&state=${STATE}`)
  for (let steps = 0; steps < 12; steps++) {
    if (page.location?.startsWith(server().baseUrl)) return page.location
    if (page.location) page = await at.go(page.location)
    else {
      const action = /action="([^"]+)"/.exec(page.text)![1]!
      const prompt = /name="prompt" value="([^"]+)"/.exec(page.text)![1]!
      page = await at.go(
        new URL(action, page.url).href,
        prompt === 'login' ? { prompt, login: name, password: 'x' } : { prompt },
      )
    }
  }
  throw new Error(`The provider led nowhere: ${page.url} ${page.text.slice(0, 500)}`)
}

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
