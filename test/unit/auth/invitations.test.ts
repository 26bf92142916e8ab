/** Guest invitations by email and sign-in by links. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { type AuthCloud, catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  buildClipItem,
  buildEnvironmentItem,
  buildSpaceItem,
  createGuest,
  createScope,
  deleteItem,
  newIdSuffix,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let inv: typeof import('../../../lib/auth/invitations.ts')
let links: typeof import('../../../lib/auth/guest-links.ts')
let outbox: typeof import('../../../lib/mail/outbox.ts')
let p: typeof import('../../../lib/auth/principal.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Guests: typeof import('../../../lib/entities/guests.ts')['Guests']
let Invitations: typeof import('../../../lib/entities/invitations.ts')['Invitations']
let here: SeedScope
let shared: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud({ GUEST_URL: 'https://guests.example' })
  inv = await import('../../../lib/auth/invitations.ts')
  links = await import('../../../lib/auth/guest-links.ts')
  outbox = await import('../../../lib/mail/outbox.ts')
  p = await import('../../../lib/auth/principal.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Guests = (await import('../../../lib/entities/guests.ts')).Guests
  Invitations = (await import('../../../lib/entities/invitations.ts')).Invitations
  here = await createScope()
  const { accountId, environmentId } = here
  shared = await createScope(
    { accountId, environmentId },
    { space: { guestAuthentication: 'shared_link', name: 'Shared' } },
  )
})
afterAll(() => cloud.close())

const buildAdmin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })
const buildGuest = (spaceId: string, more: Partial<Principal> = {}): Principal => ({
  ...buildAdmin(),
  role: 'singleSpaceGuest',
  environmentId: here.environmentId,
  grants: [{ id: spaceId }],
  ...more,
})
async function invite(guestId: string, spaceId: string, more: object = {}, by = buildAdmin(), now?: string) {
  const tx = begin({ accountId: here.accountId, actorId: by.actorId }, now)
  await inv.inviteGuest(tx, by, { guestId, spaceId, ...more } as never)
  await tx.commit()
}
const listMails = async (guestId: string) => (await Invitations.newestOf(guestId)).map(outbox.serializeMail)
const parseToken = (text: string) => /#token=(\S+)/.exec(text)![1]!
async function createMagicLink(guestId: string, spaceId = here.spaceId, now?: string) {
  await invite(guestId, spaceId, {}, buildAdmin(), now)
  return parseToken((await listMails(guestId))[0]!.text!)
}
const INVALID = { valid: false }
const exchange = (asked: object) => inv.redeemLink(asked as never)

describe('invitation', () => {
  it("is an email with a magic link and the inviter's message", async () => {
    const one = await createGuest(here, [{ id: here.spaceId }])
    await invite(one.id, here.spaceId, { fromName: 'Ada', message: 'Have a look.' })
    const [mail] = await listMails(one.id)
    const token = parseToken(mail!.text!)
    expect(token).toBe(`${mail!.id}_${token.slice(-43)}`)
    expect(mail).toMatchObject({
      to: one.email,
      subject: 'Invitation to Space',
      guestId: one.id,
      spaceId: here.spaceId,
      environmentId: here.environmentId,
      accountId: here.accountId,
    })
    expect(mail!.text).toBe(
      [
        'Hello Guest,',
        'Ada invites you to Space.',
        'Have a look.',
        `https://guests.example/s/${here.spaceId}#token=${token}`,
        'The link works once, within 15 minutes.',
      ].join('\n\n'),
    )
    const { sha256 } = await import('../../../lib/core/crypto.ts')
    expect((await Invitations.get(mail!.id))!.hash).toBe(sha256(token))
  })

  it('to a space with a shared link contains that link and no empty message', async () => {
    const one = await createGuest(here, [{ id: shared.spaceId }])
    await invite(one.id, shared.spaceId)
    const [mail] = await listMails(one.id)
    expect(mail!.subject).toBe('Your link to Shared')
    expect(mail!.text).toBe(
      [
        'Hello Guest,',
        'this is your link to Shared.',
        `https://guests.example/s/${shared.spaceId}#token=${links.buildSharedToken({ id: shared.spaceId })}`,
        `Sign in there with this address: ${one.email}`,
      ].join('\n\n'),
    )
    expect(await Invitations.get(mail!.id)).not.toHaveProperty('hash')
  })

  it('is only for guests of the space', async () => {
    const elsewhere = await createScope()
    const [other, stranger] = [
      await createGuest(here, [{ id: shared.spaceId }]),
      await createGuest(elsewhere, [{ id: here.spaceId }]),
    ]
    for (const id of [other.id, stranger.id, 'us_g_none'])
      expect(await catchProblem(() => invite(id, here.spaceId))).toBe(`404 not-found: There is no guest ${id}.`)
    expect(await catchProblem(() => invite(other.id, elsewhere.spaceId))).toBe(
      `404 not-found: There is no space ${elsewhere.spaceId}.`,
    )
    expect(
      await catchProblem(() =>
        invite(other.id, shared.spaceId, {}, buildGuest(shared.spaceId, { clipId: 'us_clip_x' })),
      ),
    ).toMatch(/^403/)
  })

  it('by a guest is limited to one per minute, and to spaces that allow it', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }, { id: shared.spaceId }])
    const timeAgo = (ms: number) => new Date(Date.now() - ms).toISOString()
    await invite(one.id, here.spaceId, {}, buildGuest(here.spaceId), timeAgo(61_000))
    await invite(one.id, here.spaceId, {}, buildGuest(here.spaceId), timeAgo(0))
    const soon = '409 conflict: The guest was invited less than 60 seconds ago.'
    expect(await catchProblem(() => invite(one.id, here.spaceId, {}, buildGuest(here.spaceId)))).toBe(soon)
    await invite(one.id, here.spaceId)
    const grants = [{ id: here.spaceId }, { id: shared.spaceId }]
    await invite(one.id, shared.spaceId, {}, buildGuest(here.spaceId, { grants }))
    expect(await catchProblem(() => invite(one.id, shared.spaceId, {}, buildGuest(here.spaceId)))).toMatch(/^404/)
    const closed = await createScope(
      { accountId: here.accountId, environmentId: here.environmentId },
      { space: { settings: { sidebarConfig: { showGuestInvite: false } } } },
    )
    const two = await createGuest(here, [{ id: closed.spaceId }])
    expect(await catchProblem(() => invite(two.id, closed.spaceId, {}, buildGuest(closed.spaceId)))).toBe(
      '403 forbidden: Guests cannot invite others to this space.',
    )
    await invite(two.id, closed.spaceId)
    const three = await createGuest(here, [{ id: here.spaceId }])
    const [at, then] = [Date.parse('2026-01-02T03:04:05.678Z'), Date.parse('2026-01-02T03:05:05.678Z')]
    await invite(three.id, here.spaceId, {}, buildAdmin(), new Date(at).toISOString())
    expect(
      await catchProblem(() =>
        invite(three.id, here.spaceId, {}, buildGuest(here.spaceId), new Date(then - 1).toISOString()),
      ),
    ).toBe(soon)
    await invite(three.id, here.spaceId, {}, buildGuest(here.spaceId), new Date(then).toISOString())
  })
})

describe('magic link', () => {
  it('works once, and records its use and the visit', async () => {
    const one = await createGuest(here, [{ id: shared.spaceId }, { id: here.spaceId }])
    const token = await createMagicLink(one.id)
    const answer = await exchange({ token })
    expect(answer).toEqual({ valid: true, token: expect.any(String) })
    const entered = await p.authenticate(answer.token!)
    expect(entered).toMatchObject({ actorId: one.id })
    expect(entered!.grants!.map(({ id }) => id)).toContain(here.spaceId)
    expect(entered).not.toHaveProperty('spaceId')
    expect(entered).not.toHaveProperty('fixed')
    const [mail] = await Invitations.newestOf(one.id)
    expect(Math.abs(Date.parse(mail!.usedAt!) - Date.now())).toBeLessThan(30_000)
    const [other, space] = (await Guests.get(one.id))!.spaces
    expect(other).toEqual({ id: shared.spaceId })
    expect(Math.abs(Date.parse(space!.lastAccessed!) - Date.now())).toBeLessThan(30_000)
    expect(await exchange({ token })).toEqual(INVALID)
  })

  it('is used by one of many concurrent requests, and not consumed by an error', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }])
    const token = await createMagicLink(one.id)
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const broken = vi
      .spyOn(documents, 'send')
      .mockImplementation(((command: { constructor: { name: string } }) =>
        command.constructor.name === 'PutCommand'
          ? Promise.reject(new Error('no table'))
          : send(command as never)) as never)
    await expect(exchange({ token })).rejects.toThrow('no table')
    broken.mockRestore()
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange({ token })))
    expect(answers.filter(({ valid }) => valid)).toHaveLength(1)
    expect(answers.filter(({ valid }) => !valid)).toEqual([INVALID, INVALID, INVALID])
  })

  it('is rejected when it is forged, expired or of a deleted resource', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }])
    const token = await createMagicLink(one.id)
    const id = token.slice(0, -44)
    for (const forged of [
      '',
      'x',
      id,
      `${id}_${'A'.repeat(43)}`,
      `us_inv_${'0'.repeat(26)}_${token.slice(-43)}`,
      `${token}x`,
    ])
      expect(await exchange({ token: forged }), forged).toEqual(INVALID)
    const createAgedLink = (ms: number) =>
      createMagicLink(one.id, here.spaceId, new Date(Date.now() - ms).toISOString())
    const [late, soon] = [await createAgedLink(15 * 60_000 + 1000), await createAgedLink(15 * 60_000 - 30_000)]
    expect(await exchange({ token: late })).toEqual(INVALID)
    expect((await exchange({ token: soon })).valid).toBe(true)
    const two = await createGuest(here, [{ id: shared.spaceId }])
    await invite(two.id, shared.spaceId)
    const [mail] = await Invitations.newestOf(two.id)
    expect(await exchange({ token: `${mail!.id}_${'A'.repeat(43)}` })).toEqual(INVALID)
  })

  it('is rejected for a deleted guest, a lost or deleted space, or a space with shared links', async () => {
    const own = await createScope({ accountId: here.accountId, environmentId: here.environmentId })
    const createLinked = async () => {
      const one = await createGuest(here, [{ id: own.spaceId }])
      return { one, token: await createMagicLink(one.id, own.spaceId) }
    }
    const [gone, lost, kept] = [await createLinked(), await createLinked(), await createLinked()]
    await deleteItem('guest', gone.one.id)
    expect(await exchange({ token: gone.token })).toEqual(INVALID)
    await putItem('guest', { ...lost.one, spaces: [{ id: here.spaceId }] })
    expect(await exchange({ token: lost.token })).toEqual(INVALID)
    await putItem('space', buildSpaceItem(own, { guestAuthentication: 'shared_link' }))
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await deleteItem('space', own.spaceId)
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await putItem('space', buildSpaceItem(own))
    await deleteItem('environment', own.environmentId)
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await putItem('environment', buildEnvironmentItem(own))
    expect((await exchange({ token: kept.token })).valid).toBe(true)
  })

  it('is emailed on request to guests of the space, once a minute, with the same response for others', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }])
    const requestLink = async (email: string, spaceId: string) => {
      const begun = Date.now()
      const answer = await exchange({ email, spaceId })
      expect(Date.now() - begun).toBeGreaterThanOrEqual(390)
      return answer
    }
    const countMails = async () => (await listMails(one.id)).length
    const elsewhere = await createScope()
    const asked = [
      [one.email, shared.spaceId],
      [one.email, 'us_sp_none'],
      [one.email, elsewhere.spaceId],
      ['nobody@example.com', here.spaceId],
      [(await createGuest(here, [])).email, here.spaceId],
    ] as const
    const answers = await Promise.all(asked.map(([email, spaceId]) => requestLink(email, spaceId)))
    expect(answers).toEqual(asked.map(([email]) => ({ valid: true, sentTo: email })))
    expect(await countMails()).toBe(0)
    expect(await requestLink(one.email, here.spaceId)).toEqual({ valid: true, sentTo: one.email })
    expect(await countMails()).toBe(1)
    const [mail] = await listMails(one.id)
    expect(mail!.subject).toBe('Your link to Space')
    expect(mail!.text).toContain('this is your link to Space.')
    await requestLink(one.email, here.spaceId)
    expect(await countMails()).toBe(1)
    expect((await exchange({ token: parseToken(mail!.text!) })).valid).toBe(true)
    const doomed = await createScope()
    const two = await createGuest(doomed, [{ id: doomed.spaceId }])
    await deleteItem('environment', doomed.environmentId)
    await requestLink(two.email, doomed.spaceId)
    expect(await listMails(two.id)).toEqual([])
    const { documents } = await import('../../../lib/table/client.ts')
    const { log } = await import('../../../lib/core/log.ts')
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {})
    await requestLink('nobody@example.com', here.spaceId)
    expect(logged).not.toHaveBeenCalled()
    const broken = vi.spyOn(documents, 'send').mockRejectedValue(new Error('no table') as never)
    expect(await requestLink(one.email, here.spaceId)).toEqual({ valid: true, sentTo: one.email })
    broken.mockRestore()
    expect(logged.mock.calls).toEqual([['Failed to send a magic link', { error: expect.any(Error) }]])
    logged.mockRestore()
  })
})

describe('shared link', () => {
  it('signs in guests of the space, to this space only', async () => {
    const one = await createGuest(here, [{ id: here.spaceId }, { id: shared.spaceId }])
    const token = links.buildSharedToken({ id: shared.spaceId })
    const answer = await exchange({ token, email: one.email })
    expect(answer).toEqual({ valid: true, token: expect.any(String) })
    expect(await p.authenticate(answer.token!)).toMatchObject({ actorId: one.id, spaceId: shared.spaceId, fixed: true })
    expect((await exchange({ token, email: one.email })).valid).toBe(true)
    const without = await createGuest(here, [{ id: here.spaceId }])
    for (const asked of [
      { token },
      { token, email: 'nobody@example.com' },
      { token, email: without.email },
      { token: `${token}x`, email: one.email },
      { token: links.buildSharedToken({ id: here.spaceId }), email: one.email },
      { token: links.buildSharedToken({ id: 'us_sp_none' }), email: one.email },
    ])
      expect(await exchange(asked)).toEqual(INVALID)
  })
})

describe('link of a public clip', () => {
  it('admits everyone who has it, without creating grants for guests without any', async () => {
    const clip = buildClipItem(here, { sharedLinkAccess: 'public' })
    await putItem('clip', clip)
    const token = links.buildSharedToken({ id: clip.id })
    const email = `${newIdSuffix()}@example.com`.toLowerCase()
    const answer = await exchange({ token, email })
    expect(answer).toEqual({ valid: true, token: expect.any(String) })
    const made = (await Guests.byEmail(here.environmentId, email))!
    expect(made).toMatchObject({
      email,
      name: email.slice(0, email.indexOf('@')),
      spaces: [],
      accountId: here.accountId,
    })
    expect(await p.authenticate(answer.token!)).toMatchObject({ actorId: made.id, clipId: clip.id, fixed: true })
    expect((await p.authenticate((await exchange({ token, email })).token!))!.actorId).toBe(made.id)
    const known = await createGuest(here, [{ id: here.spaceId }])
    const again = await exchange({ token, email: known.email })
    expect(await p.authenticate(again.token!)).toMatchObject({ actorId: known.id, clipId: clip.id })
    expect(await exchange({ token })).toEqual(INVALID)
    await putItem('clip', { ...clip, sharedLinkAccess: 'restricted' })
    expect(await exchange({ token, email })).toEqual(INVALID)
    expect(await exchange({ token: links.buildSharedToken({ id: 'us_clip_none' }), email })).toEqual(INVALID)
  })
})
