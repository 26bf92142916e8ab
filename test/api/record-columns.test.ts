import { beforeAll, describe, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet, readRecords } from '../support/resources.ts'

beforeAll(createFreshAccount)

const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'age', type: 'number' },
  { key: 'tags', type: 'string-list' },
]
const hookMessage = (message: string) => ({ type: 'info', source: 'custom-logic', message })

async function createFilledSheet() {
  const { sheetId } = await createSheet(FIELDS)
  await must('POST', `/sheets/${sheetId}/records`, [
    {
      values: { name: { value: 'Ada', messages: [hookMessage('seen')] }, age: { value: 36 } },
      metadata: { from: 'x' },
    },
    {
      values: { name: { value: null }, age: { value: 'old' }, tags: { value: ['a', 'b'] } },
      config: { readonly: true },
    },
  ])
  await must('POST', `/sheets/${sheetId}/records`, [{ name: { value: 'Grace' } }])
  return { sheetId, path: `/sheets/${sheetId}/records/columns` }
}

interface Columns {
  count: number
  ids: { prefix: string; first: number; count: number }[]
  columns: Record<string, unknown[]>
}
const toIds = ({ ids }: Columns): string[] =>
  ids.flatMap(({ prefix, first, count }) => Array.from({ length: count }, (_, i) => `${prefix}${first + i}`))

describe('GET /sheets/{sheetId}/records/columns', () => {
  it('has the values of all records by field, and other properties of the rows that have them', async () => {
    const { sheetId, path } = await createFilledSheet()
    const page = await must('GET', path)
    const records = await readRecords(sheetId)
    expect(toIds(page)).toEqual(pluck(records, 'id'))
    expect(page).toMatchObject({
      count: 3,
      columns: { name: ['Ada', null, 'Grace'], age: [36, 'old', null], tags: [null, ['a', 'b'], null] },
      metadata: [{ row: 0, value: { from: 'x' } }],
      config: [{ row: 1, value: { readonly: true } }],
      links: [],
    })
    expect(page.messages).toEqual([
      { row: 0, field: 'name', messages: records[0].values.name.messages },
      { row: 1, field: 'age', messages: records[1].values.age.messages },
    ])
  })

  it('selects like the list of records: by commit, part, filter, fields and page', async () => {
    const { path } = await createFilledSheet()
    const names = async (query: string) => (await must('GET', `${path}?${query}`)).columns
    expect(await names('filter=error&fields=name&fields=age')).toEqual({ name: [null], age: ['old'] })
    expect(await names('fields=name&pageSize=2&pageNumber=2')).toEqual({ name: ['Grace'] })
    const { commitId } = await must('GET', path)
    expect(await names(`fields=name&commitId=${commitId}&part=1&parts=1`)).toEqual({ name: ['Grace'] })
    expect(await names('fields=name&filter=none')).toEqual({ name: [] })
    expect((await must('GET', `${path}?includeMessages=false`)).messages).toEqual([])
    expect((await call('GET', `${path}?fields=nothing`)).body.errors).toMatchObject([{ key: 'fields' }])
  })

  it('has the records that reference cells refer to', async () => {
    const sheets = [
      { name: 'Countries', slug: 'countries', fields: [{ key: 'code', type: 'string' }] },
      {
        name: 'Cities',
        slug: 'cities',
        fields: [
          { key: 'name', type: 'string' },
          { key: 'country', type: 'reference', config: { ref: 'countries', key: 'code', relationship: 'has-one' } },
        ],
      },
    ]
    const { id: spaceId } = await must('POST', '/spaces', { name: 'Linked' })
    const { sheets: made } = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
    await must('POST', `/sheets/${made[0].id}/records`, [{ code: 'FR' }])
    await must('POST', `/sheets/${made[1].id}/records`, [
      { name: 'Oslo', country: 'NO' },
      { name: 'Paris', country: 'FR' },
    ])
    const { links } = await must('GET', `/sheets/${made[1].id}/records/columns?includeLinks=true`)
    expect(links).toMatchObject([{ row: 1, field: 'country', links: [{ values: { code: { value: 'FR' } } }] }])
  })
})

describe('PUT /sheets/{sheetId}/records/columns', () => {
  it('writes only the listed cells, messages, metadata and configs, in one commit', async () => {
    const { sheetId, path } = await createFilledSheet()
    const ids = toIds(await must('GET', path))
    const { commitId } = await must('PUT', path, {
      ids: [ids[2], ids[0]],
      columns: { age: { rows: [0, 1], values: [85, null] }, tags: { rows: [0], values: [['c']] } },
      messages: [{ row: 0, field: 'name', messages: [hookMessage('admiral')] }],
      metadata: [{ row: 1, value: { from: 'y' } }],
      config: [{ row: 0, value: { readonly: true } }],
    })
    const page = await must('GET', path)
    expect(page.columns).toEqual({
      name: ['Ada', null, 'Grace'],
      age: [null, 'old', 85],
      tags: [null, ['a', 'b'], ['c']],
    })
    expect(page.metadata).toEqual([{ row: 0, value: { from: 'y' } }])
    expect(page.config).toEqual([1, 2].map((row) => ({ row, value: { readonly: true } })))
    expect(page.messages.filter(({ field }: { field: string }) => field === 'name')).toMatchObject([
      { row: 0, messages: [{ message: 'seen' }] },
      { row: 2, messages: [{ message: 'admiral' }] },
    ])
    expect((await readRecords(sheetId, `commitId=${commitId}`)).length).toBe(2)
  })

  it('reports unknown fields and missing records, and is a 404 if there is none of them', async () => {
    const { path } = await createFilledSheet()
    const [id] = toIds(await must('GET', path))
    const missing = `${id!.slice(0, id!.lastIndexOf('_'))}_77`
    const columns = { age: { rows: [0, 1], values: [1, 2] }, unknown: { rows: [0], values: ['x'] } }
    expect(await must('PUT', path, { ids: [id, missing], columns })).toMatchObject({
      missing: [missing],
      ignoredFields: ['unknown'],
    })
    expect((await call('PUT', path, { ids: [missing], columns: { age: { rows: [0], values: [1] } } })).status).toBe(404)
  })

  it('reports all problems of a request, and writes nothing', async () => {
    const { path } = await createFilledSheet()
    const [id] = toIds(await must('GET', path))
    const { status, body } = await call('PUT', path, {
      ids: [id],
      columns: { age: { rows: [0, 1], values: [1] }, name: { rows: [0], values: [{}] } },
      messages: [{ row: 1, field: 'name', messages: [] }],
    })
    expect([status, pluck(body.errors, 'key')]).toEqual([400, ['columns.name.values.0']])
    const wrongRows = await call('PUT', path, {
      ids: [id],
      columns: { age: { rows: [0, 1], values: [1] } },
      messages: [{ row: 1, field: 'name', messages: [] }],
    })
    expect(pluck(wrongRows.body.errors, 'key')).toEqual(['columns.age.rows.1', 'columns.age.values', 'messages.0'])
    expect((await must('GET', path)).columns.age).toEqual([36, 'old', null])
  })

  it('is rejected for a locked sheet', async () => {
    const { sheetId, path } = await createFilledSheet()
    const [id] = toIds(await must('GET', path))
    await must('POST', `/sheets/${sheetId}/lock`)
    const response = await call('PUT', path, { ids: [id], columns: { age: { rows: [0], values: [1] } } })
    expect(response.status).toBe(409)
  })
})
