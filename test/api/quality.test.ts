import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findEvents, runJob } from '../support/activity.ts'
import { createCaller, createTestAccount, pluck } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createGuestCaller, createSheet, readColumn } from '../support/resources.ts'

let workbookId: string
let sheetId: string
let ids: string[]

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'amount', type: 'number' },
  { key: 'born', type: 'date' },
  { key: 'color', type: 'enum', config: { options: [{ value: 'red' }, { value: 'blue' }] } },
]
const ROWS = [
  { name: 'Ada', amount: '1.234,50 €', born: '01/02/2020', color: 'Red' },
  { name: 'ADA', amount: '12,5 €', born: '02/01/2020', color: 'Red' },
  { name: null, amount: 7, born: '2020-01-01', color: 'blue' },
  { name: 'Grace', amount: '8,25 €', born: null, color: 'pink' },
]

beforeAll(() => createFreshSpace({ name: 'Quality' }))
beforeEach(async () => {
  ;({ workbookId, sheetId } = await createSheet(FIELDS, { sheet: { name: 'People', slug: 'people' } }))
  ids = pluck((await must('POST', `/sheets/${sheetId}/records`, ROWS)).records, 'id')
})

const readGroups = async (query = '') => (await call('GET', `/sheets/${sheetId}/quality?${query}`)).body
const preview = (edit: object, query = '', by = call) =>
  by('POST', `/sheets/${sheetId}/quality/preview-edit?${query}`, edit)
const apply = (edit: object, version?: number, query = '', by = call) =>
  by('POST', `/sheets/${sheetId}/quality/edit?${query}`, { edit, version })
const RENAME = { type: 'replace', fieldKey: 'name', replacements: [{ from: 'ADA', to: 'Ada' }] }

describe('the errors of a sheet', () => {
  it('are grouped by field, message and pattern, with examples and fixes', async () => {
    const { data, pagination } = await readGroups()
    expect(pagination).toEqual({ currentPage: 1, pageCount: 1, totalCount: 6 })
    const amounts = data.filter(({ fieldKey }: { fieldKey: string }) => fieldKey === 'amount')
    expect(amounts).toMatchObject([
      {
        source: 'is-artifact',
        pattern: '9,9 €',
        count: 2,
        examples: [
          { recordId: ids[1], value: '12,5 €' },
          { recordId: ids[3], value: '8,25 €' },
        ],
        fix: { type: 'read', fieldKey: 'amount', pattern: '9,9 €', reading: { decimalMark: ',', units: ['€'] } },
      },
      { pattern: '9.9,9 €', count: 1 },
    ])
    const [color] = data.filter(({ pattern }: { pattern: string }) => pattern === 'Aa')
    expect(color).toMatchObject({
      source: 'invalid-option',
      count: 2,
      fix: { replacements: [{ from: 'Red', to: 'red' }] },
    })
    const [born] = data.filter(({ fieldKey }: { fieldKey: string }) => fieldKey === 'born')
    expect(born).toMatchObject({ count: 2, question: { about: 'day-month-order' } })
    expect(born.fix).toBeUndefined()
  })

  it('are paged, and selected by field and query', async () => {
    const second = await readGroups('pageSize=4&pageNumber=2')
    expect(second.data).toHaveLength(2)
    expect(second.pagination).toEqual({ currentPage: 2, pageCount: 2, totalCount: 6 })
    expect(pluck((await readGroups('fieldKey=color')).data, 'pattern')).toEqual(['Aa', 'a'])
    expect((await readGroups(`q=${encodeURIComponent('name eq "Grace"')}`)).pagination.totalCount).toBe(2)
    expect((await readGroups('level=warn')).data).toEqual([])
    expect((await call('GET', `/sheets/${sheetId}/quality?fieldKey=none`)).body.errors).toMatchObject([
      { key: 'fieldKey' },
    ])
  })
})

describe('references', () => {
  const reference = {
    key: 'company',
    type: 'reference',
    config: { ref: 'companies', key: 'name', relationship: 'has-one' },
  }
  let companies: string
  let staff: string
  const createMissing = (body: object, by = call) => by('POST', `/sheets/${staff}/quality/create-missing`, body)
  const countErrors = async () => (await must('GET', `/sheets/${staff}/counts`)).counts.error

  beforeEach(async () => {
    const partners = { key: 'partners', type: 'reference-list', config: { ref: 'companies', key: 'name' } }
    const fields = [
      ...[reference, partners, { key: 'city', type: 'string' }],
      {
        ...reference,
        key: 'filtered',
        config: { ...reference.config, filter: { refField: 'city', recordField: 'city' } },
      },
    ]
    const { sheets } = await must('POST', '/workbooks', {
      ...{ spaceId, name: 'Linked' },
      sheets: [
        {
          ...{ name: 'Companies', slug: 'companies' },
          fields: [
            { key: 'name', type: 'string' },
            { key: 'city', type: 'string' },
          ],
        },
        { name: 'Staff', slug: 'staff', fields },
      ],
    })
    ;[companies, staff] = pluck(sheets, 'id') as [string, string]
  })

  it('to values spelled differently are fixed by the value of the other sheet', async () => {
    await must(
      'POST',
      `/sheets/${companies}/records`,
      ['Acme, Inc.', 'Hooli', 'HOOLI'].map((name) => ({ name })),
    )
    const links = ['ACME Inc', 'acme inc', 'Acme, Inc.', 'hooli', 'Initech'].map((company) => ({ company }))
    await must('POST', `/sheets/${staff}/records`, links)
    const { data } = (await call('GET', `/sheets/${staff}/quality`)).body
    const fixes = data.map(({ pattern, fix }: { pattern: string; fix?: object }) => [pattern, fix])
    const replace = (from: string) => ({
      type: 'replace',
      fieldKey: 'company',
      replacements: [{ from, to: 'Acme, Inc.' }],
    })
    expect(Object.fromEntries(fixes)).toEqual({
      ...{ 'A Aa': replace('ACME Inc'), 'a a': replace('acme inc'), a: undefined, Aa: undefined },
    })
    await must('POST', `/sheets/${staff}/quality/edit`, { edit: replace('ACME Inc') })
    expect(await countErrors()).toBe(3)
  })

  it('to missing values are listed, and fixed by creating the records, all or the chosen ones', async () => {
    await must('POST', `/sheets/${companies}/records`, [{ name: 'Acme' }])
    const links = ['Initech', 'Acme', 'Hooli', 'Initech', null].map((company) => ({ company }))
    await must('POST', `/sheets/${staff}/records`, links)
    const { body } = await call('GET', `/sheets/${staff}/quality/missing?fieldKey=company&pageSize=1`)
    expect(body).toEqual({
      data: [{ value: 'Initech', count: 2 }],
      pagination: { currentPage: 1, pageCount: 2, totalCount: 2 },
      target: { sheetId: companies, fieldKey: 'name' },
    })
    const chosen = await createMissing({ fieldKey: 'company', values: ['Hooli', 'Acme', 'other'] })
    expect(chosen.body.data).toMatchObject({ sheetId: companies, created: 1, remaining: 0 })
    expect(await countErrors()).toBe(2)
    expect((await createMissing({ fieldKey: 'company' })).body.data.created).toBe(1)
    expect((await createMissing({ fieldKey: 'company' })).body.data).toEqual({
      ...{ success: true, sheetId: companies, created: 0, remaining: 0 },
    })
    expect(await readColumn(companies, 'name')).toEqual(['Acme', 'Hooli', 'Initech'])
    expect(await countErrors()).toBe(0)
    expect(await findEvents('topic=commit:created', { sheetId: companies })).toHaveLength(3)
  })

  it('to missing values within lists are found one by one', async () => {
    await must('POST', `/sheets/${companies}/records`, [{ name: 'Acme' }])
    await must('POST', `/sheets/${staff}/records`, [
      { partners: ['Acme', 'Hooli'] },
      { partners: ['Hooli', 'Initech'] },
    ])
    const { data } = (await call('GET', `/sheets/${staff}/quality/missing?fieldKey=partners`)).body
    expect(data).toEqual([
      { value: 'Hooli', count: 2 },
      { value: 'Initech', count: 1 },
    ])
  })

  it('are created once when two calls meet', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Company ${index}`)
    await must(
      'POST',
      `/sheets/${staff}/records`,
      names.map((company) => ({ company })),
    )
    const answers = await Promise.all(Array.from({ length: 4 }, () => createMissing({ fieldKey: 'company' })))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect((await readColumn(companies, 'name')).sort()).toEqual(names.sort())
  })

  it('cannot be created for other fields, in a locked sheet, or without the right to write there', async () => {
    await must('POST', `/sheets/${staff}/records`, [{ company: 'Initech' }])
    for (const fieldKey of ['city', 'filtered', 'none']) {
      const { status, body } = await createMissing({ fieldKey })
      expect([status, body.errors]).toEqual([400, [{ key: 'fieldKey', message: expect.any(String) }]])
    }
    const guest = await createGuestCaller({ id: spaceId, sheets: [{ id: staff }] })
    expect((await createMissing({ fieldKey: 'company' }, guest)).status).toBe(404)
    expect((await guest('GET', `/sheets/${staff}/quality/missing?fieldKey=company`)).status).toBe(404)
    await must('POST', `/sheets/${companies}/lock`)
    expect((await createMissing({ fieldKey: 'company' })).status).toBe(409)
    expect(await readColumn(companies, 'name')).toEqual([])
  })
})

describe('an edit', () => {
  it('is applied as previewed, in one commit with its events, and undone by a snapshot', async () => {
    const { fix } = (await readGroups('fieldKey=amount')).data[0]
    const { data } = (await preview(fix)).body
    expect(data).toEqual({
      version: expect.any(Number),
      records: 2,
      values: 2,
      changes: [
        { before: '12,5 €', after: 12.5, count: 1, valid: true },
        { before: '8,25 €', after: 8.25, count: 1, valid: true },
      ],
    })
    const { id: snapshotId } = await must('POST', '/snapshots', { sheetId, label: 'Before' })
    const { body } = await apply(fix, data.version)
    expect(body.data).toMatchObject({ success: true, updated: 2, commitId: expect.any(String) })
    expect(await readColumn(sheetId, 'amount')).toEqual(['1.234,50 €', 12.5, 7, 8.25])
    const events = await findEvents<{ topic: string; context: { commitId?: string } }>(`spaceId=${spaceId}`, {
      sheetId,
    })
    const topics = events.filter(({ context }) => context.commitId === body.data.commitId).map(({ topic }) => topic)
    expect(topics).toEqual(expect.arrayContaining(['commit:created', 'records:updated']))
    const [change] = await must('GET', `/sheets/${sheetId}/records/${ids[1]}/history`)
    expect(change.changes).toEqual([{ fieldKey: 'amount', previousValue: '12,5 €', newValue: 12.5 }])
    await must('POST', `/snapshots/${snapshotId}/restore`)
    expect(await readColumn(sheetId, 'amount')).toEqual(['1.234,50 €', '12,5 €', 7, '8,25 €'])
  })

  it('changes all records with a value, within the selection', async () => {
    expect((await preview(RENAME, `ids=${ids[0]}`)).body.data).toMatchObject({ records: 0, changes: [] })
    expect((await apply(RENAME, undefined, `ids=${ids[0]}`)).body.data).toEqual({ success: true, updated: 0 })
    expect((await apply(RENAME)).body.data).toMatchObject({ updated: 1 })
    const clear = { type: 'replace', fieldKey: 'name', replacements: [{ from: 'Ada', to: null }] }
    expect((await preview(clear)).body.data.changes).toEqual([{ before: 'Ada', after: null, count: 2, valid: false }])
  })

  it('is rejected with 409 when the sheet has changed since the preview, or is locked', async () => {
    const { version } = (await preview(RENAME)).body.data
    await must('POST', `/sheets/${sheetId}/records`, [{ name: 'ADA' }])
    const { status, body } = await apply(RENAME, version)
    expect(status).toBe(409)
    expect(body.errors[0].message).toContain('since the preview')
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'ADA', null, 'Grace', 'ADA'])
    const fresh = (await preview(RENAME)).body.data.version
    await must('POST', `/sheets/${sheetId}/fields`, { key: 'size', type: 'number' })
    expect((await apply(RENAME, fresh)).status).toBe(409)
    await must('POST', `/sheets/${sheetId}/lock`)
    expect((await apply(RENAME)).status).toBe(409)
  })

  it('lists every problem', async () => {
    const wrong = { type: 'read', fieldKey: 'amount', reading: { type: 'date' } }
    expect((await preview(wrong)).body.errors).toMatchObject([{ key: 'reading.type' }])
    expect((await apply(wrong)).body.errors).toMatchObject([{ key: 'edit.reading.type' }])
    expect((await preview({ ...RENAME, fieldKey: 'none' })).status).toBe(400)
    expect((await preview({ type: 'split', fieldKey: 'name', separator: ';' })).status).toBe(400)
    expect((await preview({ ...RENAME, replacements: [] })).status).toBe(400)
  })

  it('runs as a job, with a snapshot and on condition of the version', async () => {
    const { version } = (await preview(RENAME)).body.data
    const job = { type: 'sheet', operation: 'edit-values', source: sheetId }
    const finished = await runJob({
      ...job,
      config: { edit: RENAME, version, snapshotLabel: 'Before' },
    })
    expect(finished).toMatchObject({ status: 'completed', result: { sheetId, records: 1 } })
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'Ada', null, 'Grace'])
    const late = await runJob({
      ...job,
      type: 'workbook',
      source: workbookId,
      config: { sheetId, edit: RENAME, version },
    })
    expect(late).toMatchObject({ status: 'failed' })
    await must('POST', `/snapshots/${finished.result.snapshotId}/restore`)
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'ADA', null, 'Grace'])
    const wrong = { edit: { ...RENAME, fieldKey: 'none' } }
    expect((await call('POST', '/jobs', { ...job, config: wrong })).body.errors).toMatchObject([
      { key: 'config.edit.fieldKey' },
    ])
  })
})

describe('clusters of a field', () => {
  const readClusters = async (query: string) => (await call('GET', `/sheets/${sheetId}/quality/clusters?${query}`)).body

  it('have a fix that merges their values', async () => {
    const { data, pagination } = await readClusters('fieldKey=name')
    expect(pagination.totalCount).toBe(1)
    expect(data).toEqual([
      {
        ...{ count: 2, size: 2, suggestion: 'Ada' },
        values: [
          { value: 'Ada', count: 1 },
          { value: 'ADA', count: 1 },
        ],
        fix: { type: 'replace', fieldKey: 'name', replacements: [{ from: 'ADA', to: 'Ada' }] },
      },
    ])
    const { version } = (await preview(data[0].fix)).body.data
    expect((await apply(data[0].fix, version)).body.data).toMatchObject({ updated: 1 })
    expect((await readClusters('fieldKey=name')).data).toEqual([])
  })

  it('can be found by each method, within a selection', async () => {
    await must('POST', `/sheets/${sheetId}/records`, [{ name: 'Katherine' }, { name: 'Catherine' }, { name: 'Graace' }])
    for (const [method, values] of Object.entries({
      fingerprint: [['Ada', 'ADA']],
      ngram: [['Ada', 'ADA']],
      phonetic: [
        ['Ada', 'ADA'],
        ['Grace', 'Graace'],
        ['Katherine', 'Catherine'],
      ],
      distance: [
        ['Ada', 'ADA'],
        ['Grace', 'Graace'],
        ['Katherine', 'Catherine'],
      ],
    })) {
      const { data } = await readClusters(`fieldKey=name&method=${method}&radius=1`)
      expect(
        data.map((cluster: { values: object[] }) => pluck(cluster.values as { value: string }[], 'value')),
      ).toEqual(values)
    }
    expect((await readClusters(`fieldKey=name&ids=${ids[0]}`)).data).toEqual([])
    expect((await readClusters('fieldKey=none')).errors).toMatchObject([{ key: 'fieldKey' }])
    expect((await readClusters('fieldKey=name&method=x&radius=9')).errors).toHaveLength(2)
  })
})

describe('duplicates', () => {
  const read = async (query: string, by = call) =>
    (await by('GET', `/sheets/${sheetId}/quality/duplicates?${query}`)).body
  const merge = (path: string, body: object, by = call) => by('POST', `/sheets/${sheetId}/quality/${path}`, body)

  it('are merged as suggested and previewed, in one commit that can be undone', async () => {
    const { data, pagination, version } = await read('fields=name')
    expect(pagination).toEqual({ currentPage: 1, pageCount: 1, totalCount: 1 })
    expect(data).toMatchObject([{ count: 2, records: [{ id: ids[0], values: { name: 'Ada' } }, { id: ids[1] }] }])
    expect(data[0].merge).toEqual({ keep: ids[0], remove: [ids[1]] })
    const chosen = { merges: [{ ...data[0].merge, values: { amount: ids[1] } }], version }
    const shown = (await merge('preview-merge', chosen)).body.data
    expect(shown).toEqual({
      ...{ version, records: 1, deleted: 1 },
      merges: [{ keep: ids[0], remove: [ids[1]], values: { amount: { before: '1.234,50 €', after: '12,5 €' } } }],
    })
    const { id: snapshotId } = await must('POST', '/snapshots', { sheetId })
    const { body } = await merge('merge', chosen)
    expect(body.data).toMatchObject({ success: true, updated: 1, deleted: 1, commitId: expect.any(String) })
    expect(await readColumn(sheetId, 'amount')).toEqual(['12,5 €', 7, '8,25 €'])
    const events = await findEvents<{ topic: string; context: { commitId?: string } }>(`spaceId=${spaceId}`, {
      sheetId,
    })
    const topics = events.filter(({ context }) => context.commitId === body.data.commitId).map(({ topic }) => topic)
    expect(topics).toEqual(expect.arrayContaining(['records:updated', 'records:deleted']))
    expect((await merge('merge', chosen)).status).toBe(409)
    await must('POST', `/snapshots/${snapshotId}/restore`)
    expect(await readColumn(sheetId, 'amount')).toEqual(['1.234,50 €', '12,5 €', 7, '8,25 €'])
  })

  it('reject merges of missing records and contradictions, and unknown fields', async () => {
    const { sheetId: otherSheet } = await createSheet(FIELDS)
    const [other] = pluck((await must('POST', `/sheets/${otherSheet}/records`, ROWS)).records, 'id')
    for (const path of ['preview-merge', 'merge']) {
      expect((await merge(path, { merges: [{ keep: ids[0], remove: [other] }] })).status).toBe(404)
      const wrong = { merges: [{ keep: ids[0], remove: [ids[0]], values: { none: ids[0] } }] }
      expect((await merge(path, wrong)).body.errors).toMatchObject([
        { key: 'merges.0.remove.0' },
        { key: 'merges.0.values.none' },
      ])
    }
    expect((await read('fields=none')).errors).toMatchObject([{ key: 'fields' }])
    expect((await read('')).errors).toMatchObject([{ key: 'fields' }])
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'ADA', null, 'Grace'])
  })

  it('look missing in a foreign sheet', async () => {
    const foreign = createCaller((await createTestAccount()).secretKey)
    const body = { merges: [{ keep: ids[0], remove: [ids[1]] }] }
    expect((await read('fields=name', foreign)).errors[0].key).toBe('not-found')
    for (const path of ['preview-merge', 'merge']) expect((await merge(path, body, foreign)).status).toBe(404)
    expect((await foreign('GET', `/sheets/${sheetId}/quality/clusters?fieldKey=name`)).status).toBe(404)
  })
})

describe('access to the quality of a sheet', () => {
  it('looks like a missing sheet to another account, and to a guest of another space', async () => {
    const foreign = createCaller((await createTestAccount()).secretKey)
    const { id: otherSpace } = await must('POST', '/spaces', { name: 'Other' })
    const guest = await createGuestCaller({ id: otherSpace })
    for (const by of [foreign, guest]) {
      expect((await by('GET', `/sheets/${sheetId}/quality`)).status).toBe(404)
      expect((await preview(RENAME, '', by)).status).toBe(404)
      expect((await apply(RENAME, undefined, '', by)).status).toBe(404)
    }
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'ADA', null, 'Grace'])
  })

  it('is given to guests of the space', async () => {
    const guest = await createGuestCaller({ id: spaceId })
    expect((await guest('GET', `/sheets/${sheetId}/quality`)).body.pagination.totalCount).toBe(6)
    const { version } = (await preview(RENAME, '', guest)).body.data
    expect((await apply(RENAME, version, '', guest)).body.data).toMatchObject({ updated: 1 })
  })
})
