import Papa from 'papaparse'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getServer, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let workbookId: string
let sheet: string

beforeAll(() => createFreshSpace({ name: 'Streams' }))
beforeEach(async () => {
  const fields = [
    { key: 'name', label: 'Name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'age', label: 'Age', type: 'number' },
    { key: 'note', type: 'string' },
  ]
  ;({ workbookId, sheetId: sheet } = await createSheet(fields, { sheet: { name: 'People', slug: 'people' } }))
})

const lines = (...rows: object[]) => Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))
const write = (query: string, ...rows: object[]) => call('POST', `/v2-alpha/records.jsonl?${query}`, lines(...rows))
const readRaw = async (query: string) =>
  String((await call('GET', `/v2-alpha/records.jsonl?stream=true&${query}`)).body)
const read = async (query: string) =>
  (await readRaw(query))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('JSON lines', () => {
  it('insert, change and delete in one commit', async () => {
    const first = await write(`sheetId=${sheet}`, { name: 'Ada', age: 36 }, { name: 'Bob' }, { name: 'Eve' })
    expect(first.body).toMatchObject({ success: true, created: 3, updated: 0, deleted: 0 })
    const [ada, bob] = await read(`sheetId=${sheet}`)
    expect(ada).toEqual({
      __e: true,
      __k: expect.stringMatching(/^us_rc_/),
      __v: first.body.commitId,
      __s: sheet,
      name: 'Ada',
      age: 36,
    })
    const second = await write(
      `workbookId=${workbookId}&sheetSlug=people`,
      { __k: ada.__k, age: 37 },
      { __k: bob.__k, __d: true },
      { name: 'Zoe', __m: { from: 'test' } },
      { __k: 'us_rc_none_0_0_0', age: 1 },
    )
    expect(second.body).toMatchObject({ created: 1, updated: 1, deleted: 1, missing: ['us_rc_none_0_0_0'] })
    expect(await must('GET', `/sheets/${sheet}/commits`)).toHaveLength(2)
    const all = await read(`sheetId=${sheet}&noContext=true&includeMetadata=true`)
    expect(all.map(({ name, age }) => [name, age])).toEqual([
      ['Ada', 37],
      ['Eve', undefined],
      ['Zoe', undefined],
    ])
    expect(all[2].__m).toEqual({ from: 'test' })
  })

  it('replace all records, and keep the previous version', async () => {
    await write(`sheetId=${sheet}`, { name: 'Ada' }, { name: 'Bob' })
    const answer = await write(`sheetId=${sheet}&truncate=true&snapshot=true`, { name: 'Zoe' })
    expect(answer.body).toMatchObject({ created: 1, deleted: 2, snapshotId: expect.stringMatching(/^us_ss_/) })
    expect((await read(`sheetId=${sheet}`)).map(({ name }) => name)).toEqual(['Zoe'])
    await call('POST', `/snapshots/${answer.body.snapshotId}/restore`)
    expect((await read(`sheetId=${sheet}`)).map(({ name }) => name)).toEqual(['Ada', 'Bob'])
  })

  it('name their sheet by a header or per line', async () => {
    const header = await call('POST', '/v2-alpha/records.jsonl', lines({ name: 'Ada' }), { 'x-sheet-id': sheet })
    expect(header.body).toMatchObject({ created: 1 })
    expect((await write('', { __s: sheet, name: 'Bob' })).body).toMatchObject({ created: 1 })
    expect((await write('', { name: 'Eve' })).status).toBe(400)
    expect((await write(`workbookId=${workbookId}&sheetSlug=none`, { name: 'Eve' })).status).toBe(404)
    const other = await write(`sheetId=${sheet}`, { __s: 'us_sh_other', name: 'Eve' })
    expect([other.status, other.body.errors[0].key]).toEqual([400, 'line 1'])
    expect(await read(`sheetId=${sheet}`)).toHaveLength(2)
  })

  it('that cannot be parsed are all reported by line, and nothing is written', async () => {
    const body = Buffer.from('{"name":"Ada"}\n{"name":\n[1]\n\n{"name":"Bob"}')
    const answer = await call('POST', `/v2-alpha/records.jsonl?sheetId=${sheet}`, body)
    expect(answer.status).toBe(400)
    expect(pluck(answer.body.errors, 'key')).toEqual(['line 2', 'line 3'])
    expect(await readRaw(`sheetId=${sheet}`)).toBe('')
  })

  it('carry messages, validity and empty cells on request, and accept filters and order', async () => {
    await write(`sheetId=${sheet}`, { name: null, age: 2 }, { name: 'Bob', age: 1 })
    const [broken] = await read(`sheetId=${sheet}&filter=error&includeMessages=true&includeEmptyCells=true`)
    expect(broken).toMatchObject({ name: null, note: null, __i: { name: [{ source: 'required-constraint' }] } })
    expect((await read(`sheetId=${sheet}&sortField=age&fields=age`)).map(({ age, name }) => [age, name])).toEqual([
      [1, undefined],
      [2, undefined],
    ])
    expect(await read(`sheetId=${sheet}&q=${encodeURIComponent('age gt 1')}`)).toHaveLength(1)
  })
})

describe('CSV', () => {
  it('has labels, quotes what needs it, and defuses formulas', async () => {
    await write(
      `sheetId=${sheet}`,
      { name: '=1+1', age: -5, note: 'a "b", c\nd' },
      { name: 'Jürgen', age: 2, note: '-7' },
    )
    const answer = await call('GET', `/sheets/${sheet}/download`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('people.csv')
    expect(Papa.parse(String(answer.body).trim()).data).toEqual([
      ['Name', 'Age', 'note'],
      ["'=1+1", '-5', 'a "b", c\nd'],
      ['Jürgen', '2', '-7'],
    ])
    const plain = await call(
      'GET',
      `/sheets/${sheet}/download?escapeFormulas=false&q=${encodeURIComponent('age lt 0')}`,
    )
    expect(Papa.parse(String(plain.body).trim()).data[1]).toEqual(['=1+1', '-5', 'a "b", c\nd'])
  })
})

describe('a response of any size', () => {
  it('is redirected to the bucket when it is large, and is complete after the redirect', async () => {
    const note = 'x'.repeat(1000)
    for (let part = 0; part < 3; part++)
      await write(`sheetId=${sheet}`, ...Array.from({ length: 6000 }, (_, i) => ({ name: `p${part}-${i}`, note })))
    const url = `${getServer().baseUrl}/v2-alpha/records.jsonl?stream=true&sheetId=${sheet}`
    const headers = { authorization: `Bearer ${account.secretKey}`, 'accept-encoding': 'identity' }
    const direct = await fetch(url, { headers, redirect: 'manual' })
    expect(direct.status).toBe(302)
    expect(direct.headers.get('location')).toContain('/answers/')
    const text = await (await fetch(url, { headers })).text()
    expect(text.trimEnd().split('\n')).toHaveLength(18_000)
    const page = await fetch(`${getServer().baseUrl}/v1/sheets/${sheet}/records`, { headers })
    expect(((await page.json()) as { data: { records: object[] } }).data.records).toHaveLength(10_000)
  })
})
