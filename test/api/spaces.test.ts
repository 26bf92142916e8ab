/** Spaces, workbooks and sheets over HTTP, with the events they cause. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, type TestAccount } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
})

interface Seen {
  topic: string
  payload: Record<string, unknown>
  context: Record<string, unknown>
  namespaces?: string[]
}
const eventsOf = async (spaceId: string): Promise<Seen[]> =>
  (await call('GET', `/events?spaceId=${spaceId}&pageSize=100`)).body.data

const newSpace = async (body: object = { name: 'Space' }) => (await call('POST', '/spaces', body)).body.data

describe('a space', () => {
  it('is created, changed, archived, unarchived and deleted, and tells of each', async () => {
    const space = await newSpace({ name: 'Spring', namespace: 'red' })
    await call('PATCH', `/spaces/${space.id}`, { name: 'Summer' })
    await call('PATCH', `/spaces/${space.id}`, { name: 'Summer' })
    await call('POST', `/spaces/${space.id}/archive`)
    expect((await call('GET', '/spaces?pageSize=100')).body.data.map(({ id }: { id: string }) => id)).not.toContain(
      space.id,
    )
    expect((await call('GET', '/spaces?archived=true')).body.data.map(({ id }: { id: string }) => id)).toContain(
      space.id,
    )
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
      (await call('GET', `/events?environmentId=${account.environmentId}&topic=space:deleted&pageSize=100`)).body.data,
    ).toHaveLength(1)
  })

  it('is listed newest first, page by page', async () => {
    const own = await mintAccount()
    const mine = callerOf(own.secretKey)
    for (const name of ['a', 'b', 'c']) await mine('POST', '/spaces', { name })
    const first = await mine('GET', '/spaces?pageSize=2')
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['c', 'b'])
    expect(first.body.pagination).toEqual({ currentPage: 1, pageCount: 2, totalCount: 3 })
    expect((await mine('GET', '/spaces?pageSize=2&pageNumber=2')).body.data).toHaveLength(1)
  })

  it('answers every problem of a bad body at once, and changes nothing', async () => {
    const { status, body } = await call('POST', '/spaces', { name: 5, labels: 'x', access: ['everything'] })
    expect(status).toBe(400)
    expect(body.errors.map(({ key }: { key: string }) => key).sort()).toEqual(['access.0', 'labels', 'name'])
    expect((await call('POST', '/spaces', undefined)).status).toBe(400)
  })

  it('keeps any key as data but the one JavaScript gives a meaning, which is refused by its place', async () => {
    const kept = await newSpace({ name: 'x', metadata: { constructor: 1, toString: { prototype: 2 } } })
    expect((await call('GET', `/spaces/${kept.id}`)).body.data.metadata).toEqual({
      constructor: 1,
      toString: { prototype: 2 },
    })
    const { server } = await import('../support/api.ts')
    const refused = await fetch(`${server().baseUrl}/v1/spaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.secretKey}`, 'content-type': 'application/json' },
      body: '{"name":"x","metadata":{"a":[{"\\u005f_proto__":{"b":1}}]}}',
    })
    expect(refused.status).toBe(400)
    expect(((await refused.json()) as { errors: { key: string }[] }).errors[0]!.key).toBe('metadata.a.0.__proto__')
  })

  it('answers the same through the aliases of older clients', async () => {
    const { server } = await import('../support/api.ts')
    const space = await newSpace()
    for (const path of [`/v1/v1/spaces/${space.id}`, `//v1/spaces/${space.id}`, `/v1//spaces/${space.id}`]) {
      const response = await fetch(`${server().baseUrl}${path}`, {
        headers: { authorization: `Bearer ${account.secretKey}` },
      })
      expect(response.status, path).toBe(200)
      expect(((await response.json()) as { data: { id: string } }).data.id).toBe(space.id)
    }
    const unknown = await call('GET', '/nothing')
    expect(unknown).toMatchObject({ status: 404, body: { errors: [{ key: 'not-found' }] } })
  })

  it('starts space:configure when asked to', async () => {
    const space = await newSpace({ name: 'auto', autoConfigure: true })
    const topics = (await eventsOf(space.id)).map(({ topic, payload }) => [topic, payload.job])
    expect(topics).toEqual([
      ['space:created', undefined],
      ['job:created', 'space:configure'],
      ['job:ready', 'space:configure'],
    ])
  })
})

describe('a workbook', () => {
  const config = {
    name: 'People',
    namespace: 'green',
    sheets: [
      {
        name: 'Contacts',
        fields: [
          { key: 'email', type: 'string' },
          { key: 'kind', type: 'enum', config: { options: [{ value: 'a' }] } },
        ],
      },
      { name: 'Contacts', fields: [] },
    ],
  }

  it('is created with its sheets, and tells of all of them', async () => {
    const space = await newSpace()
    const { body } = await call('POST', '/workbooks', { ...config, spaceId: space.id })
    expect(body.data.sheets.map(({ slug }: { slug: string }) => slug)).toEqual(['contacts', 'contacts-2'])
    const events = (await eventsOf(space.id)).slice(1)
    expect(events.map(({ topic }) => topic)).toEqual(['workbook:created', 'sheet:created', 'sheet:created'])
    expect(events[0]).toMatchObject({
      payload: { sheetCount: 2, name: 'People', namespace: 'green', spaceId: space.id },
      namespaces: ['workbook:green'],
    })
    expect(events[1]).toMatchObject({
      payload: { fieldCount: 2, slug: 'contacts' },
      context: { sheetSlug: 'contacts', workbookId: body.data.id },
    })
    expect((await call('GET', `/workbooks/${body.data.id}`)).body.data.sheets).toHaveLength(2)
    expect((await call('GET', `/sheets?workbookId=${body.data.id}`)).body.data).toHaveLength(2)
    expect((await call('GET', `/workbooks?spaceId=${space.id}&name=-People`)).body.data).toHaveLength(0)
  })

  it('is changed sheet by sheet: matched by slug, added when new', async () => {
    const space = await newSpace()
    const { body } = await call('POST', '/workbooks', { ...config, spaceId: space.id })
    const update = {
      sheets: [
        { slug: 'contacts', fields: [{ key: 'email', type: 'string', label: 'E-mail' }] },
        { name: 'New', slug: 'new', fields: [] },
      ],
    }
    const changed = await call('PATCH', `/workbooks/${body.data.id}`, update)
    expect(changed.body.data.sheets.map(({ slug }: { slug: string }) => slug)).toEqual([
      'contacts',
      'contacts-2',
      'new',
    ])
    const updated = (await eventsOf(space.id)).find(({ topic }) => topic === 'sheet:updated')!
    expect((updated.payload.changes as { type: string }[]).map(({ type }) => type).sort()).toEqual([
      'field_removed',
      'field_updated',
    ])
  })

  it('refuses fields that cannot be', async () => {
    const space = await newSpace()
    const sheets = [
      {
        name: 'x',
        fields: [
          { key: 'a', type: 'text' },
          { key: 'b', type: 'string' },
          { key: 'b', type: 'number' },
        ],
      },
    ]
    const { status, body } = await call('POST', '/workbooks', { spaceId: space.id, name: 'x', sheets })
    expect(status).toBe(400)
    expect(body.errors.length).toBeGreaterThan(0)
    expect((await call('GET', `/workbooks?spaceId=${space.id}`)).body.data).toEqual([])
  })

  it('of a space of somebody else cannot be created', async () => {
    const stranger = await mintAccount()
    const space = await newSpace()
    expect((await callerOf(stranger.secretKey)('POST', '/workbooks', { ...config, spaceId: space.id })).status).toBe(
      404,
    )
  })
})

describe('a sheet', () => {
  it('gains and loses fields, is locked and unlocked', async () => {
    const space = await newSpace()
    const workbook = await call('POST', '/workbooks', {
      spaceId: space.id,
      name: 'w',
      sheets: [{ name: 'S', fields: [{ key: 'a', type: 'string' }] }],
    })
    const sheet = workbook.body.data.sheets[0].id
    await call('POST', `/sheets/${sheet}/fields?insertAtIndex=0`, { key: 'b', type: 'number' })
    expect((await call('POST', `/sheets/${sheet}/fields`, { key: 'b', type: 'number' })).status).toBe(409)
    expect(
      (await call('GET', `/sheets/${sheet}`)).body.data.config.fields.map(({ key }: { key: string }) => key),
    ).toEqual(['b', 'a'])
    await call('DELETE', `/sheets/${sheet}/fields/a`)
    expect((await call('DELETE', `/sheets/${sheet}/fields/a`)).status).toBe(404)
    await call('POST', `/sheets/${sheet}/lock`)
    expect((await call('POST', `/sheets/${sheet}/records`, [{ b: 1 }])).status).toBe(409)
    await call('POST', `/sheets/${sheet}/unlock`)
    expect((await call('POST', `/sheets/${sheet}/records`, [{ b: 1 }])).status).toBe(200)
  })
})
