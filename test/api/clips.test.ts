import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, pluck, statusOf, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { readColumn, readRecords } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Clipped' }))

const cell = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))

interface Source {
  sheetId: string
  workbookId: string
  ids: string[]
  cities: string[]
}

async function newSource(names: string[]): Promise<Source> {
  const workbook = await must('POST', '/workbooks', {
    spaceId,
    name: 'People',
    sheets: [
      {
        name: 'People',
        slug: 'people',
        fields: [
          { key: 'name', type: 'string' },
          { key: 'age', type: 'number' },
          { key: 'city', type: 'reference', config: { ref: 'cities', key: 'code' } },
          { key: 'boss', type: 'reference', config: { ref: 'people', key: 'name' } },
        ],
      },
      {
        name: 'Cities',
        slug: 'cities',
        fields: [
          { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
          { key: 'mayor', type: 'string' },
        ],
      },
    ],
  })
  const [people, cities] = workbook.sheets
  const towns = ['LON', 'PAR', 'ROM'].map((code) => cell({ code, mayor: `mayor of ${code}` }))
  const made = await must('POST', `/sheets/${cities.id}/records`, towns)
  const rows = names.map((name, i) => cell({ name, age: 30 + i, city: i === 0 ? 'LON' : 'PAR', boss: names.at(-1) }))
  const inserted = await must('POST', `/sheets/${people.id}/records`, rows)
  const idsOf = ({ records }: { records: { id: string }[] }) => records.map(({ id }) => id)
  return { sheetId: people.id, workbookId: workbook.id, ids: idsOf(inserted), cities: [cities.id, ...idsOf(made)] }
}

interface Clip {
  id: string
  clipSheetId: string
  workbookId: string
  guestLinkUrl: string
}
const newClip = (source: Source, more: object = {}): Promise<Clip> =>
  must('POST', '/data-clips', { name: 'Clip', sourceSheetId: source.sheetId, ...more })
const recordsOf = (sheetId: string, as = call): Promise<{ id: string; values: Record<string, { value: unknown }> }[]> =>
  readRecords(sheetId, '', as)
const change = (sheetId: string, id: string, values: Record<string, unknown>, as = call) =>
  as('PUT', `/sheets/${sheetId}/records`, [{ id, values: cell(values) }])
const resolve = (clip: Clip, recordId: string, ...resolves: object[]) =>
  call('PATCH', `/data-clips/${clip.id}/resolutions`, { resolvedRecords: [{ recordId, resolves }] })

async function guestOf(email: string) {
  const [guest] = await must('GET', `/guests?email=${email}`)
  const { token } = await must('GET', `/guests/${guest.id}/token`)
  return { id: guest.id as string, spaces: guest.spaces, as: createCaller(token) }
}
const topicsOf = (clip: Clip) => findEvents(`spaceId=${spaceId}`, { dataClipId: clip.id })

describe('a clip', () => {
  it('shows a guest its records and the ones they refer to, and nothing else, until access is revoked', async () => {
    const source = await newSource(['Ada', 'Grace', 'Alan'])
    const clip = await newClip(source, { collaborators: ['only@example.com'] })
    await must('POST', `/data-clips/${clip.id}/add-records`, { recordIds: [source.ids[0]] })
    const { as, spaces } = await guestOf('only@example.com')
    expect(spaces).toEqual([{ id: spaceId, workbooks: [{ id: clip.workbookId }] }])
    const sheets = (await as('GET', `/sheets?workbookId=${clip.workbookId}`)).body.data
    const slugs = pluck(sheets, 'slug')
    expect(slugs.sort()).toEqual(['cities', 'people', 'people-referenced'])
    const seen = await recordsOf(clip.clipSheetId, as)
    expect(seen).toMatchObject([{ valid: true, values: { name: { value: 'Ada' }, city: { value: 'LON' } } }])
    const sheetOf = (slug: string) => sheets.find((sheet: { slug: string }) => sheet.slug === slug).id
    const cities = await recordsOf(sheetOf('cities'), as)
    expect(cities.map(({ values }) => values.mayor!.value)).toEqual(['mayor of LON'])
    expect((await recordsOf(sheetOf('people-referenced'), as)).map(({ values }) => values.name!.value)).toEqual([
      'Alan',
    ])
    expect((await change(sheetOf('cities'), cities[0]!.id, { mayor: 'me' }, as)).status).toBe(409)
    expect((await change(clip.clipSheetId, seen[0]!.id, { age: 31 }, as)).status).toBe(200)
    expect(await statusOf(as('GET', `/sheets/${source.sheetId}/records`))).toBe(404)
    expect(pluck((await as('GET', `/workbooks?spaceId=${spaceId}`)).body.data, 'id')).toEqual([clip.workbookId])
    expect((await as('GET', `/data-clips/${clip.id}`)).status).toBe(200)
    expect((await as('GET', `/data-clips/${clip.id}/resolutions`)).status).toBe(403)
    await must('PATCH', `/data-clips/${clip.id}`, { collaborators: [] })
    expect((await as('GET', `/sheets/${clip.clipSheetId}/records`)).status).toBe(401)
  })

  it('leaves the access of a guest of the whole space unchanged', async () => {
    const source = await newSource(['Ada'])
    const email = 'whole@example.com'
    await must('POST', '/guests', { environmentId: account.environmentId, email, name: 'W', spaces: [{ id: spaceId }] })
    const { id, as } = await guestOf(email)
    const clip = await newClip(source, { collaborators: [id] })
    await must('PATCH', `/data-clips/${clip.id}`, { collaborators: [] })
    expect((await as('GET', `/sheets/${source.sheetId}/records`)).status).toBe(200)
  })

  it('admits anyone with its public link to this clip only, until the link is disabled', async () => {
    const source = await newSource(['Ada'])
    const email = 'known@example.com'
    await must('POST', '/guests', { environmentId: account.environmentId, email, name: 'K', spaces: [{ id: spaceId }] })
    const clip = await newClip(source, { sharedLinkAccess: 'public' })
    await must('POST', `/data-clips/${clip.id}/add-records?filter=all`)
    const token = new URL(clip.guestLinkUrl).hash.slice('#token='.length)
    const exchange = async (address: string) =>
      (await createCaller(undefined)('POST', '/invitations/exchange', { token, email: address })).body.data
    for (const address of [email, 'stranger@example.com']) {
      const as = createCaller((await exchange(address)).token)
      expect((await recordsOf(clip.clipSheetId, as)).length).toBe(1)
      expect((await as('GET', `/sheets/${source.sheetId}/records`)).status).toBe(404)
      const [self] = (await as('GET', '/guests')).body.data
      expect((await as('GET', `/guests/${self.id}/token?spaceId=${spaceId}`)).status).toBe(403)
      const spaces = [{ id: spaceId, workbooks: [{ id: clip.workbookId }] }]
      const invited = { environmentId: account.environmentId, email: 'friend@example.com', name: 'F', spaces }
      expect((await as('POST', '/guests', invited)).status).toBe(403)
    }
    const as = createCaller((await exchange(email)).token)
    await must('PATCH', `/data-clips/${clip.id}`, { sharedLinkAccess: 'restricted' })
    expect((await as('GET', `/sheets/${clip.clipSheetId}/records`)).status).toBe(401)
    expect(await exchange(email)).toEqual({ valid: false })
  })

  it('adds records once under concurrent and repeated requests', async () => {
    const source = await newSource(['Ada', 'Grace', 'Alan'])
    const clip = await newClip(source)
    const path = `/data-clips/${clip.id}/add-records`
    const first = await must('POST', path, { recordIds: source.ids.slice(0, 2) })
    expect(first).toMatchObject({ added: 2, counts: { total: 2 } })
    expect(await must('POST', path, { recordIds: source.ids.slice(0, 2) })).toEqual({
      success: true,
      added: 0,
      counts: first.counts,
    })
    const both = await Promise.all([call('POST', `${path}?filter=all`), call('POST', `${path}?filter=all`)])
    for (const { status } of both) expect([200, 409]).toContain(status)
    expect(await readColumn(clip.clipSheetId, 'name')).toEqual(['Ada', 'Grace', 'Alan'])
    const [ada] = await recordsOf(clip.clipSheetId)
    await must('DELETE', `/sheets/${clip.clipSheetId}/records?ids=${ada!.id}`)
    expect(await must('POST', path, { recordIds: source.ids })).toMatchObject({ added: 1, counts: { total: 3 } })
    expect(await readColumn(clip.clipSheetId, 'name')).toEqual(['Grace', 'Alan', 'Ada'])
    expect(await must('GET', `/data-clips/${clip.id}/resolutions`)).toEqual([])
    expect((await call('POST', path)).body.errors[0].key).toBe('recordIds')
    expect((await call('POST', `${path}?filter=all`, { recordIds: [source.ids[0]] })).status).toBe(400)
  })

  it('is rejected for unknown collaborators, all reported together', async () => {
    const source = await newSource(['Ada'])
    const collaborators = ['ok@example.com', 'us_g_01J00000000000000000000000', 'not an address']
    const answer = await call('POST', '/data-clips', { name: 'x', sourceSheetId: source.sheetId, collaborators })
    expect(answer.status).toBe(400)
    expect(pluck(answer.body.errors, 'key')).toEqual(['collaborators.1', 'collaborators.2'])
  })

  it('is deleted with its source, and with its own workbook', async () => {
    const source = await newSource(['Ada'])
    const [one, two] = [await newClip(source), await newClip(source)]
    const waitUntilGone = (path: string) => waitUntil(async () => (await call('GET', path)).status === 404)
    await must('DELETE', `/workbooks/${one!.workbookId}`)
    await waitUntilGone(`/data-clips/${one!.id}`)
    await must('DELETE', `/sheets/${source.sheetId}`)
    await waitUntilGone(`/data-clips/${two!.id}`)
    await waitUntilGone(`/workbooks/${two!.workbookId}`)
    await waitUntilGone(`/sheets/${two!.clipSheetId}`)
    expect((await topicsOf(two!)).map(({ topic }) => topic)).toContain('data-clip:deleted')
  })
})

describe('merging', () => {
  async function newClipWithAllDifferences() {
    const source = await newSource(['own', 'theirs', 'alike', 'both', 'lost', 'lost changed', 'dropped'])
    const clip = await newClip(source)
    await must('POST', `/data-clips/${clip.id}/add-records?filter=all`)
    const copies = (await recordsOf(clip.clipSheetId)).map(({ id }) => id)
    const changeInClip = (i: number, values: object) =>
      change(clip.clipSheetId, copies[i]!, values as Record<string, unknown>)
    const changeInSource = (i: number, values: object) =>
      change(source.sheetId, source.ids[i]!, values as Record<string, unknown>)
    await changeInClip(0, { age: 100 })
    await changeInSource(1, { age: 101 })
    await changeInClip(2, { age: 102 })
    await changeInSource(2, { age: 102 })
    await changeInClip(3, { age: 103, name: 'both!' })
    await changeInSource(3, { age: 1103 })
    await changeInClip(5, { age: 105 })
    await must('DELETE', `/sheets/${source.sheetId}/records?ids=${source.ids[4]}&ids=${source.ids[5]}`)
    await must('DELETE', `/sheets/${clip.clipSheetId}/records?ids=${copies[6]}`)
    await must('POST', `/sheets/${clip.clipSheetId}/records`, [cell({ name: 'made', age: 7 })])
    const made = (await recordsOf(clip.clipSheetId)).at(-1)!.id
    return { source, clip, copies, made, inClip: changeInClip, inSource: changeInSource }
  }

  it('lists the differences and how each will be resolved', async () => {
    const { clip, copies, made } = await newClipWithAllDifferences()
    const { data, summary } = (await call('GET', `/data-clips/${clip.id}/resolutions?includeSummary=true`)).body
    expect(summary).toEqual({
      total: 5,
      changed: 2,
      added: 1,
      removed: 2,
      conflicts: 2,
      byField: { age: 3, name: 1 },
    })
    expect(pluck(data, 'id')).toEqual([copies[0], copies[3], copies[4], copies[5], made])
    expect(data[1]).toMatchObject({
      values: {
        age: { value: 1103, snapshotValue: 33, clipValue: 103 },
        name: { value: 'both', snapshotValue: 'both', clipValue: 'both!' },
      },
    })
    expect(pluck(data, 'resolves')).toEqual([
      [
        {
          field: 'age',
          type: 'resolve',
          resolveTo: 'clip',
          clip_value_reference: '100',
          main_value_reference: '30',
        },
      ],
      expect.arrayContaining([
        { field: 'age', type: 'conflict', clip_value_reference: '103', main_value_reference: '1103' },
        {
          field: 'name',
          type: 'resolve',
          resolveTo: 'clip',
          clip_value_reference: '"both!"',
          main_value_reference: '"both"',
        },
      ]),
      [{ type: 'resolve', removedFromMainResolution: 'ignore' }],
      [{ type: 'conflict' }],
      [{ type: 'resolve', resolveTo: 'clip' }],
    ])
    const list = async (query: string) => pluck(await must('GET', `/data-clips/${clip.id}/resolutions?${query}`), 'id')
    expect(await list('filterConflicts=true')).toEqual([copies[3], copies[5]])
    expect(await list('filterColumn=name')).toEqual([copies[3]])
    expect(await list('pageSize=2&pageNumber=2')).toEqual([copies[4], copies[5]])
    expect(await list('includeRecords=false')).toEqual([])
    const index = await call('GET', `/data-clips/${clip.id}/resolutions/index?filterConflicts=true&id=${copies[5]}`)
    expect(index.body).toEqual({ index: 1 })
  })

  it('waits for every conflict, then makes one commit with its events', async () => {
    const { source, clip, copies } = await newClipWithAllDifferences()
    const refused = await call('POST', `/data-clips/${clip.id}/merge`)
    expect(refused.status).toBe(409)
    expect(refused.body.errors[0].message).toMatch(/^2 records have conflicts/)
    expect((await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'clip' })).status).toBe(200)
    expect((await resolve(clip, copies[5]!, { removedFromMainResolution: 'restore' })).status).toBe(200)
    const before = (await must('GET', `/sheets/${source.sheetId}/commits`)).length
    const merged = await must('POST', `/data-clips/${clip.id}/merge`)
    expect(merged).toMatchObject({ status: 'merged', mergedAt: expect.any(String) })
    const rows = (await recordsOf(source.sheetId)).map(({ values }) => [values.name!.value, values.age!.value])
    expect(rows).toEqual([
      ['own', 100],
      ['theirs', 101],
      ['alike', 102],
      ['both!', 103],
      ['dropped', 36],
      ['lost changed', 105],
      ['made', 7],
    ])
    expect((await must('GET', `/sheets/${source.sheetId}/commits`)).length).toBe(before + 1)
    const told = await findEvents(`spaceId=${spaceId}`, { commitId: merged.mergedCommitId })
    expect(pluck(told, 'topic')).toEqual(
      expect.arrayContaining(['records:created', 'records:updated', 'commit:created']),
    )
    expect((await must('POST', `/data-clips/${clip.id}/merge`)).mergedCommitId).toBe(merged.mergedCommitId)
    expect((await must('GET', `/sheets/${source.sheetId}/commits`)).length).toBe(before + 1)
    expect((await call('POST', `/data-clips/${clip.id}/add-records?filter=all`)).status).toBe(409)
    expect((await change(clip.clipSheetId, copies[0]!, { age: 1 })).status).toBe(409)
    expect((await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'main' })).status).toBe(409)
    expect((await call('PATCH', `/data-clips/${clip.id}/refresh-resolutions`)).status).toBe(409)
    expect((await call('GET', `/data-clips/${clip.id}/resolutions/index?id=${copies[3]}`)).status).toBe(409)
    expect((await call('PATCH', `/data-clips/${clip.id}`, { status: 'open' })).status).toBe(409)
    expect((await must('PATCH', `/data-clips/${clip.id}`, { name: 'Done' })).status).toBe('merged')
  })

  it('leaves a text with several meanings unread, as in the clip', async () => {
    const source = await newSource(['a'])
    const clip = await newClip(source)
    await must('POST', `/data-clips/${clip.id}/add-records`, { recordIds: source.ids })
    const [copy] = await recordsOf(clip.clipSheetId)
    const values = cell({ age: '1.234' })
    await must('PUT', `/sheets/${clip.clipSheetId}/records?interpret=true`, [{ id: copy!.id, values }])
    await change(source.sheetId, source.ids[0]!, { age: 5 })
    await resolve(clip, copy!.id, { field: 'age', resolveTo: 'clip' })
    await must('POST', `/data-clips/${clip.id}/merge`)
    const [merged] = await recordsOf(source.sheetId)
    expect(merged!.values.age).toMatchObject({ value: '1.234', valid: false })
  })

  it('applies each decision: the value of the clip, of the source, or the original copy', async () => {
    const source = await newSource(['a', 'b', 'c', 'd'])
    const clip = await newClip(source)
    await must('POST', `/data-clips/${clip.id}/add-records`, { recordIds: source.ids })
    const copies = (await recordsOf(clip.clipSheetId)).map(({ id }) => id)
    for (const i of [0, 1, 2, 3]) await change(clip.clipSheetId, copies[i]!, { age: 100 + i })
    for (const i of [0, 1, 2]) await change(source.sheetId, source.ids[i]!, { age: 200 + i })
    await resolve(clip, copies[0]!, { field: 'age', resolveTo: 'clip' })
    await resolve(clip, copies[1]!, { field: 'age', resolveTo: 'main' })
    await resolve(clip, copies[2]!, { field: 'age', resolveTo: 'snapshot' })
    await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'main' })
    await must('PATCH', `/data-clips/${clip.id}`, { name: 'Merged', status: 'merged' })
    expect(await readColumn(source.sheetId, 'age')).toEqual([100, 201, 32, 33])
  })

  it('drops a decision whose values have changed since', async () => {
    const { clip, copies, inSource, inClip } = await newClipWithAllDifferences()
    const countConflicts = async () =>
      (await must('GET', `/data-clips/${clip.id}/resolutions?filterConflicts=true`)).length
    await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'clip', main_value_reference: '1103' })
    expect(await countConflicts()).toBe(1)
    await inSource(3, { age: 1104 })
    expect(await countConflicts()).toBe(2)
    const stale = await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'clip', main_value_reference: '1103' })
    expect(stale.status).toBe(409)
    await must('PATCH', `/data-clips/${clip.id}/refresh-resolutions`)
    await inSource(3, { age: 1103 })
    expect(await countConflicts()).toBe(2)
    await inClip(3, { age: 1103 })
    expect(await countConflicts()).toBe(1)
  })

  it('rejects decisions about values that do not differ, all together', async () => {
    const { clip, copies, made } = await newClipWithAllDifferences()
    const answer = await call('PATCH', `/data-clips/${clip.id}/resolutions`, {
      resolvedRecords: [
        { recordId: copies[1], resolves: [{ field: 'age', resolveTo: 'clip' }] },
        { recordId: copies[0], resolves: [{ field: 'name', resolveTo: 'clip' }, { field: 'age' }] },
        { recordId: made, resolves: [{ resolveTo: 'snapshot' }] },
      ],
    })
    expect(answer.status).toBe(400)
    expect(pluck(answer.body.errors, 'key')).toEqual([
      'resolvedRecords.0.resolves.0',
      'resolvedRecords.1.resolves.0',
      'resolvedRecords.1.resolves.1',
      'resolvedRecords.2.resolves.0',
    ])
  })

  it('emits each decision once, the first as created, then as updated', async () => {
    const { clip, copies } = await newClipWithAllDifferences()
    for (const resolveTo of ['main', 'main', 'clip']) await resolve(clip, copies[3]!, { field: 'age', resolveTo })
    const told = (await topicsOf(clip)).filter(({ topic }) => topic.startsWith('data-clip:resolutions'))
    const conflictId = `${copies[3]}.age`
    expect(told.map(({ topic, payload }) => [topic, payload])).toEqual([
      [
        'data-clip:resolutions-created',
        { dataClipId: clip.id, resolutions: [{ conflictId, resolution: 'main', resolvedBy: expect.any(String) }] },
      ],
      [
        'data-clip:resolutions-updated',
        {
          dataClipId: clip.id,
          resolutions: [
            { conflictId, resolution: 'clip', resolvedBy: expect.any(String), updatedAt: expect.any(String) },
          ],
          changes: [{ conflictId, previousResolution: 'main', newResolution: 'clip' }],
        },
      ],
    ])
  })

  it('resumes after a request died past the commit, without committing again', async () => {
    const { source, clip, copies } = await newClipWithAllDifferences()
    await resolve(clip, copies[3]!, { field: 'age', resolveTo: 'clip' })
    await resolve(clip, copies[5]!, { removedFromMainResolution: 'ignore' })
    const { Clips } = await import('../../lib/entities/clips.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    await must('POST', `/data-clips/${clip.id}/merge`)
    const commits = (await must('GET', `/sheets/${source.sheetId}/commits`)).length
    const { mergedAt: _, mergedCommitId, ...done } = (await Clips.get(clip.id))!
    const died = { ...done, status: 'open', merging: { op: `merge ${clip.id}`, seq: 0 } }
    await transact([Clips.replace((await Clips.get(clip.id))!, died)])
    expect((await change(clip.clipSheetId, copies[0]!, { age: 1 })).status).toBe(409)
    expect(await must('POST', `/data-clips/${clip.id}/merge`)).toMatchObject({ status: 'merged', mergedCommitId })
    expect((await must('GET', `/sheets/${source.sheetId}/commits`)).length).toBe(commits)
    expect((await readColumn(source.sheetId, 'name')).filter((name) => name === 'made')).toHaveLength(1)
  })

  it('updates referenced records on request', async () => {
    const source = await newSource(['Ada', 'Grace'])
    const clip = await newClip(source)
    await must('POST', `/data-clips/${clip.id}/add-records?filter=all`)
    await change(source.cities[0]!, source.cities[1]!, { mayor: 'elected' })
    await must('PATCH', `/data-clips/${clip.id}/refresh-resolutions`)
    const sheets = await must('GET', `/sheets?workbookId=${clip.workbookId}`)
    const cities = sheets.find(({ slug }: { slug: string }) => slug === 'cities')
    expect((await readColumn(cities.id, 'mayor')).sort()).toEqual(['elected', 'mayor of PAR'])
  })
})
