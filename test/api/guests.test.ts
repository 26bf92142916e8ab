/** Guests: what they are given, what they reach with their tokens, and how they lose it. */
import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, dataOf, mintAccount, server, type TestAccount, until } from '../support/api.ts'

type Call = ReturnType<typeof callerOf>

let account: TestAccount
let call: Call
let environmentId: string
let admin: Call
let count = 0

beforeAll(async () => {
  account = await mintAccount()
  environmentId = account.environmentId
  call = callerOf(account.secretKey)
  const { email, password } = account
  admin = callerOf((await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken)
})

const newSpace = (more: object = {}) => dataOf(call('POST', '/spaces', { environmentId, name: 'Import', ...more }))
const newWorkbook = (spaceId: string) =>
  dataOf(
    call('POST', '/workbooks', {
      spaceId,
      name: 'People',
      sheets: [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }],
    }),
  )
const address = () => `guest-${count++}@example.com`
const newGuest = async (spaces: object[], email = address()) =>
  (await dataOf(call('POST', '/guests', { environmentId, email, name: 'Grace', spaces })))[0]
const tokenOf = async (guestId: string, spaceId?: string): Promise<string> =>
  (await dataOf(call('GET', `/guests/${guestId}/token${spaceId ? `?spaceId=${spaceId}` : ''}`))).token
const eventsIn = async (spaceId: string): Promise<string[]> =>
  (await dataOf(call('GET', `/events?spaceId=${spaceId}&domain=space&pageSize=100&includeAcknowledged=true`))).map(
    ({ topic }: { topic: string }) => topic,
  )

describe('guests', () => {
  it('are created in a list or alone, listed by space, environment and address, changed and deleted', async () => {
    const space = await newSpace()
    const [one, two] = [address(), address()]
    const both = await dataOf(
      call('POST', '/guests', [
        { environmentId, email: one.toUpperCase(), name: 'One', spaces: [{ id: space.id }] },
        { environmentId, email: two, name: 'Two', spaces: [] },
      ]),
    )
    expect(both).toMatchObject([{ email: one, environmentId, name: 'One', spaces: [{ id: space.id }] }, { spaces: [] }])
    const listed = async (query: string) => {
      const { body } = await call('GET', `/guests?${query}`)
      return { emails: body.data.map(({ email }: { email: string }) => email), total: body.pagination.totalCount }
    }
    expect(await listed(`spaceId=${space.id}`)).toEqual({ emails: [one], total: 1 })
    expect(await listed(`environmentId=${environmentId}&email=${two}`)).toEqual({ emails: [two], total: 1 })
    const page = await listed(`environmentId=${environmentId}&pageSize=1`)
    expect(page.emails).toHaveLength(1)
    expect(page.total).toBeGreaterThan(1)
    const changed = await dataOf(call('PATCH', `/guests/${both[1].id}`, { name: 'Three', spaces: [{ id: space.id }] }))
    expect(changed).toMatchObject({ name: 'Three', email: two, spaces: [{ id: space.id }] })
    expect((await listed(`spaceId=${space.id}`)).total).toBe(2)
    await dataOf(call('DELETE', `/guests/${both[0].id}`))
    expect((await call('GET', `/guests/${both[0].id}`)).status).toBe(404)
    expect(await listed(`spaceId=${space.id}`)).toEqual({ emails: [two], total: 1 })
  })

  it('exist once for each address: created again they get more and lose nothing, another cannot take their address', async () => {
    const [first, second] = [await newSpace(), await newSpace()]
    const workbook = await newWorkbook(first.id)
    const other = await newWorkbook(first.id)
    const email = address()
    const guest = await newGuest([{ id: first.id, workbooks: [{ id: workbook.id }] }], email)
    const again = await newGuest([{ id: first.id, workbooks: [{ id: other.id }] }, { id: second.id }], email)
    expect(again.id).toBe(guest.id)
    expect(again.spaces).toEqual([
      { id: first.id, workbooks: [{ id: workbook.id }, { id: other.id }] },
      { id: second.id },
    ])
    const mixed = [{ id: second.id, workbooks: [{ id: workbook.id }] }]
    const refused = await call('POST', '/guests', { environmentId, email, name: 'Grace', spaces: mixed })
    expect([refused.status, refused.body.errors[0].key]).toEqual([400, 'spaces'])
    expect((await newGuest([{ id: first.id }], email)).spaces).toEqual([{ id: first.id }, { id: second.id }])
    const rival = await newGuest([])
    expect((await call('PATCH', `/guests/${rival.id}`, { email })).status).toBe(409)
  })

  it('names every problem of a request at once, and what is out of reach as missing', async () => {
    const wrong = await call('POST', '/guests', [
      { environmentId, email: 'nobody', name: '', spaces: [{ id: 'x', workbooks: [] }] },
    ])
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors.map(({ key }: { key: string }) => key)).toEqual([
      '0.email',
      '0.name',
      '0.spaces.0.workbooks',
    ])
    const email = address()
    const twice = await call(
      'POST',
      '/guests',
      [1, 2].map(() => ({ environmentId, email, name: 'N', spaces: [] })),
    )
    expect(twice.body).toEqual({ errors: [{ key: '1.email', message: 'is named twice' }] })
    const stranger = await mintAccount()
    const theirs = (await callerOf(stranger.secretKey)('POST', '/spaces', { name: 'Theirs' })).body.data
    const foreign = await call('POST', '/guests', { environmentId, email, name: 'N', spaces: [{ id: theirs.id }] })
    expect([foreign.status, foreign.body.errors[0].message]).toEqual([404, `There is no space ${theirs.id}.`])
    const elsewhere = await call('POST', '/guests', {
      environmentId: stranger.environmentId,
      email,
      name: 'N',
      spaces: [],
    })
    expect(elsewhere.status).toBe(404)
  })

  it('are granted nothing by a request that narrows a grant in a way that is not known', async () => {
    const space = await newSpace()
    const workbook = await newWorkbook(space.id)
    const sheets = [{ id: workbook.sheets[0].id }]
    const guest = await newGuest([])
    const narrowed: [grant: object, key: string][] = [
      [{ id: space.id, workbooks: [{ id: workbook.id, sheets }] }, 'workbooks.0'],
      [{ id: space.id, sheets: [{ ...sheets[0], fields: ['email'] }] }, 'sheets.0'],
      [{ id: space.id, workbookIds: [workbook.id] }, ''],
      [{ id: space.id, role: 'reader' }, ''],
    ]
    for (const [grant, key] of narrowed) {
      const sent = { environmentId, email: address(), name: 'N', spaces: [grant] }
      const made = await call('POST', '/guests', [sent])
      expect([made.status, made.body.errors?.[0].key]).toEqual([400, `0.spaces.0${key && `.${key}`}`])
      const changed = await call('PATCH', `/guests/${guest.id}`, { spaces: [grant] })
      expect([changed.status, changed.body.errors?.[0].key]).toEqual([400, `spaces.0${key && `.${key}`}`])
    }
    expect((await dataOf(call('GET', `/guests/${guest.id}`))).spaces).toEqual([])
    const given = await newGuest([{ id: space.id, workbooks: [{ id: workbook.id }] }])
    const { spaces } = await dataOf(call('GET', `/guests/${given.id}`))
    expect((await call('PATCH', `/guests/${given.id}`, { spaces })).status).toBe(200)
  })

  it('are told of when they are given a space and when they lose it, and of nothing else', async () => {
    const space = await newSpace()
    const guest = await newGuest([{ id: space.id }])
    await dataOf(call('PATCH', `/guests/${guest.id}`, { name: 'Other' }))
    await dataOf(call('DELETE', `/guests/${guest.id}?spaceId=${space.id}`))
    await dataOf(call('PATCH', `/guests/${guest.id}`, { spaces: [{ id: space.id }] }))
    await dataOf(call('DELETE', `/guests/${guest.id}`))
    const told = ['space:guestAdded', 'space:guestRemoved']
    expect(await eventsIn(space.id)).toEqual(['space:created', ...told, ...told])
    expect((await call('DELETE', `/guests/${guest.id}`)).status).toBe(404)
  })

  it('lose a space that is deleted', async () => {
    const [space, kept] = [await newSpace(), await newSpace()]
    const guest = await newGuest([{ id: space.id }, { id: kept.id }])
    const token = await tokenOf(guest.id, space.id)
    await dataOf(call('DELETE', `/spaces/${space.id}`))
    expect((await callerOf(token)('GET', '/spaces')).status).toBe(401)
    const spaces = await until(async () => {
      const now = (await dataOf(call('GET', `/guests/${guest.id}`))).spaces
      return now.length === 1 && now
    })
    expect(spaces).toEqual([{ id: kept.id }])
  })
})

describe('a guest token', () => {
  it('reaches the space it was given, and others look as if they were not there', async () => {
    const [mine, other] = [await newSpace(), await newSpace()]
    const [ours, theirs] = [await newWorkbook(mine.id), await newWorkbook(other.id)]
    const guest = callerOf(await tokenOf((await newGuest([{ id: mine.id }])).id))
    expect((await dataOf(guest('GET', '/spaces'))).map(({ id }: { id: string }) => id)).toEqual([mine.id])
    expect((await dataOf(guest('GET', '/workbooks'))).map(({ id }: { id: string }) => id)).toEqual([ours.id])
    const records = `/sheets/${ours.sheets[0].id}/records`
    await dataOf(guest('POST', records, [{ email: { value: 'ada@example.com' } }]))
    expect((await dataOf(guest('GET', records))).records).toHaveLength(1)
    for (const path of [
      `/spaces/${other.id}`,
      `/workbooks/${theirs.id}`,
      `/sheets/${theirs.sheets[0].id}/records`,
      `/workbooks?spaceId=${other.id}`,
      `/events?spaceId=${other.id}`,
      `/subscription?scope=${environmentId}`,
    ])
      expect([path, (await guest('GET', path)).status]).toEqual([path, 404])
    expect((await guest('PATCH', `/spaces/${mine.id}`, { name: 'Mine' })).status).toBe(403)
    expect((await guest('GET', `/auth/api-keys?environmentId=${environmentId}`)).status).toBe(403)
    expect((await guest('POST', '/spaces', { name: 'x' })).status).toBe(403)
    const heard = (await dataOf(guest('GET', '/events?pageSize=100'))).map(
      ({ context }: { context: { spaceId: string } }) => context.spaceId,
    )
    expect([...new Set(heard)]).toEqual([mine.id])
  })

  it('reaches the workbooks it was given alone, whatever a job names', async () => {
    const space = await newSpace()
    const [ours, theirs] = [await newWorkbook(space.id), await newWorkbook(space.id)]
    await dataOf(call('POST', `/sheets/${theirs.sheets[0].id}/records`, [{ email: { value: 'ada@example.com' } }]))
    const { id } = await newGuest([{ id: space.id, workbooks: [{ id: ours.id }] }])
    const guest = callerOf(await tokenOf(id, space.id))
    expect((await dataOf(guest('GET', '/workbooks'))).map((each: { id: string }) => each.id)).toEqual([ours.id])
    expect((await guest('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await guest('GET', `/sheets/${ours.sheets[0].id}/records`)).status).toBe(200)
    for (const path of [
      `/workbooks/${theirs.id}`,
      `/sheets/${theirs.sheets[0].id}`,
      `/sheets/${theirs.sheets[0].id}/records`,
    ])
      expect([path, (await guest('GET', path)).status]).toEqual([path, 404])
    for (const path of [
      `/spaces/${space.id}/documents`,
      `/files?spaceId=${space.id}`,
      '/events',
      `/actions?spaceId=${space.id}`,
    ])
      expect([path, (await guest('GET', path)).status]).toEqual([path, 403])
    const job = (more: object) =>
      guest('POST', '/jobs', { type: 'workbook', operation: 'submit', source: ours.id, ...more })
    expect((await job({})).status).toBe(200)
    expect((await job({ source: theirs.id })).status).toBe(404)
    expect((await job({ source: space.id, type: 'space' })).status).toBe(404)
    expect((await job({ destination: theirs.id })).status).toBe(404)
    expect((await job({ operation: 'delete-records', config: { sheet: theirs.sheets[0].id } })).status).toBe(404)
    await dataOf(call('POST', '/jobs', { type: 'workbook', operation: 'submit', source: theirs.id }))
    const jobs = await dataOf(guest('GET', '/jobs'))
    expect(jobs.map(({ source }: { source: string }) => source)).toEqual([ours.id])
  })

  it('reaches the sheets it was given alone', async () => {
    const space = await newSpace()
    const workbook = await newWorkbook(space.id)
    const other = await newWorkbook(space.id)
    const { id } = await newGuest([{ id: space.id, sheets: [{ id: workbook.sheets[0].id }] }])
    const guest = callerOf(await tokenOf(id))
    expect((await guest('GET', `/sheets/${workbook.sheets[0].id}/records`)).status).toBe(200)
    expect((await guest('GET', `/sheets/${other.sheets[0].id}/records`)).status).toBe(404)
    expect((await guest('GET', `/workbooks/${workbook.id}`)).status).toBe(404)
  })

  it('keeps all of a whole space when a workbook of another space is added, and has only the workbook there', async () => {
    const [whole, other] = [await newSpace(), await newSpace()]
    const [ours, theirs] = [await newWorkbook(other.id), await newWorkbook(other.id)]
    const email = address()
    const { id } = await newGuest([{ id: whole.id }], email)
    const guest = callerOf(await tokenOf(id))
    await newGuest([{ id: other.id, workbooks: [{ id: ours.id }] }], email)
    const status = async (method: string, path: string, body?: object) => (await guest(method, path, body)).status
    for (const path of [
      '/files?spaceId=SPACE',
      '/events?spaceId=SPACE',
      '/actions?spaceId=SPACE',
      '/spaces/SPACE/documents',
      '/subscription?scope=SPACE',
    ]) {
      expect([path, await status('GET', path.replace('SPACE', whole.id))]).toEqual([path, 200])
      expect([403, 404], path).toContain(await status('GET', path.replace('SPACE', other.id)))
    }
    const upload = (spaceId: string) => ({ spaceId, name: 'a.csv', size: 3 })
    expect(await status('POST', '/files/uploads', upload(whole.id))).toBe(200)
    expect([403, 404]).toContain(await status('POST', '/files/uploads', upload(other.id)))
    expect(await status('GET', `/workbooks/${ours.id}`)).toBe(200)
    expect(await status('GET', `/workbooks/${theirs.id}`)).toBe(404)
  })

  it('for one space opens no other; a guest of several gets the others by itself', async () => {
    const [first, second, foreign] = [await newSpace(), await newSpace(), await newSpace()]
    const { id } = await newGuest([{ id: first.id }, { id: second.id }])
    const everywhere = callerOf(await tokenOf(id))
    for (const space of [first, second]) expect((await everywhere('GET', `/spaces/${space.id}`)).status).toBe(200)
    const inFirst = callerOf(await tokenOf(id, first.id))
    expect((await inFirst('GET', `/spaces/${second.id}`)).status).toBe(404)
    const { token, valid } = await dataOf(inFirst('GET', `/guests/${id}/token?spaceId=${second.id}`))
    expect(valid).toBe(true)
    expect((await callerOf(token)('GET', `/spaces/${second.id}`)).status).toBe(200)
    expect((await inFirst('GET', `/guests/${id}/token?spaceId=${foreign.id}`)).status).toBe(404)
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(3600)
  })

  it('ends with what it opens: space by space, and for good with the guest', async () => {
    const [first, second] = [await newSpace(), await newSpace()]
    const email = address()
    const { id } = await newGuest([{ id: first.id }, { id: second.id }], email)
    const [one, all] = [callerOf(await tokenOf(id, first.id)), callerOf(await tokenOf(id))]
    const live = (await dataOf(one('GET', `/subscription?scope=${first.id}`))).token
    const listen = () =>
      callerOf(undefined)('GET', `/v2/subscribe/x/space.${first.id}/0?auth=${encodeURIComponent(live)}&tt=0`)
    expect((await listen()).status).toBe(200)
    await dataOf(call('DELETE', `/guests/${id}?spaceId=${first.id}`))
    expect((await one('GET', `/spaces/${first.id}`)).status).toBe(401)
    expect((await listen()).status).toBe(403)
    expect((await all('GET', `/spaces/${first.id}`)).status).toBe(404)
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(200)
    await dataOf(call('DELETE', `/guests/${id}`))
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(401)
    const again = await newGuest([], email)
    expect(again.id).not.toBe(id)
    expect(again.spaces).toEqual([])
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(401)
  })

  it('ends with its environment', async () => {
    const { id: gone } = await dataOf(admin('POST', '/environments', { name: `Short ${Date.now()}`, isProd: false }))
    const space = await dataOf(admin('POST', '/spaces', { environmentId: gone, name: 'Short' }))
    const config = { environmentId: gone, email: address(), name: 'G', spaces: [{ id: space.id }] }
    const [guest] = await dataOf(admin('POST', '/guests', config))
    const { token } = await dataOf(admin('GET', `/guests/${guest.id}/token`))
    expect((await callerOf(token)('GET', '/spaces')).status).toBe(200)
    await dataOf(admin('DELETE', `/environments/${gone}`))
    expect((await callerOf(token)('GET', '/spaces')).status).toBe(401)
  })
})

describe('a guest', () => {
  it('sees who else has the whole of its space, and changes nobody', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const workbook = await newWorkbook(space.id)
    const one = await newGuest([{ id: space.id }])
    const two = await newGuest([{ id: space.id }, { id: other.id }])
    const part = await newGuest([{ id: space.id, workbooks: [{ id: workbook.id }] }])
    const guest = callerOf(await tokenOf(one.id))
    const idsOf = (guests: { id: string }[]) => guests.map(({ id }) => id).sort()
    const seen = await dataOf(guest('GET', `/guests?spaceId=${space.id}`))
    expect(idsOf(seen)).toEqual([one.id, two.id, part.id].sort())
    expect(seen.find(({ id }: { id: string }) => id === two.id).spaces).toEqual([{ id: space.id }])
    expect(idsOf(await dataOf(guest('GET', '/guests')))).toEqual([one.id])
    const ofPart = callerOf(await tokenOf(part.id))
    expect(idsOf(await dataOf(ofPart('GET', `/guests?spaceId=${space.id}`)))).toEqual([part.id])
    await dataOf(call('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuests: false } } }))
    expect(idsOf(await dataOf(guest('GET', `/guests?spaceId=${space.id}`)))).toEqual([one.id])
    expect((await guest('GET', `/guests/${two.id}`)).status).toBe(404)
    expect((await guest('GET', `/guests/${two.id}/token`)).status).toBe(404)
    expect((await guest('PATCH', `/guests/${one.id}`, { spaces: [] })).status).toBe(403)
    expect((await guest('DELETE', `/guests/${one.id}`)).status).toBe(403)
  })

  it('invites others to what it has, and to no more', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const [ours, theirs] = [await newWorkbook(space.id), await newWorkbook(space.id)]
    const invite = async (token: string, spaces: object[], email = address()) =>
      callerOf(token)('POST', '/guests', [{ environmentId, email, name: 'Friend', spaces }])
    const whole = await tokenOf((await newGuest([{ id: space.id }])).id)
    const both = await newGuest([{ id: other.id }])
    const { body, status } = await invite(whole, [{ id: space.id }], both.email)
    expect([status, body.data[0].spaces]).toEqual([200, [{ id: space.id }]])
    expect((await invite(whole, [{ id: other.id }])).status).toBe(404)
    expect((await invite(whole, [])).status).toBe(403)
    const part = await tokenOf((await newGuest([{ id: space.id, workbooks: [{ id: ours.id }] }])).id)
    expect((await invite(part, [{ id: space.id, workbooks: [{ id: ours.id }] }])).status).toBe(200)
    expect((await invite(part, [{ id: space.id, workbooks: [{ id: theirs.id }] }])).status).toBe(404)
    expect((await invite(part, [{ id: space.id }])).status).toBe(403)
  })

  it('invites nobody where the sidebar forbids it; a space has the last word over its environment', async () => {
    const silent = { metadata: { sidebarConfig: { showGuestInvite: false } } }
    const status = async (space: { id: string }) => {
      const token = await tokenOf((await newGuest([{ id: space.id }])).id, space.id)
      const config = { environmentId, email: address(), name: 'Friend', spaces: [{ id: space.id }] }
      return (await callerOf(token)('POST', '/guests', config)).status
    }
    expect(await status(await newSpace(silent))).toBe(403)
    await dataOf(admin('GET', `/environments/${environmentId}`))
    expect((await admin('PATCH', `/environments/${environmentId}`, silent)).status).toBe(200)
    expect(await status(await newSpace())).toBe(403)
    expect(await status(await newSpace({ metadata: { sidebarConfig: { showGuestInvite: true } } }))).toBe(200)
    await admin('PATCH', `/environments/${environmentId}`, { metadata: {} })
  })
})

it('the public SDK creates, lists, changes, lets in and deletes guests', async () => {
  process.env.FLATFILE_API_URL = server().baseUrl
  const api = new FlatfileClient({ token: account.secretKey })
  const space = await newSpace()
  const email = address()
  const { data: made } = await api.guests.create([{ environmentId, email, name: 'Ada', spaces: [{ id: space.id }] }])
  const { id } = made![0]!
  expect(made![0]!.createdAt).toBeInstanceOf(Date)
  expect((await api.guests.list({ spaceId: space.id, email })).data!.map((guest) => guest.id)).toEqual([id])
  expect((await api.guests.update(id, { name: 'Ada L.' })).data!.name).toBe('Ada L.')
  const { data: entry } = await api.guests.getGuestToken(id, { spaceId: space.id })
  expect(entry!.valid).toBe(true)
  const guest = new FlatfileClient({ token: entry!.token })
  expect((await guest.spaces.get(space.id)).data.id).toBe(space.id)
  await api.guests.delete(id, { spaceId: space.id })
  expect((await api.guests.get(id)).data!.spaces).toEqual([])
  await api.guests.delete(id)
  await expect(api.guests.get(id)).rejects.toMatchObject({ statusCode: 404 })
})
