/** Subscription tokens open one channel, as long as what asked for them is there. */
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { Subscription } from '../../../lib/auth/subscription.ts'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { AT, drop, guest, held, type Place, place, put, tail, user } from '../../support/auth-items.ts'

let cloud: AuthCloud
let s: typeof import('../../../lib/auth/subscription.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let here: Place

beforeAll(async () => {
  cloud = await authCloud()
  s = await import('../../../lib/auth/subscription.ts')
  signing = await import('../../../lib/auth/signing.ts')
  here = await place()
})
afterAll(() => cloud.close())
const stillOpen = async (subscription: Subscription) => (await s.listenerOf(subscription)) !== undefined
afterEach(() => void vi.useRealTimers())

async function administrator(more: Partial<Principal> = {}): Promise<Principal> {
  const one = await user(here.accountId, [held('administrator')])
  const session = (await import('../../../lib/auth/session.ts')).passwordSession(one)
  return { accountId: here.accountId, actorId: one.id, role: 'administrator', session, ...more }
}
async function keyed(type: 'SECRET' | 'PUBLISHABLE', within = here): Promise<Principal> {
  const { accountId, environmentId } = within
  const id = `sk_${tail()}`
  await put('key', { id, accountId, environmentId, type, hash: 'h', createdBy: 'us_usr_maker', createdAt: AT })
  const role = type === 'SECRET' ? 'environment' : 'publishable'
  return { accountId, environmentId, actorId: 'us_usr_maker', role, keyId: id }
}

describe('a channel', () => {
  it('is named as published clients name it', () => {
    expect(s.channelName({ environmentId: 'e' })).toBe('environment.e')
    expect(s.channelName({ spaceId: 's' })).toBe('space.s')
    expect(s.channelId({ environmentId: 'e' })).toBe('e')
    expect(s.channelId({ spaceId: 's' })).toBe('s')
  })
})

describe('a subscription token', () => {
  it('says whose it is and what it opens, for a quarter of an hour', async () => {
    const caller: Principal = { accountId: 'a', actorId: 'x', role: 'embedded', keyId: 'k', tokenId: 't', spaceId: 's' }
    const { iat, exp, iss: _, ...claims } = decodeJwt(await s.subscriptionToken(caller, { spaceId: 's' }))
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
      await s.subscriptionToken({ accountId: 'a', actorId: 'x', role: 'administrator' }, { environmentId: 'e' }),
    )
    expect(Object.keys(bare).toSorted()).toEqual(['acc', 'by', 'channel', 'exp', 'iat', 'iss', 'kind', 'role', 'sub'])
  })

  it('opens its channel for who asked, and is open until its time is over', async () => {
    const begun = Math.floor(Date.now() / 1000) * 1000
    vi.useFakeTimers({ toFake: ['Date'], now: begun })
    const caller = await administrator()
    const token = await s.subscriptionToken(caller, { environmentId: here.environmentId })
    const open = (await s.subscriptionOf(token))!
    expect(open).toEqual({
      channel: { environmentId: here.environmentId },
      credential: caller,
      expires: begun / 1000 + 900,
      kid: expect.any(String),
    })
    vi.setSystemTime(begun + 899_999)
    expect(await stillOpen(open)).toBe(true)
    vi.setSystemTime(begun + 900_000)
    expect(await stillOpen(open)).toBe(false)
  })

  it('ends with the access token it was asked for with', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [left, seconds] of [
      [30, 30],
      [899, 899],
      [3600, 900],
      [-5, 1],
    ] as const) {
      const caller = await administrator({ expires: now + left })
      const { iat, exp } = decodeJwt(await s.subscriptionToken(caller, { environmentId: here.environmentId }))
      expect(Math.abs(exp! - iat! - seconds)).toBeLessThanOrEqual(1)
    }
  })

  it('ends with the user, its token, the key, the space, the environment, and the signing key', async () => {
    const within = await place({ accountId: here.accountId })
    const admin = await administrator()
    const pat = `pat_${tail()}`
    await put('token', {
      id: pat,
      accountId: here.accountId,
      userId: admin.actorId,
      name: 'T',
      createdAt: AT,
      hash: 'h',
    })
    const secret = await keyed('SECRET', within)
    const inSpace = { spaceId: within.spaceId }
    const inEnvironment = { environmentId: within.environmentId }
    const one = await guest(within, [{ id: within.spaceId }])
    const asGuest: Principal = {
      accountId: here.accountId,
      actorId: one.id,
      role: 'singleSpaceGuest',
      environmentId: within.environmentId,
      spaceId: within.spaceId,
      grants: [{ id: within.spaceId }],
    }
    const opened = async (by: Principal, channel: typeof inSpace | typeof inEnvironment) => {
      const token = await s.subscriptionToken(by, channel)
      const open = await s.subscriptionOf(token)
      expect(open?.channel).toEqual(channel)
      return async () => [(await s.subscriptionOf(token)) !== undefined, await stillOpen(open!)]
    }
    const byToken = await opened({ ...admin, tokenId: pat }, inSpace)
    const byUser = await opened(admin, inSpace)
    const byKey = await opened(secret, inEnvironment)
    const spaceByKey = await opened(secret, inSpace)
    const byGuest = await opened(asGuest, inSpace)
    const CLOSED = [false, false]
    await drop('guest', one.id)
    expect(await byGuest()).toEqual(CLOSED)
    await drop('token', pat)
    expect(await byToken()).toEqual(CLOSED)
    expect(await byUser()).toEqual([true, true])
    await drop('user', admin.actorId)
    expect(await byUser()).toEqual(CLOSED)
    await drop('space', within.spaceId)
    expect(await spaceByKey()).toEqual(CLOSED)
    expect(await byKey()).toEqual([true, true])
    await drop('environment', within.environmentId)
    expect(await byKey()).toEqual(CLOSED)
    const other = await opened(await keyed('SECRET'), { environmentId: here.environmentId })
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys()
    expect(await other()).toEqual([true, true])
    await rotateSigningKeys({ revoke: true })
    expect(await other()).toEqual(CLOSED)
  })

  it('opens nothing for who may not listen there, and throws what the table throws', async () => {
    const channel = { environmentId: here.environmentId }
    const publishable = await s.subscriptionToken(await keyed('PUBLISHABLE'), channel)
    expect(await s.subscriptionOf(publishable)).toBeUndefined()
    const stranger = await keyed('SECRET', await place())
    expect(await s.subscriptionOf(await s.subscriptionToken(stranger, channel))).toBeUndefined()
    const caller = await administrator()
    const token = await s.subscriptionToken(caller, channel)
    const open = (await s.subscriptionOf(token))!
    const { dynamo } = await import('../../../lib/table/client.ts')
    const send = dynamo.send.bind(dynamo)
    const broken = vi
      .spyOn(dynamo, 'send')
      .mockImplementation(((command: { input: object }) =>
        JSON.stringify(command.input).includes('environment#')
          ? Promise.reject(new Error('no table'))
          : send(command as never)) as never)
    await expect(stillOpen(open)).rejects.toThrow()
    broken.mockRestore()
    expect(await stillOpen(open)).toBe(true)
  })

  it('is none when it is forged, of another kind, or says too little', async () => {
    const caller = await administrator()
    const token = await s.subscriptionToken(caller, { environmentId: here.environmentId })
    const said = {
      acc: here.accountId,
      sub: caller.actorId,
      kind: 'subscription',
      channel: here.environmentId,
      role: 'administrator',
      by: { session: caller.session },
    }
    const signed = async (claims: object) => (await signing.sign(claims as never, 600)).token
    expect(await s.subscriptionOf(await signed(said))).toBeDefined()
    for (const other of [
      '',
      'x',
      `${token.slice(0, -6)}AAAAAA`,
      await signed({ ...said, kind: 'user' }),
      await signed({ ...said, role: 'nobody' }),
      await signed({ ...said, channel: undefined }),
      await signed({ ...said, acc: undefined }),
      await signed({ ...said, sub: undefined }),
      await signed({ ...said, role: undefined }),
      await signed({ ...said, by: undefined }),
      await signed({ ...said, by: {} }),
      await signed({ ...said, channel: 'us_env_none' }),
    ])
      expect(await s.subscriptionOf(other)).toBeUndefined()
  })
})
