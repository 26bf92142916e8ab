import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'
import { uploadFile } from '../support/upload.ts'

let workbookId: string
let sheet: string

const FIELDS = [
  { key: 'email', type: 'string' },
  { key: 'age', type: 'number' },
  { key: 'active', type: 'boolean' },
  { key: 'born', type: 'date' },
  { key: 'scores', type: 'number', isArray: true },
]

beforeAll(() => createFreshSpace({ name: 'Values' }))

async function newSheet(fields: object[] = FIELDS): Promise<void> {
  ;({ workbookId, sheetId: sheet } = await createSheet(fields))
}
beforeEach(() => newSheet())

interface Row {
  id: string
  valid: boolean
  values: Record<string, { value: unknown; valid: boolean; messages: { source: string; message: string }[] }>
}
const insert = (rows: object[]) => call('POST', `/sheets/${sheet}/records`, rows)
const put = (changes: object[]) => call('PUT', `/sheets/${sheet}/records`, changes)
const list = async (): Promise<Row[]> => (await must('GET', `/sheets/${sheet}/records`)).records
const countRecords = async () => (await must('GET', `/sheets/${sheet}/counts`)).counts.total
const valuesOf = async (key: string) => (await list()).map(({ values }) => values[key]!.value)
const typed = { age: 2, active: true, born: '2020-01-02', scores: [1, 2.5] }
const texts = { age: '2', active: 'true', born: '2 Jan 2020', scores: ['1', '2.50'] }

describe('canonical texts are stored typed', () => {
  const expectTyped = async () => {
    for (const [key, value] of Object.entries(typed)) expect([key, (await valuesOf(key))[0]]).toEqual([key, value])
    expect((await list()).map(({ valid }) => valid)).toEqual([true])
  }

  it('in inserted records', async () => {
    await insert([texts])
    await expectTyped()
  })

  it('in changed records, and a change to the same value makes no commit', async () => {
    const [record] = (await insert([{}])).body.data.records
    const cells = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, { value }]))
    await put([{ id: record.id, values: cells }])
    await expectTyped()
    expect((await put([{ id: record.id, values: cells }])).body.data).not.toHaveProperty('commitId')
  })

  it('in bulk updates and find and replace', async () => {
    await insert([{ email: 'a' }])
    await call('PATCH', `/sheets/${sheet}/records/bulk-update`, { fieldUpdates: texts })
    await expectTyped()
    await call('PUT', `/sheets/${sheet}/find-replace`, { fieldKey: 'age', find: 2, replace: '3' })
    expect(await valuesOf('age')).toEqual([3])
  })

  it('in records of JSON lines', async () => {
    await call('POST', `/v2-alpha/records.jsonl?sheetId=${sheet}`, Buffer.from(`${JSON.stringify(texts)}\n`))
    await expectTyped()
  })

  it('by a mapping of a file, whose mixed column keeps non-numeric text with an error', async () => {
    const text =
      'email,age,active,born\na@b.c,2,true,2020-01-02\nb@b.c,n/a,false,01/02/2020\nc@b.c, 7 ,TRUE,13.02.2020\n'
    const fileId = await uploadFile(account, spaceId, 'people.csv', text)
    const file = await waitUntil(async () => {
      const { data } = (await call('GET', `/files/${fileId}`)).body
      return data.workbookId ? data : undefined
    })
    const { data: extracted } = (await call('GET', `/workbooks/${file.workbookId}`)).body
    const config = { sourceSheetId: extracted.sheets[0].id, destinationSheetId: sheet }
    const mappingRules = ['email', 'age', 'active', 'born'].map((key) => ({
      type: 'assign',
      config: { sourceField: key, destinationField: key },
    }))
    const job = await call('POST', '/jobs', {
      type: 'workbook',
      operation: 'map',
      source: file.workbookId,
      destination: workbookId,
      managed: true,
      trigger: 'immediate',
      config: { ...config, mappingRules },
    })
    await waitUntil(async () => (await must('GET', `/jobs/${job.body.data.id}`)).status === 'completed')
    expect(await valuesOf('age')).toEqual([2, 'n/a', ' 7 '])
    expect(await valuesOf('active')).toEqual([true, false, 'TRUE'])
    expect(await valuesOf('born')).toEqual(['2020-01-02', '01/02/2020', '2020-02-13'])
    expect((await list()).map(({ valid }) => valid)).toEqual([true, false, false])
    expect((await list())[2]!.values.age!.messages).toEqual([
      expect.objectContaining({ source: 'is-artifact', message: expect.stringContaining('only digits') }),
    ])
  })

  it('in unique fields, which compare typed values', async () => {
    await newSheet([{ key: 'age', type: 'number', constraints: [{ type: 'unique' }] }])
    await insert([{ age: '12.50' }, { age: 12.5 }, { age: '3' }])
    expect((await list()).map(({ valid }) => valid)).toEqual([false, false, true])
  })

  it('and can be queried by type', async () => {
    await insert([{ age: '10' }, { age: '9' }, { active: 'true' }])
    const query = async (q: string) => (await call('GET', `/sheets/${sheet}/records?q=${encodeURIComponent(q)}`)).body
    expect((await query('age gt 9')).data.records).toHaveLength(1)
    expect((await query('active eq true')).data.records).toHaveLength(1)
  })
})

describe('values of an unknown shape', () => {
  const expectRejected = async (answer: Awaited<ReturnType<typeof insert>>) => {
    expect(answer.status).toBe(400)
    return Object.fromEntries(answer.body.errors.map(({ key, message }: Record<string, string>) => [key, message]))
  }

  it('are rejected by record and field, all together, and nothing is written', async () => {
    const rows = [{ email: 'a@b.c' }, { email: { val: 'a@b.c' } }, { email: { value: 'x', valeu: 1 }, age: { x: 1 } }]
    const errors = await expectRejected(await insert(rows))
    expect(Object.keys(errors)).toEqual(['1.email', '2.email', '2.age'])
    expect(errors['1.email']).toContain('"val"')
    expect(errors['1.email']).toContain('{"value"')
    expect(errors['2.email']).toContain('"valeu"')
    expect(errors['2.email']).not.toContain('"value",')
    expect(errors['2.age']).toContain('"x"')
    expect(await countRecords()).toBe(0)
  })

  it.each([[{ value: { x: 1 } }], [{ value: [[1]] }], [[{ x: 1 }]]])(
    'are rejected inside a cell: %j',
    async (email) => {
      const [key, message] = Object.entries(await expectRejected(await insert([{ email }])))[0]!
      expect(key).toMatch(/^0\.email/)
      expect(message).toBeTruthy()
      expect(await countRecords()).toBe(0)
    },
  )

  it('are rejected in an update, which also names unknown members', async () => {
    const [{ id }] = (await insert([{ email: 'a@b.c' }])).body.data.records
    expect(await expectRejected(await put([{ id, values: { email: { val: 'x' } } }]))).toHaveProperty([
      '0.values.email',
    ])
    const [message] = Object.values(await expectRejected(await put([{ id, email: { value: 'x' } }])))
    expect(message).toContain('"email"')
    expect(message).toContain('"values"')
    expect(await valuesOf('email')).toEqual(['a@b.c'])
  })

  it('are rejected in a bulk update and in JSON lines', async () => {
    await insert([{ email: 'a@b.c' }])
    const bulk = await call('PATCH', `/sheets/${sheet}/records/bulk-update`, { fieldUpdates: { email: { val: 'x' } } })
    expect(await expectRejected(bulk)).toHaveProperty(['fieldUpdates.email'])
    const lines = ['{"email":"fine"}', '{"email":{"val":1}}', '{"email":{"value":1,"val":2}}']
    const jsonl = await call('POST', `/v2-alpha/records.jsonl?sheetId=${sheet}`, Buffer.from(lines.join('\n')))
    expect(Object.keys(await expectRejected(jsonl))).toEqual(['line 2', 'line 3'])
    expect(await valuesOf('email')).toEqual(['a@b.c'])
  })
})

describe('POST /sheets/{id}/records', () => {
  it('accepts records in the shape of a read, with metadata and config', async () => {
    const { status, body } = await insert([{ values: { email: { value: 'a@b.c' }, age: 7 }, metadata: { row: 1 } }])
    expect(status).toBe(200)
    expect(body.data.records[0]).toMatchObject({
      values: { email: { value: 'a@b.c' }, age: { value: 7 } },
      metadata: { row: 1 },
    })
    expect(body.data).not.toHaveProperty('ignoredFields')
  })

  it('accepts the output of GET without the ids, and rejects the ids by name', async () => {
    const [{ id, ...rest }] = (await insert([{ email: 'a@b.c', age: '7' }])).body.data.records
    const { status, body } = await insert([{ id, ...rest }])
    expect([status, body.errors[0].key]).toEqual([400, '0.id'])
    expect(body.errors[0].message).toContain('PUT')
    expect((await insert([rest])).body.data.records[0].values).toEqual(rest.values)
  })

  it('never treats a member `values` as an unknown field', async () => {
    const { status, body } = await insert([{ email: 'x' }, { values: { value: 5 } }])
    expect([status, body.errors[0].key]).toEqual([400, '1.values'])
    expect((await insert([{ values: 'a@b.c' }])).status).toBe(400)
    expect(await countRecords()).toBe(0)
  })

  it('accepts cells of a field named values', async () => {
    await newSheet([{ key: 'values', type: 'string' }])
    await insert([{ values: 'bare' }, { values: { value: 'cell' } }, { values: { values: { value: 'record' } } }])
    expect(await valuesOf('values')).toEqual(['bare', 'cell', 'record'])
  })

  it('ignores members that responses and public clients add to cells', async () => {
    const cell = {
      value: 'a@b.c',
      valid: true,
      messages: [],
      updatedAt: new Date().toISOString(),
      layer: 'x',
      metadata: {},
    }
    const { status, body } = await insert([{ email: cell, nickname: 'al' }])
    expect([status, body.data.ignoredFields]).toEqual([200, ['nickname']])
    expect(body.data.records[0].values.email.value).toBe('a@b.c')
  })
})
