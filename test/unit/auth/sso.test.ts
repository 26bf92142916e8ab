/** Single sign-on at a provider that can be made to lie. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import { AT, drop, held, type Place, place, tail, user } from '../../support/auth-items.ts'

let cloud: AuthCloud
let sso: typeof import('../../../lib/auth/sso.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Users: typeof import('../../../lib/entities/users.ts')['Users']
let SignOns: typeof import('../../../lib/entities/sso.ts')['SignOns']
let server: Server
let issuer: string
let here: Place
let key: Awaited<ReturnType<typeof generateKeyPair>>
let foreign: Awaited<ReturnType<typeof generateKeyPair>>

/** What the provider says of who signs in, and how it lies. */
interface Answers {
  claims: Record<string, unknown>
  userInfo: Record<string, unknown>
  signedBy: 'own' | 'foreign'
  challenge: string
  posted: Record<string, string>
}
let answers: Answers

beforeAll(async () => {
  cloud = await authCloud({ OUTBOUND_LOOPBACK: 'on' })
  sso = await import('../../../lib/auth/sso.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Users = (await import('../../../lib/entities/users.ts')).Users
  SignOns = (await import('../../../lib/entities/sso.ts')).SignOns
  key = await generateKeyPair('RS256')
  foreign = await generateKeyPair('RS256')
  server = createServer(async (req, res) => {
    const json = (value: unknown, status = 200) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(JSON.stringify(value))
    }
    if (req.url === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (req.url === '/jwks')
      return json({ keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (req.url === '/me') return json(answers.userInfo)
    if (req.url !== '/token') return json({}, 404)
    let body = ''
    for await (const chunk of req) body += chunk
    answers.posted = Object.fromEntries(new URLSearchParams(body))
    const verifier = answers.posted.code_verifier ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== answers.challenge)
      return json({ error: 'invalid_grant' }, 400)
    const { privateKey } = answers.signedBy === 'own' ? key : foreign
    const id_token = await new SignJWT(answers.claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(String(answers.claims.iss ?? issuer))
      .setAudience('wharf')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    json({ access_token: 'at', token_type: 'bearer', id_token })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  here = await place()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cloud.close()
})
beforeEach(async () => {
  await configure({ issuer, clientId: 'wharf', clientSecret: 'provider zebra', trustEmails: false })
})

const tx = () => begin({ accountId: here.accountId, actorId: 'us_usr_x' })
async function configure(settings: object) {
  const unit = tx()
  const answer = await sso.configure(unit, here.accountId, settings as never)
  await unit.commit()
  return answer
}

interface Begun {
  query: URLSearchParams
  cookie: string
  location: URL
}
/** Begins a sign-in; the provider will say what is told, with the right nonce unless told. */
async function begun(claims: object, more: Partial<Answers> = {}): Promise<Begun> {
  const { location: at, cookie } = await sso.beginSignIn(here.accountId)
  const location = new URL(at)
  const asked = location.searchParams
  answers = {
    claims: { nonce: asked.get('nonce'), ...claims },
    userInfo: {},
    signedBy: 'own',
    challenge: asked.get('code_challenge')!,
    posted: {},
    ...more,
  }
  return { query: new URLSearchParams({ code: 'c', state: asked.get('state')! }), cookie, location }
}
const end = async ({ query, cookie }: Begun) =>
  (await sso.endSignIn(query.toString(), ['other=1', ` ${cookie.split(';')[0]}`], '192.0.2.1')).user
const invited = (more: object = {}) =>
  user(here.accountId, [held('administrator')], { invite: { hash: 'h', createdAt: AT }, ...more })
const UNPROVEN = '403 forbidden: The provider does not say that your address is proven (the claim email_verified).'
const STRANGER = '403 forbidden: You are no user of this account: ask an administrator to invite you.'
const NOT_VOUCHED = '401 unauthenticated: The provider does not vouch for this sign-in.'
const NOT_BEGUN = '409 conflict: This sign-in was not begun in this browser, or took too long: begin again.'

describe('the settings', () => {
  it('are kept once the provider was met, its secret sealed', async () => {
    const { createdAt, ...kept } = (await SignOns.get(here.accountId))!
    expect(kept).toMatchObject({
      id: here.accountId,
      issuer,
      clientId: 'wharf',
      sealedSecret: expect.stringMatching(/^1\./),
    })
    expect(JSON.stringify(kept)).not.toContain('zebra')
    const { unseal } = await import('../../../lib/auth/secrets.ts')
    expect(unseal(kept.sealedSecret!, here.accountId)).toBe('provider zebra')
    await new Promise((resolve) => setTimeout(resolve, 2))
    const settings = { issuer, clientId: 'other', trustEmails: true }
    expect(await configure(settings)).toEqual(settings)
    const after = (await SignOns.get(here.accountId))!
    expect(after).toMatchObject({ clientId: 'other', trustEmails: true, createdAt })
    expect(after.updatedAt > createdAt).toBe(true)
    expect(after).not.toHaveProperty('sealedSecret')
  })

  it('of what is no provider are refused and change nothing', async () => {
    for (const other of ['http://127.0.0.1:9', `${issuer}/elsewhere`])
      expect(await problem(() => configure({ issuer: other, clientId: 'x' }))).toMatch(
        new RegExp(`^409 conflict: There is no OpenID provider at ${other}: .+`),
      )
    expect((await SignOns.get(here.accountId))!.issuer).toBe(issuer)
  })
})

describe('a sign-in', () => {
  it('leads to the provider with a challenge, and remembers it in a sealed cookie', async () => {
    const { location, cookie } = await begun({})
    expect(`${location.origin}${location.pathname}`).toBe(`${issuer}/auth`)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: 'wharf',
      redirect_uri: 'http://127.0.0.1/api/v1/auth/sso/callback',
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{20,}$/),
      nonce: expect.stringMatching(/^.{20,}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
    })
    expect(cookie).toMatch(
      /^wharf_sign_in=1\.[\w-]+; Max-Age=600; Path=\/api\/v1\/auth\/sso\/callback; HttpOnly; SameSite=Lax$/,
    )
    expect(cookie).not.toContain(location.searchParams.get('state')!)
    expect(sso.spentCookie()).toBe('wharf_sign_in=; Max-Age=0; Path=/api/v1/auth/sso/callback; HttpOnly; SameSite=Lax')
    const again = await begun({})
    expect(again.location.searchParams.get('state')).not.toBe(location.searchParams.get('state'))
  })

  it('has a cookie for encrypted connections where the API has them', async () => {
    vi.resetModules()
    process.env.BASE_URL = 'https://api.example/api'
    const { spentCookie } = await import('../../../lib/auth/sso.ts')
    const cookie = spentCookie()
    process.env.BASE_URL = 'http://127.0.0.1/api'
    expect(cookie).toBe('wharf_sign_in=; Max-Age=0; Path=/api/v1/auth/sso/callback; HttpOnly; SameSite=Lax; Secure')
  })

  it('lets in an invited user, and knows it by the id of the provider from then on', async () => {
    const one = await invited()
    const sub = `sub-${tail()}`
    const entered = await end(await begun({ sub, email: one.email, email_verified: true }))
    expect(entered.id).toBe(one.id)
    expect(answers.posted).toMatchObject({
      client_id: 'wharf',
      client_secret: 'provider zebra',
      code: 'c',
      redirect_uri: 'http://127.0.0.1/api/v1/auth/sso/callback',
    })
    const kept = (await Users.get(one.id))!
    expect(kept).toMatchObject({ idp: 'oidc', idpRef: `${issuer}#${sub}`, rev: 2 })
    expect(kept.updatedAt > AT).toBe(true)
    expect(kept).not.toHaveProperty('invite')
    const { AuditLog } = await import('../../../lib/entities/audit.ts')
    const { data } = await AuditLog.page(here.accountId, { action: 'auth.ssoCallback' }, 100)
    expect(data.find(({ actorId }) => actorId === one.id)).toMatchObject({
      role: 'invited',
      address: '192.0.2.1',
      resources: [one.id],
      before: { idp: 'wharf' },
      after: { idp: 'oidc' },
    })
    expect((await end(await begun({ sub, email: one.email }))).id).toBe(one.id)
    expect((await Users.get(one.id))!.rev).toBe(2)
  })

  it('asks the provider for the address where its token has none', async () => {
    const one = await invited()
    const sub = `sub-${tail()}`
    const userInfo = { sub, email: one.email, email_verified: true }
    expect((await end(await begun({ sub }, { userInfo }))).id).toBe(one.id)
    expect(await problem(async () => end(await begun({ sub }, { userInfo: { ...userInfo, sub: 'another' } })))).toBe(
      NOT_VOUCHED,
    )
    const stranger = `sub-${tail()}`
    for (const told of [{}, { email: 7 }, { email: 7, email_verified: true }]) {
      const asked = { userInfo: { sub: stranger, ...told } }
      expect(await problem(async () => end(await begun({ sub: stranger }, asked)))).toBe(STRANGER)
    }
  })

  it('lets in nobody whose address is not proven, of another account, or who is somebody else there', async () => {
    const one = await invited()
    const stranger = await user((await place()).accountId, [])
    const taken = await invited({ idpRef: `${issuer}#somebody` })
    const moved = await invited({ idpRef: 'https://old.example#somebody' })
    const signIn = async (claims: object) => problem(async () => end(await begun({ sub: `sub-${tail()}`, ...claims })))
    for (const email_verified of [false, undefined, 'true', 1, null])
      expect(await signIn({ email: one.email, email_verified })).toBe(UNPROVEN)
    const proven = { email_verified: true }
    expect(await signIn({ email: `nobody-${tail()}@example.com`, ...proven })).toBe(STRANGER)
    expect(await signIn({ email: stranger.email, ...proven })).toBe(STRANGER)
    expect(await signIn({ email: taken.email, ...proven })).toBe(STRANGER)
    expect(await signIn({ email: moved.email, ...proven })).toBe('none')
    expect(await signIn({ email: one.email, ...proven })).toBe('none')
  })

  it('takes addresses that are not proven where the account trusts the ones of its provider', async () => {
    await configure({ issuer, clientId: 'wharf', clientSecret: 'provider zebra', trustEmails: true })
    const [one, other] = [await invited(), await invited()]
    expect((await end(await begun({ sub: `sub-${tail()}`, email: one.email }))).id).toBe(one.id)
    const said = { sub: `sub-${tail()}`, email: other.email, email_verified: false }
    expect((await end(await begun(said))).id).toBe(other.id)
  })

  it('goes by the id of the provider from the second time on, whatever address it tells', async () => {
    const [one, other] = [await invited(), await invited()]
    const sub = `sub-${tail()}`
    await end(await begun({ sub, email: one.email, email_verified: true }))
    for (const told of [{}, { email: other.email, email_verified: true }, { email: other.email }])
      expect((await end(await begun({ sub, ...told }, { userInfo: { sub } }))).id).toBe(one.id)
    expect(await Users.get(other.id)).not.toHaveProperty('idpRef')
  })

  it('is of the user that the own account has of an address, whoever else has it', async () => {
    const one = await invited()
    const elsewhere = await user((await place()).accountId, [held('administrator')], { email: one.email })
    const claims = { sub: `sub-${tail()}`, email: one.email, email_verified: true }
    expect((await end(await begun(claims))).id).toBe(one.id)
    expect(await Users.get(elsewhere.id)).not.toHaveProperty('idpRef')
  })

  it('is vouched for by the provider itself, for this sign-in alone', async () => {
    const { email } = await invited()
    const claims = { sub: `sub-${tail()}`, email, email_verified: true }
    const forged = async (told: object, more: Partial<Answers> = {}) =>
      problem(async () => end(await begun({ ...claims, ...told }, more)))
    expect(await forged({ nonce: 'another' })).toBe(NOT_VOUCHED)
    expect(await forged({ nonce: undefined })).toBe(NOT_VOUCHED)
    expect(await forged({ iss: 'https://other.example' })).toBe(NOT_VOUCHED)
    expect(await forged({}, { signedBy: 'foreign' })).toBe(NOT_VOUCHED)
    expect(await forged({}, { challenge: 'another' })).toBe(NOT_VOUCHED)
    const other = await begun(claims)
    other.query.set('state', 'another')
    expect(await problem(() => end(other))).toBe(NOT_VOUCHED)
    const refused = await begun(claims)
    refused.query.delete('code')
    refused.query.set('error', 'access_denied')
    expect(await problem(() => end(refused))).toBe(NOT_VOUCHED)
    expect(await forged({})).toBe('none')
  })

  it('is ended in the browser that began it, within ten minutes', async () => {
    const { email } = await invited()
    const claims = { sub: `sub-${tail()}`, email, email_verified: true }
    const one = await begun(claims)
    const ended = (cookies: string[]) => problem(() => sso.endSignIn(one.query.toString(), cookies, 'x'))
    const value = one.cookie.split(';')[0]!
    for (const cookies of [
      [],
      ['other=1'],
      ['wharf_sign_in=1.AAAA'],
      ['wharf_sign_in='],
      [`x${value}`],
      [`${value}x`.replace('=1.', '=2.x')],
    ])
      expect(await ended(cookies), String(cookies)).toBe(NOT_BEGUN)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect(await ended([value])).toBe(NOT_BEGUN)
    vi.useRealTimers()
    expect(await ended([value])).toBe('none')
  })

  it('is none where the account has no single sign-on any more', async () => {
    const one = await begun({ sub: 'x', email: (await invited()).email, email_verified: true })
    await drop('sso', here.accountId)
    const none = '409 conflict: This account has no single sign-on.'
    expect(await problem(() => end(one))).toBe(none)
    expect(await problem(() => sso.beginSignIn(here.accountId))).toBe(none)
  })

  it('of a client without a secret sends none', async () => {
    await configure({ issuer, clientId: 'wharf', trustEmails: false })
    const one = await invited()
    expect((await end(await begun({ sub: `sub-${tail()}`, email: one.email, email_verified: true }))).id).toBe(one.id)
    expect(answers.posted).toMatchObject({ client_id: 'wharf' })
    expect(answers.posted).not.toHaveProperty('client_secret')
  })
})
