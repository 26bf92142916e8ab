/** Granting and revoking spaces, the rights to do so, and which guests a caller can see. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { NewGuest } from '../../../lib/entities/guests.ts'
import { type AuthCloud, catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildEnvironmentItem,
  buildRoleAssignment,
  buildSpaceItem,
  createGuest,
  createScope,
  newIdSuffix,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let guests: typeof import('../../../lib/auth/guests.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Guests: typeof import('../../../lib/entities/guests.ts')['Guests']
let here: SeedScope
let beside: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud()
  guests = await import('../../../lib/auth/guests.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Guests = (await import('../../../lib/entities/guests.ts')).Guests
  here = await createScope()
  beside = await createScope({ accountId: here.accountId, environmentId: here.environmentId })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

const LATER = '2026-02-03T04:05:06.789Z'
const beginTx = () => begin({ accountId: here.accountId, actorId: 'us_usr_x' }, LATER)
const addGuest = async (config: object) => {
  const unit = beginTx()
  const made = await guests.addGuest(unit, { environmentId: here.environmentId, name: 'G', ...config } as never)
  await unit.commit()
  return made
}
const getEvents = () =>
  cloud.events.map(({ topic, context, payload }) => [topic, context.spaceId, context.environmentId, payload])
const createSpaces = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `us_sp_many${i}` }))

describe('guest', () => {
  it('is created with its grants, and emits an event per space', async () => {
    const email = `${newIdSuffix()}@example.com`
    const made = await addGuest({ email, spaces: [{ id: 'us_sp_1' }, { id: 'us_sp_2', workbooks: [{ id: 'w' }] }] })
    const { accountId, environmentId } = here
    expect(made).toEqual({
      id: expect.stringMatching(/^us_g_/),
      accountId,
      environmentId,
      email,
      name: 'G',
      spaces: [{ id: 'us_sp_1' }, { id: 'us_sp_2', workbooks: [{ id: 'w' }] }],
      createdAt: LATER,
      updatedAt: LATER,
    })
    expect(await Guests.get(made.id)).toEqual({ ...made, rev: 1 })
    expect(getEvents()).toEqual([
      ['space:guestAdded', 'us_sp_1', environmentId, {}],
      ['space:guestAdded', 'us_sp_2', environmentId, {}],
    ])
  })

  it('with a known address gains grants and loses none', async () => {
    const before = await createGuest(here, [
      { id: 'us_sp_a', lastAccessed: AT },
      { id: 'us_sp_b', workbooks: [{ id: 'w1' }], sheets: [{ id: 's1' }] },
      { id: 'us_sp_c', workbooks: [{ id: 'w1' }] },
      { id: 'us_sp_d', sheets: [{ id: 's1' }] },
    ])
    const made = await addGuest({
      email: before.email,
      name: 'Other',
      spaces: [
        { id: 'us_sp_a', workbooks: [{ id: 'w9' }] },
        { id: 'us_sp_b', workbooks: [{ id: 'w1' }, { id: 'w2' }], sheets: [{ id: 's2' }] },
        { id: 'us_sp_c' },
        { id: 'us_sp_d', workbooks: [{ id: 'w3' }] },
        { id: 'us_sp_e' },
      ],
    })
    expect(made).toMatchObject({ id: before.id, name: 'Guest', createdAt: AT, updatedAt: LATER })
    expect(made.spaces).toEqual([
      { id: 'us_sp_a', lastAccessed: AT },
      { id: 'us_sp_b', workbooks: [{ id: 'w1' }, { id: 'w2' }], sheets: [{ id: 's1' }, { id: 's2' }] },
      { id: 'us_sp_c' },
      { id: 'us_sp_d', workbooks: [{ id: 'w3' }], sheets: [{ id: 's1' }] },
      { id: 'us_sp_e' },
    ])
    expect(getEvents()).toEqual([['space:guestAdded', 'us_sp_e', here.environmentId, {}]])
  })

  it('has at most 20 spaces', async () => {
    const before = await createGuest(here, createSpaces(19))
    expect((await addGuest({ email: before.email, spaces: createSpaces(20) })).spaces).toHaveLength(20)
    expect(await catchProblem(() => addGuest({ email: before.email, spaces: createSpaces(21) }))).toBe(
      `409 conflict: A guest can have at most 20 spaces; ${before.email} would have 21.`,
    )
  })

  it('keeps the last access of spaces on an update, and emits events for added and removed ones', async () => {
    const before = await createGuest(here, [{ id: 'us_sp_a', lastAccessed: AT }, { id: 'us_sp_b' }])
    const unit = beginTx()
    const wanted = { ...before, name: 'New', spaces: [{ id: 'us_sp_c' }, { id: 'us_sp_a', workbooks: [{ id: 'w' }] }] }
    const after = await guests.changeGuest(unit, before, wanted)
    await unit.commit()
    expect(after).toMatchObject({ name: 'New', updatedAt: LATER })
    expect(after.spaces).toEqual([{ id: 'us_sp_c' }, { id: 'us_sp_a', workbooks: [{ id: 'w' }], lastAccessed: AT }])
    expect((await Guests.get(before.id))!.spaces).toEqual(after.spaces)
    expect(getEvents()).toEqual([
      ['space:guestAdded', 'us_sp_c', here.environmentId, {}],
      ['space:guestRemoved', 'us_sp_b', here.environmentId, {}],
    ])
  })

  it('is removed with everything it has', async () => {
    const before = await createGuest(here, [{ id: 'us_sp_a' }, { id: 'us_sp_b' }])
    const unit = beginTx()
    await guests.removeGuest(unit, before)
    await unit.commit()
    expect(await Guests.get(before.id)).toBeUndefined()
    expect(await Guests.inSpace('us_sp_a').then((found) => found.map(({ id }) => id))).not.toContain(before.id)
    expect(getEvents().toSorted()).toEqual([
      ['space:guestRemoved', 'us_sp_a', here.environmentId, {}],
      ['space:guestRemoved', 'us_sp_b', here.environmentId, {}],
    ])
  })
})

describe('grant', () => {
  const buildEnvironment = () => buildEnvironmentItem(here)
  const buildAdmin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })
  const buildGuest = (...grants: NonNullable<Principal['grants']>): Principal => ({
    ...buildAdmin(),
    role: 'singleSpaceGuest',
    environmentId: here.environmentId,
    grants,
  })
  const checkGrants = (by: Principal, ...grants: object[]) =>
    catchProblem(() => guests.checkGrants(by, buildEnvironment() as never, grants as never))

  it('can name spaces, workbooks and sheets that the granting user can access in the environment', async () => {
    const { spaceId, workbookId, sheetId } = here
    expect(await checkGrants(buildAdmin(), { id: spaceId }, { id: beside.spaceId })).toBe('none')
    expect(
      await checkGrants(buildAdmin(), { id: spaceId, workbooks: [{ id: workbookId }], sheets: [{ id: sheetId }] }),
    ).toBe('none')
    const elsewhere = await createScope()
    const otherEnvironment = await createScope({ accountId: here.accountId })
    for (const { spaceId: id } of [elsewhere, otherEnvironment])
      expect(await checkGrants(buildAdmin(), { id: spaceId }, { id })).toBe(`404 not-found: There is no space ${id}.`)
    expect(await checkGrants(buildAdmin(), { id: spaceId, workbooks: [{ id: elsewhere.workbookId }] })).toBe(
      `404 not-found: There is no workbook ${elsewhere.workbookId}.`,
    )
    expect(await checkGrants(buildAdmin(), { id: spaceId, sheets: [{ id: elsewhere.sheetId }] })).toBe(
      `404 not-found: There is no sheet ${elsewhere.sheetId}.`,
    )
    for (const parts of [
      { workbooks: [{ id: workbookId }, { id: beside.workbookId }] },
      { sheets: [{ id: beside.sheetId }] },
    ]) {
      const part = 'sheets' in parts ? beside.sheetId : beside.workbookId
      expect(await checkGrants(buildAdmin(), { id: spaceId, ...parts })).toBe(
        `400 spaces: include ${part}, which is not in space ${spaceId}`,
      )
    }
  })

  it("by a guest is limited to the guest's own access", async () => {
    const { spaceId, workbookId } = here
    expect(await checkGrants(buildGuest({ id: spaceId }), { id: spaceId })).toBe('none')
    expect(await checkGrants(buildGuest({ id: spaceId }), { id: beside.spaceId })).toBe(
      `404 not-found: There is no space ${beside.spaceId}.`,
    )
    const part = buildGuest({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await checkGrants(part, { id: spaceId, workbooks: [{ id: workbookId }] })).toBe('none')
    expect(await checkGrants(part, { id: spaceId })).toBe(
      '403 forbidden: You can invite others only to workbooks you have access to, not to the whole space.',
    )
    const other = await createScope({ accountId: here.accountId, environmentId: here.environmentId, spaceId })
    expect(await checkGrants(part, { id: spaceId, workbooks: [{ id: other.workbookId }] })).toBe(
      `404 not-found: There is no workbook ${other.workbookId}.`,
    )
    expect(await checkGrants({ ...buildGuest({ id: spaceId }), clipId: 'us_clip_x' }, { id: spaceId })).toBe(
      '403 forbidden: Guests who opened a shared link cannot invite others, because their address is not verified.',
    )
    expect(await checkGrants({ ...buildGuest({ id: spaceId }), clipId: 'us_clip_x' })).toMatch(/^403/)
  })

  it('by a guest is rejected when the sidebar forbids it', async () => {
    const closed = await createScope(
      { accountId: here.accountId, environmentId: here.environmentId },
      { space: { metadata: { sidebarConfig: { showGuestInvite: false } } } },
    )
    expect(await checkGrants(buildGuest({ id: closed.spaceId }), { id: closed.spaceId })).toBe(
      '403 forbidden: Guests cannot invite others to this space.',
    )
    expect(await checkGrants(buildAdmin(), { id: closed.spaceId })).toBe('none')
  })
})

describe('sidebar config', () => {
  const showInvite = (showGuestInvite: unknown) => ({ sidebarConfig: { showGuestInvite } })
  const canInvite = (space: object, buildEnvironment: object = {}) =>
    guests.canGuestsInvite(buildEnvironmentItem(here, buildEnvironment) as never, buildSpaceItem(here, space) as never)

  it('is taken from the metadata of the space, then its settings, then the environment', () => {
    expect(canInvite({})).toBe(true)
    expect(canInvite({ metadata: showInvite(false) })).toBe(false)
    expect(canInvite({ settings: showInvite(false) })).toBe(false)
    expect(canInvite({ metadata: showInvite(true), settings: showInvite(false) })).toBe(true)
    expect(canInvite({}, { metadata: showInvite(false) })).toBe(false)
    expect(canInvite({ settings: showInvite(true) }, { metadata: showInvite(false) })).toBe(true)
  })

  it('is ignored unless it is a boolean', () => {
    for (const metadata of [
      null,
      undefined,
      'x',
      7,
      {},
      { sidebarConfig: null },
      { sidebarConfig: {} },
      showInvite('false'),
      showInvite(0),
    ])
      expect(canInvite({ metadata }), JSON.stringify(metadata)).toBe(true)
    expect(canInvite({ metadata: showInvite('x') }, { metadata: showInvite(false) })).toBe(false)
  })
})

describe('visible spaces of a guest', () => {
  it("are limited to the caller's own spaces, if it is limited to spaces", () => {
    const { accountId, environmentId } = here
    const one = {
      id: 'us_g_x',
      accountId,
      environmentId,
      spaces: [{ id: 'us_sp_1' }, { id: 'us_sp_2' }],
    } as unknown as NewGuest
    const getVisibleSpaces = (more: object) =>
      guests
        .serializeGuest({ accountId, actorId: 'x', role: 'administrator', ...more } as Principal, one)
        .spaces.map(({ id }) => id)
    expect(getVisibleSpaces({})).toEqual(['us_sp_1', 'us_sp_2'])
    expect(getVisibleSpaces({ grants: [{ id: 'us_sp_2' }] })).toEqual(['us_sp_2'])
    expect(getVisibleSpaces({ roles: [buildRoleAssignment('reader', { environmentId, spaceId: 'us_sp_1' })] })).toEqual(
      ['us_sp_1'],
    )
    expect(getVisibleSpaces({ roles: [buildRoleAssignment('reader', { environmentId })] })).toEqual([
      'us_sp_1',
      'us_sp_2',
    ])
    expect(guests.serializeGuest({ accountId, actorId: 'x', role: 'administrator' }, one)).toBe(one)
  })
})
