/** Guests are invited by mail and come in by links. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import {
  clipItem,
  drop,
  environmentItem,
  guest,
  type Place,
  place,
  put,
  spaceItem,
  tail,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let inv: typeof import('../../../lib/auth/invitations.ts')
let links: typeof import('../../../lib/auth/guest-links.ts')
let outbox: typeof import('../../../lib/auth/outbox.ts')
let p: typeof import('../../../lib/auth/principal.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Guests: typeof import('../../../lib/entities/guests.ts')['Guests']
let Invitations: typeof import('../../../lib/entities/invitations.ts')['Invitations']
let here: Place
/** A space whose guests come in by a shared link. */
let shared: Place

beforeAll(async () => {
  cloud = await authCloud({ GUEST_URL: 'https://guests.example' })
  inv = await import('../../../lib/auth/invitations.ts')
  links = await import('../../../lib/auth/guest-links.ts')
  outbox = await import('../../../lib/auth/outbox.ts')
  p = await import('../../../lib/auth/principal.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Guests = (await import('../../../lib/entities/guests.ts')).Guests
  Invitations = (await import('../../../lib/entities/invitations.ts')).Invitations
  here = await place()
  const { accountId, environmentId } = here
  shared = await place({ accountId, environmentId }, { space: { guestAuthentication: 'shared_link', name: 'Shared' } })
})
afterAll(() => cloud.close())

const admin = (): Principal => ({ accountId: here.accountId, actorId: 'us_usr_x', role: 'administrator' })
const asGuest = (spaceId: string, more: Partial<Principal> = {}): Principal => ({
  ...admin(),
  role: 'singleSpaceGuest',
  environmentId: here.environmentId,
  grants: [{ id: spaceId }],
  ...more,
})
async function invite(guestId: string, spaceId: string, more: object = {}, by = admin(), now?: string) {
  const tx = begin({ accountId: here.accountId, actorId: by.actorId }, now)
  await inv.invite(tx, by, { guestId, spaceId, ...more } as never)
  await tx.commit()
}
const mailsTo = async (guestId: string) => (await Invitations.newestOf(guestId)).map(outbox.shownMail)
const tokenOf = (text: string) => /#token=(\S+)/.exec(text)![1]!
async function magicLink(guestId: string, spaceId = here.spaceId, now?: string) {
  await invite(guestId, spaceId, {}, admin(), now)
  return tokenOf((await mailsTo(guestId))[0]!.text!)
}
const INVALID = { valid: false }
const exchange = (asked: object) => inv.exchange(asked as never)

describe('an invitation', () => {
  it('is a mail with a magic link, in the words of who invites', async () => {
    const one = await guest(here, [{ id: here.spaceId }])
    await invite(one.id, here.spaceId, { fromName: 'Ada', message: 'Have a look.' })
    const [mail] = await mailsTo(one.id)
    const token = tokenOf(mail!.text!)
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
    const { sha256 } = await import('../../../lib/auth/secrets.ts')
    expect((await Invitations.get(mail!.id))!.hash).toBe(sha256(token))
  })

  it('to a space with a shared link has that link, and no word of nobody', async () => {
    const one = await guest(here, [{ id: shared.spaceId }])
    await invite(one.id, shared.spaceId)
    const [mail] = await mailsTo(one.id)
    expect(mail!.subject).toBe('Your link to Shared')
    expect(mail!.text).toBe(
      [
        'Hello Guest,',
        'this is your link to Shared.',
        `https://guests.example/s/${shared.spaceId}#token=${links.sharedToken({ id: shared.spaceId })}`,
        `Enter this address there: ${one.email}`,
      ].join('\n\n'),
    )
    expect(await Invitations.get(mail!.id)).not.toHaveProperty('hash')
  })

  it('is for guests who have the space', async () => {
    const elsewhere = await place()
    const [other, stranger] = [
      await guest(here, [{ id: shared.spaceId }]),
      await guest(elsewhere, [{ id: here.spaceId }]),
    ]
    for (const id of [other.id, stranger.id, 'us_g_none'])
      expect(await problem(() => invite(id, here.spaceId))).toBe(`404 not-found: There is no guest ${id}.`)
    expect(await problem(() => invite(other.id, elsewhere.spaceId))).toBe(
      `404 not-found: There is no space ${elsewhere.spaceId}.`,
    )
    expect(
      await problem(() => invite(other.id, shared.spaceId, {}, asGuest(shared.spaceId, { clipId: 'us_clip_x' }))),
    ).toMatch(/^403/)
  })

  it('by a guest is once a minute, and where the sidebar lets it', async () => {
    const one = await guest(here, [{ id: here.spaceId }, { id: shared.spaceId }])
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
    await invite(one.id, here.spaceId, {}, asGuest(here.spaceId), ago(61_000))
    await invite(one.id, here.spaceId, {}, asGuest(here.spaceId), ago(0))
    const soon = '409 conflict: The guest was invited less than 60 seconds ago.'
    expect(await problem(() => invite(one.id, here.spaceId, {}, asGuest(here.spaceId)))).toBe(soon)
    await invite(one.id, here.spaceId)
    const grants = [{ id: here.spaceId }, { id: shared.spaceId }]
    await invite(one.id, shared.spaceId, {}, asGuest(here.spaceId, { grants }))
    expect(await problem(() => invite(one.id, shared.spaceId, {}, asGuest(here.spaceId)))).toMatch(/^404/)
    const closed = await place(
      { accountId: here.accountId, environmentId: here.environmentId },
      { space: { settings: { sidebarConfig: { showGuestInvite: false } } } },
    )
    const two = await guest(here, [{ id: closed.spaceId }])
    expect(await problem(() => invite(two.id, closed.spaceId, {}, asGuest(closed.spaceId)))).toBe(
      '403 forbidden: Guests may not invite others to this space.',
    )
    await invite(two.id, closed.spaceId)
    // Sixty seconds later to the millisecond it is time again.
    const three = await guest(here, [{ id: here.spaceId }])
    const [at, then] = [Date.parse('2026-01-02T03:04:05.678Z'), Date.parse('2026-01-02T03:05:05.678Z')]
    await invite(three.id, here.spaceId, {}, admin(), new Date(at).toISOString())
    expect(
      await problem(() => invite(three.id, here.spaceId, {}, asGuest(here.spaceId), new Date(then - 1).toISOString())),
    ).toBe(soon)
    await invite(three.id, here.spaceId, {}, asGuest(here.spaceId), new Date(then).toISOString())
  })
})

describe('a magic link', () => {
  it('lets in once, and notes the use and the visit', async () => {
    const one = await guest(here, [{ id: shared.spaceId }, { id: here.spaceId }])
    const token = await magicLink(one.id)
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

  it('is used by one of many at the same moment, and not spent by an error', async () => {
    const one = await guest(here, [{ id: here.spaceId }])
    const token = await magicLink(one.id)
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

  it('lets nobody in that is forged, too old, or of what is gone', async () => {
    const one = await guest(here, [{ id: here.spaceId }])
    const token = await magicLink(one.id)
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
    const aged = (ms: number) => magicLink(one.id, here.spaceId, new Date(Date.now() - ms).toISOString())
    const [late, soon] = [await aged(15 * 60_000 + 1000), await aged(15 * 60_000 - 30_000)]
    expect(await exchange({ token: late })).toEqual(INVALID)
    expect((await exchange({ token: soon })).valid).toBe(true)
    // A mail without a magic link has no token.
    const two = await guest(here, [{ id: shared.spaceId }])
    await invite(two.id, shared.spaceId)
    const [mail] = await Invitations.newestOf(two.id)
    expect(await exchange({ token: `${mail!.id}_${'A'.repeat(43)}` })).toEqual(INVALID)
  })

  it('lets nobody in who has lost the space or is gone, nor once the space wants a shared link or is gone', async () => {
    const own = await place({ accountId: here.accountId, environmentId: here.environmentId })
    const linked = async () => {
      const one = await guest(here, [{ id: own.spaceId }])
      return { one, token: await magicLink(one.id, own.spaceId) }
    }
    const [gone, lost, kept] = [await linked(), await linked(), await linked()]
    await drop('guest', gone.one.id)
    expect(await exchange({ token: gone.token })).toEqual(INVALID)
    await put('guest', { ...lost.one, spaces: [{ id: here.spaceId }] })
    expect(await exchange({ token: lost.token })).toEqual(INVALID)
    await put('space', spaceItem(own, { guestAuthentication: 'shared_link' }))
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await drop('space', own.spaceId)
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await put('space', spaceItem(own))
    await drop('environment', own.environmentId)
    expect(await exchange({ token: kept.token })).toEqual(INVALID)
    await put('environment', environmentItem(own))
    expect((await exchange({ token: kept.token })).valid).toBe(true)
  })

  it('is mailed to whom asks and has the space, once a minute; others are answered alike', async () => {
    const one = await guest(here, [{ id: here.spaceId }])
    const ask = async (email: string, spaceId: string) => {
      const begun = Date.now()
      const answer = await exchange({ email, spaceId })
      expect(Date.now() - begun).toBeGreaterThanOrEqual(390)
      return answer
    }
    const mails = async () => (await mailsTo(one.id)).length
    const elsewhere = await place()
    const asked = [
      [one.email, shared.spaceId],
      [one.email, 'us_sp_none'],
      [one.email, elsewhere.spaceId],
      ['nobody@example.com', here.spaceId],
      [(await guest(here, [])).email, here.spaceId],
    ] as const
    const answers = await Promise.all(asked.map(([email, spaceId]) => ask(email, spaceId)))
    expect(answers).toEqual(asked.map(([email]) => ({ valid: true, sentTo: email })))
    expect(await mails()).toBe(0)
    expect(await ask(one.email, here.spaceId)).toEqual({ valid: true, sentTo: one.email })
    expect(await mails()).toBe(1)
    const [mail] = await mailsTo(one.id)
    expect(mail!.subject).toBe('Your link to Space')
    expect(mail!.text).toContain('this is your link to Space.')
    await ask(one.email, here.spaceId)
    expect(await mails()).toBe(1)
    expect((await exchange({ token: tokenOf(mail!.text!) })).valid).toBe(true)
    // Not of an environment that is gone, and not told of where it fails.
    const doomed = await place()
    const two = await guest(doomed, [{ id: doomed.spaceId }])
    await drop('environment', doomed.environmentId)
    await ask(two.email, doomed.spaceId)
    expect(await mailsTo(two.id)).toEqual([])
    const { documents } = await import('../../../lib/table/client.ts')
    const { log } = await import('../../../lib/core/log.ts')
    const logged = vi.spyOn(log, 'error').mockImplementation(() => {})
    await ask('nobody@example.com', here.spaceId)
    expect(logged).not.toHaveBeenCalled()
    const broken = vi.spyOn(documents, 'send').mockRejectedValue(new Error('no table') as never)
    expect(await ask(one.email, here.spaceId)).toEqual({ valid: true, sentTo: one.email })
    broken.mockRestore()
    expect(logged.mock.calls).toEqual([['No magic link was mailed', { error: expect.any(Error) }]])
    logged.mockRestore()
  })
})

describe('a shared link', () => {
  it('lets in who has the space, into it alone', async () => {
    const one = await guest(here, [{ id: here.spaceId }, { id: shared.spaceId }])
    const token = links.sharedToken({ id: shared.spaceId })
    const answer = await exchange({ token, email: one.email })
    expect(answer).toEqual({ valid: true, token: expect.any(String) })
    expect(await p.authenticate(answer.token!)).toMatchObject({ actorId: one.id, spaceId: shared.spaceId, fixed: true })
    expect((await exchange({ token, email: one.email })).valid).toBe(true)
    const without = await guest(here, [{ id: here.spaceId }])
    for (const asked of [
      { token },
      { token, email: 'nobody@example.com' },
      { token, email: without.email },
      { token: `${token}x`, email: one.email },
      { token: links.sharedToken({ id: here.spaceId }), email: one.email },
      { token: links.sharedToken({ id: 'us_sp_none' }), email: one.email },
    ])
      expect(await exchange(asked)).toEqual(INVALID)
  })
})

describe('the link of a public clip', () => {
  it('lets in everybody with it, and makes a guest of nothing of who is none', async () => {
    const clip = clipItem(here, { sharedLinkAccess: 'public' })
    await put('clip', clip)
    const token = links.sharedToken({ id: clip.id })
    const email = `${tail()}@example.com`.toLowerCase()
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
    const known = await guest(here, [{ id: here.spaceId }])
    const again = await exchange({ token, email: known.email })
    expect(await p.authenticate(again.token!)).toMatchObject({ actorId: known.id, clipId: clip.id })
    expect(await exchange({ token })).toEqual(INVALID)
    await put('clip', { ...clip, sharedLinkAccess: 'restricted' })
    expect(await exchange({ token, email })).toEqual(INVALID)
    expect(await exchange({ token: links.sharedToken({ id: 'us_clip_none' }), email })).toEqual(INVALID)
  })
})
