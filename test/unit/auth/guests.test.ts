/** Granting and revoking spaces, the rights to do so, and which guests a caller can see. */
import { beforeEach, describe, expect, it } from 'vitest'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { AT, buildEnvironmentItem, buildSpaceItem, createGuest, createScope } from '../../support/auth-items.ts'

const cloud = await startAuthCloud()
const guests = await import('../../../lib/auth/guests.ts')
const begin = (await import('../../../lib/tx.ts')).begin
const Guests = (await import('../../../lib/entities/guests.ts')).Guests
const here = await createScope()
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
