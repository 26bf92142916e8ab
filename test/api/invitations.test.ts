import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getData, pluck } from '../support/api.ts'
import { anybody, type Caller, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { createGuest, createSpace } from '../support/resources.ts'

type Way = 'magic_link' | 'shared_link'

beforeAll(createFreshAccount)

const newSpace = (guestAuthentication: Way) => createSpace({ name: 'Import', guestAuthentication })
const newGuest = (...spaceIds: string[]) => createGuest(spaceIds.map((id) => ({ id })))
const mailsTo = async (email: string) =>
  (await must('GET', '/invitations?pageSize=1000')).filter(({ to }: { to: string }) => to === email)
const linkIn = (text: string) => new URL(/^https?:.*$/m.exec(text)![0])
const tokenIn = (link: URL) => link.hash.replace('#token=', '')
const exchange = (body: object) => getData(anybody('POST', '/invitations/exchange', body))
const INVALID = { valid: false }

async function invited(way: Way = 'magic_link') {
  const space = await newSpace(way)
  const guest = await newGuest(space.id)
  await must('POST', '/invitations', [{ guestId: guest.id, spaceId: space.id, fromName: 'Ada', message: 'Hi!' }])
  const [mail] = await mailsTo(guest.email)
  return { space, guest, mail, token: tokenIn(linkIn(mail.text)) }
}

describe('a magic link', () => {
  it('signs the guest in to the space, once', async () => {
    const { space, guest, mail, token } = await invited()
    expect(mail).toMatchObject({
      to: guest.email,
      spaceId: space.id,
      guestId: guest.id,
      subject: 'Invitation to Import',
    })
    expect(mail.text).toMatch(/Ada invites you.*Hi!/s)
    const entry = await exchange({ token })
    expect(entry.valid).toBe(true)
    expect((await createCaller(entry.token)('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect(await exchange({ token })).toEqual(INVALID)
    expect((await mailsTo(guest.email))[0].usedAt).toBeDefined()
    const [grant] = (await must('GET', `/guests/${guest.id}`)).spaces
    expect(Date.now() - Date.parse(grant.lastAccessed)).toBeLessThan(60_000)
  })

  it('works for only one of many concurrent uses', async () => {
    const { token } = await invited()
    const entries = await Promise.all(Array.from({ length: 8 }, () => exchange({ token })))
    expect(entries.filter(({ valid }) => valid)).toHaveLength(1)
  })

  it('is rejected when it is forged, expired, or the guest has lost the space', async () => {
    const { token, mail, space } = await invited()
    expect(await exchange({ token: `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}` })).toEqual(INVALID)
    expect(await exchange({ token: 'anything' })).toEqual(INVALID)
    const { Invitations } = await import('../../lib/entities/invitations.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const stored = (await Invitations.get(mail.id))!
    expect(JSON.stringify(stored)).not.toContain(token)
    const createdAt = new Date(Date.now() - 15 * 60_000 - 1).toISOString()
    await transact([Invitations.replace(stored, { ...stored, createdAt })])
    expect(await exchange({ token })).toEqual(INVALID)
    const other = await invited()
    await must('DELETE', `/guests/${other.guest.id}?spaceId=${other.space.id}`)
    expect(await exchange({ token: other.token })).toEqual(INVALID)
    const third = await invited()
    await must('DELETE', `/guests/${third.guest.id}`)
    const config = { environmentId, email: third.guest.email, name: 'Again', spaces: [{ id: space.id }] }
    await must('POST', '/guests', config)
    expect(await exchange({ token: third.token })).toEqual(INVALID)
  })

  it('is mailed only to guests of the space; others get the same response in the same time', async () => {
    const space = await newSpace('magic_link')
    const guest = await newGuest(space.id)
    const outsider = await newGuest()
    const ask = async (email: string, spaceId: string) => {
      const start = performance.now()
      const answer = await anybody('POST', '/invitations/exchange', { email, spaceId })
      return { status: answer.status, body: answer.body, milliseconds: performance.now() - start }
    }
    for (const [email, spaceId] of [
      [guest.email, space.id],
      [outsider.email, space.id],
      ['nobody@example.com', space.id],
      [guest.email, 'us_sp_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ]) {
      const { status, body, milliseconds } = await ask(email, spaceId)
      expect([status, body]).toEqual([200, { data: { valid: true, sentTo: email } }])
      expect(milliseconds).toBeGreaterThan(390)
    }
    expect(await mailsTo(outsider.email)).toEqual([])
    await ask(guest.email, space.id)
    const mails = await mailsTo(guest.email)
    expect(mails).toHaveLength(1)
    expect((await exchange({ token: tokenIn(linkIn(mails[0].text)) })).valid).toBe(true)
  })
})

describe('a shared link', () => {
  it('admits guests of the space, to this space only', async () => {
    const { space, guest, token, mail } = await invited('shared_link')
    const other = await newSpace('shared_link')
    await must('PATCH', `/guests/${guest.id}`, { spaces: [{ id: space.id }, { id: other.id }] })
    expect((await must('GET', `/spaces/${space.id}`)).guestLink).toBe(linkIn(mail.text).href)
    const entry = await exchange({ token, email: guest.email.toUpperCase() })
    const inside = createCaller(entry.token)
    expect((await inside('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await getData(inside('GET', `/spaces/${space.id}`))).guestLink).toBeUndefined()
    expect((await inside('GET', `/spaces/${other.id}`)).status).toBe(404)
    expect((await inside('GET', `/guests/${guest.id}/token?spaceId=${other.id}`)).status).toBe(403)
    expect((await inside('GET', `/guests/${guest.id}/token`)).status).toBe(403)
    expect(pluck((await getData(inside('GET', `/guests/${guest.id}`))).spaces, 'id')).toEqual([space.id])
    expect(await exchange({ token })).toEqual(INVALID)
    expect(await exchange({ token, email: 'nobody@example.com' })).toEqual(INVALID)
    expect(await exchange({ token: token.replace(space.id, other.id), email: guest.email })).toEqual(INVALID)
  })

  it('rejects deleted guests, and everyone once the space requires magic links', async () => {
    const { guest, token, space } = await invited('shared_link')
    await must('DELETE', `/guests/${guest.id}`)
    expect(await exchange({ token, email: guest.email })).toEqual(INVALID)
    const late = await newGuest(space.id)
    expect((await exchange({ token, email: late.email })).valid).toBe(true)
    await must('PATCH', `/spaces/${space.id}`, { guestAuthentication: 'magic_link' })
    expect(await exchange({ token, email: late.email })).toEqual(INVALID)
  })
})

describe('inviting', () => {
  it('is for guests of the space, by callers with access to it', async () => {
    const [space, other] = [await newSpace('magic_link'), await newSpace('magic_link')]
    const [one, two] = [await newGuest(space.id), await newGuest(space.id)]
    const getStatus = async (by: Caller, guestId: string, spaceId: string) =>
      (await by('POST', '/invitations', { guestId, spaceId })).status
    expect(await getStatus(call, one.id, other.id)).toBe(404)
    expect(await getStatus(call, 'us_g_none', space.id)).toBe(404)
    const stranger = createCaller((await createTestAccount()).secretKey)
    expect(await getStatus(stranger, one.id, space.id)).toBe(404)
    const guest = createCaller((await must('GET', `/guests/${one.id}/token`)).token)
    expect(await getStatus(guest, two.id, other.id)).toBe(404)
    expect(await getStatus(guest, two.id, space.id)).toBe(200)
    expect(await getStatus(guest, two.id, space.id)).toBe(409)
    expect((await guest('GET', '/invitations')).status).toBe(403)
    await must('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuestInvite: false } } })
    expect(await getStatus(guest, one.id, space.id)).toBe(403)
    const many = Array.from({ length: 21 }, () => ({ guestId: two.id, spaceId: space.id }))
    expect((await guest('POST', '/invitations', many)).status).toBe(400)
    const line = { guestId: one.id, spaceId: space.id, fromName: 'Ada\r\nBcc: all@example.com' }
    expect((await call('POST', '/invitations', [line])).status).toBe(400)
  })
})
