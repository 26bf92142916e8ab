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
