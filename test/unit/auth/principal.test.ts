/** Who calls, and what it may: every kind of bearer, what ends it, and what each role is permitted where. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  agentItem,
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
let p: typeof import('../../../lib/auth/principal.ts')
let keys: typeof import('../../../lib/auth/keys.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let access: typeof import('../../../lib/auth/guest-access.ts')
let here: Place

beforeAll(async () => {
  cloud = await authCloud()
  p = await import('../../../lib/auth/principal.ts')
  keys = await import('../../../lib/auth/keys.ts')
  signing = await import('../../../lib/auth/signing.ts')
  access = await import('../../../lib/auth/guest-access.ts')
  here = await place()
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

async function keyOf(prefix: 'sk' | 'pk' | 'agk', more: object = {}) {
  const key = keys.newKey(prefix)
  const type = { sk: 'SECRET', pk: 'PUBLISHABLE', agk: 'AGENT' }[prefix]
  const { accountId, environmentId } = here
  const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
  await put('key', { id: key.id, ...owner, type, hash: key.hash, ...more }, { gsi1: environmentId })
  return key
}
async function tokenOf(userId: string, more: object = {}) {
  const key = keys.newKey('pat')
  const owner = { accountId: here.accountId, userId }
  await put('token', { id: key.id, ...owner, name: 'T', createdAt: AT, hash: key.hash, ...more })
  return key
}
/** The session of a user who signed in by password. */
const sessionOf = async (one: object) => (await import('../../../lib/auth/session.ts')).passwordSession(one as never)
/** The principal of a token, without its times. */
async function who(token: string) {
  const { since: _, expires: __, ...rest } = (await p.authenticate(token)) ?? ({} as never)
  return rest
}
const signed = async (claims: object, seconds = 600) =>
  (await signing.sign({ acc: here.accountId, ...claims } as never, seconds)).token
async function stored(name: string, id: string): Promise<Record<string, unknown>> {
  const { documents, tableName } = await import('../../../lib/table/client.ts')
  const { GetCommand } = await import('@aws-sdk/lib-dynamodb')
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: { pk: `${name}#${id}`, sk: '-' }, ConsistentRead: true }),
  )
  return Item!
}

describe('a key', () => {
  it('is its environment, by its kind', async () => {
    for (const [prefix, role] of [
      ['sk', 'environment'],
      ['pk', 'publishable'],
    ] as const) {
      const key = await keyOf(prefix)
      const { accountId, environmentId } = here
      const principal = { accountId, environmentId, actorId: 'us_usr_maker', role, keyId: key.id }
      expect(await p.authenticate(key.value)).toEqual(principal)
      expect(await p.renewed(principal)).toEqual(principal)
      await drop('key', key.id)
      expect(await p.authenticate(key.value)).toBeUndefined()
      expect(await p.renewed(principal)).toBeUndefined()
    }
  })

  it('of an agent is the agent, with the roles it was given', async () => {
    const agentId = `us_ag_${tail()}`
    const key = await keyOf('agk', { agentId })
    expect(await p.authenticate(key.value)).toBeUndefined()
    await put('agent', agentItem(agentId, here))
    const { accountId, environmentId } = here
    const principal = { accountId, environmentId, actorId: agentId, role: 'agent' as const, keyId: key.id }
    expect(await p.authenticate(key.value)).toEqual(principal)
    expect(await p.renewed(principal)).toEqual(principal)
    const actorRoles = [held('reader', { environmentId })]
    await put('agent', agentItem(agentId, here, { actorRoles }))
    expect(await p.authenticate(key.value)).toEqual({ ...principal, roles: actorRoles })
    await put('agent', agentItem(agentId, here, { actorRoles: [] }))
    expect(await p.authenticate(key.value)).toEqual({ ...principal, roles: [] })
    await drop('agent', agentId)
    expect(await p.authenticate(key.value)).toBeUndefined()
  })

  it('costs one read; what cannot be one of ours, or is mistyped, costs none', async () => {
    const key = await keyOf('sk')
    cloud.reset()
    await p.authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
    cloud.reset()
    const mistyped = [...key.value].map((character, at) => {
      const other = character === 'x' ? 'y' : 'x'
      return key.value.slice(0, at) + other + key.value.slice(at + 1)
    })
    const { value: pat } = keys.newKey('pat')
    for (const bearer of [...mistyped, `${key.value}x`, '', 'x', 'eyJ', 'eyJ.x.y', 'Bearer', `${pat.slice(0, -1)}_`])
      expect(await p.authenticate(bearer), bearer).toBeUndefined()
    expect(cloud.requests).toEqual([])
  })

  it('with a right checksum and a wrong secret is refused', async () => {
    const key = await keyOf('sk', { hash: 'another' })
    expect(await p.authenticate(key.value)).toBeUndefined()
    expect(await p.authenticate(keys.newKey('sk').value)).toBeUndefined()
  })
})

describe("a user's token", () => {
  it('that is personal is its user, until it or the user is gone', async () => {
    const { accountId } = here
    const someone = await user(accountId, [held('administrator')])
    const token = await tokenOf(someone.id)
    const principal = { accountId, actorId: someone.id, role: 'administrator', tokenId: token.id }
    expect(await p.authenticate(token.value)).toEqual(principal)
    expect(await p.renewed(principal as never)).toEqual(principal)
    await drop('token', token.id)
    expect(await p.authenticate(token.value)).toBeUndefined()
    expect(await p.renewed(principal as never)).toBeUndefined()
    const other = await tokenOf(someone.id)
    await drop('user', someone.id)
    expect(await p.authenticate(other.value)).toBeUndefined()
    expect(await p.renewed({ ...principal, tokenId: other.id } as never)).toBeUndefined()
    expect(await p.authenticate((await tokenOf(someone.id, { hash: 'another' })).value)).toBeUndefined()
  })

  it('notes its use, once a minute', async () => {
    const someone = await user(here.accountId, [held('administrator')])
    const token = await tokenOf(someone.id)
    await p.authenticate(token.value)
    const { lastUsedAt } = await stored('token', token.id)
    expect(Math.abs(Date.parse(lastUsedAt as string) - Date.now())).toBeLessThan(30_000)
    cloud.reset()
    await p.authenticate(token.value)
    expect(cloud.requests).toEqual(['GetItem', 'GetItem'])
  })

  it('from credentials is the user as it is now, and notes when it was seen', async () => {
    const { accountId } = here
    const someone = await user(accountId, [held('administrator')])
    const token = await signed({ sub: someone.id, kind: 'user', ses: await sessionOf(someone) })
    expect(await who(token)).toEqual({
      accountId,
      actorId: someone.id,
      role: 'administrator',
      session: await sessionOf(someone),
    })
    const { lastSeenAt } = await stored('user', someone.id)
    expect(Math.abs(Date.parse(lastSeenAt as string) - Date.now())).toBeLessThan(30_000)
    cloud.reset()
    await p.authenticate(token)
    expect(cloud.requests).toEqual(['BatchGetItem'])
    await drop('user', someone.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(
      await p.authenticate(await signed({ sub: someone.id, kind: 'user', ses: await sessionOf(someone) }, -60)),
    ).toBeUndefined()
  })

  it('of a dropped signing key is refused, and its user not noted as seen', async () => {
    const someone = await user(here.accountId, [held('administrator')])
    const token = await signed({ sub: someone.id, kind: 'user', ses: await sessionOf(someone) })
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys({ revoke: true })
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await stored('user', someone.id)).not.toHaveProperty('lastSeenAt')
    expect(
      await p.authenticate(await signed({ sub: someone.id, kind: 'user', ses: await sessionOf(someone) })),
    ).toBeDefined()
  })

  it('has the roles of its user: of the account as a whole, or of single places', async () => {
    const { accountId, environmentId, spaceId } = here
    const roles = [held('reader', { environmentId }), held('administrator', { environmentId, spaceId })]
    const member = await user(accountId, roles)
    const token = await signed({ sub: member.id, kind: 'user', ses: await sessionOf(member) })
    const principal = { accountId, actorId: member.id, role: 'member', roles, session: await sessionOf(member) }
    expect(await who(token)).toEqual(principal)
    expect(await p.renewed(principal as never)).toEqual(principal)
    expect(await p.renewed({ ...principal, tokenId: 'pat_none' } as never)).toBeUndefined()
    const both = await user(accountId, [...roles, held('administrator')])
    expect(await who(await signed({ sub: both.id, kind: 'user', ses: await sessionOf(both) }))).toEqual({
      accountId,
      actorId: both.id,
      role: 'administrator',
      session: await sessionOf(both),
    })
    const none = await user(accountId, [])
    expect(
      await p.authenticate(await signed({ sub: none.id, kind: 'user', ses: await sessionOf(none) })),
    ).toMatchObject({
      role: 'member',
      roles: [],
    })
  })
})

describe('an embedded token', () => {
  it('is its space, as long as space and key are there', async () => {
    const { accountId, environmentId } = here
    const { spaceId } = await place({ accountId, environmentId })
    const key = await keyOf('pk')
    const claims = { sub: 'us_usr_maker', kind: 'embedded', env: environmentId, space: spaceId, key: key.id }
    const token = await signed(claims)
    const principal = {
      accountId,
      environmentId,
      spaceId,
      actorId: 'us_usr_maker',
      role: 'embedded' as const,
      keyId: key.id,
    }
    expect(await who(token)).toEqual(principal)
    expect(await p.renewed(principal)).toEqual(principal)
    await drop('space', spaceId)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.renewed(principal)).toBeUndefined()
    await put('space', spaceItem({ ...here, spaceId }))
    expect(await who(token)).toEqual(principal)
    await drop('key', key.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.renewed(principal)).toBeUndefined()
    const { key: _, space: __, ...neither } = claims
    expect(await p.authenticate(await signed(neither))).toBeUndefined()
  })
})

describe('a token for a subscription', () => {
  it('is nobody', async () => {
    const someone = await user(here.accountId, [held('administrator')])
    expect(await p.authenticate(await signed({ sub: someone.id, kind: 'subscription' }))).toBeUndefined()
  })
})

describe("a guest's token", () => {
  it('is the guest with what it has now', async () => {
    const { accountId, environmentId, spaceId } = here
    const other = await place({ accountId, environmentId })
    const one = await guest(here, [{ id: spaceId }, { id: other.spaceId }])
    const token = await access.guestToken(one)
    const principal = {
      accountId,
      environmentId,
      actorId: one.id,
      role: 'multiSpaceGuest',
      grants: [{ id: spaceId }, { id: other.spaceId }],
    }
    expect(await who(token)).toEqual(principal)
    expect(await p.renewed(principal as never)).toEqual(principal)
    const single = { ...principal, role: 'singleSpaceGuest', spaceId, grants: [{ id: spaceId }] }
    expect(await who(await access.guestToken(one, { spaceId }))).toEqual(single)
    expect(await p.renewed(single as never)).toEqual(single)
    const since = Math.floor(Date.now() / 1000) - 17
    await put('space', spaceItem(here, { guestAuthentication: 'shared_link' }))
    const shared = { spaceId, fixed: true, link: 0, since }
    expect(await p.authenticate(await access.guestToken(one, shared))).toEqual({
      ...single,
      fixed: true,
      link: 0,
      since,
      expires: expect.any(Number),
    })
    expect(await p.authenticate(await access.guestToken(one, { spaceId: other.spaceId }))).toMatchObject({
      spaceId: other.spaceId,
    })
    await drop('guest', one.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.renewed(single as never)).toBeUndefined()
  })

  it('says what it opens, for an hour', async () => {
    const { decodeJwt } = await import('jose')
    const one = await guest(here, [{ id: here.spaceId }])
    const said = (token: string) => {
      const { iat, exp, iss, ...claims } = decodeJwt(token)
      expect(exp! - iat!).toBe(3600)
      return claims
    }
    const { accountId: acc, environmentId: env, spaceId: space } = here
    const claims = { sub: one.id, acc, kind: 'guest', env }
    expect(said(await access.guestToken(one))).toEqual(claims)
    expect(said(await access.guestToken(one, { spaceId: space }))).toEqual({ ...claims, space })
    const since = Math.floor(Date.now() / 1000) - 9
    const shared = { spaceId: space, fixed: true, link: 0, since }
    const madeBy = { keyId: 'sk_x' }
    expect(said(await access.guestToken(one, { ...shared, madeBy }))).toEqual({
      ...claims,
      space,
      fixed: true,
      link: 0,
      madeBy,
      auth_time: since,
    })
    const clip = clipItem(here)
    expect(said(await access.clipToken(one, clip))).toEqual({
      ...claims,
      space,
      fixed: true,
      link: 0,
      clip: clip.id,
    })
  })

  it('ends with its space, its grant, and its environment', async () => {
    const own = await place()
    const one = await guest(own, [{ id: own.spaceId }])
    const [any, single] = [await access.guestToken(one), await access.guestToken(one, { spaceId: own.spaceId })]
    expect(await p.authenticate(await access.guestToken(one, { spaceId: here.spaceId }))).toBeUndefined()
    await drop('space', own.spaceId)
    expect(await p.authenticate(single)).toBeUndefined()
    await put('space', spaceItem(own))
    expect(await p.authenticate(single)).toBeDefined()
    await drop('environment', own.environmentId)
    expect(await p.authenticate(single)).toBeUndefined()
    expect(await p.authenticate(any)).toBeUndefined()
    const nothing = await guest(here, [])
    expect(await p.authenticate(await access.guestToken(nothing))).toBeUndefined()
    expect(await p.authenticate(await access.guestToken(nothing, { spaceId: here.spaceId }))).toBeUndefined()
  })

  it('by the link of a public clip is a guest of its workbook alone, until the clip is closed', async () => {
    const own = await place()
    const { accountId, environmentId, spaceId, workbookId } = own
    const one = await guest(own, [{ id: spaceId }])
    const clip = clipItem(own, { sharedLinkAccess: 'public' })
    const token = await access.clipToken(one, clip)
    expect(await p.authenticate(token)).toBeUndefined()
    await put('clip', clip)
    expect(await who(token)).toEqual({
      accountId,
      environmentId,
      spaceId,
      actorId: one.id,
      role: 'singleWorkbookGuest',
      grants: [{ id: spaceId, workbooks: [{ id: workbookId }] }],
      fixed: true,
      link: 0,
      clipId: clip.id,
    })
    await put('clip', { ...clip, sharedLinkAccess: 'restricted' })
    expect(await p.authenticate(token)).toBeUndefined()
    await put('clip', clip)
    await drop('space', spaceId)
    expect(await p.authenticate(token)).toBeUndefined()
    await put('space', spaceItem(own))
    const { environmentItem } = await import('../../support/auth-items.ts')
    await drop('environment', environmentId)
    expect(await p.authenticate(token)).toBeUndefined()
    await put('environment', environmentItem(own))
    expect(await p.authenticate(token)).toBeDefined()
    const stranger = await guest(await place(), [])
    expect(await p.authenticate(await access.clipToken(stranger, clip))).toBeUndefined()
    await drop('guest', one.id)
    expect(await p.authenticate(token)).toBeUndefined()
  })

  it('is called after what it has', () => {
    const whole = (id: string) => ({ id })
    const parts = (id: string, workbooks: number, sheets = 0) => ({
      id,
      ...(workbooks ? { workbooks: Array.from({ length: workbooks }, (_, i) => ({ id: `w${i}` })) } : {}),
      ...(sheets ? { sheets: Array.from({ length: sheets }, (_, i) => ({ id: `s${i}` })) } : {}),
    })
    for (const [grants, role] of [
      [[whole('a')], 'singleSpaceGuest'],
      [[whole('a'), whole('b')], 'multiSpaceGuest'],
      [[parts('a', 1)], 'singleWorkbookGuest'],
      [[parts('a', 0, 1)], 'singleWorkbookGuest'],
      [[parts('a', 2)], 'multiWorkbookGuest'],
      [[parts('a', 1, 1)], 'multiWorkbookGuest'],
      [[parts('a', 1), whole('b')], 'multiWorkbookGuest'],
      [[{ id: 'a', workbooks: [] }], 'singleWorkbookGuest'],
    ] as const)
      expect(access.roleOf(grants as never)).toBe(role)
  })
})

describe('an access token ends with what it was exchanged from', () => {
  const administrator = () => user(here.accountId, [held('administrator')])

  it('a personal access token', async () => {
    const someone = await administrator()
    const pat = await tokenOf(someone.id)
    const token = await signed({ sub: someone.id, kind: 'user', pat: pat.id })
    cloud.reset()
    expect(await who(token)).toMatchObject({ actorId: someone.id, tokenId: pat.id })
    // Reads the token, the user and the signing key in one request, and notes the token's use.
    expect(cloud.requests).toEqual(['BatchGetItem', 'UpdateItem'])
    expect((await stored('token', pat.id)).lastUsedAt).toEqual(expect.any(String))
    expect(await p.authenticate(await signed({ sub: someone.id, kind: 'user' }))).toBeUndefined()
    const other = await tokenOf((await administrator()).id)
    expect(await p.authenticate(await signed({ sub: someone.id, kind: 'user', pat: other.id }))).toBeUndefined()
    await drop('token', pat.id)
    expect(await p.authenticate(token)).toBeUndefined()
  })

  it('a password, or single sign-on', async () => {
    const own = await place()
    const someone = await user(own.accountId, [held('administrator')], { password: 'one' })
    const { passwordSession, signOnSession } = await import('../../../lib/auth/session.ts')
    const said = { acc: own.accountId, sub: someone.id, kind: 'user' }
    const byPassword = await signed({ ...said, ses: passwordSession(someone) })
    const signOn = { id: own.accountId, issuer: 'https://one.example', clientId: 'c', createdAt: AT, updatedAt: AT }
    const bySignOn = await signed({ ...said, ses: signOnSession(someone, signOn) })
    const open = async () => [await p.authenticate(byPassword), await p.authenticate(bySignOn)].map((one) => !!one)
    expect(await open()).toEqual([true, false])
    await put('sso', signOn)
    expect(await open()).toEqual([false, true])
    await put('sso', { ...signOn, clientId: 'another' })
    expect(await open()).toEqual([false, false])
    await put('sso', { ...signOn, issuer: 'https://two.example' })
    expect(await open()).toEqual([false, false])
    await drop('sso', own.accountId)
    expect(await open()).toEqual([true, false])
    await put('user', { ...someone, passwordHash: 's2.another.one' })
    expect(await open()).toEqual([false, false])
  })

  it("the key, token or session of whoever made a guest's token, and their right to make it", async () => {
    const own = await place()
    const one = await guest(own, [{ id: own.spaceId }])
    const by = async (madeBy: object) => access.guestToken(one, { madeBy: madeBy as never })
    const key = await keyOf('sk', own)
    const byKey = await by({ keyId: key.id })
    expect(await who(byKey)).toMatchObject({ actorId: one.id, madeBy: { keyId: key.id } })
    await drop('key', key.id)
    expect(await p.authenticate(byKey)).toBeUndefined()
    const maker = await user(own.accountId, [held('administrator')], { password: 'x' })
    const pat = await tokenOf(maker.id)
    const byToken = await by({ userId: maker.id, tokenId: pat.id })
    const bySession = await by({ userId: maker.id, session: await sessionOf(maker) })
    expect(await p.authenticate(byToken)).toBeDefined()
    await drop('token', pat.id)
    expect(await p.authenticate(byToken)).toBeUndefined()
    cloud.reset()
    expect(await p.authenticate(bySession)).toBeDefined()
    expect(cloud.requests).toEqual(['BatchGetItem'])
    await put('user', { ...maker, actorRoles: [held('reader', { environmentId: own.environmentId })] })
    expect(await p.authenticate(bySession)).toBeUndefined()
    await put('user', { ...maker, actorRoles: [held('administrator', { environmentId: own.environmentId })] })
    expect(await p.authenticate(bySession)).toBeDefined()
    await drop('user', maker.id)
    expect(await p.authenticate(bySession)).toBeUndefined()
  })

  it("a space's shared link of its version, and a public clip's", async () => {
    const own = await place()
    const one = await guest(own, [{ id: own.spaceId }])
    const shares = (more: object) => put('space', spaceItem(own, { guestAuthentication: 'shared_link', ...more }))
    const token = (link: number) => access.guestToken(one, { spaceId: own.spaceId, fixed: true, link })
    const open = async () =>
      [await p.authenticate(await token(0)), await p.authenticate(await token(1))].map((x) => !!x)
    expect(await open()).toEqual([false, false])
    await shares({})
    expect(await open()).toEqual([true, false])
    await shares({ linkVersion: 1 })
    expect(await open()).toEqual([false, true])
    const clip = clipItem(own, { sharedLinkAccess: 'public' })
    await put('clip', clip)
    const before = await access.clipToken(one, clip)
    expect(await p.authenticate(before)).toBeDefined()
    await put('clip', { ...clip, linkVersion: 1 })
    expect(await p.authenticate(before)).toBeUndefined()
    expect(await p.authenticate(await access.clipToken(one, { ...clip, linkVersion: 1 }))).toBeDefined()
  })

  it('the time of a session: no exchange of a guest begins it anew', async () => {
    const one = await guest(here, [{ id: here.spaceId }])
    const now = Math.floor(Date.now() / 1000)
    const since = now - 7 * 86_400 + 60
    const { decodeJwt } = await import('jose')
    const last = await access.guestToken(one, { since })
    expect(decodeJwt(last).exp! - now).toBeLessThanOrEqual(60)
    expect((await p.authenticate(last))!.since).toBe(since)
    await expect(access.guestToken(one, { since: since - 61 })).rejects.toMatchObject({ status: 401 })
    const first = await access.guestToken(one)
    expect((await p.authenticate(first))!.since).toBe(decodeJwt(first).iat)
  })
})

describe('a permission', () => {
  const principal = (role: string, more: object = {}) => ({ accountId: 'a', actorId: 'x', role, ...more }) as never
  const inSpace = held('reader', { environmentId: 'e', spaceId: 's' })
  const inEnvironment = held('administrator', { environmentId: 'e' })

  it('is in the role, or everything is', () => {
    expect(p.may(principal('administrator'), 'keys:write')).toBe(true)
    expect(p.may(principal('environment'), 'keys:read')).toBe(true)
    expect(p.may(principal('environment'), 'keys:write')).toBe(false)
    expect(p.may(principal('publishable'), 'spaces:create')).toBe(true)
    expect(p.may(principal('publishable'), 'spaces:read')).toBe(false)
  })

  it('of one with roles is in one of them, where it holds', () => {
    const one = principal('member', { roles: [inSpace, inEnvironment] })
    expect(p.may(one, 'records:write')).toBe(true)
    expect(p.may(principal('member', { roles: [inSpace] }), 'records:write')).toBe(false)
    expect(p.may(principal('member', { roles: [inSpace] }), 'records:read')).toBe(true)
    const at = (environmentId: string, spaceId?: string) => ({ accountId: 'a', environmentId, spaceId })
    expect(p.may(principal('member', { roles: [inSpace] }), 'records:read', at('e', 's'))).toBe(true)
    expect(p.may(principal('member', { roles: [inSpace] }), 'records:read', at('e', 't'))).toBe(false)
    expect(p.may(principal('member', { roles: [inEnvironment] }), 'records:write', at('e', 't'))).toBe(true)
    expect(p.may(principal('member', { roles: [inEnvironment] }), 'records:write', at('f', 's'))).toBe(false)
    expect(p.may(principal('member', { roles: [] }), 'records:read')).toBe(false)
    // A role of a space has the permissions of spaces, not those of environments.
    const manager = principal('member', { roles: [held('administrator', { environmentId: 'e', spaceId: 's' })] })
    expect(p.may(manager, 'keys:write')).toBe(false)
    expect(p.may(one, 'keys:write')).toBe(true)
    expect(p.may(principal('agent', { roles: [held('agent', { environmentId: 'e' })] }), 'spaces:create')).toBe(true)
  })

  it('leaves of a principal the roles that have it', () => {
    const all = principal('administrator')
    expect(p.permitted(all, 'keys:write', 'environment')).toBe(all)
    expect(p.permitted(principal('environment'), 'keys:write', 'environment')).toBeUndefined()
    const member = principal('member', { roles: [inSpace, inEnvironment] })
    expect(p.permitted(member, 'records:read', 'sheet')).toEqual(member)
    expect(p.permitted(member, 'records:write', 'sheet')).toEqual(principal('member', { roles: [inEnvironment] }))
    expect(p.permitted(principal('member', { roles: [inSpace] }), 'records:write', 'sheet')).toBeUndefined()
  })

  it('above environments is nothing that roles on environments give', () => {
    const member = principal('member', { roles: [inEnvironment] })
    for (const scope of ['account', 'user', 'token'] as const) {
      expect(p.permitted(member, 'tokens:write', scope)).toBe(member)
      expect(p.permitted(member, 'account:read', scope)).toBe(member)
      expect(p.permitted(member, 'users:read', scope)).toBeUndefined()
      expect(p.permitted(member, 'roles:write', scope)).toBeUndefined()
    }
    expect(p.permitted(member, 'roles:write', 'agent')).toEqual(member)
    expect(p.permitted(member, 'tokens:write', 'environment')).toBeUndefined()
  })

  it('is of the account where a role names no environment', () => {
    expect(p.isOfAccount(held('administrator') as never)).toBe(true)
    expect(p.isOfAccount(inEnvironment as never)).toBe(false)
  })
})

it('nothing of a bearer is remembered', async () => {
  vi.useRealTimers()
  const key = await keyOf('sk')
  for (let i = 0; i < 3; i++) {
    cloud.reset()
    await p.authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
  }
})
