/** Roles of users, agents and guests: which there are, where they are given, and what is kept of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { ACTOR_ROLES } from '../../../schemas/access.ts'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import { AT, agentItem, drop, held, type Place, place } from '../../support/auth-items.ts'

let cloud: AuthCloud
let roles: typeof import('../../../lib/auth/roles.ts')
let guestRoles: typeof import('../../../lib/auth/guest-roles.ts')
let transact: typeof import('../../../lib/table/transact.ts')['transact']
let here: Place
let elsewhere: Place

beforeAll(async () => {
  cloud = await authCloud()
  roles = await import('../../../lib/auth/roles.ts')
  guestRoles = await import('../../../lib/auth/guest-roles.ts')
  transact = (await import('../../../lib/table/transact.ts')).transact
  here = await place()
  elsewhere = await place()
})
afterAll(() => cloud.close())

const admin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })
/** What is wrong, by field. */

describe('a role', () => {
  it('is listed with its name for the account', () => {
    const account = { id: 'us_acc_x', createdAt: AT, updatedAt: 'later' } as never
    const listed = roles.availableRoles(account)
    expect(listed.map(({ name }) => name)).toEqual(Object.values(ACTOR_ROLES).map(({ name }) => name))
    expect(listed[0]).toEqual({
      id: 'us_rol_administrator',
      name: 'Administrator',
      accountId: 'us_acc_x',
      createdAt: AT,
      updatedAt: AT,
    })
  })

  it('is shown on the nearest thing it is on', () => {
    const actor = { id: 'us_usr_x', accountId: 'us_acc_x' }
    const shown = (on: object) => roles.shownRole(actor, held('reader', on) as never)
    expect(shown({ environmentId: 'e', spaceId: 's' })).toMatchObject({
      roleId: 'us_rol_reader',
      actorId: 'us_usr_x',
      resourceId: 's',
    })
    expect(shown({ environmentId: 'e' }).resourceId).toBe('e')
    expect(shown({}).resourceId).toBe('us_acc_x')
    const one = held('reader') as never as { id: string }
    expect(roles.shownRole(actor, one as never)).toMatchObject({ id: one.id, createdAt: AT, updatedAt: AT })
  })

  it('is for some kinds of actors', async () => {
    expect(roles.roleFor('user', 'us_rol_reader')).toBe('reader')
    expect(roles.roleFor('agent', 'us_rol_agent')).toBe('agent')
    expect(await problem(() => roles.roleFor('user', 'us_rol_none'))).toBe(
      '400 roleId: is no role: GET /roles lists them',
    )
    expect(await problem(() => roles.roleFor('user', 'us_rol_agent', 'a.b'))).toBe('400 a.b: is no role of users')
    expect(await problem(() => roles.roleFor('guest', 'us_rol_administrator'))).toBe('400 roleId: is no role of guests')
    expect(await problem(() => roles.roleFor('agent', 'us_rol_multiSpaceGuest'))).toBe(
      '400 roleId: is no role of agents',
    )
  })
})

describe('a role that is asked for', () => {
  const wanted = (role: string, resourceId: string, by = admin(), actor: 'user' | 'agent' = 'user', key?: string) =>
    roles.wantedRole(by, actor, { roleId: `us_rol_${role}`, resourceId }, AT, key)

  it('is on the account, an environment or a space', async () => {
    const { accountId, environmentId, spaceId } = here
    const id = expect.stringMatching(/^us_acr_/)
    expect(await wanted('administrator', accountId)).toEqual({ id, role: 'administrator', createdAt: AT })
    expect(await wanted('reader', environmentId)).toEqual({ id, role: 'reader', environmentId, createdAt: AT })
    expect(await wanted('reader', spaceId)).toEqual({ id, role: 'reader', environmentId, spaceId, createdAt: AT })
  })

  it('is not on what the caller does not reach, on other things, or where it means nothing', async () => {
    const { accountId, environmentId, spaceId, sheetId } = here
    const there = (id: string) =>
      `404 not-found: There is no ${id.startsWith('us_acc') ? 'account' : id.startsWith('us_env') ? 'environment' : 'space'} ${id}.`
    for (const id of [elsewhere.accountId, elsewhere.environmentId, elsewhere.spaceId])
      expect(await problem(() => wanted('administrator', id))).toBe(there(id))
    const inEnvironment = { ...admin(), environmentId: (await place({ accountId })).environmentId }
    for (const id of [environmentId, spaceId])
      expect(await problem(() => wanted('administrator', id, inEnvironment))).toBe(there(id))
    expect(await problem(() => wanted('reader', sheetId))).toBe(
      '400 resourceId: must be the id of the account, of an environment or of a space',
    )
    expect(await problem(() => wanted('reader', sheetId, admin(), 'user', 'actorRoles.1.'))).toMatch(
      /^400 actorRoles\.1\.resourceId: /,
    )
    expect(await problem(() => wanted('reader', accountId))).toBe('400 roleId: is not given on accounts')
    expect(await problem(() => wanted('agent', spaceId, admin(), 'user', 'x.'))).toBe(
      '400 x.roleId: is no role of users',
    )
    expect(await wanted('agent', spaceId, admin(), 'agent')).toMatchObject({ role: 'agent', spaceId })
    expect(await problem(() => wanted('agent', accountId, admin(), 'agent', 'x.'))).toBe(
      '400 x.roleId: is not given on accounts',
    )
  })

  it('is written only while what it is on is there', async () => {
    const own = await place()
    const { environmentId, spaceId } = own
    const inSpace = held('reader', { environmentId, spaceId })
    const inEnvironment = held('reader', { environmentId })
    const all = [inSpace, { ...inSpace }, inEnvironment, held('administrator')] as never[]
    expect(roles.placesStay(all)).toHaveLength(2)
    expect(roles.placesStay([held('administrator')] as never)).toEqual([])
    await transact(roles.placesStay(all))
    await drop('environment', environmentId)
    await transact(
      roles
        .placesStay([inSpace] as never)
        .concat(roles.placesStay([held('reader', { environmentId: here.environmentId })] as never)),
    )
    await expect(transact(roles.placesStay(all))).rejects.toThrow('does not hold')
    await drop('space', spaceId)
    await expect(
      transact(roles.placesStay([inSpace, held('reader', { environmentId: here.environmentId })] as never)),
    ).rejects.toThrow('does not hold')
  })
})

describe('the roles one has', () => {
  const [one, other] = [
    held('reader', { environmentId: 'e' }),
    held('reader', { environmentId: 'e', spaceId: 's' }),
  ] as never[]

  it('become one more, unless it is there already', () => {
    const more = held('administrator', { environmentId: 'e' }) as never
    expect(roles.withRole([one!], more)).toEqual({ roles: [one, more], role: more })
    const again = { ...(other as unknown as object), id: 'us_acr_new' } as never
    expect(roles.withRole([one!, other!], again)).toEqual({ roles: [one, other], role: other })
    for (const differing of [
      { environmentId: 'f', spaceId: 's' },
      { environmentId: 'e', spaceId: 't' },
      { environmentId: 'e' },
    ]) {
      const wanted = held('reader', differing) as never
      expect(roles.withRole([other!], wanted).roles).toEqual([other, wanted])
    }
    const administrator = held('administrator', { environmentId: 'e', spaceId: 's' }) as never
    expect(roles.withRole([other!], administrator).roles).toEqual([other, administrator])
  })

  it('are 50 at most', async () => {
    const many = Array.from({ length: 50 }, (_, i) => held('reader', { environmentId: `e${i}` })) as never[]
    expect(await problem(() => roles.withRole(many, one!))).toBe(
      '409 conflict: There may be 50 roles: take one away first.',
    )
    expect(roles.withRole(many.slice(1), one!).roles).toHaveLength(50)
    expect(roles.withRole(many, held('reader', { environmentId: 'e7' }) as never).role).toBe(many[7])
  })

  it('become one less', async () => {
    const { id } = one as unknown as { id: string }
    expect(roles.withoutRole([one!, other!], id)).toEqual([other])
    expect(await problem(() => roles.withoutRole([other!], id))).toBe(`404 not-found: There is no role ${id}.`)
  })

  it('of an agent are that of its kind, until it is given others', () => {
    const owner = { accountId: 'a', environmentId: 'e' }
    expect(roles.rolesOfAgent(agentItem('us_ag_17', owner) as never)).toEqual([
      { id: 'us_acr_17', role: 'agent', environmentId: 'e', createdAt: AT },
    ])
    expect(roles.rolesOfAgent(agentItem('us_ag_17', owner, { actorRoles: [] }) as never)).toEqual([])
    expect(roles.rolesOfAgent(agentItem('us_ag_17', owner, { actorRoles: [one] }) as never)).toEqual([one])
  })
})

describe('the roles of a guest', () => {
  const guest = (...spaces: object[]) =>
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

  it('are its grants, called after what it has', () => {
    const named = (...spaces: object[]) =>
      guestRoles
        .rolesOfGuest(guest(...spaces))
        .map(({ roleId, resourceId }) => [resourceId, roleId.slice('us_rol_'.length)])
    const [one, two] = [{ id: 'us_sp_1' }, { id: 'us_sp_2' }]
    const part = { id: 'us_sp_3', workbooks: [{ id: 'w' }] }
    const parts = { id: 'us_sp_4', workbooks: [{ id: 'w' }, { id: 'v' }] }
    expect(named(one)).toEqual([['us_sp_1', 'singleSpaceGuest']])
    expect(named(one, two)).toEqual([
      ['us_sp_1', 'multiSpaceGuest'],
      ['us_sp_2', 'multiSpaceGuest'],
    ])
    expect(named(one, part, parts)).toEqual([
      ['us_sp_1', 'singleSpaceGuest'],
      ['us_sp_3', 'singleWorkbookGuest'],
      ['us_sp_4', 'multiWorkbookGuest'],
    ])
    expect(guestRoles.rolesOfGuest(guest(one))).toEqual([
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

  it('become one more by the whole of a space, and one less by its id', async () => {
    const part = { id: 'us_sp_1', workbooks: [{ id: 'w' }] }
    const one = guest(part, { id: 'us_sp_2', lastAccessed: AT })
    expect(guestRoles.withSpace(one, 'us_rol_multiSpaceGuest', 'us_sp_3')).toEqual([
      part,
      { id: 'us_sp_2', lastAccessed: AT },
      { id: 'us_sp_3' },
    ])
    expect(guestRoles.withSpace(one, 'us_rol_singleSpaceGuest', 'us_sp_1')).toEqual([
      { id: 'us_sp_1' },
      { id: 'us_sp_2', lastAccessed: AT },
    ])
    for (const role of ['singleWorkbookGuest', 'multiWorkbookGuest'])
      expect(await problem(() => guestRoles.withSpace(one, `us_rol_${role}`, 'us_sp_3'))).toBe(
        '400 roleId: names no workbooks: give them by PATCH /guests/{guestId}',
      )
    expect(await problem(() => guestRoles.withSpace(one, 'us_rol_reader', 'us_sp_3'))).toBe(
      '400 roleId: is no role of guests',
    )
    expect(guestRoles.withoutSpace(one, 'us_acr_G11')).toEqual([{ id: 'us_sp_2', lastAccessed: AT }])
    expect(await problem(() => guestRoles.withoutSpace(one, 'us_acr_G13'))).toBe(
      '404 not-found: There is no role us_acr_G13.',
    )
  })
})
