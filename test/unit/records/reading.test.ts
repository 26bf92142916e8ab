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
    await engine.insert(sheet, [row('Ada', 'a@x', 1), row('Bob', 'b@x', 1), row('Cy', 'c@x', '1 ')], by())
    expect(await engine.distinct(sheet, 'age')).toEqual([
      { value: 1, count: 2 },
      { value: '1 ', count: 1 },
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

  it('looks back at the sheet as it was after a commit, under the fields of now', async () => {
    const sheet = people()
    const first = await engine.insert(sheet, [row('Ada', 'a@x', 1), row('Bob', 'a@x', 'n/a')], by())
    const [ada, bob] = [...first.ids]
    const second = await engine.update(sheet, [{ id: ada!, values: { email: { value: 'b@x' } } }], by())
    await engine.remove(sheet, [bob!], by())
    const asOf = first.commitId
    expect(await listed(sheet, { asOf })).toEqual(['Ada', 'Bob'])
    expect(await listed(sheet, { asOf: second.commitId, filter: 'error' })).toEqual(['Bob'])
    expect(await engine.counts(sheet, { asOf })).toEqual({ total: 2, valid: 0, error: 2 })
    const now: SheetRef = {
      ...sheet,
      fields: [sheet.fields[0]!, { ...sheet.fields[2]!, type: 'string-list' }, { key: 'city', type: 'number' }],
    }
    expect(await engine.counts(now)).toMatchObject({ total: 1 })
    const then = await engine.read(now, { asOf, sort: { field: 'age', direction: 'desc' } })
    expect(then.commitId).toBe(asOf)
    expect(
      then.records.map(({ values, valid }) => [values.name?.value, values.age?.value, values.city?.value, valid]),
    ).toEqual([
      ['Bob', 'n/a', null, false],
      ['Ada', 1, null, false],
    ])
    expect(await engine.counts(now, { asOf, byField: true })).toMatchObject({
      total: 2,
      error: 2,
      byField: { age: { error: 1 }, city: { empty: 2, error: 0 } },
    })
    expect(await engine.distinct(now, 'city', { asOf })).toEqual([{ value: null, count: 2 }])
    expect(await listed(now, { asOf, q: 'city eq "" and age contains a' })).toEqual(['Bob'])
    for (const wrong of ['us_vr_other_0', `${asOf}9`, 'x'])
      await expect(engine.list(sheet, { asOf: wrong })).rejects.toMatchObject({
        code: 'invalid',
        problems: [{ key: 'asOf' }],
      })
  })

  it('says where records stand, in the order of the sheet or of a sort', async () => {
    const sheet = people()
    const { ids } = await engine.insert(sheet, [row('b', 'b@x'), row('c', 'c@x'), row('a', 'a@x')], by())
    const [b, c, a] = [...ids]
    const indices = async (query = {}) =>
      (await engine.indices(sheet, [a!, 'us_rc_other_0_0_0', b!], query)).map(({ id, index }) => [id, index])
    expect(await indices()).toEqual([
      [a, 2],
      [b, 0],
    ])
    expect(await indices({ sort: { field: 'name', direction: 'desc' } })).toEqual([
      [a, 2],
      [b, 1],
    ])
    await engine.remove(sheet, [b!], by())
    expect(await indices({ ids: [c!], filter: 'all' })).toEqual([[a, 0]])
  })

  it('sums numbers, also ones that stand as text, and counts what changed since a commit', async () => {
    const sheet = people()
    const added = await engine.insert(
      sheet,
      [row('Ada', 'a@x', 0.1), row('Bob', null, '0.2'), row('Cy', null, 'n/a')],
      by(),
    )
    await engine.update(sheet, [{ id: [...added.ids][0]!, values: { age: { value: 7 } } }], by())
    await engine.insert(sheet, [row('Dee', null, 1)], by())
    const of = async (fieldKey: string, query = {}) =>
      Object.fromEntries(
        (await engine.calculations(sheet, query))
          .filter((one) => one.fieldKey === fieldKey)
          .map(({ type, value }) => [type, value]),
      )
    expect(await of('age')).toEqual({
      COUNT_EMPTY: 0,
      COUNT_NON_EMPTY: 4,
      PERCENT_EMPTY: 0,
      PERCENT_NON_EMPTY: 100,
      SUM: 8.2,
      AVERAGE: 8.2 / 3,
      MIN: 0.2,
      MAX: 7,
    })
    expect(await of('email')).toEqual({ COUNT_EMPTY: 3, COUNT_NON_EMPTY: 1, PERCENT_EMPTY: 75, PERCENT_NON_EMPTY: 25 })
    expect(await of('age', { sinceCommitId: added.commitId })).toMatchObject({ COUNT_CHANGED: 2, PERCENT_CHANGED: 100 })
    expect(await of('email', { sinceCommitId: added.commitId })).toMatchObject({ COUNT_CHANGED: 0 })
    expect(await of('age', { q: 'name eq nobody' })).toMatchObject({ COUNT_EMPTY: 0, PERCENT_EMPTY: 0 })
  })

  it('lists the values of several fields in one go, by value or by count, and those that hold a text', async () => {
    const sheet = people()
    await engine.insert(
      sheet,
      [row('Bob', null, 10), row('ada', null, 9), row('Bob', null, 'x'), row('', null, 10)],
      by(),
    )
    const values = await engine.distinctValues(sheet, {
      fields: ['age', 'name'],
      order: { by: 'value', direction: 'desc' },
    })
    expect([...values].map(([key, list]) => [key, list.map(({ value }) => value)])).toEqual([
      ['age', ['x', 10, 9]],
      ['name', ['Bob', 'ada', null]],
    ])
    expect(await engine.distinct(sheet, 'name', { valueText: 'A', order: { by: 'count', direction: 'asc' } })).toEqual([
      { value: 'ada', count: 1 },
    ])
    await expect(engine.distinctValues(sheet, { fields: ['nope'] })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('sorts long texts that begin alike, and keeps the order for the next page', async () => {
    const sheet = people()
    const long = 'https://example.com/the/same/path/of/more/than/forty/bytes/'
    const texts = ['Z', 'y', 'Y', '\u00e4', '\ue000', '\ud83d\ude00', 'a\0', 'a']
    await engine.insert(
      sheet,
      texts.map((end) => row(long + end)),
      by(),
    )
    const sort = { field: 'name', direction: 'asc' } as const
    const ends = async (query: object) => (await listed(sheet, query)).map((name) => String(name).slice(long.length))
    expect(await ends({ sort })).toEqual(['a', 'a\0', 'y', 'Y', 'Z', '\u00e4', '\ud83d\ude00', '\ue000'])
    const store = engine.newStore()
    await engine.list(sheet, { sort, pageSize: 2 }, store)
    cloud.meter.reset()
    store.chunks.clear()
    const { records } = await engine.read(sheet, { sort, pageSize: 2, pageNumber: 2 }, store)
    expect(names(records)).toEqual([`${long}y`, `${long}Y`])
    expect(cloud.meter.count()).toBeLessThanOrEqual(2)
  })

  it('asks of validity what the counts of a segment leave open, and reads nothing for the rest', async () => {
    const clean = people()
    await engine.insert(clean, [row('Ada', 'a', 1), row('Bob', 'b')], by())
    const broken = people()
    await engine.insert(broken, [row(null, 'a', 1), row(null, 'b')], by())
    const mixed = people()
    await engine.insert(mixed, [row('Ada', 'a', 1), row(null, 'b'), row('Cy', 'c', 'old')], by())
    const found = async (sheet: SheetRef, q: string) => {
      const { records } = await engine.read(sheet, { q }, engine.newStore())
      return records.map(({ values }) => values.email!.value).join('')
    }
    const asked = [
      'is error',
      'is valid',
      'name is error',
      'name is valid',
      'age is error',
      'age is valid',
      'age is empty',
    ]
    const answers = async (sheet: SheetRef) => Promise.all(asked.map((q) => found(sheet, q)))
    expect(await answers(clean)).toEqual(['', 'ab', '', 'ab', '', 'ab', 'b'])
    expect(await answers(broken)).toEqual(['ab', '', 'ab', '', '', 'ab', 'b'])
    expect(await answers(mixed)).toEqual(['bc', 'a', 'b', 'ac', 'c', 'ab', 'b'])
    for (const [sheet, q] of [
      [clean, 'is error'],
      [clean, 'name is error'],
      [broken, 'is valid'],
      [clean, 'name is empty'],
    ] as const) {
      cloud.meter.reset()
      expect(await found(sheet, q)).toBe('')
      expect(cloud.meter.count(), q).toBe(1)
    }
  })

  it('takes ids as exceptions under a query, and an empty search or query as none', async () => {
    const sheet = people()
    const [ada] = (await engine.insert(sheet, [row('Ada'), row('Adam'), row('Bob')], by())).ids
    expect(await listed(sheet, { ids: [ada!], q: 'name like Ad%' })).toEqual(['Adam'])
    expect(await listed(sheet, { ids: [ada!], q: ' ', search: { value: '' } })).toEqual(['Ada'])
    await expect(engine.list(sheet, { q: 'nmae eq 1' })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ key: 'q', message: 'At column 1: the sheet has no field "nmae".' }],
    })
  })
})
