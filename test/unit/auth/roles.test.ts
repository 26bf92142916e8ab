/** Roles of users, agents and guests: catalog, validation and storage. */
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { ACTOR_ROLES } from '../../../schemas/access/permissions.ts'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { AT, buildAgentItem, buildRoleAssignment, createScope, deleteItem } from '../../support/auth-items.ts'

await startAuthCloud()
const roles = await import('../../../lib/auth/roles.ts')
const guestRoles = await import('../../../lib/auth/guest-role-assignments.ts')
const transact = (await import('../../../lib/table/transact.ts')).transact
const here = await createScope()
const elsewhere = await createScope()

const buildAdmin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })

describe('role', () => {
  it('is listed with its name for the account', () => {
    const account = { id: 'us_acc_x', createdAt: AT, updatedAt: 'later' } as never
    const listed = roles.listRoles(account)
    expect(listed.map(({ name }) => name)).toEqual(Object.values(ACTOR_ROLES).map(({ name }) => name))
    expect(listed[0]).toEqual({
      id: 'us_rol_administrator',
      name: 'Administrator',
      accountId: 'us_acc_x',
      createdAt: AT,
      updatedAt: AT,
    })
  })

  it('is shown on the most specific resource', () => {
    const actor = { id: 'us_usr_x', accountId: 'us_acc_x' }
    const showRole = (on: object) => roles.serializeRole(actor, buildRoleAssignment('reader', on) as never)
    expect(showRole({ environmentId: 'e', spaceId: 's' })).toMatchObject({
      roleId: 'us_rol_reader',
      actorId: 'us_usr_x',
      resourceId: 's',
    })
    expect(showRole({ environmentId: 'e' }).resourceId).toBe('e')
    expect(showRole({}).resourceId).toBe('us_acc_x')
    const one = buildRoleAssignment('reader') as never as { id: string }
    expect(roles.serializeRole(actor, one as never)).toMatchObject({ id: one.id, createdAt: AT, updatedAt: AT })
  })

  it('is available to certain kinds of actors', async () => {
    expect(roles.parseRole('user', 'us_rol_reader')).toBe('reader')
    expect(roles.parseRole('agent', 'us_rol_agent')).toBe('agent')
    expect(await catchProblem(() => roles.parseRole('user', 'us_rol_none'))).toBe(
      '400 roleId: is not a known role (see GET /roles)',
    )
    expect(await catchProblem(() => roles.parseRole('user', 'us_rol_agent', 'a.b'))).toBe(
      '400 a.b: is not a role for users',
    )
    expect(await catchProblem(() => roles.parseRole('guest', 'us_rol_administrator'))).toBe(
      '400 roleId: is not a role for guests',
    )
    expect(await catchProblem(() => roles.parseRole('agent', 'us_rol_multiSpaceGuest'))).toBe(
      '400 roleId: is not a role for agents',
    )
  })
})

describe('requested role', () => {
  const requestRole = (
    role: string,
    resourceId: string,
    by = buildAdmin(),
    actor: 'user' | 'agent' = 'user',
    key?: string,
  ) => roles.createRoleAssignment(by, actor, { roleId: `us_rol_${role}`, resourceId }, AT, key)

  it('is on the account, an environment or a space', async () => {
    const { accountId, environmentId, spaceId } = here
    const id = expect.stringMatching(/^us_acr_/)
    expect(await requestRole('administrator', accountId)).toEqual({ id, role: 'administrator', createdAt: AT })
    expect(await requestRole('reader', environmentId)).toEqual({ id, role: 'reader', environmentId, createdAt: AT })
    expect(await requestRole('reader', spaceId)).toEqual({ id, role: 'reader', environmentId, spaceId, createdAt: AT })
  })

  it('is rejected for resources that are invisible, of another type, or meaningless for it', async () => {
    const { accountId, environmentId, spaceId, sheetId } = here
    const exists = (id: string) =>
      `404 not-found: There is no ${id.startsWith('us_acc') ? 'account' : id.startsWith('us_env') ? 'environment' : 'space'} ${id}.`
    for (const id of [elsewhere.accountId, elsewhere.environmentId, elsewhere.spaceId])
      expect(await catchProblem(() => requestRole('administrator', id))).toBe(exists(id))
    const inEnvironment = { ...buildAdmin(), environmentId: (await createScope({ accountId })).environmentId }
    for (const id of [environmentId, spaceId])
      expect(await catchProblem(() => requestRole('administrator', id, inEnvironment))).toBe(exists(id))
    expect(await catchProblem(() => requestRole('reader', sheetId))).toBe(
      '400 resourceId: must be the id of the account, an environment or a space',
    )
    expect(await catchProblem(() => requestRole('reader', sheetId, buildAdmin(), 'user', 'actorRoles.1.'))).toMatch(
      /^400 actorRoles\.1\.resourceId: /,
    )
    expect(await catchProblem(() => requestRole('reader', accountId))).toBe('400 roleId: is not a role for accounts')
    expect(await catchProblem(() => requestRole('agent', spaceId, buildAdmin(), 'user', 'x.'))).toBe(
      '400 x.roleId: is not a role for users',
    )
    expect(await requestRole('agent', spaceId, buildAdmin(), 'agent')).toMatchObject({ role: 'agent', spaceId })
    expect(await catchProblem(() => requestRole('agent', accountId, buildAdmin(), 'agent', 'x.'))).toBe(
      '400 x.roleId: is not a role for accounts',
    )
  })

  it('is written only while its resource exists', async () => {
    const own = await createScope()
    const { environmentId, spaceId } = own
    const inSpace = buildRoleAssignment('reader', { environmentId, spaceId })
    const inEnvironment = buildRoleAssignment('reader', { environmentId })
    const all = [inSpace, { ...inSpace }, inEnvironment, buildRoleAssignment('administrator')] as never[]
    expect(roles.assertLocationsExist(all)).toHaveLength(2)
    expect(roles.assertLocationsExist([buildRoleAssignment('administrator')] as never)).toEqual([])
    await transact(roles.assertLocationsExist(all))
    await deleteItem('environment', environmentId)
    await transact(
      roles
        .assertLocationsExist([inSpace] as never)
        .concat(
          roles.assertLocationsExist([buildRoleAssignment('reader', { environmentId: here.environmentId })] as never),
        ),
    )
    await expect(transact(roles.assertLocationsExist(all))).rejects.toThrow('failed')
    await deleteItem('space', spaceId)
    await expect(
      transact(
        roles.assertLocationsExist([
          inSpace,
          buildRoleAssignment('reader', { environmentId: here.environmentId }),
        ] as never),
      ),
    ).rejects.toThrow('failed')
  })
})

describe('assigned roles', () => {
  const [one, other] = [
    buildRoleAssignment('reader', { environmentId: 'e' }),
    buildRoleAssignment('reader', { environmentId: 'e', spaceId: 's' }),
  ] as never[]

  it('gain one, unless it is already assigned', () => {
    const more = buildRoleAssignment('administrator', { environmentId: 'e' }) as never
    expect(roles.withRole([one!], more)).toEqual({ roles: [one, more], role: more })
    const again = { ...(other as unknown as object), id: 'us_acr_new' } as never
    expect(roles.withRole([one!, other!], again)).toEqual({ roles: [one, other], role: other })
    for (const differing of [
      { environmentId: 'f', spaceId: 's' },
      { environmentId: 'e', spaceId: 't' },
      { environmentId: 'e' },
    ]) {
      const requestRole = buildRoleAssignment('reader', differing) as never
      expect(roles.withRole([other!], requestRole).roles).toEqual([other, requestRole])
    }
    const administrator = buildRoleAssignment('administrator', { environmentId: 'e', spaceId: 's' }) as never
    expect(roles.withRole([other!], administrator).roles).toEqual([other, administrator])
  })

  it('are limited to 50', async () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      buildRoleAssignment('reader', { environmentId: `e${i}` }),
    ) as never[]
    expect(await catchProblem(() => roles.withRole(many, one!))).toBe(
      '409 conflict: At most 50 roles can be assigned. Remove one first.',
    )
    expect(roles.withRole(many.slice(1), one!).roles).toHaveLength(50)
    expect(roles.withRole(many, buildRoleAssignment('reader', { environmentId: 'e7' }) as never).role).toBe(many[7])
  })

  it('lose one', async () => {
    const { id } = one as unknown as { id: string }
    expect(roles.withoutRole([one!, other!], id)).toEqual([other])
    expect(await catchProblem(() => roles.withoutRole([other!], id))).toBe(`404 not-found: There is no role ${id}.`)
  })

  it('default to those of its kind, for an agent', () => {
    const owner = { accountId: 'a', environmentId: 'e' }
    expect(roles.getAgentRoles(buildAgentItem('us_ag_17', owner) as never)).toEqual([
      { id: 'us_acr_17', role: 'agent', environmentId: 'e', createdAt: AT },
    ])
    expect(roles.getAgentRoles(buildAgentItem('us_ag_17', owner, { actorRoles: [] }) as never)).toEqual([])
    expect(roles.getAgentRoles(buildAgentItem('us_ag_17', owner, { actorRoles: [one] }) as never)).toEqual([one])
  })
})

describe('roles of a guest', () => {
  const buildGuest = (...spaces: object[]) =>
    ({
      id: 'us_g_G1',
      accountId: 'a',
      environmentId: 'e',
      email: 'x',
      name: 'G',
      spaces,
      createdAt: AT,
      updatedAt: 'later',
    }) as never

  it('are its grants, named after their scope', () => {
    const nameRoles = (...spaces: object[]) =>
      guestRoles
        .getGuestRoles(buildGuest(...spaces))
        .map(({ roleId, resourceId }) => [resourceId, roleId.slice('us_rol_'.length)])
    const [one, two] = [{ id: 'us_sp_1' }, { id: 'us_sp_2' }]
    const part = { id: 'us_sp_3', workbooks: [{ id: 'w' }] }
    const parts = { id: 'us_sp_4', workbooks: [{ id: 'w' }, { id: 'v' }] }
    expect(nameRoles(one)).toEqual([['us_sp_1', 'singleSpaceGuest']])
    expect(nameRoles(one, two)).toEqual([
      ['us_sp_1', 'multiSpaceGuest'],
      ['us_sp_2', 'multiSpaceGuest'],
    ])
    expect(nameRoles(one, part, parts)).toEqual([
      ['us_sp_1', 'singleSpaceGuest'],
      ['us_sp_3', 'singleWorkbookGuest'],
      ['us_sp_4', 'multiWorkbookGuest'],
    ])
    expect(guestRoles.getGuestRoles(buildGuest(one))).toEqual([
      {
        id: 'us_acr_G11',
        roleId: 'us_rol_singleSpaceGuest',
        actorId: 'us_g_G1',
        resourceId: 'us_sp_1',
        createdAt: AT,
        updatedAt: 'later',
      },
    ])
  })

  it('gain one for a whole space, and lose one by its id', async () => {
    const part = { id: 'us_sp_1', workbooks: [{ id: 'w' }] }
    const one = buildGuest(part, { id: 'us_sp_2', lastAccessed: AT })
    expect(guestRoles.withGrantedSpace(one, 'us_rol_multiSpaceGuest', 'us_sp_3')).toEqual([
      part,
      { id: 'us_sp_2', lastAccessed: AT },
      { id: 'us_sp_3' },
    ])
    expect(guestRoles.withGrantedSpace(one, 'us_rol_singleSpaceGuest', 'us_sp_1')).toEqual([
      { id: 'us_sp_1' },
      { id: 'us_sp_2', lastAccessed: AT },
    ])
    for (const role of ['singleWorkbookGuest', 'multiWorkbookGuest'])
      expect(await catchProblem(() => guestRoles.withGrantedSpace(one, `us_rol_${role}`, 'us_sp_3'))).toBe(
        '400 roleId: does not name any workbooks; assign them with PATCH /guests/{guestId}',
      )
    expect(await catchProblem(() => guestRoles.withGrantedSpace(one, 'us_rol_reader', 'us_sp_3'))).toBe(
      '400 roleId: is not a role for guests',
    )
    expect(guestRoles.withoutGrantedSpace(one, 'us_acr_G11')).toEqual([{ id: 'us_sp_2', lastAccessed: AT }])
    expect(await catchProblem(() => guestRoles.withoutGrantedSpace(one, 'us_acr_G13'))).toBe(
      '404 not-found: There is no role us_acr_G13.',
    )
  })
})
