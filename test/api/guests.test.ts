import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getData, pluck, waitUntil } from '../support/api.ts'
import { call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { createGuest, createSpace, newEmail } from '../support/resources.ts'

beforeAll(createFreshAccount)

const PEOPLE = { name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }
const newWorkbook = (space: string) => must('POST', '/workbooks', { spaceId: space, name: 'Book', sheets: [PEOPLE] })
const newGuest = (spaces: object[], email = newEmail()) => createGuest(spaces, { email, name: 'Grace' })
const tokenOf = async (guestId: string, spaceId?: string): Promise<string> =>
  (await must('GET', `/guests/${guestId}/token${spaceId ? `?spaceId=${spaceId}` : ''}`)).token
const eventsIn = async (spaceId: string): Promise<string[]> =>
  pluck(await must('GET', `/events?spaceId=${spaceId}&domain=space&pageSize=100&includeAcknowledged=true`), 'topic')

describe('guests', () => {
  it('are created in a list or singly, listed by space, environment and address, changed and deleted', async () => {
    const space = await createSpace()
    const [one, two] = [newEmail(), newEmail()]
    const both = await must('POST', '/guests', [
      { environmentId, email: one.toUpperCase(), name: 'One', spaces: [{ id: space.id }] },
      { environmentId, email: two, name: 'Two', spaces: [] },
    ])
    expect(both).toMatchObject([{ email: one, environmentId, name: 'One', spaces: [{ id: space.id }] }, { spaces: [] }])
    const listed = async (query: string) => {
      const { body } = await call('GET', `/guests?${query}`)
      return { emails: pluck(body.data, 'email'), total: body.pagination.totalCount }
    }
    expect(await listed(`spaceId=${space.id}`)).toEqual({ emails: [one], total: 1 })
    expect(await listed(`environmentId=${environmentId}&email=${two}`)).toEqual({ emails: [two], total: 1 })
    const page = await listed(`environmentId=${environmentId}&pageSize=1`)
    expect(page.emails).toHaveLength(1)
    expect(page.total).toBeGreaterThan(1)
    const changed = await must('PATCH', `/guests/${both[1].id}`, { name: 'Three', spaces: [{ id: space.id }] })
    expect(changed).toMatchObject({ name: 'Three', email: two, spaces: [{ id: space.id }] })
    expect((await listed(`spaceId=${space.id}`)).total).toBe(2)
    await must('DELETE', `/guests/${both[0].id}`)
    expect((await call('GET', `/guests/${both[0].id}`)).status).toBe(404)
    expect(await listed(`spaceId=${space.id}`)).toEqual({ emails: [two], total: 1 })
  })

  it('are unique by address: creating one again adds access and removes none, and no other can take its address', async () => {
    const [first, second] = [await createSpace(), await createSpace()]
    const workbook = await newWorkbook(first.id)
    const other = await newWorkbook(first.id)
    const email = newEmail()
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

  it('are rejected with every problem of a request, and inaccessible resources are reported as missing', async () => {
    const wrong = await call('POST', '/guests', [
      { environmentId, email: 'nobody', name: '', spaces: [{ id: 'x', workbooks: [] }] },
    ])
    expect(wrong.status).toBe(400)
    expect(pluck(wrong.body.errors, 'key')).toEqual(['0.email', '0.name', '0.spaces.0.workbooks'])
    const email = newEmail()
    const twice = await call(
      'POST',
      '/guests',
      [1, 2].map(() => ({ environmentId, email, name: 'N', spaces: [] })),
    )
    expect(twice.body).toEqual({ errors: [{ key: '1.email', message: 'is a duplicate' }] })
    const stranger = await createTestAccount()
    const theirs = (await createCaller(stranger.secretKey)('POST', '/spaces', { name: 'Theirs' })).body.data
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

  it('get no grant from a request that restricts it in an unknown way', async () => {
    const space = await createSpace()
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
      const sent = { environmentId, email: newEmail(), name: 'N', spaces: [grant] }
      const made = await call('POST', '/guests', [sent])
      expect([made.status, made.body.errors?.[0].key]).toEqual([400, `0.spaces.0${key && `.${key}`}`])
      const changed = await call('PATCH', `/guests/${guest.id}`, { spaces: [grant] })
      expect([changed.status, changed.body.errors?.[0].key]).toEqual([400, `spaces.0${key && `.${key}`}`])
    }
    expect((await must('GET', `/guests/${guest.id}`)).spaces).toEqual([])
    const given = await newGuest([{ id: space.id, workbooks: [{ id: workbook.id }] }])
    const { spaces } = await must('GET', `/guests/${given.id}`)
    expect((await call('PATCH', `/guests/${given.id}`, { spaces })).status).toBe(200)
  })

  it('emit events when they gain a space and when they lose it, and for nothing else', async () => {
    const space = await createSpace()
    const guest = await newGuest([{ id: space.id }])
    await must('PATCH', `/guests/${guest.id}`, { name: 'Other' })
    await must('DELETE', `/guests/${guest.id}?spaceId=${space.id}`)
    await must('PATCH', `/guests/${guest.id}`, { spaces: [{ id: space.id }] })
    await must('DELETE', `/guests/${guest.id}`)
    const told = ['space:guestAdded', 'space:guestRemoved']
    expect(await eventsIn(space.id)).toEqual(['space:created', ...told, ...told])
    expect((await call('DELETE', `/guests/${guest.id}`)).status).toBe(404)
  })

  it('lose a space that is deleted', async () => {
    const [space, kept] = [await createSpace(), await createSpace()]
    const guest = await newGuest([{ id: space.id }, { id: kept.id }])
    const token = await tokenOf(guest.id, space.id)
    await must('DELETE', `/spaces/${space.id}`)
    expect((await createCaller(token)('GET', '/spaces')).status).toBe(401)
    const spaces = await waitUntil(async () => {
      const now = (await must('GET', `/guests/${guest.id}`)).spaces
      return now.length === 1 && now
    })
    expect(spaces).toEqual([{ id: kept.id }])
  })
})

describe('a guest token', () => {
  it('lists what is in the space it was given, writes its records, and changes no settings', async () => {
    const [mine, other] = [await createSpace(), await createSpace()]
    const ours = await newWorkbook(mine.id)
    await newWorkbook(other.id)
    const guest = createCaller(await tokenOf((await newGuest([{ id: mine.id }])).id))
    expect(pluck(await getData(guest('GET', '/spaces')), 'id')).toEqual([mine.id])
    expect(pluck(await getData(guest('GET', '/workbooks')), 'id')).toEqual([ours.id])
    const records = `/sheets/${ours.sheets[0].id}/records`
    await getData(guest('POST', records, [{ email: { value: 'ada@example.com' } }]))
    expect((await getData(guest('GET', records))).records).toHaveLength(1)
    expect((await guest('PATCH', `/spaces/${mine.id}`, { name: 'Mine' })).status).toBe(403)
    expect((await guest('GET', `/auth/api-keys?environmentId=${environmentId}`)).status).toBe(403)
    expect((await guest('POST', '/spaces', { name: 'x' })).status).toBe(403)
    const heard = (await getData(guest('GET', '/events?pageSize=100'))).map(
      ({ context }: { context: { spaceId: string } }) => context.spaceId,
    )
    expect([...new Set(heard)]).toEqual([mine.id])
  })

  it('sees only the workbooks it was given, whatever a job names', async () => {
    const space = await createSpace()
    const [ours, theirs] = [await newWorkbook(space.id), await newWorkbook(space.id)]
    await must('POST', `/sheets/${theirs.sheets[0].id}/records`, [{ email: { value: 'ada@example.com' } }])
    const { id } = await newGuest([{ id: space.id, workbooks: [{ id: ours.id }] }])
    const guest = createCaller(await tokenOf(id, space.id))
    expect((await getData(guest('GET', '/workbooks'))).map((each: { id: string }) => each.id)).toEqual([ours.id])
    expect((await guest('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await guest('GET', `/sheets/${ours.sheets[0].id}/records`)).status).toBe(200)
    const job = (more: object) =>
      guest('POST', '/jobs', { type: 'workbook', operation: 'submit', source: ours.id, ...more })
    expect((await job({})).status).toBe(200)
    expect((await job({ source: theirs.id })).status).toBe(404)
    expect((await job({ source: space.id, type: 'space' })).status).toBe(404)
    expect((await job({ destination: theirs.id })).status).toBe(404)
    expect((await job({ operation: 'delete-records', config: { sheet: theirs.sheets[0].id } })).status).toBe(404)
    await must('POST', '/jobs', { type: 'workbook', operation: 'submit', source: theirs.id })
    const jobs = await getData(guest('GET', '/jobs'))
    expect(pluck(jobs, 'source')).toEqual([ours.id])
  })

  it('sees only the sheets it was given', async () => {
    const space = await createSpace()
    const workbook = await newWorkbook(space.id)
    const other = await newWorkbook(space.id)
    const { id } = await newGuest([{ id: space.id, sheets: [{ id: workbook.sheets[0].id }] }])
    const guest = createCaller(await tokenOf(id))
    expect((await guest('GET', `/sheets/${workbook.sheets[0].id}/records`)).status).toBe(200)
    expect((await guest('GET', `/sheets/${other.sheets[0].id}/records`)).status).toBe(404)
    expect((await guest('GET', `/workbooks/${workbook.id}`)).status).toBe(404)
  })

  it('keeps its whole space when a workbook of another space is added, and sees only that workbook there', async () => {
    const [whole, other] = [await createSpace(), await createSpace()]
    const [ours, theirs] = [await newWorkbook(other.id), await newWorkbook(other.id)]
    const email = newEmail()
    const { id } = await newGuest([{ id: whole.id }], email)
    const guest = createCaller(await tokenOf(id))
    await newGuest([{ id: other.id, workbooks: [{ id: ours.id }] }], email)
    const getStatus = async (method: string, path: string, body?: object) => (await guest(method, path, body)).status
    for (const path of [
      '/files?spaceId=SPACE',
      '/events?spaceId=SPACE',
      '/actions?spaceId=SPACE',
      '/spaces/SPACE/documents',
      '/subscription?scope=SPACE',
    ]) {
      expect([path, await getStatus('GET', path.replace('SPACE', whole.id))]).toEqual([path, 200])
      expect([403, 404], path).toContain(await getStatus('GET', path.replace('SPACE', other.id)))
    }
    const upload = (spaceId: string) => ({ spaceId, name: 'a.csv', size: 3 })
    expect(await getStatus('POST', '/files/uploads', upload(whole.id))).toBe(200)
    expect([403, 404]).toContain(await getStatus('POST', '/files/uploads', upload(other.id)))
    expect(await getStatus('GET', `/workbooks/${ours.id}`)).toBe(200)
    expect(await getStatus('GET', `/workbooks/${theirs.id}`)).toBe(404)
  })

  it('for one space opens no other; a guest of several is offered the others', async () => {
    const [first, second, foreign] = [await createSpace(), await createSpace(), await createSpace()]
    const { id } = await newGuest([{ id: first.id }, { id: second.id }])
    const everywhere = createCaller(await tokenOf(id))
    for (const space of [first, second]) expect((await everywhere('GET', `/spaces/${space.id}`)).status).toBe(200)
    const inFirst = createCaller(await tokenOf(id, first.id))
    expect((await inFirst('GET', `/spaces/${second.id}`)).status).toBe(404)
    const { token, valid } = await getData(inFirst('GET', `/guests/${id}/token?spaceId=${second.id}`))
    expect(valid).toBe(true)
    expect((await createCaller(token)('GET', `/spaces/${second.id}`)).status).toBe(200)
    expect((await inFirst('GET', `/guests/${id}/token?spaceId=${foreign.id}`)).status).toBe(404)
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(3600)
  })

  it('loses access space by space, and stops working when the guest is deleted', async () => {
    const [first, second] = [await createSpace(), await createSpace()]
    const email = newEmail()
    const { id } = await newGuest([{ id: first.id }, { id: second.id }], email)
    const [one, all] = [createCaller(await tokenOf(id, first.id)), createCaller(await tokenOf(id))]
    const live = (await getData(one('GET', `/subscription?scope=${first.id}`))).token
    const listen = () =>
      createCaller(undefined)('GET', `/v2/subscribe/x/space.${first.id}/0?auth=${encodeURIComponent(live)}&tt=0`)
    expect((await listen()).status).toBe(200)
    await must('DELETE', `/guests/${id}?spaceId=${first.id}`)
    expect((await one('GET', `/spaces/${first.id}`)).status).toBe(401)
    expect((await listen()).status).toBe(403)
    expect((await all('GET', `/spaces/${first.id}`)).status).toBe(404)
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(200)
    await must('DELETE', `/guests/${id}`)
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(401)
    const again = await newGuest([], email)
    expect(again.id).not.toBe(id)
    expect(again.spaces).toEqual([])
    expect((await all('GET', `/spaces/${second.id}`)).status).toBe(401)
  })
})

describe('a guest', () => {
  it('sees the other guests with the whole of its space, and cannot change them', async () => {
    const [space, other] = [await createSpace(), await createSpace()]
    const workbook = await newWorkbook(space.id)
    const one = await newGuest([{ id: space.id }])
    const two = await newGuest([{ id: space.id }, { id: other.id }])
    const part = await newGuest([{ id: space.id, workbooks: [{ id: workbook.id }] }])
    const guest = createCaller(await tokenOf(one.id))
    const idsOf = (guests: { id: string }[]) => guests.map(({ id }) => id).sort()
    const seen = await getData(guest('GET', `/guests?spaceId=${space.id}`))
    expect(idsOf(seen)).toEqual([one.id, two.id, part.id].sort())
    expect(seen.find(({ id }: { id: string }) => id === two.id).spaces).toEqual([{ id: space.id }])
    expect(idsOf(await getData(guest('GET', '/guests')))).toEqual([one.id])
    const ofPart = createCaller(await tokenOf(part.id))
    expect(idsOf(await getData(ofPart('GET', `/guests?spaceId=${space.id}`)))).toEqual([part.id])
    await must('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuests: false } } })
    expect(idsOf(await getData(guest('GET', `/guests?spaceId=${space.id}`)))).toEqual([one.id])
    expect((await guest('GET', `/guests/${two.id}`)).status).toBe(404)
    expect((await guest('GET', `/guests/${two.id}/token`)).status).toBe(404)
    expect((await guest('PATCH', `/guests/${one.id}`, { spaces: [] })).status).toBe(403)
    expect((await guest('DELETE', `/guests/${one.id}`)).status).toBe(403)
  })

  it('can invite others to what it has access to, and no more', async () => {
    const [space, other] = [await createSpace(), await createSpace()]
    const [ours, theirs] = [await newWorkbook(space.id), await newWorkbook(space.id)]
    const invite = async (token: string, spaces: object[], email = newEmail()) =>
      createCaller(token)('POST', '/guests', [{ environmentId, email, name: 'Friend', spaces }])
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
})
