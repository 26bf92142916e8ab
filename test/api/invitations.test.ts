/** How guests come in: magic links by mail, and a link that the guests of a space share. */
import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, server, type TestAccount } from '../support/api.ts'

type Call = ReturnType<typeof callerOf>
type Way = 'magic_link' | 'shared_link'

let account: TestAccount
let call: Call
let environmentId: string
let count = 0
const anybody = callerOf(undefined)

beforeAll(async () => {
  account = await mintAccount()
  environmentId = account.environmentId
  call = callerOf(account.secretKey)
})

const newSpace = (guestAuthentication: Way) =>
  dataOf(call('POST', '/spaces', { environmentId, name: 'Import', guestAuthentication }))
const newGuest = async (...spaceIds: string[]) => {
  const spaces = spaceIds.map((id) => ({ id }))
  const config = { environmentId, email: `guest-${count++}@example.com`, name: 'Grace', spaces }
  return (await dataOf(call('POST', '/guests', config)))[0]
}
const mailsTo = async (email: string) =>
  (await dataOf(call('GET', '/invitations?pageSize=1000'))).filter(({ to }: { to: string }) => to === email)
const linkIn = (text: string) => new URL(/^https?:.*$/m.exec(text)![0])
const tokenIn = (link: URL) => link.hash.replace('#token=', '')
const exchange = (body: object) => dataOf(anybody('POST', '/invitations/exchange', body))
const INVALID = { valid: false }

async function invited(way: Way = 'magic_link') {
  const space = await newSpace(way)
  const guest = await newGuest(space.id)
  await dataOf(
    call('POST', '/invitations', [{ guestId: guest.id, spaceId: space.id, fromName: 'Ada', message: 'Hi!' }]),
  )
  const [mail] = await mailsTo(guest.email)
  return { space, guest, mail, token: tokenIn(linkIn(mail.text)) }
}

describe('a magic link', () => {
  it('lets the guest into the space, once', async () => {
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
    expect((await callerOf(entry.token)('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect(await exchange({ token })).toEqual(INVALID)
    expect((await mailsTo(guest.email))[0].usedAt).toBeDefined()
    const [grant] = (await dataOf(call('GET', `/guests/${guest.id}`))).spaces
    expect(Date.now() - Date.parse(grant.lastAccessed)).toBeLessThan(60_000)
  })

  it('is used by one of many who use it at the same moment', async () => {
    const { token } = await invited()
    const entries = await Promise.all(Array.from({ length: 8 }, () => exchange({ token })))
    expect(entries.filter(({ valid }) => valid)).toHaveLength(1)
  })

  it('is refused when it is forged, old, or the guest has lost the space', async () => {
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
    await dataOf(call('DELETE', `/guests/${other.guest.id}?spaceId=${other.space.id}`))
    expect(await exchange({ token: other.token })).toEqual(INVALID)
    const third = await invited()
    await dataOf(call('DELETE', `/guests/${third.guest.id}`))
    const config = { environmentId, email: third.guest.email, name: 'Again', spaces: [{ id: space.id }] }
    await dataOf(call('POST', '/guests', config))
    expect(await exchange({ token: third.token })).toEqual(INVALID)
  })

  it('is mailed to whom asks and has the space; others get the same answer in the same time', async () => {
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
  it('lets in those who have the space, into this space alone', async () => {
    const { space, guest, token, mail } = await invited('shared_link')
    const other = await newSpace('shared_link')
    await dataOf(call('PATCH', `/guests/${guest.id}`, { spaces: [{ id: space.id }, { id: other.id }] }))
    expect((await dataOf(call('GET', `/spaces/${space.id}`))).guestLink).toBe(linkIn(mail.text).href)
    const entry = await exchange({ token, email: guest.email.toUpperCase() })
    const inside = callerOf(entry.token)
    expect((await inside('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await dataOf(inside('GET', `/spaces/${space.id}`))).guestLink).toBeUndefined()
    expect((await inside('GET', `/spaces/${other.id}`)).status).toBe(404)
    expect((await inside('GET', `/guests/${guest.id}/token?spaceId=${other.id}`)).status).toBe(403)
    expect((await inside('GET', `/guests/${guest.id}/token`)).status).toBe(403)
    expect((await dataOf(inside('GET', `/guests/${guest.id}`))).spaces.map(({ id }: { id: string }) => id)).toEqual([
      space.id,
    ])
    expect(await exchange({ token })).toEqual(INVALID)
    expect(await exchange({ token, email: 'nobody@example.com' })).toEqual(INVALID)
    expect(await exchange({ token: token.replace(space.id, other.id), email: guest.email })).toEqual(INVALID)
  })

  it('lets in nobody who was deleted, and nobody once the space wants magic links', async () => {
    const { guest, token, space } = await invited('shared_link')
    await dataOf(call('DELETE', `/guests/${guest.id}`))
    expect(await exchange({ token, email: guest.email })).toEqual(INVALID)
    const late = await newGuest(space.id)
    expect((await exchange({ token, email: late.email })).valid).toBe(true)
    await dataOf(call('PATCH', `/spaces/${space.id}`, { guestAuthentication: 'magic_link' }))
    expect(await exchange({ token, email: late.email })).toEqual(INVALID)
  })
})

describe('inviting', () => {
  it('is for guests of the space, and by those who reach it', async () => {
    const [space, other] = [await newSpace('magic_link'), await newSpace('magic_link')]
    const [one, two] = [await newGuest(space.id), await newGuest(space.id)]
    const status = async (by: Call, guestId: string, spaceId: string) =>
      (await by('POST', '/invitations', { guestId, spaceId })).status
    expect(await status(call, one.id, other.id)).toBe(404)
    expect(await status(call, 'us_g_none', space.id)).toBe(404)
    const stranger = callerOf((await mintAccount()).secretKey)
    expect(await status(stranger, one.id, space.id)).toBe(404)
    const guest = callerOf((await dataOf(call('GET', `/guests/${one.id}/token`))).token)
    expect(await status(guest, two.id, other.id)).toBe(404)
    expect(await status(guest, two.id, space.id)).toBe(200)
    expect(await status(guest, two.id, space.id)).toBe(409)
    expect((await guest('GET', '/invitations')).status).toBe(403)
    await dataOf(call('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuestInvite: false } } }))
    expect(await status(guest, one.id, space.id)).toBe(403)
    const line = { guestId: one.id, spaceId: space.id, fromName: 'Ada\r\nBcc: all@example.com' }
    expect((await call('POST', '/invitations', [line])).status).toBe(400)
  })

  it('works from the public SDK', async () => {
    process.env.FLATFILE_API_URL = server().baseUrl
    const api = new FlatfileClient({ token: account.secretKey })
    const space = await newSpace('magic_link')
    const guest = await newGuest(space.id)
    expect((await api.guests.invite([{ guestId: guest.id, spaceId: space.id }])).data!.success).toBe(true)
    const token = tokenIn(linkIn((await mailsTo(guest.email))[0].text))
    const { data } = await api.users.exchangeToken({ token })
    expect(data.valid).toBe(true)
    expect((await new FlatfileClient({ token: data.token! }).spaces.get(space.id)).data.id).toBe(space.id)
  })
})
