/** Exchanging credentials and tokens for access tokens. */
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildClipItem,
  buildRoleAssignment,
  buildSpaceItem,
  createGuest,
  createScope,
  createUser,
  deleteItem,
  newIdSuffix,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let x: typeof import('../../../lib/auth/exchange.ts')
let keys: typeof import('../../../lib/auth/keys.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let passwordSession: (user: typeof someone) => string
let access: typeof import('../../../lib/auth/guest-principal.ts')
let here: SeedScope
let someone: Awaited<ReturnType<typeof createUser>>
const PASSWORD = 'a password of some length'

beforeAll(async () => {
  cloud = await startAuthCloud()
  x = await import('../../../lib/auth/exchange.ts')
  keys = await import('../../../lib/auth/keys.ts')
  signing = await import('../../../lib/auth/signing.ts')
  access = await import('../../../lib/auth/guest-principal.ts')
  passwordSession = (await import('../../../lib/auth/session.ts')).derivePasswordSession
  here = await createScope()
  someone = await createUser(here.accountId, [buildRoleAssignment('administrator')], { password: PASSWORD })
})
afterAll(() => cloud.close())
afterEach(() => void vi.useRealTimers())

const INVALID =
  '401 unauthenticated: These credentials are not valid. If your account uses single sign-on, sign in there.'
const UNKNOWN = '401 unauthenticated: The access token is missing, unknown, expired or revoked.'
let places = 0
const signIn = (email: string, password: string, from = `192.0.2.${++places}`) =>
  x.issueAdministratorToken({ email, password }, from)

describe('email and password', () => {
  it('return a token for 24 hours', async () => {
    const before = Math.floor(Date.now() / 1000)
    const answer = await signIn(someone.email, PASSWORD)
    const { accessToken, expires, ...rest } = answer
    expect(rest).toEqual({
      expiresIn: '86400',
      email: someone.email,
      userId: someone.id,
      accountId: here.accountId,
    })
    const { iat, exp, ...claims } = decodeJwt(accessToken)
    const ses = expect.stringMatching(/^pwd:.{16}$/)
    expect(claims).toEqual({ sub: someone.id, acc: here.accountId, kind: 'user', ses, iss: 'wharf' })
    expect(exp! - iat!).toBe(86_400)
    expect(iat!).toBeGreaterThanOrEqual(before)
    expect(Date.parse(expires)).toBe(exp! * 1000)
    expect((await signIn(someone.email.toUpperCase(), PASSWORD)).userId).toBe(someone.id)
  })

  it('fail identically when wrong, unknown, or of a user without a password', async () => {
    const without = await createUser(here.accountId, [])
    for (const [email, password] of [
      [someone.email, 'wrong'],
      [someone.email, ''],
      [`nobody-${newIdSuffix()}@example.com`, PASSWORD],
      [without.email, PASSWORD],
      [without.email, ''],
    ] as const)
      expect(await catchProblem(() => signIn(email, password))).toBe(INVALID)
  })

  it('are throttled after wrong guesses', async () => {
    const email = `${newIdSuffix()}@example.com`
    for (let i = 0; i < 5; i++) await catchProblem(() => signIn(email, 'wrong', 'one place'))
    expect(await catchProblem(() => signIn(email, 'wrong', 'one place'))).toMatch(/^429/)
    expect(await catchProblem(() => signIn(email, 'wrong', 'another'))).toBe(INVALID)
  })

  it('are rejected in an account with single sign-on, right or wrong', async () => {
    const own = await createScope()
    const one = await createUser(own.accountId, [buildRoleAssignment('administrator')], { password: PASSWORD })
    await putItem('sso', {
      id: own.accountId,
      issuer: 'https://i.example',
      clientId: 'c',
      createdAt: AT,
      updatedAt: AT,
    })
    for (const password of [PASSWORD, 'wrong'])
      expect(await catchProblem(() => signIn(one.email, password))).toBe(INVALID)
    await deleteItem('sso', own.accountId)
    expect((await signIn(one.email, PASSWORD)).userId).toBe(one.id)
  })
})

describe('email address used in several accounts', () => {
  const OTHER = 'another password of some length'
  const createTwoUsers = async (password: string) => {
    const [here, there] = [await createScope(), await createScope()]
    const one = await createUser(here.accountId, [buildRoleAssignment('administrator')], { password: PASSWORD })
    const other = await createUser(there.accountId, [buildRoleAssignment('administrator')], {
      email: one.email,
      password,
    })
    return { one, other, email: one.email }
  }
  const signInTo = (accountId: string, email: string, password: string) =>
    x.issueAdministratorToken({ email, password, accountId }, `192.0.2.${++places}`)

  it('signs in the user whose password matches', async () => {
    const { one, other, email } = await createTwoUsers(OTHER)
    expect((await signIn(email, PASSWORD)).userId).toBe(one.id)
    expect((await signIn(email, OTHER)).userId).toBe(other.id)
    expect(await catchProblem(() => signIn(email, 'wrong'))).toBe(INVALID)
    expect(await catchProblem(() => signInTo(one.accountId, email, OTHER))).toBe(INVALID)
    expect((await signInTo(other.accountId, email, OTHER)).userId).toBe(other.id)
  })

  it('asks for the account when the password matches several users', async () => {
    const { one, other, email } = await createTwoUsers(PASSWORD)
    const asked = await catchProblem(() => signIn(email, PASSWORD))
    expect(asked).toMatch(/^409 conflict: Users of several accounts have this address and password/)
    for (const { accountId } of [one, other]) expect(asked).toContain(accountId)
    expect((await signInTo(one.accountId, email, PASSWORD)).userId).toBe(one.id)
    expect((await signInTo(other.accountId, email, PASSWORD)).userId).toBe(other.id)
    expect(await catchProblem(() => signInTo(here.accountId, email, PASSWORD))).toBe(INVALID)
    await putItem('sso', {
      id: one.accountId,
      issuer: 'https://i.example',
      clientId: 'c',
      createdAt: AT,
      updatedAt: AT,
    })
    expect((await signIn(email, PASSWORD)).userId).toBe(other.id)
  })

  it('costs the same reads for every address: unknown, one user, single sign-on, several users', async () => {
    const { email } = await createTwoUsers(OTHER)
    const own = await createScope()
    const signOn = await createUser(own.accountId, [], { password: PASSWORD })
    await putItem('sso', {
      id: own.accountId,
      issuer: 'https://i.example',
      clientId: 'c',
      createdAt: AT,
      updatedAt: AT,
    })
    const countRequests = async (address: string) => {
      cloud.reset()
      expect(await catchProblem(() => signIn(address, 'wrong'))).toBe(INVALID)
      return [...cloud.requests].toSorted()
    }
    const ofNobody = await countRequests(`nobody-${newIdSuffix()}@example.com`)
    expect(ofNobody.filter((each) => each === 'Query' || each === 'BatchGetItem')).toEqual(['BatchGetItem', 'Query'])
    for (const address of [someone.email, signOn.email, email]) expect(await countRequests(address)).toEqual(ofNobody)
  })

  it('cannot be guessed by an attacker who also has a user with it', async () => {
    const { email } = await createTwoUsers(OTHER)
    const from = 'one place of somebody who guesses'
    for (let i = 0; i < 5; i++) {
      expect(await catchProblem(() => signIn(email, `wrong ${i}`, from))).toBe(INVALID)
      if (i < 4) await signIn(email, OTHER, from)
    }
    expect(await catchProblem(() => signIn(email, 'wrong', from))).toMatch(/^429/)
  })
})

describe('legacy pair', () => {
  it('is the id and the value of a personal token', async () => {
    const key = keys.generateKey('pat')
    const token = {
      id: key.id,
      accountId: here.accountId,
      userId: someone.id,
      name: 'T',
      createdAt: AT,
      hash: key.hash,
    }
    const exchange = (clientId: string, secret: string) => x.issueAdministratorToken({ clientId, secret }, 'here')
    expect(await catchProblem(() => exchange(key.id, key.value))).toBe(INVALID)
    await putItem('token', token)
    const exchanged = await exchange(key.id, key.value)
    expect(exchanged.userId).toBe(someone.id)
    expect(decodeJwt(exchanged.accessToken)).toMatchObject({ sub: someone.id, pat: key.id })
    const { Tokens } = await import('../../../lib/entities/tokens.ts')
    expect((await Tokens.get(key.id))!.lastUsedAt).toEqual(expect.any(String))
    const other = keys.generateKey('pat')
    for (const [id, secret] of [
      [key.id, other.value],
      [other.id, key.value],
      [key.id, `${key.value}x`],
      [key.id, ''],
      ['', key.value],
      [other.id, other.value],
    ] as const)
      expect(await catchProblem(() => exchange(id, secret))).toBe(INVALID)
    await putItem('token', { ...token, hash: 'another' })
    expect(await catchProblem(() => exchange(key.id, key.value))).toBe(INVALID)
    await putItem('token', { ...token, userId: 'us_usr_gone' })
    expect(await catchProblem(() => exchange(key.id, key.value))).toBe(INVALID)
    cloud.reset()
    await catchProblem(() => exchange(other.id, key.value))
    expect(cloud.requests).toEqual([])
  })
})

describe('token', () => {
  const setTime = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
  const NOW = 1_767_323_045
  const DAY = 86_400

  it('is refreshed for a user for a day, up to seven days after the sign-in', async () => {
    setTime(NOW)
    let { accessToken } = await signIn(someone.email, PASSWORD)
    for (const [after, seconds] of [
      [1000, DAY],
      [DAY - 10, DAY],
      [2 * DAY - 100, DAY],
      [3 * DAY - 200, DAY],
      [4 * DAY - 300, DAY],
      [5 * DAY - 400, DAY],
      [6 * DAY - 500, DAY],
      [7 * DAY - 600, 600],
    ] as const) {
      setTime(NOW + after)
      const answer = await x.refreshToken(accessToken)
      expect(answer.expiresIn).toBe(String(seconds))
      expect(answer).toMatchObject({ userId: someone.id, email: someone.email, accountId: here.accountId })
      const { iat, exp, auth_time, sub, kind } = decodeJwt(answer.accessToken)
      expect([exp! - iat!, auth_time, sub, kind]).toEqual([seconds, NOW, someone.id, 'user'])
      accessToken = answer.accessToken
    }
    setTime(NOW + 7 * DAY)
    expect(await catchProblem(() => x.refreshToken(accessToken))).toBe(
      '401 unauthenticated: Your session has expired. Sign in again.',
    )
  })

  it('is refreshed for a guest for an hour with all its claims', async () => {
    await putItem('space', buildSpaceItem(here, { guestAuthentication: 'shared_link' }))
    const one = await createGuest(here, [{ id: here.spaceId }])
    setTime(NOW)
    const old = await access.issueGuestToken(one, { spaceId: here.spaceId, fixed: true, link: 0 })
    setTime(NOW + 3000)
    const answer = (await x.refreshToken(old)) as { accessToken: string; expiresIn: string; expires: string }
    expect(answer).toEqual({
      accessToken: expect.any(String),
      expiresIn: '3600',
      expires: new Date((NOW + 6600) * 1000).toISOString(),
    })
    const { iss: _, iat, exp, ...claims } = decodeJwt(answer.accessToken)
    expect(claims).toEqual({
      sub: one.id,
      acc: here.accountId,
      kind: 'guest',
      env: here.environmentId,
      space: here.spaceId,
      fixed: true,
      link: 0,
      auth_time: NOW,
    })
    expect([iat, exp]).toEqual([NOW + 3000, NOW + 6600])
    await putItem('clip', { ...buildClipItem(here, { id: 'us_clip_refreshed', sharedLinkAccess: 'public' }) })
    const clip = buildClipItem(here, { id: 'us_clip_refreshed', sharedLinkAccess: 'public' })
    const again = await x.refreshToken(await access.issueClipToken(one, clip))
    expect(decodeJwt(again.accessToken)).toMatchObject({ clip: clip.id, fixed: true })
  })

  it('is created for an embedded space for a day and refreshed', async () => {
    const key = keys.generateKey('pk')
    const { accountId, environmentId, spaceId } = here
    const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
    await putItem('key', { id: key.id, ...owner, type: 'PUBLISHABLE', hash: key.hash })
    const caller = { accountId, environmentId, actorId: 'us_usr_maker', role: 'publishable' as const }
    const token = await x.issueEmbeddedToken({ ...caller, keyId: key.id }, buildSpaceItem(here) as never)
    const { iat, exp, iss: _, ...claims } = decodeJwt(token)
    const said = {
      sub: 'us_usr_maker',
      acc: accountId,
      kind: 'embedded',
      env: environmentId,
      space: spaceId,
      key: key.id,
    }
    expect(claims).toEqual(said)
    expect(exp! - iat!).toBe(DAY)
    const again = await x.refreshToken(token)
    expect(decodeJwt(again.accessToken)).toMatchObject({ ...said, auth_time: iat })
    expect(again.expiresIn).toBe('86400')
    expect(decodeJwt(await x.issueEmbeddedToken(caller, buildSpaceItem(here) as never)).key).toBe('')
  })

  it('is not refreshed when it is of another kind, forged, or of a deleted actor', async () => {
    const subscription = await signing.signToken({ sub: someone.id, acc: here.accountId, kind: 'subscription' }, 600)
    const gone = await createUser(here.accountId, [])
    const { accessToken } = await x.issueUserToken(gone, { ses: passwordSession(gone) })
    await deleteItem('user', gone.id)
    const key = keys.generateKey('pat')
    for (const token of [subscription.token, accessToken, key.value, '', 'x', `${accessToken}x`])
      expect(await catchProblem(() => x.refreshToken(token))).toBe(UNKNOWN)
  })

  it('is not refreshed after its signing key was revoked', async () => {
    const { accessToken } = await x.issueUserToken(someone, { ses: passwordSession(someone) })
    expect((await x.refreshToken(accessToken)).expiresIn).toBe('86400')
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys({ revoke: true })
    expect(await catchProblem(() => x.refreshToken(accessToken))).toBe(UNKNOWN)
  })
})
