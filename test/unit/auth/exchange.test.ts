/** Credentials and tokens are exchanged for tokens. */
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import {
  AT,
  clipItem,
  drop,
  guest,
  held,
  type Place,
  place,
  put,
  spaceItem,
  tail,
  user,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let x: typeof import('../../../lib/auth/exchange.ts')
let keys: typeof import('../../../lib/auth/keys.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let passwordSession: (user: typeof someone) => string
let access: typeof import('../../../lib/auth/guest-access.ts')
let here: Place
let someone: Awaited<ReturnType<typeof user>>
const PASSWORD = 'a password of some length'

beforeAll(async () => {
  cloud = await authCloud()
  x = await import('../../../lib/auth/exchange.ts')
  keys = await import('../../../lib/auth/keys.ts')
  signing = await import('../../../lib/auth/signing.ts')
  access = await import('../../../lib/auth/guest-access.ts')
  passwordSession = (await import('../../../lib/auth/session.ts')).passwordSession
  here = await place()
  someone = await user(here.accountId, [held('administrator')], { password: PASSWORD })
})
afterAll(() => cloud.close())
afterEach(() => void vi.useRealTimers())

const INVALID =
  '401 unauthenticated: These credentials are not valid. Where an account has single sign-on, its users sign in there.'
const UNKNOWN = '401 unauthenticated: The access token is missing, unknown, expired or revoked.'
let places = 0
const signIn = (email: string, password: string, from = `192.0.2.${++places}`) =>
  x.administratorToken({ email, password }, from)

describe('e-mail and password', () => {
  it('are a token for 24 hours', async () => {
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

  it('that are wrong, of nobody, or of one without a password, are all the same', async () => {
    const without = await user(here.accountId, [])
    for (const [email, password] of [
      [someone.email, 'wrong'],
      [someone.email, ''],
      [`nobody-${tail()}@example.com`, PASSWORD],
      [without.email, PASSWORD],
      [without.email, ''],
    ] as const)
      expect(await problem(() => signIn(email, password))).toBe(INVALID)
  })

  it('are guessed slowly', async () => {
    const email = `${tail()}@example.com`
    for (let i = 0; i < 5; i++) await problem(() => signIn(email, 'wrong', 'one place'))
    expect(await problem(() => signIn(email, 'wrong', 'one place'))).toMatch(/^429/)
    expect(await problem(() => signIn(email, 'wrong', 'another'))).toBe(INVALID)
  })

  it('are none where the account has single sign-on, right or wrong', async () => {
    const own = await place()
    const one = await user(own.accountId, [held('administrator')], { password: PASSWORD })
    await put('sso', { id: own.accountId, issuer: 'https://i.example', clientId: 'c', createdAt: AT, updatedAt: AT })
    for (const password of [PASSWORD, 'wrong']) expect(await problem(() => signIn(one.email, password))).toBe(INVALID)
    await drop('sso', own.accountId)
    expect((await signIn(one.email, PASSWORD)).userId).toBe(one.id)
  })
})

describe('an address of users in several accounts', () => {
  const OTHER = 'another password of some length'
  const two = async (password: string) => {
    const [here, there] = [await place(), await place()]
    const one = await user(here.accountId, [held('administrator')], { password: PASSWORD })
    const other = await user(there.accountId, [held('administrator')], { email: one.email, password })
    return { one, other, email: one.email }
  }
  const signInTo = (accountId: string, email: string, password: string) =>
    x.administratorToken({ email, password, accountId }, `192.0.2.${++places}`)

  it('is the user whose password it is', async () => {
    const { one, other, email } = await two(OTHER)
    expect((await signIn(email, PASSWORD)).userId).toBe(one.id)
    expect((await signIn(email, OTHER)).userId).toBe(other.id)
    expect(await problem(() => signIn(email, 'wrong'))).toBe(INVALID)
    expect(await problem(() => signInTo(one.accountId, email, OTHER))).toBe(INVALID)
    expect((await signInTo(other.accountId, email, OTHER)).userId).toBe(other.id)
  })

  it('asks which account where the password is of several', async () => {
    const { one, other, email } = await two(PASSWORD)
    const asked = await problem(() => signIn(email, PASSWORD))
    expect(asked).toMatch(/^409 conflict: Users of several accounts have this address and password/)
    for (const { accountId } of [one, other]) expect(asked).toContain(accountId)
    expect((await signInTo(one.accountId, email, PASSWORD)).userId).toBe(one.id)
    expect((await signInTo(other.accountId, email, PASSWORD)).userId).toBe(other.id)
    expect(await problem(() => signInTo(here.accountId, email, PASSWORD))).toBe(INVALID)
    await put('sso', { id: one.accountId, issuer: 'https://i.example', clientId: 'c', createdAt: AT, updatedAt: AT })
    expect((await signIn(email, PASSWORD)).userId).toBe(other.id)
  })

  it('is read alike for every address: of nobody, of one user, of one with single sign-on, of several', async () => {
    const { email } = await two(OTHER)
    const own = await place()
    const signOn = await user(own.accountId, [], { password: PASSWORD })
    await put('sso', { id: own.accountId, issuer: 'https://i.example', clientId: 'c', createdAt: AT, updatedAt: AT })
    const requests = async (address: string) => {
      cloud.reset()
      expect(await problem(() => signIn(address, 'wrong'))).toBe(INVALID)
      return [...cloud.requests].toSorted()
    }
    const ofNobody = await requests(`nobody-${tail()}@example.com`)
    expect(ofNobody.filter((each) => each === 'Query' || each === 'BatchGetItem')).toEqual(['BatchGetItem', 'Query'])
    for (const address of [someone.email, signOn.email, email]) expect(await requests(address)).toEqual(ofNobody)
  })

  it('is not guessed by one who has a user of it, and a right password between', async () => {
    const { email } = await two(OTHER)
    const from = 'one place of somebody who guesses'
    for (let i = 0; i < 5; i++) {
      expect(await problem(() => signIn(email, `wrong ${i}`, from))).toBe(INVALID)
      if (i < 4) await signIn(email, OTHER, from)
    }
    expect(await problem(() => signIn(email, 'wrong', from))).toMatch(/^429/)
  })
})

describe('the legacy pair', () => {
  it('is the id and the value of a personal token', async () => {
    const key = keys.newKey('pat')
    const token = {
      id: key.id,
      accountId: here.accountId,
      userId: someone.id,
      name: 'T',
      createdAt: AT,
      hash: key.hash,
    }
    const exchange = (clientId: string, secret: string) => x.administratorToken({ clientId, secret }, 'here')
    expect(await problem(() => exchange(key.id, key.value))).toBe(INVALID)
    await put('token', token)
    const exchanged = await exchange(key.id, key.value)
    expect(exchanged.userId).toBe(someone.id)
    expect(decodeJwt(exchanged.accessToken)).toMatchObject({ sub: someone.id, pat: key.id })
    const { Tokens } = await import('../../../lib/entities/tokens.ts')
    expect((await Tokens.get(key.id))!.lastUsedAt).toEqual(expect.any(String))
    const other = keys.newKey('pat')
    for (const [id, secret] of [
      [key.id, other.value],
      [other.id, key.value],
      [key.id, `${key.value}x`],
      [key.id, ''],
      ['', key.value],
      [other.id, other.value],
    ] as const)
      expect(await problem(() => exchange(id, secret))).toBe(INVALID)
    await put('token', { ...token, hash: 'another' })
    expect(await problem(() => exchange(key.id, key.value))).toBe(INVALID)
    await put('token', { ...token, userId: 'us_usr_gone' })
    expect(await problem(() => exchange(key.id, key.value))).toBe(INVALID)
    // Nothing is read for a pair that does not belong together.
    cloud.reset()
    await problem(() => exchange(other.id, key.value))
    expect(cloud.requests).toEqual([])
  })
})

describe('a token', () => {
  const at = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
  const NOW = 1_767_323_045
  const DAY = 86_400

  it('of a user is refreshed for a day, and not beyond seven since credentials were given', async () => {
    at(NOW)
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
      at(NOW + after)
      const answer = await x.refreshedToken(accessToken)
      expect(answer.expiresIn).toBe(String(seconds))
      expect(answer).toMatchObject({ userId: someone.id, email: someone.email, accountId: here.accountId })
      const { iat, exp, auth_time, sub, kind } = decodeJwt(answer.accessToken)
      expect([exp! - iat!, auth_time, sub, kind]).toEqual([seconds, NOW, someone.id, 'user'])
      accessToken = answer.accessToken
    }
    at(NOW + 7 * DAY)
    expect(await problem(() => x.refreshedToken(accessToken))).toBe(
      '401 unauthenticated: The session is over: sign in again.',
    )
  })

  it('of a guest is refreshed for an hour, with all it says', async () => {
    await put('space', spaceItem(here, { guestAuthentication: 'shared_link' }))
    const one = await guest(here, [{ id: here.spaceId }])
    at(NOW)
    const old = await access.guestToken(one, { spaceId: here.spaceId, fixed: true, link: 0 })
    at(NOW + 3000)
    const answer = (await x.refreshedToken(old)) as { accessToken: string; expiresIn: string; expires: string }
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
    await put('clip', { ...clipItem(here, { id: 'us_clip_refreshed', sharedLinkAccess: 'public' }) })
    const clip = clipItem(here, { id: 'us_clip_refreshed', sharedLinkAccess: 'public' })
    const again = await x.refreshedToken(await access.clipToken(one, clip))
    expect(decodeJwt(again.accessToken)).toMatchObject({ clip: clip.id, fixed: true })
  })

  it('of an embedded space is made for a day, and refreshed', async () => {
    const key = keys.newKey('pk')
    const { accountId, environmentId, spaceId } = here
    const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
    await put('key', { id: key.id, ...owner, type: 'PUBLISHABLE', hash: key.hash })
    const caller = { accountId, environmentId, actorId: 'us_usr_maker', role: 'publishable' as const }
    const token = await x.embeddedToken({ ...caller, keyId: key.id }, spaceItem(here) as never)
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
    const again = await x.refreshedToken(token)
    expect(decodeJwt(again.accessToken)).toMatchObject({ ...said, auth_time: iat })
    expect(again.expiresIn).toBe('86400')
    expect(decodeJwt(await x.embeddedToken(caller, spaceItem(here) as never)).key).toBe('')
  })

  it('of any other kind, forged, or of one who is gone, is not refreshed', async () => {
    const subscription = await signing.sign({ sub: someone.id, acc: here.accountId, kind: 'subscription' }, 600)
    const gone = await user(here.accountId, [])
    const { accessToken } = await x.userToken(gone, { ses: passwordSession(gone) })
    await drop('user', gone.id)
    const key = keys.newKey('pat')
    for (const token of [subscription.token, accessToken, key.value, '', 'x', `${accessToken}x`])
      expect(await problem(() => x.refreshedToken(token))).toBe(UNKNOWN)
  })

  it('of a dropped signing key is not refreshed', async () => {
    const { accessToken } = await x.userToken(someone, { ses: passwordSession(someone) })
    expect((await x.refreshedToken(accessToken)).expiresIn).toBe('86400')
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys({ revoke: true })
    expect(await problem(() => x.refreshedToken(accessToken))).toBe(UNKNOWN)
  })
})
