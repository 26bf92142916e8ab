/** Selecting, searching, sorting and counting records, against a real table and bucket. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
  cloud.meter.reset()
})

const people = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ],
})

const row = (name: unknown, email?: unknown, age?: unknown) => ({
  values: { name: { value: name }, email: { value: email }, age: { value: age } },
})
const names = (records: readonly WireRecord[]) => records.map(({ values }) => values.name?.value)
const listed = async (sheet: SheetRef, query = {}) => names((await engine.read(sheet, query)).records)

describe('reading', () => {
  it('filters by validity, of records or of one field', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada'), row('', 'b@x'), row('Cy', 'c@x', 'n/a')], by())
    expect(await listed(sheet, { filter: 'error' })).toEqual([null, 'Cy'])
    expect(await listed(sheet, { filter: 'valid' })).toEqual(['Ada'])
    expect(await listed(sheet, { filter: 'error', filterField: 'age' })).toEqual(['Cy'])
    expect(await listed(sheet, { filter: 'valid', filterField: 'age' })).toEqual(['Ada', null])
    expect(await listed(sheet, { filter: 'none' })).toEqual([])
    await expect(engine.list(sheet, { filter: 'error', filterField: 'nope' })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await engine.counts(sheet, { filter: 'error' })).toEqual({ total: 2, valid: 0, error: 2 })
  })

  it('takes ids as the only ones, and as exceptions under a filter', async () => {
    const sheet = people()
    const [a, b] = [...(await engine.insert(sheet, [row('Ada'), row('Bob'), row('Cy')], by())).ids]
    expect(await listed(sheet, { ids: [b!, a!, 'us_rc_other_0_0_0'] })).toEqual(['Ada', 'Bob'])
    expect(await listed(sheet, { ids: [a!], filter: 'all' })).toEqual(['Bob', 'Cy'])
    expect(await listed(sheet, { ids: [a!], search: { value: 'b' } })).toEqual(['Bob'])
    await engine.remove(sheet, { filter: 'all', ids: [a!] }, by())
    expect(await listed(sheet)).toEqual(['Ada'])
  })

  it('searches text in any case, whole values in quotes, and empty cells', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada\n"x"', 'null@x', 10), row('adam', 'B\\n@x', 1), row('Éva', null, 101)], by())
    expect(await listed(sheet, { search: { value: 'ADA' } })).toEqual(['Ada\n"x"', 'adam'])
    expect(await listed(sheet, { search: { value: '"ADAM"' } })).toEqual(['adam'])
    expect(await listed(sheet, { search: { value: '"10"' } })).toEqual(['Ada\n"x"'])
    expect(await listed(sheet, { search: { value: '10', field: 'age' } })).toEqual(['Ada\n"x"', 'Éva'])
    expect(await listed(sheet, { search: { value: '""', field: 'email' } })).toEqual(['Éva'])
    expect(await listed(sheet, { search: { value: 'éva' } })).toEqual(['Éva'])
    expect(await listed(sheet, { search: { value: '\n"' } })).toEqual(['Ada\n"x"'])
    expect(await listed(sheet, { search: { value: '\\n' } })).toEqual(['adam'])
    expect(await listed(sheet, { search: { value: 'null' } })).toEqual(['Ada\n"x"'])
    expect(await listed(sheet, { search: { value: ',' } })).toEqual([])
    expect(await listed(sheet, { search: { value: '.*' } })).toEqual([])
  })

  it('sorts numbers by size, texts by letters, empty cells last, and pages through', async () => {
    const sheet = people()
    const store = engine.newStore({ segmentRows: 2 })
    async function* mixed() {
      yield {
        keys: ['name', 'age'],
        rows: [
          ['b', 10],
          ['a', '9'],
          ['', null],
          ['C', 100],
          ['d', 'n/a'],
        ],
      }
    }
    await engine.importRows(sheet, mixed(), by(), store)
    const by1 = { field: 'age', direction: 'asc' } as const
    expect(await listed(sheet, { sort: by1 })).toEqual(['a', 'b', 'C', 'd', null])
    expect(await listed(sheet, { sort: { ...by1, direction: 'desc' } })).toEqual(['d', 'C', 'b', 'a', null])
    expect(await listed(sheet, { sort: { field: 'name', direction: 'asc' } })).toEqual(['a', 'b', 'C', 'd', null])
    expect(await listed(sheet, { sort: by1, pageSize: 2, pageNumber: 2 })).toEqual(['C', 'd'])
    const last = await engine.read(sheet, { sort: by1, pageSize: 2, pageNumber: 3, includeLength: true })
    expect(last).toMatchObject({ total: 5, records: [{ values: { name: { value: null } } }] })
  })

  it('shows only the fields and messages asked for; validity stays true', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('', 'a@x', 'n/a')], by())
    const [record] = (await engine.read(sheet, { fields: ['age'], includeMessages: false })).records
    expect(record).toMatchObject({ values: { age: { value: 'n/a', messages: [], valid: false } }, valid: false })
    expect(Object.keys(record!.values)).toEqual(['age'])
  })

  it('finds the records of a commit and since one', async () => {
    const sheet = people()
    const first = await engine.insert(sheet, [row('Ada'), row('Bob'), row('Cy')], by())
    const [ada, bob] = [...first.ids]
    const second = await engine.update(sheet, [{ id: bob!, values: { age: { value: 5 } } }], by())
    await engine.update(sheet, [{ id: ada!, metadata: { seen: true } }], by())
    const third = await engine.insert(sheet, [row('Dee')], by())
    expect(await listed(sheet, { commitId: second.commitId })).toEqual(['Bob'])
    expect(await listed(sheet, { commitId: first.commitId })).toEqual(['Ada', 'Bob', 'Cy'])
    expect(await listed(sheet, { sinceCommitId: first.commitId })).toEqual(['Bob', 'Dee'])
    expect(await listed(sheet, { sinceCommitId: third.commitId })).toEqual([])
    await expect(engine.list(sheet, { commitId: 'us_vr_other_0' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('counts distinct values and streams columns', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada', 'a@x', 1), row('Bob', 'b@x', 1), row('Cy', 'c@x', '1')], by())
    expect(await engine.distinct(sheet, 'age')).toEqual([
      { value: 1, count: 2 },
      { value: '1', count: 1 },
    ])
    const batches = []
    for await (const batch of engine.scan(sheet, { fields: ['name'], search: { value: 'b' } })) batches.push(batch)
    expect(batches).toEqual([{ ids: [expect.any(String)], columns: new Map([['name', ['Bob']]]) }])
  })

  it('tests values with a condition of the caller', async () => {
    const sheet = people()
    await engine.insert(sheet, [row('Ada', 'a@x', 1), row('Bob', 'b@x', 7)], by())
    const where = { fields: ['age'], test: (value: (key: string) => unknown) => Number(value('age')) > 5 }
    expect(await listed(sheet, { where })).toEqual(['Bob'])
  })
})
