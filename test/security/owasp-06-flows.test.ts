/** Unrestricted access to sensitive business flows (OWASP API6:2023): mails, invitations, links and sign-ins. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, type TestAccount } from '../support/api.ts'

type Call = ReturnType<typeof createCaller>
const anybody = createCaller(undefined)
let account: TestAccount
let admin: Call
let count = 0

beforeAll(async () => {
  account = await createTestAccount()
  const { email, password } = account
  admin = createCaller((await anybody('POST', '/auth', { email, password })).body.accessToken)
})

const newSpace = async (guestAuthentication: string) =>
  (await admin('POST', '/spaces', { environmentId: account.environmentId, name: 'S', guestAuthentication })).body.data
    .id
async function newGuest(spaceId: string) {
  const email = `flow-${process.pid}-${Date.now()}-${count++}@example.com`
  const config = { environmentId: account.environmentId, email, name: 'G', spaces: [{ id: spaceId }] }
  return (await admin('POST', '/guests', config)).body.data[0] as { id: string; email: string }
}
const mailsTo = async (email: string) =>
  (await admin('GET', '/invitations?pageSize=1000')).body.data.filter(({ to }: { to: string }) => to === email)

describe('an unauthenticated caller', () => {
  it('is sent one mail after repeated requests for a link', async () => {
    const spaceId = await newSpace('magic_link')
    const { email } = await newGuest(spaceId)
    const ask = () => anybody('POST', '/invitations/exchange', { email, spaceId })
    expect((await ask()).body.data).toEqual({ valid: true, sentTo: email })
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    for (const { body } of answers) expect(body.data).toEqual({ valid: true, sentTo: email })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('cannot cause mail to an address that was not invited', async () => {
    const spaceId = await newSpace('magic_link')
    const email = `nobody-${Date.now()}@example.com`
    expect((await anybody('POST', '/invitations/exchange', { email, spaceId })).body.data).toEqual({
      valid: true,
      sentTo: email,
    })
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('a guest', () => {
  it('invites the same address once a minute, twenty at a time, and none once invitations are disabled', async () => {
    const spaceId = await newSpace('magic_link')
    const [one, two] = [await newGuest(spaceId), await newGuest(spaceId)]
    const guest = createCaller((await admin('GET', `/guests/${one.id}/token`)).body.data.token)
    const invite = async () => (await guest('POST', '/invitations', { guestId: two.id, spaceId })).status
    expect([await invite(), await invite()]).toEqual([200, 409])
    const many = Array.from({ length: 21 }, () => ({ guestId: two.id, spaceId }))
    expect((await guest('POST', '/invitations', many)).status).toBe(400)
    await admin('PATCH', `/spaces/${spaceId}`, { metadata: { sidebarConfig: { showGuestInvite: false } } })
    expect(await invite()).toBe(403)
    expect(await mailsTo(two.email)).toHaveLength(1)
  })
})

describe('a single-use link', () => {
  it('works for one of a hundred concurrent uses', async () => {
    const spaceId = await newSpace('magic_link')
    const { id, email } = await newGuest(spaceId)
    await admin('POST', '/invitations', { guestId: id, spaceId })
    const token = /#token=(\S+)/.exec((await mailsTo(email))[0].text)![1]
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => anybody('POST', '/invitations/exchange', { token })),
    )
    expect(answers.filter(({ body }) => body.data.valid)).toHaveLength(1)
  }, 60_000)
})

describe('a publishable key', () => {
  it('gives each visitor a space and a token, even if all send the same Idempotency-Key', async () => {
    const key = `embed-${process.pid}-${Date.now()}`
    const embed = () =>
      createCaller(account.publishableKey)('POST', '/spaces', { name: key }, { 'idempotency-key': key })
    const answers = await Promise.all(Array.from({ length: 10 }, embed))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(10)
    expect(new Set(answers.map(({ body }) => body.data.accessToken)).size).toBe(10)
    for (const { headers } of answers) expect(headers.get('idempotent-replayed')).toBeNull()
  })
})
