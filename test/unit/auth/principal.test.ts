/** Authentication of every kind of bearer, its expiry, and the permissions of each role. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import { AT, buildRoleAssignment, createScope, createUser, putItem } from '../../support/auth-items.ts'
import { authenticate } from '../../support/authenticate.ts'

const cloud = await startAuthCloud()
const p = await import('../../../lib/auth/principal.ts')
const keys = await import('../../../lib/auth/keys.ts')
const access = await import('../../../lib/auth/guest-principal.ts')
const here = await createScope()
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
async function readStored(name: string, id: string): Promise<Record<string, unknown>> {
  const { documents, getTableName } = await import('../../../lib/table/client.ts')
  const { GetCommand } = await import('@aws-sdk/lib-dynamodb')
  const { Item } = await documents.send(
    new GetCommand({ TableName: getTableName(), Key: { pk: `${name}#${id}`, sk: '-' }, ConsistentRead: true }),
  )
  return Item!
}

describe('environment or agent key', () => {
  it('costs one read, and none when it is malformed or mistyped', async () => {
    const key = await createKey('sk')
    cloud.reset()
    await authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
    cloud.reset()
    const mistyped = [...key.value].map((character, buildLocation) => {
      const other = character === 'x' ? 'y' : 'x'
      return key.value.slice(0, buildLocation) + other + key.value.slice(buildLocation + 1)
    })
    const { value: pat } = keys.generateKey('pat')
    for (const bearer of [...mistyped, `${key.value}x`, '', 'x', 'eyJ', 'eyJ.x.y', 'Bearer', `${pat.slice(0, -1)}_`])
      expect(await authenticate(bearer), bearer).toBeUndefined()
    expect(cloud.requests).toEqual([])
  })
})

describe('user token', () => {
  it('records its use once a minute', async () => {
    const someone = await createUser(here.accountId, [buildRoleAssignment('administrator')])
    const token = await createToken(someone.id)
    await authenticate(token.value)
    const { lastUsedAt } = await readStored('token', token.id)
    expect(Math.abs(Date.parse(lastUsedAt as string) - Date.now())).toBeLessThan(30_000)
    cloud.reset()
    await authenticate(token.value)
    expect(cloud.requests).toEqual(['GetItem', 'GetItem'])
  })
})

describe('guest token', () => {
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
    await authenticate(key.value)
    expect(cloud.requests).toEqual(['GetItem'])
  }
})
