import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let workbookId: string
let sheet: string
let ids: string[]

beforeAll(() => createFreshSpace({ name: 'Bulk' }))
beforeEach(async () => {
  const fields = [
    { key: 'name', label: 'Full name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'age', type: 'number' },
    { key: 'city', type: 'string' },
  ]
  ;({ workbookId, sheetId: sheet } = await createSheet(fields, { sheet: { name: 'People', slug: 'people' } }))
  const rows = [
    { name: 'Ada', age: 36, city: 'London' },
    { name: 'Bob', age: '7', city: 'london town' },
    { name: null, age: 40, city: 'Paris' },
    { name: 'Eve', age: 'unknown', city: null },
  ]
  ids = pluck((await must('POST', `/sheets/${sheet}/records`, rows)).records, 'id')
})

const values = async (key: string, query = '') =>
  (await must('GET', `/sheets/${sheet}/records?${query}`)).records.map(
    (record: { values: Record<string, { value: unknown }> }) => record.values[key]!.value,
  )
const commits = async () => (await must('GET', `/sheets/${sheet}/commits`)).length

describe('a bulk update', () => {
  it('sets the same cells of every selected record, as one commit with its events', async () => {
    const body = { fieldUpdates: { city: { value: 'Rome' } } }
    const answer = await call('PATCH', `/sheets/${sheet}/records/bulk-update?filter=valid`, body)
    expect(answer.body.data).toMatchObject({ success: true, updated: 2, commitId: expect.any(String) })
    expect(await values('city')).toEqual(['Rome', 'Rome', 'Paris', null])
    expect(await commits()).toBe(2)
    expect(await values('city', `commitId=${answer.body.data.commitId}`)).toEqual(['Rome', 'Rome'])
    const again = await call('PATCH', `/sheets/${sheet}/records/bulk-update?filter=valid`, body)
    expect(again.body.data).toEqual({ success: true, updated: 0 })
    expect(await commits()).toBe(2)
  })

  it('accepts a query, ids and bare values, and rejects unknown fields', async () => {
    const set = (query: string, fieldUpdates: object) =>
      call('PATCH', `/sheets/${sheet}/records/bulk-update?${query}`, { fieldUpdates })
    await set(`q=${encodeURIComponent('age gt 30')}`, { city: 'Oslo' })
    expect(await values('city')).toEqual(['Oslo', 'london town', 'Oslo', null])
    await set(`ids=${ids[3]}&ids=${ids[1]}`, { city: null, age: 1 })
    expect(await values('age')).toEqual([36, 1, 40, 1])
    expect((await set('', { nothing: 1 })).status).toBe(400)
    expect((await set('', {})).status).toBe(400)
  })
})

describe('find and replace', () => {
  const replace = async (body: object, query = '') =>
    await must('PUT', `/sheets/${sheet}/find-replace?${query}`, { fieldKey: 'city', ...body })

  it('replaces partial text, whole values in quotes, and empty cells', async () => {
    expect(await replace({ find: 'london', replace: 'Paris' })).toMatchObject({ updated: 2 })
    expect(await values('city')).toEqual(['Paris', 'Paris town', 'Paris', null])
    expect(await replace({ find: '"paris"', replace: 'Lyon' })).toMatchObject({ updated: 2 })
    expect(await values('city')).toEqual(['Lyon', 'Paris town', 'Lyon', null])
    expect(await replace({ find: '', replace: 'none' })).toMatchObject({ updated: 1 })
    expect(await replace({ find: 'Lyon', replace: null }, `ids=${ids[0]}`)).toMatchObject({ updated: 1 })
    expect(await values('city')).toEqual([null, 'Paris town', 'Lyon', 'none'])
    expect(await replace({ find: 'nowhere', replace: 'x' })).toEqual({ success: true, updated: 0 })
  })

  it('replaces in all fields as one commit, after a preview, unless the sheet changed since', async () => {
    const path = `/sheets/${sheet}/find-replace`
    const body = { find: 'london', replace: 'Paris' }
    const preview = await must('POST', `${path}/preview?pageSize=1`, body)
    expect(preview).toMatchObject({ cells: 2, changes: [{ fieldKey: 'city', count: 1, valid: true }] })
    await must('PUT', `/sheets/${sheet}/records`, [{ id: ids[0]!, values: { age: { value: 37 } } }])
    expect((await call('PUT', path, { ...body, version: preview.version })).status).toBe(409)
    const { version } = await must('POST', `${path}/preview`, body)
    expect(await must('PUT', path, { ...body, version })).toMatchObject({ updated: 2, commitId: expect.any(String) })
    expect(await values('city')).toEqual(['Paris', 'Paris town', 'Paris', null])
  })

  it('rejects an unknown field', async () => {
    expect((await call('PUT', `/sheets/${sheet}/find-replace`, { fieldKey: 'nothing', find: 'a' })).status).toBe(400)
  })
})

describe('a query', () => {
  it('filters lists and counts, by key and by label', async () => {
    const findNames = (q: string) => values('name', `q=${encodeURIComponent(q)}`)
    expect(await findNames('"full name" ilike "a%" or age eq 7')).toEqual(['Ada', 'Bob'])
    expect(await findNames('name is error')).toEqual([null])
    expect(await findNames('city eq ""')).toEqual(['Eve'])
    const q = encodeURIComponent('age gte 36 and not (city eq Paris)')
    expect((await must('GET', `/sheets/${sheet}/counts?q=${q}`)).counts).toMatchObject({ total: 1, valid: 1 })
  })

  it('that cannot be parsed is rejected with the location', async () => {
    const { status, body } = await call('GET', `/sheets/${sheet}/records?q=${encodeURIComponent('age gt (')}`)
    expect(status).toBe(400)
    expect(body.errors[0]).toMatchObject({ key: 'q', message: expect.stringMatching(/\b(8|9)\b/) })
  })
})

describe('reads of many records', () => {
  it('return positions, under a filter and an order', async () => {
    const getIndices = async (query: string) =>
      (await call('GET', `/sheets/${sheet}/records/indices?ids=${ids[0]}&ids=${ids[2]}&${query}`)).body
    expect(await getIndices('')).toEqual([
      { id: ids[0], index: 0 },
      { id: ids[2], index: 2 },
    ])
    expect(await getIndices('sortField=age&sortDirection=desc')).toEqual(
      expect.arrayContaining([
        { id: ids[2], index: expect.any(Number) },
        { id: ids[0], index: expect.any(Number) },
      ]),
    )
    expect(await getIndices('filter=valid')).toEqual([{ id: ids[0], index: 0 }])
  })

  it('calculate by field', async () => {
    const found = await must('GET', `/sheets/${sheet}/calculations`)
    const calculate = (fieldKey: string) =>
      Object.fromEntries(
        found
          .filter((one: { fieldKey: string }) => one.fieldKey === fieldKey)
          .map(({ type, value }: { type: string; value: number }) => [type, value]),
      )
    expect(calculate('age')).toEqual({
      COUNT_EMPTY: 0,
      COUNT_NON_EMPTY: 4,
      PERCENT_EMPTY: 0,
      PERCENT_NON_EMPTY: 100,
      SUM: 83,
      AVERAGE: 83 / 3,
      MIN: 7,
      MAX: 40,
    })
    expect(calculate('city')).toMatchObject({ COUNT_EMPTY: 1, PERCENT_EMPTY: 25 })
  })

  it('list the distinct values of one field or of all', async () => {
    const cells = async (query: string) => await must('GET', `/sheets/${sheet}/cells?distinct=true&${query}`)
    expect(Object.keys(await cells(''))).toEqual(['name', 'age', 'city'])
    expect((await cells('fieldKey=name&sortField=name&filter=valid')).name).toEqual([
      { value: 'Ada' },
      { value: 'Bob' },
    ])
  })
})

describe('a sheet', () => {
  it('is revalidated and its listeners are called for all its records', async () => {
    expect(await must('POST', `/sheets/${sheet}/validate`)).toEqual({ success: true })
    const events = await must('GET', `/events?spaceId=${spaceId}&topic=commit:created&pageSize=1000`)
    const last = events.filter((event: { context: { sheetId: string } }) => event.context.sheetId === sheet).at(-1)
    expect((await must('GET', last.dataUrl!.replace('v1', ''))).records).toHaveLength(4)
  })

  it('is duplicated with its records, their messages, metadata and config', async () => {
    const change = {
      id: ids[0],
      values: { city: { messages: [{ type: 'warn', message: 'Which one?' }] } },
      metadata: { source: 'x' },
      config: { readonly: true },
    }
    await call('PUT', `/sheets/${sheet}/records`, [change])
    const own = { namespace: 'copied', metadata: { rowHeaders: [1] } }
    await call('PATCH', `/workbooks/${workbookId}`, { sheets: [{ id: sheet, namespace: own.namespace }] })
    await call('PATCH', `/sheets/${sheet}`, { metadata: own.metadata })
    const copy = await must('POST', `/sheets/${sheet}/duplicate`, { name: 'Copy' })
    expect(copy).toMatchObject({ workbookId, name: 'Copy', slug: 'people-copy', ...own })
    const page = async (id: string) =>
      (await must('GET', `/sheets/${id}/records`)).records.map(({ id: _, ...rest }: { id: string }) => rest)
    expect(await page(copy.id)).toEqual(await page(sheet))
    expect(await must('GET', `/sheets?workbookId=${workbookId}`)).toHaveLength(2)
  })

  it('calls the listeners of one commit again', async () => {
    const [{ id }] = await must('GET', `/sheets/${sheet}/commits`)
    expect((await call('POST', `/commits/${id}/replay`)).status).toBe(200)
    const told = await must('GET', `/events?spaceId=${spaceId}&topic=commit:created&pageSize=1000`)
    expect(told.filter((event: { context: { commitId: string } }) => event.context.commitId === id)).toHaveLength(2)
    expect((await call('POST', `/commits/${id.replace(/\d$/, '9')}/replay`)).status).toBe(404)
  })
})
