import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getData } from '../support/api.ts'
import {
  account,
  type Caller,
  call,
  createFreshAccount,
  environmentId,
  must,
  mustAsAdmin,
} from '../support/fresh-account.ts'
import { createGuest, createSpace, newEmail } from '../support/resources.ts'

beforeAll(createFreshAccount)

const setEnvironment = (settings: object) => mustAsAdmin('PATCH', `/environments/${environmentId}`, settings)
const read = (id: string) => must('GET', `/spaces/${id}`)
const tokenOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
const exchange = (body: object) => getData(createCaller(undefined)('POST', '/invitations/exchange', body))

describe('branding of a space', () => {
  const look = (primaryColor: string, text: string) => ({ theme: { root: { primaryColor } }, welcome: { text } })

  it('is its own, and where it has none that of its environment', async () => {
    const { metadata = {} } = await must('GET', `/environments/${environmentId}`)
    const { id } = await createSpace()
    expect((await read(id)).branding).toEqual({})
    await setEnvironment({ metadata: { ...metadata, ...look('#112233', 'Hello') } })
    expect((await read(id)).branding).toEqual({ primaryColor: '#112233', welcomeText: 'Hello' })
    await must('PATCH', `/spaces/${id}`, { metadata: { welcome: { text: 'Own' } } })
    const { branding, metadata: own } = await read(id)
    expect(branding).toEqual({ primaryColor: '#112233', welcomeText: 'Own' })
    expect(own).toEqual({ welcome: { text: 'Own' } })
    await setEnvironment({ metadata: { theme: 'dark', welcome: null } })
    expect((await read(id)).branding).toEqual({ welcomeText: 'Own' })
    await setEnvironment({ metadata })
  })
})

describe('guestAuthentication of a space', () => {
  it('is the current one of its environment while the space has none', async () => {
    await setEnvironment({ guestAuthentication: 'shared_link' })
    const space = await createSpace()
    const { email, id: guestId } = await createGuest([{ id: space.id }])
    expect(space).toMatchObject({ guestAuthentication: 'shared_link', inheritsGuestAuthentication: true })
    const token = tokenOf((await read(space.id)).guestLink)
    expect(await exchange({ token, email })).toMatchObject({ valid: true })

    await setEnvironment({ guestAuthentication: 'magic_link' })
    expect(await read(space.id)).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: true })
    const [listed] = (await must('GET', '/spaces')).filter(({ id }: { id: string }) => id === space.id)
    expect(listed.guestAuthentication).toBe('magic_link')
    expect(tokenOf((await read(space.id)).guestLink)).toBe('')
    expect(await exchange({ token, email })).toEqual({ valid: false })
    await must('POST', '/invitations', { guestId, spaceId: space.id })
    const [mail] = await must('GET', '/invitations')
    expect(mail.text).toContain('works once')
    const magic = tokenOf(/\S+\/s\/\S+/.exec(mail.text)![0])

    await setEnvironment({ guestAuthentication: 'shared_link' })
    expect(await exchange({ token: magic })).toEqual({ valid: false })
    expect(await exchange({ token: tokenOf((await read(space.id)).guestLink), email })).toMatchObject({ valid: true })
  })

  it('is its own where it has one, until it is set to null', async () => {
    await setEnvironment({ guestAuthentication: 'shared_link' })
    const { id } = await createSpace({ guestAuthentication: 'magic_link' })
    expect(await read(id)).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: false })
    expect(await must('PATCH', `/spaces/${id}`, { name: 'Other' })).toMatchObject({
      guestAuthentication: 'magic_link',
      inheritsGuestAuthentication: false,
    })
    expect(await must('PATCH', `/spaces/${id}`, { guestAuthentication: null })).toMatchObject({
      name: 'Other',
      guestAuthentication: 'shared_link',
      inheritsGuestAuthentication: true,
    })
    const events = await must('GET', `/events?spaceId=${id}&topic=space:updated`)
    expect(events.at(-1).payload.changes).toEqual([
      { field: 'guestAuthentication', previousValue: 'magic_link', newValue: null },
    ])
    const back = await must('PATCH', `/spaces/${id}`, { guestAuthentication: ['magic_link'] })
    expect(back).toMatchObject({ guestAuthentication: 'magic_link', inheritsGuestAuthentication: false })
  })
})

describe('mayInviteGuests of a space', () => {
  const sidebar = (showGuestInvite: boolean) => ({ metadata: { sidebarConfig: { showGuestInvite } } })
  async function asked(spaceId: string, guest: Caller) {
    const config = { environmentId, email: newEmail(), name: 'F', spaces: [{ id: spaceId }] }
    const said = (await getData(guest('GET', `/spaces/${spaceId}`))).mayInviteGuests
    return [said, (await guest('POST', '/guests', config)).status === 200]
  }

  it('matches what the API allows each caller', async () => {
    await setEnvironment({ guestAuthentication: 'shared_link', metadata: {} })
    const space = await createSpace()
    const workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'W' })
    const callAsGuest = async (grant: object) => {
      const { id } = await createGuest([{ id: space.id, ...grant }])
      return createCaller((await must('GET', `/guests/${id}/token`)).token)
    }
    const whole = await callAsGuest({})
    const part = await callAsGuest({ workbooks: [{ id: workbook.id }] })
    expect(await asked(space.id, whole)).toEqual([true, true])
    expect(await asked(space.id, part)).toEqual([false, false])
    await setEnvironment(sidebar(false))
    expect(await asked(space.id, whole)).toEqual([false, false])
    expect(await asked(space.id, call)).toEqual([true, true])
    expect(space.mayInviteGuests).toBe(true)
    expect((await must('PATCH', `/spaces/${space.id}`, sidebar(true))).mayInviteGuests).toBe(true)
    expect(await asked(space.id, whole)).toEqual([true, true])
    await setEnvironment({ metadata: {} })
    await must('PATCH', `/spaces/${space.id}`, sidebar(false))
    expect(await asked(space.id, whole)).toEqual([false, false])
    const embedded = await getData(createCaller(account.publishableKey)('POST', '/spaces', { name: 'E' }))
    expect(embedded.mayInviteGuests).toBe(false)
    expect(await asked(embedded.id, createCaller(embedded.accessToken))).toEqual([false, false])
  })
})
