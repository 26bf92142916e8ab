import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getData, listEvents, pluck, type SeenEvent } from '../support/api.ts'
import { account, call, createFreshAccount, must, signIn } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const eventsOf = (spaceId: string) => listEvents(call, spaceId)

const newSpace = (body: object = { name: 'Space' }) => must('POST', '/spaces', body)

describe('a space', () => {
  it('is also archived and unarchived by an update, with one event each', async () => {
    const { id } = await newSpace()
    const patch = async (body: object) => (await call('PATCH', `/spaces/${id}`, body)).body
    const archived = (await patch({ name: 'Old', archivedAt: '2001-01-01T00:00:00Z' })).data
    expect(Date.now() - Date.parse(archived.archivedAt)).toBeLessThan(60_000)
    expect((await patch({ archivedAt: new Date().toISOString() })).data).toEqual(archived)
    expect((await patch({ archivedAt: null })).data.archivedAt).toBeUndefined()
    expect((await patch({ archivedAt: 'soon' })).errors).toMatchObject([{ key: 'archivedAt' }])
    const told = (await eventsOf(id)).map(({ topic }) => topic)
    expect(told).toEqual(['space:created', 'space:updated', 'space:archived', 'space:unarchived'])
    const [, updated] = await eventsOf(id)
    expect(updated!.payload).toMatchObject({ changes: [{ field: 'name', previousValue: 'Space', newValue: 'Old' }] })
  })

  it('is created, changed, archived, unarchived and deleted, with an event for each', async () => {
    const space = await newSpace({ name: 'Spring', namespace: 'red' })
    await call('PATCH', `/spaces/${space.id}`, { name: 'Summer' })
    await call('PATCH', `/spaces/${space.id}`, { name: 'Summer' })
    await call('POST', `/spaces/${space.id}/archive`)
    expect(pluck(await must('GET', '/spaces?pageSize=100'), 'id')).not.toContain(space.id)
    expect(pluck(await must('GET', '/spaces?archived=true'), 'id')).toContain(space.id)
    await call('POST', `/spaces/${space.id}/unarchive`)
    const before = await eventsOf(space.id)
    expect(before.map(({ topic }) => topic)).toEqual([
      'space:created',
      'space:updated',
      'space:archived',
      'space:unarchived',
    ])
    expect(before[0]).toMatchObject({
      payload: { spaceId: space.id, environmentId: account.environmentId, name: 'Spring' },
      context: {
        accountId: account.accountId,
        environmentId: account.environmentId,
        spaceId: space.id,
        actorId: account.userId,
      },
      namespaces: ['space:red'],
    })
    expect(before[1]!.payload.changes).toEqual([{ field: 'name', previousValue: 'Spring', newValue: 'Summer' }])
    expect((await call('DELETE', `/spaces/${space.id}`)).body).toEqual({ data: { success: true } })
    expect((await call('GET', `/spaces/${space.id}`)).status).toBe(404)
    expect(
      await must('GET', `/events?environmentId=${account.environmentId}&topic=space:deleted&pageSize=100`),
    ).toHaveLength(1)
  })

  it('that is deleted names its workbook: the primary one, or else the oldest', async () => {
    const ends: Record<string, string | undefined> = { [(await newSpace()).id]: undefined }
    for (const isPrimary of [true, false]) {
      const { id } = await newSpace()
      const ids: string[] = []
      for (const name of ['one', 'two']) ids.push((await must('POST', '/workbooks', { spaceId: id, name })).id)
      if (isPrimary) await call('PATCH', `/spaces/${id}`, { primaryWorkbookId: ids[1] })
      ends[id] = isPrimary ? ids[1] : ids[0]
    }
    for (const id of Object.keys(ends)) await call('DELETE', `/spaces/${id}`)
    const told = (await must('GET', '/events?topic=space:deleted&pageSize=100')) as SeenEvent[]
    for (const [id, workbookId] of Object.entries(ends))
      expect(told.find(({ context }) => context.spaceId === id)!.context.workbookId).toBe(workbookId)
  })

  it('is listed newest first, page by page', async () => {
    const own = await createTestAccount()
    const mine = createCaller(own.secretKey)
    for (const name of ['a', 'b', 'c']) await mine('POST', '/spaces', { name })
    const first = await mine('GET', '/spaces?pageSize=2')
    expect(pluck(first.body.data, 'name')).toEqual(['c', 'b'])
    expect(first.body.pagination).toEqual({ currentPage: 1, pageCount: 2, totalCount: 3 })
    expect((await mine('GET', '/spaces?pageSize=2&pageNumber=2')).body.data).toHaveLength(1)
  })

  it('shows its size, its creator and its last activity, and is sorted by them', async () => {
    const admin = await signIn(account)
    const app = { name: 'Figures', namespace: 'figures', type: 'CUSTOM' }
    const { id: appId } = await getData(admin('POST', '/apps', app))
    const spaces = []
    for (const name of ['b', 'a', 'c']) spaces.push(await newSpace({ name, appId }))
    const [first, second, third] = spaces.map(({ id }) => id as string)
    for (const id of [second, second, third]) await call('POST', '/workbooks', { spaceId: id, name: 'w' })
    const one = await must('GET', `/spaces/${second}`)
    expect(one).toMatchObject({ workbooksCount: 2, filesCount: 0, createdByUserName: 'Ada' })
    expect(one.lastActivityAt > one.updatedAt).toBe(true)
    const listSorted = async (field: string, direction: string) =>
      pluck(await must('GET', `/spaces?appId=${appId}&sortField=${field}&sortDirection=${direction}`), 'id')
    expect(await listSorted('name', 'asc')).toEqual([second, first, third])
    expect(await listSorted('workbooksCount', 'desc')).toEqual([second, third, first])
    expect(await listSorted('lastActivityAt', 'desc')).toEqual([third, second, first])
    expect(await listSorted('createdAt', 'asc')).toEqual([first, second, third])
    for (const field of ['filesCount', 'createdByUserName', 'environmentId', 'updatedAt'])
      expect(await listSorted(field, 'asc'), field).toEqual([first, second, third])
    expect(await must('GET', `/spaces?app=${appId}&isAppTemplate=true`)).toEqual([])
  })

  it('shows its current size and when its records last changed, however large it is', async () => {
    const { id: spaceId } = await newSpace()
    const getStats = async () => await must('GET', `/spaces/${spaceId}`)
    const made = []
    for (const name of ['one', 'two', 'three']) {
      const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
      made.push(await must('POST', '/workbooks', { spaceId, name, sheets }))
    }
    await call('DELETE', `/workbooks/${made[0].id}`)
    const before = await getStats()
    expect(before).toMatchObject({ workbooksCount: 2, filesCount: 0 })
    await call('POST', `/sheets/${made[1].sheets[0].id}/records`, [{ k: { value: 'v' } }])
    expect((await getStats()).lastActivityAt > before.lastActivityAt).toBe(true)
  })

  it('is deleted in a batch, all or none', async () => {
    const ids: string[] = []
    for (const name of ['one', 'two']) ids.push((await newSpace({ name })).id)
    const remove = (some: string[]) => call('DELETE', `/spaces?${some.map((id) => `spaceIds=${id}`).join('&')}`)
    const strangers = (await createCaller((await createTestAccount()).secretKey)('POST', '/spaces', {})).body.data.id
    expect((await remove([...ids, strangers])).status).toBe(404)
    for (const id of ids) expect((await call('GET', `/spaces/${id}`)).status).toBe(200)
    expect((await remove(ids)).body).toEqual({ data: { success: true } })
    for (const id of ids) expect((await call('GET', `/spaces/${id}`)).status).toBe(404)
    const told = await must('GET', `/events?topic=space:deleted&pageSize=100`)
    expect(ids.every((id) => told.some(({ context }: SeenEvent) => context.spaceId === id))).toBe(true)
  })

  it('stays in its environment, and its primary workbook must be in it', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const { id } = await must('POST', '/workbooks', { spaceId: other.id, name: 'w' })
    expect((await call('PATCH', `/spaces/${space.id}`, { primaryWorkbookId: id })).status).toBe(404)
    expect((await call('PATCH', `/spaces/${other.id}`, { primaryWorkbookId: id })).status).toBe(200)
    expect((await call('PATCH', `/spaces/${space.id}`, { environmentId: 'us_env_0' })).status).toBe(400)
    const same = { environmentId: account.environmentId, name: 'Same' }
    expect((await call('PATCH', `/spaces/${space.id}`, same)).status).toBe(200)
  })

  it('is rejected with every problem of an invalid body, and changes nothing', async () => {
    const { status, body } = await call('POST', '/spaces', { name: 5, labels: 'x', access: ['everything'] })
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key').sort()).toEqual(['access.0', 'labels', 'name'])
    expect((await call('POST', '/spaces', undefined)).status).toBe(400)
  })

  it('treats any key as data except `__proto__`, which is rejected by its path', async () => {
    const kept = await newSpace({ name: 'x', metadata: { constructor: 1, toString: { prototype: 2 } } })
    expect((await must('GET', `/spaces/${kept.id}`)).metadata).toEqual({
      constructor: 1,
      toString: { prototype: 2 },
    })
    const body = Buffer.from('{"name":"x","metadata":{"a":[{"\\u005f_proto__":{"b":1}}]}}')
    const refused = await call('POST', '/spaces', body, { 'content-type': 'application/json' })
    expect(refused.status).toBe(400)
    expect(refused.body.errors[0].key).toBe('metadata.a.0.__proto__')
  })

  it('starts space:configure on request', async () => {
    const space = await newSpace({ name: 'auto', autoConfigure: true })
    const topics = (await eventsOf(space.id)).map(({ topic, payload }) => [topic, payload.job])
    expect(topics).toEqual([
      ['space:created', undefined],
      ['job:created', 'space:configure'],
      ['job:ready', 'space:configure'],
    ])
  })
})
