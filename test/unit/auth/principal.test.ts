/** Authentication of every kind of bearer, its expiry, and the permissions of each role. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildAgentItem,
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
let p: typeof import('../../../lib/auth/principal.ts')
let keys: typeof import('../../../lib/auth/keys.ts')
let signing: typeof import('../../../lib/auth/signing.ts')
let access: typeof import('../../../lib/auth/guest-principal.ts')
let here: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud()
  p = await import('../../../lib/auth/principal.ts')
  keys = await import('../../../lib/auth/keys.ts')
  signing = await import('../../../lib/auth/signing.ts')
  access = await import('../../../lib/auth/guest-principal.ts')
  here = await createScope()
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

async function createKey(prefix: 'sk' | 'pk' | 'agk', more: object = {}) {
  const key = keys.generateKey(prefix)
  const type = { sk: 'SECRET', pk: 'PUBLISHABLE', agk: 'AGENT' }[prefix]
  const { accountId, environmentId } = here
  const owner = { accountId, environmentId, createdBy: 'us_usr_maker', createdAt: AT }
  await putItem('key', { id: key.id, ...owner, type, hash: key.hash, ...more }, { gsi1: environmentId })
  return key
}
async function createToken(userId: string, more: object = {}) {
  const key = keys.generateKey('pat')
  const owner = { accountId: here.accountId, userId }
  await putItem('token', { id: key.id, ...owner, name: 'T', createdAt: AT, hash: key.hash, ...more })
  return key
}
const createSession = async (one: object) =>
  (await import('../../../lib/auth/session.ts')).derivePasswordSession(one as never)
async function authenticateWithoutTimes(token: string) {
  const { since: _, expires: __, ...rest } = (await p.authenticate(token)) ?? ({} as never)
  return rest
}
const signClaims = async (claims: object, seconds = 600) =>
  (await signing.signToken({ acc: here.accountId, ...claims } as never, seconds)).token
async function readStored(name: string, id: string): Promise<Record<string, unknown>> {
  const { documents, getTableName } = await import('../../../lib/table/client.ts')
  const { GetCommand } = await import('@aws-sdk/lib-dynamodb')
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: { pk: `${name}#${id}`, sk: '-' }, ConsistentRead: true }),
  )
  return Item!
}

describe('environment or agent key', () => {
  it('authenticates as its environment, by its kind', async () => {
    for (const [prefix, role] of [
      ['sk', 'environment'],
      ['pk', 'publishable'],
    ] as const) {
      const key = await createKey(prefix)
      const { accountId, environmentId } = here
      const buildPrincipal = { accountId, environmentId, actorId: 'us_usr_maker', role, keyId: key.id }
      expect(await p.authenticate(key.value)).toEqual(buildPrincipal)
      expect(await p.reauthenticate(buildPrincipal)).toEqual(buildPrincipal)
      await deleteItem('key', key.id)
      expect(await p.authenticate(key.value)).toBeUndefined()
      expect(await p.reauthenticate(buildPrincipal)).toBeUndefined()
    }
  })

  it('authenticates an agent with its roles', async () => {
    const agentId = `us_ag_${newIdSuffix()}`
    const key = await createKey('agk', { agentId })
    expect(await p.authenticate(key.value)).toBeUndefined()
    await putItem('agent', buildAgentItem(agentId, here))
    const { accountId, environmentId } = here
    const buildPrincipal = { accountId, environmentId, actorId: agentId, role: 'agent' as const, keyId: key.id }
    expect(await p.authenticate(key.value)).toEqual(buildPrincipal)
    expect(await p.reauthenticate(buildPrincipal)).toEqual(buildPrincipal)
    const actorRoles = [buildRoleAssignment('reader', { environmentId })]
    await putItem('agent', buildAgentItem(agentId, here, { actorRoles }))
    expect(await p.authenticate(key.value)).toEqual({ ...buildPrincipal, roles: actorRoles })
    await putItem('agent', buildAgentItem(agentId, here, { actorRoles: [] }))
    expect(await p.authenticate(key.value)).toEqual({ ...buildPrincipal, roles: [] })
    await deleteItem('agent', agentId)
    expect(await p.authenticate(key.value)).toBeUndefined()
  })

  it('costs one read, and none when it is malformed or mistyped', async () => {
    const key = await createKey('sk')
    cloud.reset()
    await p.authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
    cloud.reset()
    const mistyped = [...key.value].map((character, buildLocation) => {
      const other = character === 'x' ? 'y' : 'x'
      return key.value.slice(0, buildLocation) + other + key.value.slice(buildLocation + 1)
    })
    const { value: pat } = keys.generateKey('pat')
    for (const bearer of [...mistyped, `${key.value}x`, '', 'x', 'eyJ', 'eyJ.x.y', 'Bearer', `${pat.slice(0, -1)}_`])
      expect(await p.authenticate(bearer), bearer).toBeUndefined()
    expect(cloud.requests).toEqual([])
  })

  it('is rejected with a correct checksum and a wrong secret', async () => {
    const key = await createKey('sk', { hash: 'another' })
    expect(await p.authenticate(key.value)).toBeUndefined()
    expect(await p.authenticate(keys.generateKey('sk').value)).toBeUndefined()
  })
})

describe('user token', () => {
  it('authenticates as its user until either is deleted', async () => {
    const { accountId } = here
    const someone = await createUser(accountId, [buildRoleAssignment('administrator')])
    const token = await createToken(someone.id)
    const buildPrincipal = { accountId, actorId: someone.id, role: 'administrator', tokenId: token.id }
    expect(await p.authenticate(token.value)).toEqual(buildPrincipal)
    expect(await p.reauthenticate(buildPrincipal as never)).toEqual(buildPrincipal)
    await deleteItem('token', token.id)
    expect(await p.authenticate(token.value)).toBeUndefined()
    expect(await p.reauthenticate(buildPrincipal as never)).toBeUndefined()
    const other = await createToken(someone.id)
    await deleteItem('user', someone.id)
    expect(await p.authenticate(other.value)).toBeUndefined()
    expect(await p.reauthenticate({ ...buildPrincipal, tokenId: other.id } as never)).toBeUndefined()
    expect(await p.authenticate((await createToken(someone.id, { hash: 'another' })).value)).toBeUndefined()
  })

  it('records its use once a minute', async () => {
    const someone = await createUser(here.accountId, [buildRoleAssignment('administrator')])
    const token = await createToken(someone.id)
    await p.authenticate(token.value)
    const { lastUsedAt } = await readStored('token', token.id)
    expect(Math.abs(Date.parse(lastUsedAt as string) - Date.now())).toBeLessThan(30_000)
    cloud.reset()
    await p.authenticate(token.value)
    expect(cloud.requests).toEqual(['GetItem', 'GetItem'])
  })

  it('from credentials authenticates as the current user and records when it was last seen', async () => {
    const { accountId } = here
    const someone = await createUser(accountId, [buildRoleAssignment('administrator')])
    const token = await signClaims({ sub: someone.id, kind: 'user', ses: await createSession(someone) })
    expect(await authenticateWithoutTimes(token)).toEqual({
      accountId,
      actorId: someone.id,
      role: 'administrator',
      session: await createSession(someone),
    })
    const { lastSeenAt } = await readStored('user', someone.id)
    expect(Math.abs(Date.parse(lastSeenAt as string) - Date.now())).toBeLessThan(30_000)
    cloud.reset()
    await p.authenticate(token)
    expect(cloud.requests).toEqual(['BatchGetItem'])
    await deleteItem('user', someone.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(
      await p.authenticate(await signClaims({ sub: someone.id, kind: 'user', ses: await createSession(someone) }, -60)),
    ).toBeUndefined()
  })

  it('with a revoked signing key is rejected without recording its user as seen', async () => {
    const someone = await createUser(here.accountId, [buildRoleAssignment('administrator')])
    const token = await signClaims({ sub: someone.id, kind: 'user', ses: await createSession(someone) })
    const { rotateSigningKeys } = await import('../../../lib/auth/signing-keys.ts')
    await rotateSigningKeys({ revoke: true })
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await readStored('user', someone.id)).not.toHaveProperty('lastSeenAt')
    expect(
      await p.authenticate(await signClaims({ sub: someone.id, kind: 'user', ses: await createSession(someone) })),
    ).toBeDefined()
  })

  it('has the roles of its user, for the account or for single resources', async () => {
    const { accountId, environmentId, spaceId } = here
    const roles = [
      buildRoleAssignment('reader', { environmentId }),
      buildRoleAssignment('administrator', { environmentId, spaceId }),
    ]
    const member = await createUser(accountId, roles)
    const token = await signClaims({ sub: member.id, kind: 'user', ses: await createSession(member) })
    const buildPrincipal = {
      accountId,
      actorId: member.id,
      role: 'member',
      roles,
      session: await createSession(member),
    }
    expect(await authenticateWithoutTimes(token)).toEqual(buildPrincipal)
    expect(await p.reauthenticate(buildPrincipal as never)).toEqual(buildPrincipal)
    expect(await p.reauthenticate({ ...buildPrincipal, tokenId: 'pat_none' } as never)).toBeUndefined()
    const both = await createUser(accountId, [...roles, buildRoleAssignment('administrator')])
    expect(
      await authenticateWithoutTimes(await signClaims({ sub: both.id, kind: 'user', ses: await createSession(both) })),
    ).toEqual({
      accountId,
      actorId: both.id,
      role: 'administrator',
      session: await createSession(both),
    })
    const none = await createUser(accountId, [])
    expect(
      await p.authenticate(await signClaims({ sub: none.id, kind: 'user', ses: await createSession(none) })),
    ).toMatchObject({
      role: 'member',
      roles: [],
    })
  })
})

describe('embedded token', () => {
  it('authenticates as its space while space and key exist', async () => {
    const { accountId, environmentId } = here
    const { spaceId } = await createScope({ accountId, environmentId })
    const key = await createKey('pk')
    const claims = { sub: 'us_usr_maker', kind: 'embedded', env: environmentId, space: spaceId, key: key.id }
    const token = await signClaims(claims)
    const buildPrincipal = {
      accountId,
      environmentId,
      spaceId,
      actorId: 'us_usr_maker',
      role: 'embedded' as const,
      keyId: key.id,
    }
    expect(await authenticateWithoutTimes(token)).toEqual(buildPrincipal)
    expect(await p.reauthenticate(buildPrincipal)).toEqual(buildPrincipal)
    await deleteItem('space', spaceId)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.reauthenticate(buildPrincipal)).toBeUndefined()
    await putItem('space', buildSpaceItem({ ...here, spaceId }))
    expect(await authenticateWithoutTimes(token)).toEqual(buildPrincipal)
    await deleteItem('key', key.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.reauthenticate(buildPrincipal)).toBeUndefined()
    const { key: _, space: __, ...neither } = claims
    expect(await p.authenticate(await signClaims(neither))).toBeUndefined()
  })
})

describe('subscription token', () => {
  it('does not authenticate', async () => {
    const someone = await createUser(here.accountId, [buildRoleAssignment('administrator')])
    expect(await p.authenticate(await signClaims({ sub: someone.id, kind: 'subscription' }))).toBeUndefined()
  })
})

describe('guest token', () => {
  it('authenticates as the guest with its current grants', async () => {
    const { accountId, environmentId, spaceId } = here
    const other = await createScope({ accountId, environmentId })
    const one = await createGuest(here, [{ id: spaceId }, { id: other.spaceId }])
    const token = await access.issueGuestToken(one)
    const buildPrincipal = {
      accountId,
      environmentId,
      actorId: one.id,
      role: 'multiSpaceGuest',
      grants: [{ id: spaceId }, { id: other.spaceId }],
    }
    expect(await authenticateWithoutTimes(token)).toEqual(buildPrincipal)
    expect(await p.reauthenticate(buildPrincipal as never)).toEqual(buildPrincipal)
    const single = { ...buildPrincipal, role: 'singleSpaceGuest', spaceId, grants: [{ id: spaceId }] }
    expect(await authenticateWithoutTimes(await access.issueGuestToken(one, { spaceId }))).toEqual(single)
    expect(await p.reauthenticate(single as never)).toEqual(single)
    const since = Math.floor(Date.now() / 1000) - 17
    await putItem('space', buildSpaceItem(here, { guestAuthentication: 'shared_link' }))
    const shared = { spaceId, fixed: true, link: 0, since }
    expect(await p.authenticate(await access.issueGuestToken(one, shared))).toEqual({
      ...single,
      fixed: true,
      link: 0,
      since,
      expires: expect.any(Number),
    })
    expect(await p.authenticate(await access.issueGuestToken(one, { spaceId: other.spaceId }))).toMatchObject({
      spaceId: other.spaceId,
    })
    await deleteItem('guest', one.id)
    expect(await p.authenticate(token)).toBeUndefined()
    expect(await p.reauthenticate(single as never)).toBeUndefined()
  })

  it('names the spaces it opens, for an hour', async () => {
    const { decodeJwt } = await import('jose')
    const one = await createGuest(here, [{ id: here.spaceId }])
    const readClaims = (token: string) => {
      const { iat, exp, iss, ...claims } = decodeJwt(token)
      expect(exp! - iat!).toBe(3600)
      return claims
    }
    const { accountId: acc, environmentId: env, spaceId: space } = here
    const claims = { sub: one.id, acc, kind: 'guest', env }
    expect(readClaims(await access.issueGuestToken(one))).toEqual(claims)
    expect(readClaims(await access.issueGuestToken(one, { spaceId: space }))).toEqual({ ...claims, space })
    const since = Math.floor(Date.now() / 1000) - 9
    const shared = { spaceId: space, fixed: true, link: 0, since }
    const madeBy = { keyId: 'sk_x' }
    expect(readClaims(await access.issueGuestToken(one, { ...shared, madeBy }))).toEqual({
      ...claims,
      space,
      fixed: true,
      link: 0,
      madeBy,
      auth_time: since,
    })
    const clip = buildClipItem(here)
    expect(readClaims(await access.issueClipToken(one, clip))).toEqual({
      ...claims,
      space,
      fixed: true,
      link: 0,
      clip: clip.id,
    })
  })

  it('ends with its space, its grant and its environment', async () => {
    const own = await createScope()
    const one = await createGuest(own, [{ id: own.spaceId }])
    const [any, single] = [
      await access.issueGuestToken(one),
      await access.issueGuestToken(one, { spaceId: own.spaceId }),
    ]
    expect(await p.authenticate(await access.issueGuestToken(one, { spaceId: here.spaceId }))).toBeUndefined()
    await deleteItem('space', own.spaceId)
    expect(await p.authenticate(single)).toBeUndefined()
    await putItem('space', buildSpaceItem(own))
    expect(await p.authenticate(single)).toBeDefined()
    await deleteItem('environment', own.environmentId)
    expect(await p.authenticate(single)).toBeUndefined()
    expect(await p.authenticate(any)).toBeUndefined()
    const nothing = await createGuest(here, [])
    expect(await p.authenticate(await access.issueGuestToken(nothing))).toBeUndefined()
    expect(await p.authenticate(await access.issueGuestToken(nothing, { spaceId: here.spaceId }))).toBeUndefined()
  })

  it('from a public clip link is limited to its workbook, until the clip is closed', async () => {
    const own = await createScope()
    const { accountId, environmentId, spaceId, workbookId } = own
    const one = await createGuest(own, [{ id: spaceId }])
    const clip = buildClipItem(own, { sharedLinkAccess: 'public' })
    const token = await access.issueClipToken(one, clip)
    expect(await p.authenticate(token)).toBeUndefined()
    await putItem('clip', clip)
    expect(await authenticateWithoutTimes(token)).toEqual({
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
    await putItem('clip', { ...clip, sharedLinkAccess: 'restricted' })
    expect(await p.authenticate(token)).toBeUndefined()
    await putItem('clip', clip)
    await deleteItem('space', spaceId)
    expect(await p.authenticate(token)).toBeUndefined()
    await putItem('space', buildSpaceItem(own))
    const { buildEnvironmentItem } = await import('../../support/auth-items.ts')
    await deleteItem('environment', environmentId)
    expect(await p.authenticate(token)).toBeUndefined()
    await putItem('environment', buildEnvironmentItem(own))
    expect(await p.authenticate(token)).toBeDefined()
    const stranger = await createGuest(await createScope(), [])
    expect(await p.authenticate(await access.issueClipToken(stranger, clip))).toBeUndefined()
    await deleteItem('guest', one.id)
    expect(await p.authenticate(token)).toBeUndefined()
  })

  it('has a role named after its grants', () => {
    const wholeSpace = (id: string) => ({ id })
    const partsOfSpace = (id: string, workbooks: number, sheets = 0) => ({
      id,
      ...(workbooks ? { workbooks: Array.from({ length: workbooks }, (_, i) => ({ id: `w${i}` })) } : {}),
      ...(sheets ? { sheets: Array.from({ length: sheets }, (_, i) => ({ id: `s${i}` })) } : {}),
    })
    for (const [grants, role] of [
      [[wholeSpace('a')], 'singleSpaceGuest'],
      [[wholeSpace('a'), wholeSpace('b')], 'multiSpaceGuest'],
      [[partsOfSpace('a', 1)], 'singleWorkbookGuest'],
      [[partsOfSpace('a', 0, 1)], 'singleWorkbookGuest'],
      [[partsOfSpace('a', 2)], 'multiWorkbookGuest'],
      [[partsOfSpace('a', 1, 1)], 'multiWorkbookGuest'],
      [[partsOfSpace('a', 1), wholeSpace('b')], 'multiWorkbookGuest'],
      [[{ id: 'a', workbooks: [] }], 'singleWorkbookGuest'],
    ] as const)
      expect(access.deriveGuestRole(grants as never)).toBe(role)
  })
})

describe('access token ends with its origin:', () => {
  const createAdministrator = () => createUser(here.accountId, [buildRoleAssignment('administrator')])

  it('a personal access token', async () => {
    const someone = await createAdministrator()
    const pat = await createToken(someone.id)
    const token = await signClaims({ sub: someone.id, kind: 'user', pat: pat.id })
    cloud.reset()
    expect(await authenticateWithoutTimes(token)).toMatchObject({ actorId: someone.id, tokenId: pat.id })
    expect(cloud.requests).toEqual(['BatchGetItem', 'UpdateItem'])
    expect((await readStored('token', pat.id)).lastUsedAt).toEqual(expect.any(String))
    expect(await p.authenticate(await signClaims({ sub: someone.id, kind: 'user' }))).toBeUndefined()
    const other = await createToken((await createAdministrator()).id)
    expect(await p.authenticate(await signClaims({ sub: someone.id, kind: 'user', pat: other.id }))).toBeUndefined()
    await deleteItem('token', pat.id)
    expect(await p.authenticate(token)).toBeUndefined()
  })

  it('a password or single sign-on', async () => {
    const own = await createScope()
    const someone = await createUser(own.accountId, [buildRoleAssignment('administrator')], { password: 'one' })
    const { derivePasswordSession, deriveSignOnSession } = await import('../../../lib/auth/session.ts')
    const readClaims = { acc: own.accountId, sub: someone.id, kind: 'user' }
    const byPassword = await signClaims({ ...readClaims, ses: derivePasswordSession(someone) })
    const signOn = { id: own.accountId, issuer: 'https://one.example', clientId: 'c', createdAt: AT, updatedAt: AT }
    const bySignOn = await signClaims({ ...readClaims, ses: deriveSignOnSession(someone, signOn) })
    const open = async () => [await p.authenticate(byPassword), await p.authenticate(bySignOn)].map((one) => !!one)
    expect(await open()).toEqual([true, false])
    await putItem('sso', signOn)
    expect(await open()).toEqual([false, true])
    await putItem('sso', { ...signOn, clientId: 'another' })
    expect(await open()).toEqual([false, false])
    await putItem('sso', { ...signOn, issuer: 'https://two.example' })
    expect(await open()).toEqual([false, false])
    await deleteItem('sso', own.accountId)
    expect(await open()).toEqual([true, false])
    await putItem('user', { ...someone, passwordHash: 's2.another.one' })
    expect(await open()).toEqual([false, false])
  })

  it('the key, token or session of the creator of a guest token, and the permission to create it', async () => {
    const own = await createScope()
    const one = await createGuest(own, [{ id: own.spaceId }])
    const createGuestToken = async (madeBy: object) => access.issueGuestToken(one, { madeBy: madeBy as never })
    const key = await createKey('sk', own)
    const byKey = await createGuestToken({ keyId: key.id })
    expect(await authenticateWithoutTimes(byKey)).toMatchObject({ actorId: one.id, madeBy: { keyId: key.id } })
    await deleteItem('key', key.id)
    expect(await p.authenticate(byKey)).toBeUndefined()
    const maker = await createUser(own.accountId, [buildRoleAssignment('administrator')], { password: 'x' })
    const pat = await createToken(maker.id)
    const byToken = await createGuestToken({ userId: maker.id, tokenId: pat.id })
    const bySession = await createGuestToken({ userId: maker.id, session: await createSession(maker) })
    expect(await p.authenticate(byToken)).toBeDefined()
    await deleteItem('token', pat.id)
    expect(await p.authenticate(byToken)).toBeUndefined()
    cloud.reset()
    expect(await p.authenticate(bySession)).toBeDefined()
    expect(cloud.requests).toEqual(['BatchGetItem'])
    await putItem('user', {
      ...maker,
      actorRoles: [buildRoleAssignment('reader', { environmentId: own.environmentId })],
    })
    expect(await p.authenticate(bySession)).toBeUndefined()
    await putItem('user', {
      ...maker,
      actorRoles: [buildRoleAssignment('administrator', { environmentId: own.environmentId })],
    })
    expect(await p.authenticate(bySession)).toBeDefined()
    await deleteItem('user', maker.id)
    expect(await p.authenticate(bySession)).toBeUndefined()
  })

  it('the version of a shared link, and a public clip link', async () => {
    const own = await createScope()
    const one = await createGuest(own, [{ id: own.spaceId }])
    const setShared = (more: object) =>
      putItem('space', buildSpaceItem(own, { guestAuthentication: 'shared_link', ...more }))
    const token = (link: number) => access.issueGuestToken(one, { spaceId: own.spaceId, fixed: true, link })
    const open = async () =>
      [await p.authenticate(await token(0)), await p.authenticate(await token(1))].map((x) => !!x)
    expect(await open()).toEqual([false, false])
    await setShared({})
    expect(await open()).toEqual([true, false])
    await setShared({ linkVersion: 1 })
    expect(await open()).toEqual([false, true])
    const clip = buildClipItem(own, { sharedLinkAccess: 'public' })
    await putItem('clip', clip)
    const before = await access.issueClipToken(one, clip)
    expect(await p.authenticate(before)).toBeDefined()
    await putItem('clip', { ...clip, linkVersion: 1 })
    expect(await p.authenticate(before)).toBeUndefined()
    expect(await p.authenticate(await access.issueClipToken(one, { ...clip, linkVersion: 1 }))).toBeDefined()
  })

  it('the lifetime of a session, which a guest exchange does not extend', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }])
    const now = Math.floor(Date.now() / 1000)
    const since = now - 7 * 86_400 + 60
    const { decodeJwt } = await import('jose')
    const last = await access.issueGuestToken(one, { since })
    expect(decodeJwt(last).exp! - now).toBeLessThanOrEqual(60)
    expect((await p.authenticate(last))!.since).toBe(since)
    await expect(access.issueGuestToken(one, { since: since - 61 })).rejects.toMatchObject({ status: 401 })
    const first = await access.issueGuestToken(one)
    expect((await p.authenticate(first))!.since).toBe(decodeJwt(first).iat)
  })
})

describe('permission', () => {
  const buildPrincipal = (role: string, more: object = {}) => ({ accountId: 'a', actorId: 'x', role, ...more }) as never
  const inSpace = buildRoleAssignment('reader', { environmentId: 'e', spaceId: 's' })
  const inEnvironment = buildRoleAssignment('administrator', { environmentId: 'e' })

  it('is in the role, or the role has all', () => {
    expect(p.may(buildPrincipal('administrator'), 'keys:write')).toBe(true)
    expect(p.may(buildPrincipal('environment'), 'keys:read')).toBe(true)
    expect(p.may(buildPrincipal('environment'), 'keys:write')).toBe(false)
    expect(p.may(buildPrincipal('publishable'), 'spaces:create')).toBe(true)
    expect(p.may(buildPrincipal('publishable'), 'spaces:read')).toBe(false)
  })

  it('is in a role that applies to the resource, for a principal with roles', () => {
    const one = buildPrincipal('member', { roles: [inSpace, inEnvironment] })
    expect(p.may(one, 'records:write')).toBe(true)
    expect(p.may(buildPrincipal('member', { roles: [inSpace] }), 'records:write')).toBe(false)
    expect(p.may(buildPrincipal('member', { roles: [inSpace] }), 'records:read')).toBe(true)
    const buildLocation = (environmentId: string, spaceId?: string) => ({ accountId: 'a', environmentId, spaceId })
    expect(p.may(buildPrincipal('member', { roles: [inSpace] }), 'records:read', buildLocation('e', 's'))).toBe(true)
    expect(p.may(buildPrincipal('member', { roles: [inSpace] }), 'records:read', buildLocation('e', 't'))).toBe(false)
    expect(p.may(buildPrincipal('member', { roles: [inEnvironment] }), 'records:write', buildLocation('e', 't'))).toBe(
      true,
    )
    expect(p.may(buildPrincipal('member', { roles: [inEnvironment] }), 'records:write', buildLocation('f', 's'))).toBe(
      false,
    )
    expect(p.may(buildPrincipal('member', { roles: [] }), 'records:read')).toBe(false)
    const manager = buildPrincipal('member', {
      roles: [buildRoleAssignment('administrator', { environmentId: 'e', spaceId: 's' })],
    })
    expect(p.may(manager, 'keys:write')).toBe(false)
    expect(p.may(one, 'keys:write')).toBe(true)
    expect(
      p.may(
        buildPrincipal('agent', { roles: [buildRoleAssignment('agent', { environmentId: 'e' })] }),
        'spaces:create',
      ),
    ).toBe(true)
  })

  it('narrows a principal to the roles that have it', () => {
    const all = buildPrincipal('administrator')
    expect(p.restrictTo(all, 'keys:write', 'environment')).toBe(all)
    expect(p.restrictTo(buildPrincipal('environment'), 'keys:write', 'environment')).toBeUndefined()
    const member = buildPrincipal('member', { roles: [inSpace, inEnvironment] })
    expect(p.restrictTo(member, 'records:read', 'sheet')).toEqual(member)
    expect(p.restrictTo(member, 'records:write', 'sheet')).toEqual(buildPrincipal('member', { roles: [inEnvironment] }))
    expect(p.restrictTo(buildPrincipal('member', { roles: [inSpace] }), 'records:write', 'sheet')).toBeUndefined()
  })

  it('above environments is not granted by roles on environments', () => {
    const member = buildPrincipal('member', { roles: [inEnvironment] })
    for (const scope of ['account', 'user', 'token'] as const) {
      expect(p.restrictTo(member, 'tokens:write', scope)).toBe(member)
      expect(p.restrictTo(member, 'account:read', scope)).toBe(member)
      expect(p.restrictTo(member, 'users:read', scope)).toBeUndefined()
      expect(p.restrictTo(member, 'roles:write', scope)).toBeUndefined()
    }
    expect(p.restrictTo(member, 'roles:write', 'agent')).toEqual(member)
    expect(p.restrictTo(member, 'tokens:write', 'environment')).toBeUndefined()
  })

  it('applies to the account where a role has no environment', () => {
    expect(p.isAccountRole(buildRoleAssignment('administrator') as never)).toBe(true)
    expect(p.isAccountRole(inEnvironment as never)).toBe(false)
  })
})

it('caches nothing about a bearer', async () => {
  vi.useRealTimers()
  const key = await createKey('sk')
  for (let i = 0; i < 3; i++) {
    cloud.reset()
    await p.authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
  }
})
