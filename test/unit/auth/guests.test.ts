/** What guests are given and lose, who may give it, and what of them is seen. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import type { NewGuest } from '../../../lib/entities/guests.ts'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import { AT, environmentItem, guest, held, type Place, place, spaceItem, tail } from '../../support/auth-items.ts'

let cloud: AuthCloud
let guests: typeof import('../../../lib/auth/guests.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Guests: typeof import('../../../lib/entities/guests.ts')['Guests']
let here: Place
let beside: Place

beforeAll(async () => {
  cloud = await authCloud()
  guests = await import('../../../lib/auth/guests.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Guests = (await import('../../../lib/entities/guests.ts')).Guests
  here = await place()
  beside = await place({ accountId: here.accountId, environmentId: here.environmentId })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

const LATER = '2026-02-03T04:05:06.789Z'
const tx = () => begin({ accountId: here.accountId, actorId: 'us_usr_x' }, LATER)
const added = async (config: object) => {
  const unit = tx()
  const made = await guests.addGuest(unit, { environmentId: here.environmentId, name: 'G', ...config } as never)
  await unit.commit()
  return made
}
const told = () =>
  cloud.events.map(({ topic, context, payload }) => [topic, context.spaceId, context.environmentId, payload])
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `us_sp_many${i}` }))

describe('a guest', () => {
  it('is new with what it is given, and each space is told of', async () => {
    const email = `${tail()}@example.com`
    const made = await added({ email, spaces: [{ id: 'us_sp_1' }, { id: 'us_sp_2', workbooks: [{ id: 'w' }] }] })
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
    expect(told()).toEqual([
      ['space:guestAdded', 'us_sp_1', environmentId, {}],
      ['space:guestAdded', 'us_sp_2', environmentId, {}],
    ])
  })

  it('of an address that is there gets more and loses nothing', async () => {
    const before = await guest(here, [
      { id: 'us_sp_a', lastAccessed: AT },
      { id: 'us_sp_b', workbooks: [{ id: 'w1' }], sheets: [{ id: 's1' }] },
      { id: 'us_sp_c', workbooks: [{ id: 'w1' }] },
      { id: 'us_sp_d', sheets: [{ id: 's1' }] },
    ])
    const made = await added({
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
    expect(told()).toEqual([['space:guestAdded', 'us_sp_e', here.environmentId, {}]])
  })

  it('has 20 spaces at most', async () => {
    const before = await guest(here, many(19))
    expect((await added({ email: before.email, spaces: many(20) })).spaces).toHaveLength(20)
    expect(await problem(() => added({ email: before.email, spaces: many(21) }))).toBe(
      `409 conflict: A guest may have 20 spaces; ${before.email} would have 21.`,
    )
  })

  it('is changed: what it keeps is kept with when it was last come into, what it gets and loses is told of', async () => {
    const before = await guest(here, [{ id: 'us_sp_a', lastAccessed: AT }, { id: 'us_sp_b' }])
    const unit = tx()
    const wanted = { ...before, name: 'New', spaces: [{ id: 'us_sp_c' }, { id: 'us_sp_a', workbooks: [{ id: 'w' }] }] }
    const after = await guests.changeGuest(unit, before, wanted)
    await unit.commit()
    expect(after).toMatchObject({ name: 'New', updatedAt: LATER })
    expect(after.spaces).toEqual([{ id: 'us_sp_c' }, { id: 'us_sp_a', workbooks: [{ id: 'w' }], lastAccessed: AT }])
    expect((await Guests.get(before.id))!.spaces).toEqual(after.spaces)
    expect(told()).toEqual([
      ['space:guestAdded', 'us_sp_c', here.environmentId, {}],
      ['space:guestRemoved', 'us_sp_b', here.environmentId, {}],
    ])
  })

  it('is removed with all it has', async () => {
    const before = await guest(here, [{ id: 'us_sp_a' }, { id: 'us_sp_b' }])
    const unit = tx()
    await guests.removeGuest(unit, before)
    await unit.commit()
    expect(await Guests.get(before.id)).toBeUndefined()
    expect(await Guests.inSpace('us_sp_a').then((found) => found.map(({ id }) => id))).not.toContain(before.id)
    expect(told().toSorted()).toEqual([
      ['space:guestRemoved', 'us_sp_a', here.environmentId, {}],
      ['space:guestRemoved', 'us_sp_b', here.environmentId, {}],
    ])
  })
})

describe('a grant', () => {
  const environment = () => environmentItem(here)
  const admin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })
  const guestOf = (...grants: NonNullable<Principal['grants']>): Principal => ({
    ...admin(),
    role: 'singleSpaceGuest',
    environmentId: here.environmentId,
    grants,
  })
  const check = (by: Principal, ...grants: object[]) =>
    problem(() => guests.checkGrants(by, environment() as never, grants as never))

  it('is of spaces, workbooks and sheets that the giver reaches in the environment', async () => {
    const { spaceId, workbookId, sheetId } = here
    expect(await check(admin(), { id: spaceId }, { id: beside.spaceId })).toBe('none')
    expect(await check(admin(), { id: spaceId, workbooks: [{ id: workbookId }], sheets: [{ id: sheetId }] })).toBe(
      'none',
    )
    const elsewhere = await place()
    const otherEnvironment = await place({ accountId: here.accountId })
    for (const { spaceId: id } of [elsewhere, otherEnvironment])
      expect(await check(admin(), { id: spaceId }, { id })).toBe(`404 not-found: There is no space ${id}.`)
    expect(await check(admin(), { id: spaceId, workbooks: [{ id: elsewhere.workbookId }] })).toBe(
      `404 not-found: There is no workbook ${elsewhere.workbookId}.`,
    )
    expect(await check(admin(), { id: spaceId, sheets: [{ id: elsewhere.sheetId }] })).toBe(
      `404 not-found: There is no sheet ${elsewhere.sheetId}.`,
    )
    for (const parts of [
      { workbooks: [{ id: workbookId }, { id: beside.workbookId }] },
      { sheets: [{ id: beside.sheetId }] },
    ]) {
      const part = 'sheets' in parts ? beside.sheetId : beside.workbookId
      expect(await check(admin(), { id: spaceId, ...parts })).toBe(
        `400 spaces: name ${part}, which is not in the space ${spaceId}`,
      )
    }
  })

  it('by a guest is of what it has, and no more', async () => {
    const { spaceId, workbookId } = here
    expect(await check(guestOf({ id: spaceId }), { id: spaceId })).toBe('none')
    expect(await check(guestOf({ id: spaceId }), { id: beside.spaceId })).toBe(
      `404 not-found: There is no space ${beside.spaceId}.`,
    )
    const part = guestOf({ id: spaceId, workbooks: [{ id: workbookId }] })
    expect(await check(part, { id: spaceId, workbooks: [{ id: workbookId }] })).toBe('none')
    expect(await check(part, { id: spaceId })).toBe(
      '403 forbidden: You may invite others to the workbooks you have, not to the whole space.',
    )
    const other = await place({ accountId: here.accountId, environmentId: here.environmentId, spaceId })
    expect(await check(part, { id: spaceId, workbooks: [{ id: other.workbookId }] })).toBe(
      `404 not-found: There is no workbook ${other.workbookId}.`,
    )
    expect(await check({ ...guestOf({ id: spaceId }), clipId: 'us_clip_x' }, { id: spaceId })).toBe(
      '403 forbidden: Guests who came by a shared link may not invite others: their address is not proven.',
    )
    expect(await check({ ...guestOf({ id: spaceId }), clipId: 'us_clip_x' })).toMatch(/^403/)
  })

  it('by a guest is refused where the sidebar says so', async () => {
    const closed = await place(
      { accountId: here.accountId, environmentId: here.environmentId },
      { space: { metadata: { sidebarConfig: { showGuestInvite: false } } } },
    )
    expect(await check(guestOf({ id: closed.spaceId }), { id: closed.spaceId })).toBe(
      '403 forbidden: Guests may not invite others to this space.',
    )
    expect(await check(admin(), { id: closed.spaceId })).toBe('none')
  })
})

describe('the sidebar', () => {
  const says = (showGuestInvite: unknown) => ({ sidebarConfig: { showGuestInvite } })
  const may = (space: object, environment: object = {}) =>
    guests.guestsMayInvite(environmentItem(here, environment) as never, spaceItem(here, space) as never)

  it('of the space has the last word, by its metadata before its settings, then that of the environment', () => {
    expect(may({})).toBe(true)
    expect(may({ metadata: says(false) })).toBe(false)
    expect(may({ settings: says(false) })).toBe(false)
    expect(may({ metadata: says(true), settings: says(false) })).toBe(true)
    expect(may({}, { metadata: says(false) })).toBe(false)
    expect(may({ settings: says(true) }, { metadata: says(false) })).toBe(true)
  })

  it('says nothing unless it says yes or no', () => {
    for (const metadata of [
      null,
      undefined,
      'x',
      7,
      {},
      { sidebarConfig: null },
      { sidebarConfig: {} },
      says('false'),
      says(0),
    ])
      expect(may({ metadata }), JSON.stringify(metadata)).toBe(true)
    expect(may({ metadata: says('x') }, { metadata: says(false) })).toBe(false)
  })
})

describe('of a guest is seen', () => {
  it('by who has spaces those of them, by others all', () => {
    const { accountId, environmentId } = here
    const one = {
      id: 'us_g_x',
      accountId,
      environmentId,
      spaces: [{ id: 'us_sp_1' }, { id: 'us_sp_2' }],
    } as unknown as NewGuest
    const seenBy = (more: object) =>
      guests
        .shownGuest({ accountId, actorId: 'x', role: 'administrator', ...more } as Principal, one)
        .spaces.map(({ id }) => id)
    expect(seenBy({})).toEqual(['us_sp_1', 'us_sp_2'])
    expect(seenBy({ grants: [{ id: 'us_sp_2' }] })).toEqual(['us_sp_2'])
    expect(seenBy({ roles: [held('reader', { environmentId, spaceId: 'us_sp_1' })] })).toEqual(['us_sp_1'])
    expect(seenBy({ roles: [held('reader', { environmentId })] })).toEqual(['us_sp_1', 'us_sp_2'])
    expect(guests.shownGuest({ accountId, actorId: 'x', role: 'administrator' }, one)).toBe(one)
  })
})
