import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let sheet: string

const FIELDS = [
  { key: 'email', type: 'string', constraints: [{ type: 'required' }, { type: 'unique' }] },
  { key: 'age', type: 'number' },
  { key: 'kind', type: 'enum', config: { options: [{ value: 'a' }, { value: 'b' }] } },
  { key: 'born', type: 'date' },
  { key: 'tags', type: 'string-list' },
]

beforeAll(() => createFreshSpace({ name: 'Records' }))
async function newSheet(settings?: object): Promise<void> {
  ;({ sheetId: sheet } = await createSheet(FIELDS, { sheet: { slug: 's' }, workbook: { settings } }))
}
beforeEach(() => newSheet())

interface Seen {
  id: string
  topic: string
  payload: Record<string, unknown>
  context: Record<string, unknown>
  dataUrl?: string
}
const events = async (): Promise<Seen[]> =>
  (await must('GET', `/events?spaceId=${spaceId}&pageSize=1000`))
    .filter(({ context }: Seen) => context.sheetId === sheet)
    .slice(1)
const topics = async () => (await events()).map(({ topic }) => topic)
const insert = (rows: object[]) => call('POST', `/sheets/${sheet}/records`, rows)
const list = async (query = '') => await must('GET', `/sheets/${sheet}/records${query}`)
const counts = async (query = '') => (await must('GET', `/sheets/${sheet}/counts${query}`)).counts

describe('a record', () => {
  it('has a cell for every field, and messages where a value does not fit', async () => {
    const { body } = await insert([{ email: 'a@b.c', age: 'old', kind: 'c', born: '31.11.1999', tags: ['x', 'y'] }])
    const [record] = body.data.records
    expect(record).toMatchObject({ valid: false, metadata: {}, config: {} })
    expect(record.values.email).toEqual({ value: 'a@b.c', messages: [], valid: true })
    expect(record.values.age).toMatchObject({
      value: 'old',
      valid: false,
      messages: [{ type: 'error', source: 'is-artifact' }],
    })
    expect(record.values.kind).toMatchObject({ value: 'c', messages: [{ source: 'invalid-option' }] })
    expect(record.values.born).toMatchObject({ value: '31.11.1999', valid: false })
    expect(record.values.tags.value).toEqual(['x', 'y'])
    expect((await list()).records).toEqual([record])
  })

  it('is available immediately after an insert of 10,000 in one gzip body, in order, page by page', async () => {
    const rows = Array.from({ length: 10_000 }, (_, row) => ({ email: { value: `${row}@x.de` }, age: { value: row } }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await call('POST', `/sheets/${sheet}/records`, gzipSync(JSON.stringify(rows)), headers)
    expect(response.status).toBe(200)
    expect(await counts()).toMatchObject({ total: 10_000, valid: 10_000, error: 0 })
    const page = await list('?pageSize=1000&pageNumber=7&includeLength=true')
    expect(page.records.map((record: { values: { age: { value: number } } }) => record.values.age.value)).toEqual(
      Array.from({ length: 1000 }, (_, row) => 6000 + row),
    )
    expect(page.counts.total).toBe(10_000)
    expect((await list()).records).toHaveLength(10_000)
    const created = (await events()).filter(({ topic }) => topic === 'records:created')
    expect(created.map(({ payload }) => payload.recordCount)).toEqual([5000, 5000])
    expect(new Set(created.flatMap(({ payload }) => payload.recordIds as string[])).size).toBe(10_000)
  })

  it('is not created by an empty insert: nothing is written and nothing emitted', async () => {
    await insert([{ email: 'a@b.c' }])
    const before = await topics()
    const { status, body } = await insert([])
    expect([status, body.data]).toEqual([200, { success: true, records: [], counts: { total: 1, valid: 1, error: 0 } }])
    expect(await topics()).toEqual(before)
    expect(await must('GET', `/sheets/${sheet}/commits`)).toHaveLength(1)
  })

  it('beyond 10,000 per call is rejected by name of the limit, and nothing is written', async () => {
    const { status, body } = await insert(Array.from({ length: 10_001 }, () => ({ age: 1 })))
    expect(status).toBe(400)
    expect(body.errors[0].message).toMatch(/10,?000/)
    expect(await counts()).toMatchObject({ total: 0 })
  })
})

describe('an update', () => {
  it('changes only the named cells, and clears the duplicate flag it fixes', async () => {
    const { records } = (
      await insert([
        { email: 'x@y.z', age: 1 },
        { email: 'x@y.z', age: 2 },
      ])
    ).body.data
    expect(await counts()).toEqual({ total: 2, valid: 0, error: 2 })
    await call('PUT', `/sheets/${sheet}/records`, [{ id: records[1].id, values: { email: { value: 'other@y.z' } } }])
    expect(await counts()).toEqual({ total: 2, valid: 2, error: 0 })
    expect((await list()).records[1].values).toMatchObject({ email: { value: 'other@y.z' }, age: { value: 2 } })
  })

  it('with only messages keeps values, makes no commit, and replaces all earlier messages', async () => {
    const { records } = (await insert([{ email: 'a@b.c' }])).body.data
    const before = await topics()
    const put = (messages: object[]) =>
      call('PUT', `/sheets/${sheet}/records`, [{ id: records[0].id, values: { age: { messages } } }])
    await put([{ type: 'error', message: 'too young', source: 'custom-logic' }])
    expect((await list()).records[0]).toMatchObject({
      valid: false,
      values: { age: { value: null, messages: [{ type: 'error', message: 'too young', source: 'custom-logic' }] } },
    })
    expect(await counts('?byField=true')).toMatchObject({ error: 1, errorsByField: { age: 1 } })
    await put([{ type: 'info', message: 'fine' }])
    expect((await list()).records[0]).toMatchObject({ valid: true })
    expect(await topics()).toEqual(before)
  })

  it('reports deleted records, and is a 404 when none of them exists', async () => {
    const { records } = (await insert([{ email: 'a@b.c' }])).body.data
    const gone = records[0].id.replace(/0$/, '9')
    expect((await call('PUT', `/sheets/${sheet}/records`, [{ id: gone, values: { age: { value: 1 } } }])).status).toBe(
      404,
    )
    const mixed = await call('PUT', `/sheets/${sheet}/records`, [
      { id: gone, values: { age: { value: 1 } } },
      { id: records[0].id, values: { age: { value: 1 } } },
    ])
    expect(mixed.body.data.missing).toEqual([gone])
    expect((await list()).records[0].values.age.value).toBe(1)
  })
})

describe('filters', () => {
  it('select valid and invalid records, by field, by ids, by commit and by text', async () => {
    const first = (
      await insert([
        { email: 'ada@x.y', age: 1 },
        { email: null, age: 2 },
        { email: 'eve@x.y', age: 'x' },
      ])
    ).body.data
    const second = (await insert([{ email: 'zoe@x.y', age: 4 }])).body.data
    const ages = async (query: string) =>
      (await list(query)).records.map(({ values }: { values: { age: { value: unknown } } }) => values.age.value)
    expect(await ages('?filter=valid')).toEqual([1, 4])
    expect(await ages('?filter=error')).toEqual([2, 'x'])
    expect(await ages('?filter=error&filterField=email')).toEqual([2])
    expect(await ages('?filter=none')).toEqual([])
    expect(await ages(`?ids=${first.records[2].id}&ids=${first.records[0].id}`)).toEqual([1, 'x'])
    expect(await ages(`?filter=all&ids=${first.records[0].id}`)).toEqual([2, 'x', 4])
    expect(await ages(`?commitId=${second.commitId}`)).toEqual([4])
    expect(await ages(`?sinceCommitId=${first.commitId}`)).toEqual([4])
    expect(await ages('?searchValue=eve')).toEqual(['x'])
    expect(await ages('?sortField=email&sortDirection=desc&filter=valid')).toEqual([4, 1])
    expect((await call('GET', `/sheets/${sheet}/records?filter=error&filterField=nothing`)).status).toBe(400)
    expect((await call('GET', `/sheets/${sheet}/records?commitId=us_vr_other_0`)).status).toBe(400)
    expect(
      (await must('GET', `/sheets/${sheet}/cells?fieldKey=age&distinct=true&includeCounts=true`)).age,
    ).toHaveLength(4)
  })
})

describe('deleting records', () => {
  it('removes the named ones, emits an event, and is a 404 the second time', async () => {
    const { records } = (await insert([{ email: 'a@b.c' }, { email: 'd@e.f' }])).body.data
    const path = `/sheets/${sheet}/records?ids=${records[0].id}`
    const deleted = (await call('DELETE', path)).body.data
    expect(deleted).toMatchObject({ success: true, commitId: expect.stringMatching(/^us_vr_/) })
    expect(pluck((await list()).records, 'id')).toEqual([records[1].id])
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await events()).find(({ topic }) => topic === 'records:deleted')!.payload).toMatchObject({
      recordIds: [records[0].id],
      recordCount: 1,
    })
  })
})

describe('a commit', () => {
  it('emits everything public listeners read, and its dataUrl returns exactly its records', async () => {
    await insert([{ email: 'before@x.y' }])
    const { commitId, records } = (await insert([{ email: 'a@b.c' }])).body.data
    const seen = await events()
    expect(seen.map(({ topic }) => topic)).toEqual([
      'records:created',
      'commit:created',
      'sheet:counts-updated',
      'sheet:calculation-updated',
      'records:created',
      'commit:created',
      'sheet:counts-updated',
      'sheet:calculation-updated',
    ])
    const commit = seen[5]!
    expect(commit).toMatchObject({
      payload: { sheetId: sheet, versionId: commitId, sheetSlug: 's', trackChanges: false },
      context: {
        accountId: account.accountId,
        environmentId: account.environmentId,
        spaceId,
        sheetId: sheet,
        sheetSlug: 's',
        commitId,
        versionId: commitId,
        actorId: account.userId,
        slugs: { sheet: 's' },
      },
    })
    expect((await must('GET', commit.dataUrl!.replace('v1', ''))).records).toEqual(records)
    expect(seen[6]!.payload.counts).toEqual({ total: 2, valid: 2, error: 0, updated: 1 })
  })

  it("from a hook's own write reaches listeners like any other, even with X-Disable-Hooks; a silent one does not", async () => {
    const { records } = (await insert([{ email: 'a@b.c' }])).body.data
    const event = (await events())[1]!
    const put = (age: number, query: string, headers: Record<string, string>) =>
      call('PUT', `/sheets/${sheet}/records${query}`, [{ id: records[0].id, values: { age: { value: age } } }], headers)
    await put(1, `?for=${event.id}`, { 'x-disable-hooks': 'true' })
    await put(1, `?for=${event.id}`, { 'x-disable-hooks': 'true' })
    await put(2, '', { 'x-disable-hooks': 'true' })
    await put(3, `?for=${event.id}`, { 'x-disable-hooks': 'true', 'x-force-hooks': 'true' })
    await put(4, '?silent=true', {})
    const rest = ['sheet:counts-updated', 'sheet:calculation-updated']
    const seen = (await events()).slice(4)
    expect(seen.map(({ topic }) => topic)).toEqual([
      ...['records:updated', 'commit:created', 'layer:created', ...rest],
      ...['records:updated', 'commit:created', ...rest],
      ...['records:updated', 'commit:created', 'layer:created', ...rest],
    ])
    expect(seen[0]!.payload.changes).toEqual([
      { recordId: records[0].id, fieldKey: 'age', previousValue: null, newValue: 1 },
    ])
    expect(seen[1]!.context).toMatchObject({ precedingEventId: event.id })
    expect(seen[6]!.context).not.toHaveProperty('precedingEventId')
  })

  it('puts messages of hooks before those of constraints in a cell', async () => {
    const { records } = (await insert([{ email: 'a@b.c', age: 'x', kind: 'c' }])).body.data
    const message = { type: 'warn', message: 'own', source: 'custom-logic' }
    const values = { age: { messages: [message] }, kind: { messages: [message] } }
    await call('PUT', `/sheets/${sheet}/records`, [{ id: records[0].id, values }])
    const [cells] = (await list()).records.map((record: { values: object }) => record.values)
    const sources = (key: string) => pluck(cells[key].messages, 'source')
    expect([sources('age'), sources('kind')]).toEqual([
      ['custom-logic', 'is-artifact'],
      ['custom-logic', 'invalid-option'],
    ])
  })

  it('is completed once, also by calls at the same time, and emits it where the workbook tracks changes', async () => {
    await newSheet({ trackChanges: true })
    const { commitId } = (await insert([{ email: 'a@b.c' }])).body.data
    expect(await must('GET', `/sheets/${sheet}/commits?completed=true`)).toEqual([])
    const complete = () => call('POST', `/commits/${commitId}/complete`)
    const replies = await Promise.all(Array.from({ length: 8 }, complete))
    for (const { status } of [...replies, await complete()]) expect(status).toBe(200)
    expect(await must('GET', `/commits/${commitId}`)).toMatchObject({
      id: commitId,
      sheetId: sheet,
      completedBy: account.userId,
      completedAt: expect.any(String),
    })
    expect((await topics()).filter((topic) => topic === 'commit:completed')).toHaveLength(1)
    expect((await call('GET', `/commits/${commitId.replace(/\d$/, '7')}`)).status).toBe(404)
  })
})
