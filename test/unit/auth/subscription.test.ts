/** Subscription tokens open one channel, as long as the requesting credential exists. */
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Subscription } from '../../../lib/auth/subscription.ts'
import { type AuthCloud, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildRoleAssignment,
  createGuest,
  createScope,
  createUser,
  deleteItem,
  newIdSuffix,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let s: typeof import('../../../lib/auth/subscription.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let here: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud()
  s = await import('../../../lib/auth/subscription.ts')
  signing = await import('../../../lib/auth/signing.ts')
  here = await createScope()
})
afterAll(() => cloud.close())
const isOpen = async (subscription: Subscription) => (await s.authenticateListener(subscription)) !== undefined
afterEach(() => void vi.useRealTimers())

async function createAdministrator(more: Partial<Principal> = {}): Promise<Principal> {
  const one = await createUser(here.accountId, [buildRoleAssignment('administrator')])
  const session = (await import('../../../lib/auth/session.ts')).derivePasswordSession(one)
  return { accountId: here.accountId, actorId: one.id, role: 'administrator', session, ...more }
}
async function createKeyPrincipal(type: 'SECRET' | 'PUBLISHABLE', within = here): Promise<Principal> {
  const { accountId, environmentId } = within
  const id = `sk_${newIdSuffix()}`
  await putItem('key', { id, accountId, environmentId, type, hash: 'h', createdBy: 'us_usr_maker', createdAt: AT })
  const role = type === 'SECRET' ? 'environment' : 'publishable'
  return { accountId, environmentId, actorId: 'us_usr_maker', role, keyId: id }
}

describe('channel', () => {
  it('has the name that published clients use', () => {
    expect(s.formatChannelName({ environmentId: 'e' })).toBe('environment.e')
    expect(s.formatChannelName({ spaceId: 's' })).toBe('space.s')
    expect(s.getChannelId({ environmentId: 'e' })).toBe('e')
    expect(s.getChannelId({ spaceId: 's' })).toBe('s')
  })
})

describe('subscription token', () => {
  it('contains its owner and its channel, for 15 minutes', async () => {
    const caller: Principal = { accountId: 'a', actorId: 'x', role: 'embedded', keyId: 'k', tokenId: 't', spaceId: 's' }
    const { iat, exp, iss: _, ...claims } = decodeJwt(await s.issueSubscriptionToken(caller, { spaceId: 's' }))
    const said = {
      acc: 'a',
      sub: 'x',
      kind: 'subscription',
      channel: 's',
      role: 'embedded',
      by: { keyId: 'k', tokenId: 't', spaceId: 's' },
    }
    expect(claims).toEqual(said)
    expect(exp! - iat!).toBe(900)
    const bare = decodeJwt(
      await s.issueSubscriptionToken({ accountId: 'a', actorId: 'x', role: 'administrator' }, { environmentId: 'e' }),
    )
    expect(Object.keys(bare).toSorted()).toEqual(['acc', 'by', 'channel', 'exp', 'iat', 'iss', 'kind', 'role', 'sub'])
  })

  it('opens its channel for its owner until it expires', async () => {
    const begun = Math.floor(Date.now() / 1000) * 1000
    vi.useFakeTimers({ toFake: ['Date'], now: begun })
    const caller = await createAdministrator()
    const token = await s.issueSubscriptionToken(caller, { environmentId: here.environmentId })
    const open = (await s.loadSubscription(token))!
    expect(open).toEqual({
      channel: { environmentId: here.environmentId },
      credential: caller,
      expires: begun / 1000 + 900,
      kid: expect.any(String),
    })
    vi.setSystemTime(begun + 899_999)
    expect(await isOpen(open)).toBe(true)
    vi.setSystemTime(begun + 900_000)
    expect(await isOpen(open)).toBe(false)
  })

  it('ends with the access token that requested it', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [left, seconds] of [
      [30, 30],
      [899, 899],
      [3600, 900],
      [-5, 1],
    ] as const) {
      const caller = await createAdministrator({ expires: now + left })
      const { iat, exp } = decodeJwt(await s.issueSubscriptionToken(caller, { environmentId: here.environmentId }))
      expect(Math.abs(exp! - iat! - seconds)).toBeLessThanOrEqual(1)
    }
  })

  it('ends with the user, its token, the key, the space, the environment, and the signing key', async () => {
    const within = await createScope({ accountId: here.accountId })
    const admin = await createAdministrator()
    const pat = `pat_${newIdSuffix()}`
    await putItem('token', {
      id: pat,
      accountId: here.accountId,
      userId: admin.actorId,
      name: 'T',
      createdAt: AT,
      hash: 'h',
    })
    const secret = await createKeyPrincipal('SECRET', within)
    const inSpace = { spaceId: within.spaceId }
    const inEnvironment = { environmentId: within.environmentId }
    const one = await createGuest(within, [{ id: within.spaceId }])
    const asGuest: Principal = {
      accountId: here.accountId,
      actorId: one.id,
      role: 'singleSpaceGuest',
      environmentId: within.environmentId,
      spaceId: within.spaceId,
      grants: [{ id: within.spaceId }],
    }
    const tryOpen = async (by: Principal, channel: typeof inSpace | typeof inEnvironment) => {
      const token = await s.issueSubscriptionToken(by, channel)
      const open = await s.loadSubscription(token)
      expect(open?.channel).toEqual(channel)
      return async () => [(await s.loadSubscription(token)) !== undefined, await isOpen(open!)]
    }
    const byToken = await tryOpen({ ...admin, tokenId: pat }, inSpace)
    const byUser = await tryOpen(admin, inSpace)
    const byKey = await tryOpen(secret, inEnvironment)
    const spaceByKey = await tryOpen(secret, inSpace)
    const byGuest = await tryOpen(asGuest, inSpace)
    const CLOSED = [false, false]
    await deleteItem('guest', one.id)
    expect(await byGuest()).toEqual(CLOSED)
    await deleteItem('token', pat)
    expect(await byToken()).toEqual(CLOSED)
    expect(await byUser()).toEqual([true, true])
    await deleteItem('user', admin.actorId)
    expect(await byUser()).toEqual(CLOSED)
    await deleteItem('space', within.spaceId)
    expect(await spaceByKey()).toEqual(CLOSED)
    expect(await byKey()).toEqual([true, true])
    await deleteItem('environment', within.environmentId)
    expect(await byKey()).toEqual(CLOSED)
    const other = await tryOpen(await createKeyPrincipal('SECRET'), { environmentId: here.environmentId })
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys()
    expect(await other()).toEqual([true, true])
    await rotateSigningKeys({ revoke: true })
    expect(await other()).toEqual(CLOSED)
  })

  it('opens nothing without permission to listen, and throws table errors', async () => {
    const channel = { environmentId: here.environmentId }
    const publishable = await s.issueSubscriptionToken(await createKeyPrincipal('PUBLISHABLE'), channel)
    expect(await s.loadSubscription(publishable)).toBeUndefined()
    const stranger = await createKeyPrincipal('SECRET', await createScope())
    expect(await s.loadSubscription(await s.issueSubscriptionToken(stranger, channel))).toBeUndefined()
    const caller = await createAdministrator()
    const token = await s.issueSubscriptionToken(caller, channel)
    const open = (await s.loadSubscription(token))!
    const { dynamo } = await import('../../../lib/table/client.ts')
    const send = dynamo.send.bind(dynamo)
    const broken = vi
      .spyOn(dynamo, 'send')
      .mockImplementation(((command: { input: object }) =>
        JSON.stringify(command.input).includes('environment#')
          ? Promise.reject(new Error('no table'))
          : send(command as never)) as never)
    await expect(isOpen(open)).rejects.toThrow()
    broken.mockRestore()
    expect(await isOpen(open)).toBe(true)
  })

  it('is invalid when it is forged, of another kind, or incomplete', async () => {
    const caller = await createAdministrator()
    const token = await s.issueSubscriptionToken(caller, { environmentId: here.environmentId })
    const said = {
      acc: here.accountId,
      sub: caller.actorId,
      kind: 'subscription',
      channel: here.environmentId,
      role: 'administrator',
      by: { session: caller.session },
    }
    const signClaims = async (claims: object) => (await signing.signToken(claims as never, 600)).token
    expect(await s.loadSubscription(await signClaims(said))).toBeDefined()
    for (const other of [
      '',
      'x',
      `${token.slice(0, -6)}AAAAAA`,
      await signClaims({ ...said, kind: 'user' }),
      await signClaims({ ...said, role: 'nobody' }),
      await signClaims({ ...said, channel: undefined }),
      await signClaims({ ...said, acc: undefined }),
      await signClaims({ ...said, sub: undefined }),
      await signClaims({ ...said, role: undefined }),
      await signClaims({ ...said, by: undefined }),
      await signClaims({ ...said, by: {} }),
      await signClaims({ ...said, channel: 'us_env_none' }),
    ])
      expect(await s.loadSubscription(other)).toBeUndefined()
  })
})
