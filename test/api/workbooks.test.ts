import { beforeAll, describe, expect, it } from 'vitest'
import { listEvents, pluck } from '../support/api.ts'
import { call, createFreshAccount, must } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const eventsOf = (spaceId: string) => listEvents(call, spaceId)

const newSpace = async (body: object = { name: 'Space' }) => await must('POST', '/spaces', body)

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

  const newWorkbook = async () => {
    const space = await newSpace()
    return { space, ...(await must('POST', '/workbooks', { ...config, spaceId: space.id })) }
  }

  it('is created with its sheets, with an event for each', async () => {
    const space = await newSpace()
    const { body } = await call('POST', '/workbooks', { ...config, spaceId: space.id })
    expect(pluck(body.data.sheets, 'slug')).toEqual(['contacts', 'contacts-2'])
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
    expect((await must('GET', `/workbooks/${body.data.id}`)).sheets).toHaveLength(2)
    expect(await must('GET', `/sheets?workbookId=${body.data.id}`)).toHaveLength(2)
    expect(await must('GET', `/workbooks?spaceId=${space.id}&name=-People`)).toHaveLength(0)
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
    expect(pluck(changed.body.data.sheets, 'slug')).toEqual(['contacts', 'contacts-2', 'new'])
    const updated = (await eventsOf(space.id)).find(({ topic }) => topic === 'sheet:updated')!
    expect((updated.payload.changes as { type: string }[]).map(({ type }) => type).sort()).toEqual([
      'field_removed',
      'field_updated',
    ])
  })

  it('emits exactly what changed in it and in its sheets', async () => {
    const space = await newSpace({ name: 'Exact', namespace: 'red' })
    const { id, sheets } = await must('POST', '/workbooks', { ...config, spaceId: space.id })
    const [first, second] = sheets as { id: string; name: string; slug: string }[]
    const listUpdates = async () =>
      (await eventsOf(space.id))
        .filter(({ topic }) => topic === 'workbook:updated' || topic === 'sheet:updated')
        .map(({ topic, payload }) => [topic, payload.changes])
    await call('PATCH', `/workbooks/${id}`, {
      labels: ['a'],
      folder: 'f',
      sheets: [{ name: 'New', slug: 'new', fields: [] }],
    })
    const added = (await must('GET', `/sheets?workbookId=${id}`)).at(-1)
    const config_updated = (field: string, newValue: unknown, previousValue: unknown = null) => ({
      type: 'config_updated',
      details: { field, previousValue, newValue },
    })
    const sheetOf = ({ id: sheetId, name, slug }: { id: string; name: string; slug: string }) => ({
      sheetId,
      name,
      slug,
    })
    expect(await listUpdates()).toEqual([
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
    const { id: copyId } = await must('POST', `/sheets/${second!.id}/duplicate`, { name: 'Copy' })
    await call('DELETE', `/sheets/${second!.id}`)
    expect((await listUpdates()).slice(1)).toEqual([
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

  it('passes its namespace and whether it tracks changes on to its sheets, without changing them', async () => {
    const space = await newSpace({ namespace: 'red' })
    const { id, sheets } = await must('POST', '/workbooks', { ...config, spaceId: space.id })
    await call('PATCH', `/workbooks/${id}`, { sheets: [{ id: sheets[0].id, namespace: 'own' }] })
    const update = { namespace: 'blue', settings: { trackChanges: true } }
    const changed = await must('PATCH', `/workbooks/${id}`, update)
    expect(changed).toEqual(await must('GET', `/workbooks/${id}`))
    await call('POST', `/sheets/${sheets[0].id}/records`, [{ email: 'a@b.c' }])
    const told = (await eventsOf(space.id)).slice(4)
    expect(told.map(({ topic }) => topic).slice(0, 3)).toEqual(['sheet:updated', 'workbook:updated', 'records:created'])
    const commit = told.find(({ topic }) => topic === 'commit:created')!
    expect(commit).toMatchObject({
      payload: { trackChanges: true },
      namespaces: ['space:red', 'workbook:blue', 'sheet:own'],
    })
    expect(told[0]!.payload.changes).toMatchObject([{ details: { field: 'namespace', newValue: 'own' } }])
    expect(told[1]!.payload.changes).toMatchObject([
      { details: { field: 'namespace' } },
      { details: { field: 'settings' } },
    ])
    await call('DELETE', `/workbooks/${id}`)
    const gone = (await eventsOf(space.id)).find(({ topic }) => topic === 'workbook:deleted')!
    expect(gone.namespaces).toEqual(['space:red', 'workbook:blue'])
  })

  it('counts its sheets on request, and stays in its space', async () => {
    const { space, id, sheets } = await newWorkbook()
    await call('POST', `/sheets/${sheets[0].id}/records`, [{ kind: 'a' }, { kind: 'none' }])
    const counted = (await must('GET', `/workbooks?spaceId=${space.id}&includeCounts=true`))[0].sheets
    expect(pluck(counted, 'recordCounts')).toEqual([
      { total: 2, valid: 1, error: 1 },
      { total: 0, valid: 0, error: 0 },
    ])
    const other = await newSpace()
    expect((await call('PATCH', `/workbooks/${id}`, { spaceId: other.id })).status).toBe(400)
    expect((await call('PATCH', `/workbooks/${id}`, { spaceId: space.id, name: 'Same' })).status).toBe(200)
  })

  it('has one sheet per slug', async () => {
    const { id, sheets } = await newWorkbook()
    expect((await call('PATCH', `/sheets/${sheets[1].id}`, { slug: 'contacts' })).status).toBe(409)
    const update = { sheets: [{ id: sheets[1].id, slug: 'contacts' }] }
    expect((await call('PATCH', `/workbooks/${id}`, update)).body.errors).toEqual([
      { key: 'sheets.0.slug', message: 'is used by two sheets: contacts' },
    ])
    expect((await must('PATCH', `/sheets/${sheets[1].id}`, { slug: 'other' })).slug).toBe('other')
  })

  it('returns the updated state, with its time, in the response to an update', async () => {
    const { id, sheets } = await newWorkbook()
    const named = await must('PATCH', `/sheets/${sheets[0].id}`, { name: 'People', slug: 'persons' })
    expect(named).toEqual(await must('GET', `/sheets/${named.id}`))
    expect(named).toMatchObject({ name: 'People', slug: 'persons', config: { name: 'People', slug: 'persons' } })
    expect(named.updatedAt > sheets[0].updatedAt).toBe(true)
    const update = { name: 'Changed', sheets: [{ id: sheets[1].id, description: 'Others' }] }
    const changed = await must('PATCH', `/workbooks/${id}`, update)
    expect(changed).toEqual(await must('GET', `/workbooks/${id}`))
    expect(changed.updatedAt > named.updatedAt).toBe(true)
    expect(pluck(changed.sheets, 'updatedAt')).toEqual([named.updatedAt, changed.updatedAt])
  })

  it('gives sheets without a slug the same generated slug, whenever they are added', async () => {
    const space = await newSpace()
    const sheet = (name: string) => ({ name, fields: [] })
    const made = await call('POST', '/workbooks', { spaceId: space.id, name: 'w', sheets: [sheet('Old & New Ones')] })
    const { body } = await call('PATCH', `/workbooks/${made.body.data.id}`, { sheets: [sheet('Old & New Ones')] })
    expect(pluck(body.data.sheets, 'slug')).toEqual(['old-new-ones', 'old-new-ones-2'])
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
    expect(pluck((await must('GET', `/sheets/${sheet}`)).config.fields, 'key')).toEqual(['b', 'a'])
    await call('DELETE', `/sheets/${sheet}/fields/a`)
    expect((await call('DELETE', `/sheets/${sheet}/fields/a`)).status).toBe(404)
    await call('POST', `/sheets/${sheet}/lock`)
    expect((await call('POST', `/sheets/${sheet}/records`, [{ b: 1 }])).status).toBe(409)
    await call('POST', `/sheets/${sheet}/unlock`)
    expect((await call('POST', `/sheets/${sheet}/records`, [{ b: 1 }])).status).toBe(200)
  })
})
