/** What a space leaves open, its environment decides, as it is at the time of use. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, type TestAccount } from '../support/api.ts'

type Call = ReturnType<typeof callerOf>

let account: TestAccount
let call: Call
let admin: Call
let environmentId: string
let count = 0

beforeAll(async () => {
  account = await mintAccount()
  environmentId = account.environmentId
  call = callerOf(account.secretKey)
  const { email, password } = account
  admin = callerOf((await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken)
})

const ofEnvironment = (settings: object) => dataOf(admin('PATCH', `/environments/${environmentId}`, settings))
const newSpace = (more: object = {}) => dataOf(call('POST', '/spaces', { environmentId, name: 'S', ...more }))
const read = (id: string) => dataOf(call('GET', `/spaces/${id}`))
const newGuest = async (spaces: object[]) => {
  const email = `guest-${count++}@example.com`
  const [guest] = await dataOf(call('POST', '/guests', { environmentId, email, name: 'G', spaces }))
  return { ...guest, email } as { id: string; email: string }
}
const tokenOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
const exchange = (body: object) => dataOf(callerOf(undefined)('POST', '/invitations/exchange', body))

describe('guestAuthentication of a space', () => {
  it('is the one its environment has now, where the space has none of its own', async () => {
    await ofEnvironment({ guestAuthentication: 'shared_link' })
    const space = await newSpace()
    const { email, id: guestId } = await newGuest([{ id: space.id }])
    expect(space).toMatchObject({ guestAuthentication: 'shared_link', inheritsGuestAuthentication: true })
    const token = tokenOf((await read(space.id)).guestLink)
    expect(await exchange({ token, email })).toMatchObject({ valid: true })

    await ofEnvironment({ guestAuthentication: 'magic_link' })
    expect(await read(space.id)).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: true })
    const [listed] = (await dataOf(call('GET', '/spaces'))).filter(({ id }: { id: string }) => id === space.id)
    expect(listed.guestAuthentication).toBe('magic_link')
    expect(tokenOf((await read(space.id)).guestLink)).toBe('')
    expect(await exchange({ token, email })).toEqual({ valid: false })
    await dataOf(call('POST', '/invitations', { guestId, spaceId: space.id }))
    const [mail] = await dataOf(call('GET', '/invitations'))
    expect(mail.text).toContain('works once')
    const magic = tokenOf(/\S+\/s\/\S+/.exec(mail.text)![0])

    await ofEnvironment({ guestAuthentication: 'shared_link' })
    expect(await exchange({ token: magic })).toEqual({ valid: false })
    expect(await exchange({ token: tokenOf((await read(space.id)).guestLink), email })).toMatchObject({ valid: true })
  })

  it('is its own where it has one, until it is set to null', async () => {
    await ofEnvironment({ guestAuthentication: 'shared_link' })
    const { id } = await newSpace({ guestAuthentication: 'magic_link' })
    expect(await read(id)).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: false })
    expect(await dataOf(call('PATCH', `/spaces/${id}`, { name: 'Other' }))).toMatchObject({
      guestAuthentication: 'magic_link',
      inheritsGuestAuthentication: false,
    })
    expect(await dataOf(call('PATCH', `/spaces/${id}`, { guestAuthentication: null }))).toMatchObject({
      name: 'Other',
      guestAuthentication: 'shared_link',
      inheritsGuestAuthentication: true,
    })
    const events = await dataOf(call('GET', `/events?spaceId=${id}&topic=space:updated`))
    expect(events.at(-1).payload.changes).toEqual([
      { field: 'guestAuthentication', previousValue: 'magic_link', newValue: null },
    ])
    const back = await dataOf(call('PATCH', `/spaces/${id}`, { guestAuthentication: ['magic_link'] }))
    expect(back).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: false })
  })
})

describe('mayInviteGuests of a space', () => {
  const sidebar = (showGuestInvite: boolean) => ({ metadata: { sidebarConfig: { showGuestInvite } } })
  /** What the space says, and what the API does. */
  async function asked(spaceId: string, guest: Call) {
    const config = { environmentId, email: `friend-${count++}@example.com`, name: 'F', spaces: [{ id: spaceId }] }
    const said = (await dataOf(guest('GET', `/spaces/${spaceId}`))).mayInviteGuests
    return [said, (await guest('POST', '/guests', config)).status === 200]
  }

  it('says to each caller what the API does', async () => {
    await ofEnvironment({ guestAuthentication: 'shared_link', metadata: {} })
    const space = await newSpace()
    const workbook = await dataOf(call('POST', '/workbooks', { spaceId: space.id, name: 'W' }))
    const asGuest = async (grant: object) => {
      const { id } = await newGuest([{ id: space.id, ...grant }])
      return callerOf((await dataOf(call('GET', `/guests/${id}/token`))).token)
    }
    const whole = await asGuest({})
    const part = await asGuest({ workbooks: [{ id: workbook.id }] })
    expect(await asked(space.id, whole)).toEqual([true, true])
    expect(await asked(space.id, part)).toEqual([false, false])
    await ofEnvironment(sidebar(false))
    expect(await asked(space.id, whole)).toEqual([false, false])
    expect(await asked(space.id, call)).toEqual([true, true])
    expect(space.mayInviteGuests).toBe(true)
    expect((await dataOf(call('PATCH', `/spaces/${space.id}`, sidebar(true)))).mayInviteGuests).toBe(true)
    expect(await asked(space.id, whole)).toEqual([true, true])
    await ofEnvironment({ metadata: {} })
    await dataOf(call('PATCH', `/spaces/${space.id}`, sidebar(false)))
    expect(await asked(space.id, whole)).toEqual([false, false])
    const embedded = await dataOf(callerOf(account.publishableKey)('POST', '/spaces', { name: 'E' }))
    expect(embedded.mayInviteGuests).toBe(false)
    expect(await asked(embedded.id, callerOf(embedded.accessToken))).toEqual([false, false])
  })
})
