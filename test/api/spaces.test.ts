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
  it('is archived and active again by a change, too, each told of once', async () => {
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

  it('tells how much it holds, by whom it was made and when something last happened, and is sorted by that', async () => {
    const { spaceId: appId } = { spaceId: `us_app_${Date.now()}` }
    const spaces = []
    for (const name of ['b', 'a', 'c']) spaces.push(await newSpace({ name, appId }))
    const [first, second, third] = spaces.map(({ id }) => id as string)
    for (const id of [second, second, third]) await call('POST', '/workbooks', { spaceId: id, name: 'w' })
    const one = (await call('GET', `/spaces/${second}`)).body.data
    expect(one).toMatchObject({ workbooksCount: 2, filesCount: 0, createdByUserName: 'Ada' })
    expect(one.lastActivityAt > one.updatedAt).toBe(true)
    const sorted = async (field: string, direction: string) =>
      (await call('GET', `/spaces?appId=${appId}&sortField=${field}&sortDirection=${direction}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await sorted('name', 'asc')).toEqual([second, first, third])
    expect(await sorted('workbooksCount', 'desc')).toEqual([second, third, first])
    expect(await sorted('lastActivityAt', 'desc')).toEqual([third, second, first])
    expect(await sorted('createdAt', 'asc')).toEqual([first, second, third])
    for (const field of ['filesCount', 'createdByUserName', 'environmentId', 'updatedAt'])
      expect(await sorted(field, 'asc'), field).toEqual([first, second, third])
    expect((await call('GET', `/spaces?app=${appId}&isAppTemplate=true`)).body.data).toEqual([])
  })

  it('is deleted together with others, or none is', async () => {
    const ids: string[] = []
    for (const name of ['one', 'two']) ids.push((await newSpace({ name })).id)
    const remove = (some: string[]) => call('DELETE', `/spaces?${some.map((id) => `spaceIds=${id}`).join('&')}`)
    const strangers = (await callerOf((await mintAccount()).secretKey)('POST', '/spaces', {})).body.data.id
    expect((await remove([...ids, strangers])).status).toBe(404)
    for (const id of ids) expect((await call('GET', `/spaces/${id}`)).status).toBe(200)
    expect((await remove(ids)).body).toEqual({ data: { success: true } })
    for (const id of ids) expect((await call('GET', `/spaces/${id}`)).status).toBe(404)
    const told = (await call('GET', `/events?topic=space:deleted&pageSize=100`)).body.data
    expect(ids.every((id) => told.some(({ context }: Seen) => context.spaceId === id))).toBe(true)
  })

  it('stays in its environment, and its primary workbook is one of its own', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const { id } = (await call('POST', '/workbooks', { spaceId: other.id, name: 'w' })).body.data
    expect((await call('PATCH', `/spaces/${space.id}`, { primaryWorkbookId: id })).status).toBe(404)
    expect((await call('PATCH', `/spaces/${other.id}`, { primaryWorkbookId: id })).status).toBe(200)
    expect((await call('PATCH', `/spaces/${space.id}`, { environmentId: 'us_env_0' })).status).toBe(400)
    const same = { environmentId: account.environmentId, name: 'Same' }
    expect((await call('PATCH', `/spaces/${space.id}`, same)).status).toBe(200)
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

  it('tells exactly what changed of it and of its sheets', async () => {
    const space = await newSpace({ name: 'Exact', namespace: 'red' })
    const { id, sheets } = (await call('POST', '/workbooks', { ...config, spaceId: space.id })).body.data
    const [first, second] = sheets as { id: string; name: string; slug: string }[]
    const told = async () =>
      (await eventsOf(space.id))
        .filter(({ topic }) => topic === 'workbook:updated' || topic === 'sheet:updated')
        .map(({ topic, payload }) => [topic, payload.changes])
    await call('PATCH', `/workbooks/${id}`, {
      labels: ['a'],
      folder: 'f',
      sheets: [{ name: 'New', slug: 'new', fields: [] }],
    })
    const added = (await call('GET', `/sheets?workbookId=${id}`)).body.data.at(-1)
    const config_updated = (field: string, newValue: unknown, previousValue: unknown = null) => ({
      type: 'config_updated',
      details: { field, previousValue, newValue },
    })
    const sheetOf = ({ id: sheetId, name, slug }: { id: string; name: string; slug: string }) => ({
      sheetId,
      name,
      slug,
    })
    expect(await told()).toEqual([
      [
        'workbook:updated',
        [
          { type: 'sheet_added', details: sheetOf(added) },
          config_updated('labels', ['a']),
          config_updated('folder', 'f'),
        ],
      ],
    ])
    await call('PATCH', `/workbooks/${id}`, { labels: ['a'] })
    await call('PATCH', `/sheets/${first!.id}`, { metadata: { rowHeaders: [1] } })
    const { id: copyId } = (await call('POST', `/sheets/${second!.id}/duplicate`, { name: 'Copy' })).body.data
    await call('DELETE', `/sheets/${second!.id}`)
    expect((await told()).slice(1)).toEqual([
      ['sheet:updated', [config_updated('metadata', { rowHeaders: [1] })]],
      [
        'workbook:updated',
        [{ type: 'sheet_added', details: { sheetId: copyId, name: 'Copy', slug: 'contacts-2-copy' } }],
      ],
      ['workbook:updated', [{ type: 'sheet_removed', details: sheetOf(second!) }]],
    ])
    const namespaces = (await eventsOf(space.id))
      .filter(({ topic }) => topic === 'workbook:updated')
      .map((event) => event.namespaces)
    expect(namespaces).toEqual(Array(3).fill(['space:red', 'workbook:green']))
  })

  it('passes its namespace and whether it tracks changes on to its sheets, which is no change of theirs', async () => {
    const space = await newSpace({ namespace: 'red' })
    const { id, sheets } = (await call('POST', '/workbooks', { ...config, spaceId: space.id })).body.data
    await call('PATCH', `/workbooks/${id}`, { sheets: [{ id: sheets[0].id, namespace: 'own' }] })
    const update = { namespace: 'blue', settings: { trackChanges: true } }
    const changed = (await call('PATCH', `/workbooks/${id}`, update)).body.data
    expect(changed).toEqual((await call('GET', `/workbooks/${id}`)).body.data)
    await call('POST', `/sheets/${sheets[0].id}/records`, [{ email: 'a@b.c' }])
    const told = (await eventsOf(space.id)).slice(4)
    expect(told.map(({ topic }) => topic).slice(0, 3)).toEqual(['sheet:updated', 'workbook:updated', 'records:created'])
    const commit = told.find(({ topic }) => topic === 'commit:created')!
    expect(commit).toMatchObject({
      payload: { trackChanges: true },
      namespaces: ['space:red', 'workbook:blue', 'sheet:own'],
    })
    expect(told[0]!.payload.changes).toMatchObject([{ details: { field: 'namespace', newValue: 'own' } }])
  })

  it('counts its sheets when asked to, and stays in its space', async () => {
    const space = await newSpace()
    const { id, sheets } = (await call('POST', '/workbooks', { ...config, spaceId: space.id })).body.data
    await call('POST', `/sheets/${sheets[0].id}/records`, [{ kind: 'a' }, { kind: 'none' }])
    const counted = (await call('GET', `/workbooks?spaceId=${space.id}&includeCounts=true`)).body.data[0].sheets
    expect(counted.map(({ recordCounts }: { recordCounts: object }) => recordCounts)).toEqual([
      { total: 2, valid: 1, error: 1 },
      { total: 0, valid: 0, error: 0 },
    ])
    const other = await newSpace()
    expect((await call('PATCH', `/workbooks/${id}`, { spaceId: other.id })).status).toBe(400)
    expect((await call('PATCH', `/workbooks/${id}`, { spaceId: space.id, name: 'Same' })).status).toBe(200)
  })

  it('has one sheet of a slug', async () => {
    const space = await newSpace()
    const { id, sheets } = (await call('POST', '/workbooks', { ...config, spaceId: space.id })).body.data
    expect((await call('PATCH', `/sheets/${sheets[1].id}`, { slug: 'contacts' })).status).toBe(409)
    const update = { sheets: [{ id: sheets[1].id, slug: 'contacts' }] }
    expect((await call('PATCH', `/workbooks/${id}`, update)).status).toBe(409)
    expect((await call('PATCH', `/sheets/${sheets[1].id}`, { slug: 'other' })).body.data.slug).toBe('other')
  })

  it('answers a change as it is read from then on, with the time of it', async () => {
    const space = await newSpace()
    const { id, sheets } = (await call('POST', '/workbooks', { ...config, spaceId: space.id })).body.data
    const named = (await call('PATCH', `/sheets/${sheets[0].id}`, { name: 'People', slug: 'persons' })).body.data
    expect(named).toEqual((await call('GET', `/sheets/${named.id}`)).body.data)
    expect(named).toMatchObject({ name: 'People', slug: 'persons', config: { name: 'People', slug: 'persons' } })
    expect(named.updatedAt > sheets[0].updatedAt).toBe(true)
    const update = { name: 'Changed', sheets: [{ id: sheets[1].id, description: 'Others' }] }
    const changed = (await call('PATCH', `/workbooks/${id}`, update)).body.data
    expect(changed).toEqual((await call('GET', `/workbooks/${id}`)).body.data)
    expect(changed.updatedAt > named.updatedAt).toBe(true)
    expect(changed.sheets.map(({ updatedAt }: { updatedAt: string }) => updatedAt)).toEqual([
      named.updatedAt,
      changed.updatedAt,
    ])
  })

  it('names a sheet without a slug alike, whenever it comes', async () => {
    const space = await newSpace()
    const sheet = (name: string) => ({ name, fields: [] })
    const made = await call('POST', '/workbooks', { spaceId: space.id, name: 'w', sheets: [sheet('Old & New Ones')] })
    const { body } = await call('PATCH', `/workbooks/${made.body.data.id}`, { sheets: [sheet('Old & New Ones')] })
    expect(body.data.sheets.map(({ slug }: { slug: string }) => slug)).toEqual(['old-new-ones', 'old-new-ones-2'])
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
