/** A guest of several spaces: which of them it reaches, by the way it came in. */
import { beforeAll, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
})

const anybody = callerOf(undefined)
const newSpace = (guestAuthentication: string, environmentId = account.environmentId) =>
  dataOf(call('POST', '/spaces', { environmentId, name: guestAuthentication, guestAuthentication }))
const newGuest = async (email: string, ...spaces: { id: string }[]) => {
  const grants = spaces.map(({ id }) => ({ id }))
  return (
    await dataOf(call('POST', '/guests', { environmentId: account.environmentId, email, name: 'G', spaces: grants }))
  )[0]
}
const exchange = (body: object) => dataOf(anybody('POST', '/invitations/exchange', body))
const tokenIn = (text: string): string => /#token=(\S+)/.exec(text)![1]!
const mailsTo = async (email: string): Promise<string[]> =>
  (await dataOf(call('GET', '/invitations?pageSize=100')))
    .filter(({ to }: { to: string }) => to === email)
    .map(({ text }: { text: string }) => text)
const idsOf = async (token: string): Promise<string[]> =>
  (await dataOf(callerOf(token)('GET', '/spaces'))).map(({ id }: { id: string }) => id).sort()

it('reaches all of its spaces by a magic link to one of them', async () => {
  const [one, two, foreign] = [
    await newSpace('magic_link'),
    await newSpace('shared_link'),
    await newSpace('magic_link'),
  ]
  const { id: guestId } = await newGuest('magic@example.com', one, two)
  await dataOf(call('POST', '/invitations', { guestId, spaceId: one.id }))
  const [mail] = await mailsTo('magic@example.com')
  const { token } = await exchange({ token: tokenIn(mail!) })
  expect(await idsOf(token)).toEqual([one.id, two.id].sort())
  for (const { id } of [one, two]) expect((await callerOf(token)('GET', `/files?spaceId=${id}`)).status).toBe(200)
  expect((await callerOf(token)('GET', `/spaces/${foreign.id}`)).status).toBe(404)
})

it('reaches one space by its shared link, because the address is not proven, and is mailed a link to the others', async () => {
  const [shared, magic] = [await newSpace('shared_link'), await newSpace('magic_link')]
  const email = 'shared@example.com'
  await newGuest(email, shared, magic)
  const { guestLink } = await dataOf(call('GET', `/spaces/${shared.id}`))
  const { token } = await exchange({ token: tokenIn(guestLink), email })
  expect(await idsOf(token)).toEqual([shared.id])
  expect((await callerOf(token)('GET', `/spaces/${magic.id}`)).status).toBe(404)

  expect(await exchange({ email, spaceId: shared.id })).toEqual({ valid: true, sentTo: email })
  const [mail] = await mailsTo(email)
  expect(mail).toContain(`/s/${magic.id}#token=`)
  expect(await idsOf((await exchange({ token: tokenIn(mail!) })).token)).toEqual([shared.id, magic.id].sort())
})

it('is mailed nothing where it has no space with magic links, or not the one it asks in', async () => {
  const [shared, magic] = [await newSpace('shared_link'), await newSpace('magic_link')]
  await newGuest('alone@example.com', shared)
  await newGuest('elsewhere@example.com', magic)
  for (const email of ['alone@example.com', 'elsewhere@example.com', 'nobody@example.com']) {
    expect(await exchange({ email, spaceId: shared.id })).toEqual({ valid: true, sentTo: email })
    expect(await mailsTo(email)).toEqual([])
  }
})
