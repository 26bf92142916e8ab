/** Single sign-on with a provider that can misbehave. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { AT, buildRoleAssignment, createScope, createUser, newIdSuffix } from '../../support/auth-items.ts'

await startAuthCloud({ OUTBOUND_LOOPBACK: 'on' })
const sso = await import('../../../lib/auth/sso.ts')
const { begin } = await import('../../../lib/tx.ts')
const { Users } = await import('../../../lib/entities/users.ts')
const key = await generateKeyPair('RS256')
const foreign = await generateKeyPair('RS256')
const here = await createScope()
let server: Server
let issuer: string

interface ProviderBehavior {
  claims: Record<string, unknown>
  userInfo: Record<string, unknown>
  signedBy: 'own' | 'foreign'
  challenge: string
  posted: Record<string, string>
}
let answers: ProviderBehavior

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const sendJson = (value: unknown, status = 200) => {
      res.writeHead(status, { 'content-type': 'application/json' })
      res.end(JSON.stringify(value))
    }
    if (req.url === '/.well-known/openid-configuration')
      return sendJson({
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
      return sendJson({ keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (req.url === '/me') return sendJson(answers.userInfo)
    if (req.url !== '/token') return sendJson({}, 404)
    let body = ''
    for await (const chunk of req) body += chunk
    answers.posted = Object.fromEntries(new URLSearchParams(body))
    const verifier = answers.posted.code_verifier ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== answers.challenge)
      return sendJson({ error: 'invalid_grant' }, 400)
    const { privateKey } = answers.signedBy === 'own' ? key : foreign
    const id_token = await new SignJWT(answers.claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(String(answers.claims.iss ?? issuer))
      .setAudience('wharf')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    sendJson({ access_token: 'at', token_type: 'bearer', id_token })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  await configure({ issuer, clientId: 'wharf', clientSecret: 'provider zebra', trustEmails: false })
})

const beginTx = () => begin({ accountId: here.accountId, actorId: 'us_usr_x' })
async function configure(settings: object) {
  const unit = beginTx()
  const answer = await sso.configureSignOn(unit, here.accountId, settings as never)
  await unit.commit()
  return answer
}

interface StartedSignIn {
  query: URLSearchParams
  cookie: string
  location: URL
}
async function startSignIn(claims: object, more: Partial<ProviderBehavior> = {}): Promise<StartedSignIn> {
  const { location: at, cookie } = await sso.startSignIn(here.accountId)
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
const finishSignIn = async ({ query, cookie }: StartedSignIn) =>
  (await sso.finishSignIn(query.toString(), ['other=1', ` ${cookie.split(';')[0]}`], '192.0.2.1')).user
const createInvited = (more: object = {}) =>
  createUser(here.accountId, [buildRoleAssignment('administrator')], { invite: { hash: 'h', createdAt: AT }, ...more })
const STRANGER = '403 forbidden: You are not a user of this account. Ask an administrator to invite you.'
const NOT_VOUCHED = '401 unauthenticated: The identity provider rejected this sign-in.'
const NOT_BEGUN = '409 conflict: This sign-in was not started in this browser, or it has expired. Start again.'

describe('sign-in by single sign-on', () => {
  it('uses a secure cookie when the API uses TLS', async () => {
    vi.resetModules()
    process.env.BASE_URL = 'https://api.example/api'
    const { buildExpiredCookie } = await import('../../../lib/auth/sso.ts')
    const cookie = buildExpiredCookie()
    process.env.BASE_URL = 'http://127.0.0.1/api'
    expect(cookie).toBe('wharf_sign_in=; Max-Age=0; Path=/api/v1/auth/sso/callback; HttpOnly; SameSite=Lax; Secure')
  })

  it('requests the address from the provider when its token has none', async () => {
    const one = await createInvited()
    const sub = `sub-${newIdSuffix()}`
    const userInfo = { sub, email: one.email, email_verified: true }
    expect((await finishSignIn(await startSignIn({ sub }, { userInfo }))).id).toBe(one.id)
    expect(
      await catchProblem(async () =>
        finishSignIn(await startSignIn({ sub }, { userInfo: { ...userInfo, sub: 'another' } })),
      ),
    ).toBe(NOT_VOUCHED)
    const stranger = `sub-${newIdSuffix()}`
    for (const told of [{}, { email: 7 }, { email: 7, email_verified: true }]) {
      const asked = { userInfo: { sub: stranger, ...told } }
      expect(await catchProblem(async () => finishSignIn(await startSignIn({ sub: stranger }, asked)))).toBe(STRANGER)
    }
  })

  it('signs in the user of the requested account, even if the address exists elsewhere', async () => {
    const one = await createInvited()
    const elsewhere = await createUser((await createScope()).accountId, [buildRoleAssignment('administrator')], {
      email: one.email,
    })
    const claims = { sub: `sub-${newIdSuffix()}`, email: one.email, email_verified: true }
    expect((await finishSignIn(await startSignIn(claims))).id).toBe(one.id)
    expect(await Users.get(elsewhere.id)).not.toHaveProperty('idpRef')
  })

  it('can be verified by the provider itself, for this sign-in only', async () => {
    const { email } = await createInvited()
    const claims = { sub: `sub-${newIdSuffix()}`, email, email_verified: true }
    const signInForged = async (told: object, more: Partial<ProviderBehavior> = {}) =>
      catchProblem(async () => finishSignIn(await startSignIn({ ...claims, ...told }, more)))
    expect(await signInForged({ nonce: 'another' })).toBe(NOT_VOUCHED)
    expect(await signInForged({ nonce: undefined })).toBe(NOT_VOUCHED)
    expect(await signInForged({ iss: 'https://other.example' })).toBe(NOT_VOUCHED)
    expect(await signInForged({}, { signedBy: 'foreign' })).toBe(NOT_VOUCHED)
    expect(await signInForged({}, { challenge: 'another' })).toBe(NOT_VOUCHED)
    const other = await startSignIn(claims)
    other.query.set('state', 'another')
    expect(await catchProblem(() => finishSignIn(other))).toBe(NOT_VOUCHED)
    const refused = await startSignIn(claims)
    refused.query.delete('code')
    refused.query.set('error', 'access_denied')
    expect(await catchProblem(() => finishSignIn(refused))).toBe(NOT_VOUCHED)
    expect(await signInForged({})).toBe('none')
  })

  it('is completed in the same browser within ten minutes', async () => {
    const { email } = await createInvited()
    const claims = { sub: `sub-${newIdSuffix()}`, email, email_verified: true }
    const one = await startSignIn(claims)
    const endWithCookies = (cookies: string[]) =>
      catchProblem(() => sso.finishSignIn(one.query.toString(), cookies, 'x'))
    const value = one.cookie.split(';')[0]!
    for (const cookies of [
      [],
      ['other=1'],
      ['wharf_sign_in=1.AAAA'],
      ['wharf_sign_in='],
      [`x${value}`],
      [`${value}x`.replace('=1.', '=2.x')],
    ])
      expect(await endWithCookies(cookies), String(cookies)).toBe(NOT_BEGUN)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect(await endWithCookies([value])).toBe(NOT_BEGUN)
    vi.useRealTimers()
    expect(await endWithCookies([value])).toBe('none')
  })

  it('sends no secret for a public client', async () => {
    await configure({ issuer, clientId: 'wharf', trustEmails: false })
    const one = await createInvited()
    expect(
      (await finishSignIn(await startSignIn({ sub: `sub-${newIdSuffix()}`, email: one.email, email_verified: true })))
        .id,
    ).toBe(one.id)
    expect(answers.posted).toMatchObject({ client_id: 'wharf' })
    expect(answers.posted).not.toHaveProperty('client_secret')
  })
})
