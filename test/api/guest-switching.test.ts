/** A guest of several spaces: its access depends on how it signed in. */
import { beforeAll, expect, it } from 'vitest'
import { createCaller, getData, pluck } from '../support/api.ts'
import { account, anybody, createFreshAccount, must } from '../support/fresh-account.ts'
import { createGuest } from '../support/resources.ts'

beforeAll(createFreshAccount)

const newSpace = (guestAuthentication: string, environmentId = account.environmentId) =>
  must('POST', '/spaces', { environmentId, name: guestAuthentication, guestAuthentication })
const newGuest = (email: string, ...spaces: { id: string }[]) =>
  createGuest(
    spaces.map(({ id }) => ({ id })),
    { email },
  )
const exchange = (body: object) => getData(anybody('POST', '/invitations/exchange', body))
const tokenIn = (text: string): string => /#token=(\S+)/.exec(text)![1]!
const mailsTo = async (email: string): Promise<string[]> =>
  pluck(
    (await must('GET', '/invitations?pageSize=100')).filter(({ to }: { to: string }) => to === email),
    'text',
  )
const idsOf = async (token: string): Promise<string[]> =>
  pluck(await getData(createCaller(token)('GET', '/spaces')), 'id').sort()

it('a guest sees all of its spaces by a magic link to one of them', async () => {
  const [one, two, foreign] = [
    await newSpace('magic_link'),
    await newSpace('shared_link'),
    await newSpace('magic_link'),
  ]
  const { id: guestId } = await newGuest('magic@example.com', one, two)
  await must('POST', '/invitations', { guestId, spaceId: one.id })
  const [mail] = await mailsTo('magic@example.com')
  const { token } = await exchange({ token: tokenIn(mail!) })
  expect(await idsOf(token)).toEqual([one.id, two.id].sort())
  for (const { id } of [one, two]) expect((await createCaller(token)('GET', `/files?spaceId=${id}`)).status).toBe(200)
  expect((await createCaller(token)('GET', `/spaces/${foreign.id}`)).status).toBe(404)
})

it('a guest sees one space by its shared link, since the address is unverified, and is mailed a link to the others', async () => {
  const [shared, magic] = [await newSpace('shared_link'), await newSpace('magic_link')]
  const email = 'shared@example.com'
  await newGuest(email, shared, magic)
  const { guestLink } = await must('GET', `/spaces/${shared.id}`)
  const { token } = await exchange({ token: tokenIn(guestLink), email })
  expect(await idsOf(token)).toEqual([shared.id])
  expect((await createCaller(token)('GET', `/spaces/${magic.id}`)).status).toBe(404)

  expect(await exchange({ email, spaceId: shared.id })).toEqual({ valid: true, sentTo: email })
  const [mail] = await mailsTo(email)
  expect(mail).toContain(`/s/${magic.id}#token=`)
  expect(await idsOf((await exchange({ token: tokenIn(mail!) })).token)).toEqual([shared.id, magic.id].sort())
})

it('a guest is mailed nothing without a space with magic links, or when it is not a guest of the requested space', async () => {
  const [shared, magic] = [await newSpace('shared_link'), await newSpace('magic_link')]
  await newGuest('alone@example.com', shared)
  await newGuest('elsewhere@example.com', magic)
  for (const email of ['alone@example.com', 'elsewhere@example.com', 'nobody@example.com']) {
    expect(await exchange({ email, spaceId: shared.id })).toEqual({ valid: true, sentTo: email })
    expect(await mailsTo(email)).toEqual([])
  }
})
