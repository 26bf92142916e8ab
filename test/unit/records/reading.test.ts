/** Selecting, searching, sorting and counting records, against a real table and bucket. */
import { describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createPeopleSheet, createRow, getNames } from './people.ts'

const { cloud, engine, insert, importRows, update, remove } = await startRecordSuite()

const listNames = async (sheet: SheetRef, query = {}) => getNames((await engine.readRecords(sheet, query)).records)

describe('reading', () => {
  it('filters by validity, of records or of one field', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('Ada'), createRow('', 'b@x'), createRow('Cy', 'c@x', 'n/a')])
    expect(await listNames(sheet, { filter: 'error' })).toEqual([null, 'Cy'])
    expect(await listNames(sheet, { filter: 'valid' })).toEqual(['Ada'])
    expect(await listNames(sheet, { filter: 'error', filterField: 'age' })).toEqual(['Cy'])
    expect(await listNames(sheet, { filter: 'valid', filterField: 'age' })).toEqual(['Ada', null])
    expect(await listNames(sheet, { filter: 'none' })).toEqual([])
    await expect(engine.listRecords(sheet, { filter: 'error', filterField: 'nope' })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await engine.countRecords(sheet, { filter: 'error' })).toEqual({ total: 2, valid: 0, error: 2 })
  })

  it('selects by ids, and treats ids as exceptions under a filter', async () => {
    const sheet = createPeopleSheet()
    const [a, b] = [...(await insert(sheet, [createRow('Ada'), createRow('Bob'), createRow('Cy')])).ids]
    expect(await listNames(sheet, { ids: [b!, a!, 'us_rc_other_0_0_0'] })).toEqual(['Ada', 'Bob'])
    expect(await listNames(sheet, { ids: [a!], filter: 'all' })).toEqual(['Bob', 'Cy'])
    expect(await listNames(sheet, { ids: [a!], search: { value: 'b' } })).toEqual(['Bob'])
    await remove(sheet, { filter: 'all', ids: [a!] })
    expect(await listNames(sheet)).toEqual(['Ada'])
  })

  it('searches text ignoring case, whole values in quotes, and empty cells', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [
      createRow('Ada\n"x"', 'null@x', 10),
      createRow('adam', 'B\\n@x', 1),
      createRow('Éva', null, 101),
    ])
    expect(await listNames(sheet, { search: { value: 'ADA' } })).toEqual(['Ada\n"x"', 'adam'])
    expect(await listNames(sheet, { search: { value: '"ADAM"' } })).toEqual(['adam'])
    expect(await listNames(sheet, { search: { value: '"10"' } })).toEqual(['Ada\n"x"'])
    expect(await listNames(sheet, { search: { value: '10', field: 'age' } })).toEqual(['Ada\n"x"', 'Éva'])
    expect(await listNames(sheet, { search: { value: '""', field: 'email' } })).toEqual(['Éva'])
    expect(await listNames(sheet, { search: { value: 'éva' } })).toEqual(['Éva'])
    expect(await listNames(sheet, { search: { value: '\n"' } })).toEqual(['Ada\n"x"'])
    expect(await listNames(sheet, { search: { value: '\\n' } })).toEqual(['adam'])
    expect(await listNames(sheet, { search: { value: 'null' } })).toEqual(['Ada\n"x"'])
    expect(await listNames(sheet, { search: { value: ',' } })).toEqual([])
    expect(await listNames(sheet, { search: { value: '.*' } })).toEqual([])
  })

  it('sorts numbers by size, texts alphabetically, empty cells last, with paging', async () => {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ segmentRows: 2 })
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
    await importRows(sheet, mixed(), store)
    const by1 = { field: 'age', direction: 'asc' } as const
    expect(await listNames(sheet, { sort: by1 })).toEqual(['a', 'b', 'C', 'd', null])
    expect(await listNames(sheet, { sort: { ...by1, direction: 'desc' } })).toEqual(['d', 'C', 'b', 'a', null])
    expect(await listNames(sheet, { sort: { field: 'name', direction: 'asc' } })).toEqual(['a', 'b', 'C', 'd', null])
    expect(await listNames(sheet, { sort: by1, pageSize: 2, pageNumber: 2 })).toEqual(['C', 'd'])
    const last = await engine.readRecords(sheet, { sort: by1, pageSize: 2, pageNumber: 3, includeLength: true })
    expect(last).toMatchObject({ total: 5, records: [{ values: { name: { value: null } } }] })
  })

  it('returns only the requested fields and messages, with unchanged validity', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('', 'a@x', 'n/a')])
    const [record] = (await engine.readRecords(sheet, { fields: ['age'], includeMessages: false })).records
    expect(record).toMatchObject({ values: { age: { value: 'n/a', messages: [], valid: false } }, valid: false })
    expect(Object.keys(record!.values)).toEqual(['age'])
  })

  it('finds the records of a commit and since a commit', async () => {
    const sheet = createPeopleSheet()
    const first = await insert(sheet, [createRow('Ada'), createRow('Bob'), createRow('Cy')])
    const [ada, bob] = [...first.ids]
    const second = await update(sheet, [{ id: bob!, values: { age: { value: 5 } } }])
    await update(sheet, [{ id: ada!, metadata: { seen: true } }])
    const third = await insert(sheet, [createRow('Dee')])
    expect(await listNames(sheet, { commitId: second.commitId })).toEqual(['Bob'])
    expect(await listNames(sheet, { commitId: first.commitId })).toEqual(['Ada', 'Bob', 'Cy'])
    expect(await listNames(sheet, { sinceCommitId: first.commitId })).toEqual(['Bob', 'Dee'])
    expect(await listNames(sheet, { sinceCommitId: third.commitId })).toEqual([])
    await expect(engine.listRecords(sheet, { commitId: 'us_vr_other_0' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('counts distinct values and streams columns', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('Ada', 'a@x', 1), createRow('Bob', 'b@x', 1), createRow('Cy', 'c@x', '1 ')])
    expect(await engine.listDistinctValues(sheet, 'age')).toEqual([
      { value: 1, count: 2 },
      { value: '1 ', count: 1 },
    ])
    const batches = []
    for await (const batch of engine.scanRecords(sheet, { fields: ['name'], search: { value: 'b' } }))
      batches.push(batch)
    expect(batches).toEqual([{ ids: [expect.any(String)], columns: new Map([['name', ['Bob']]]) }])
  })

  it('tests values with a custom condition', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [createRow('Ada', 'a@x', 1), createRow('Bob', 'b@x', 7)])
    const where = { fields: ['age'], test: (value: (key: string) => unknown) => Number(value('age')) > 5 }
    expect(await listNames(sheet, { where })).toEqual(['Bob'])
  })

  it('returns the sheet as of a commit, with the current fields', async () => {
    const sheet = createPeopleSheet()
    const first = await insert(sheet, [createRow('Ada', 'a@x', 1), createRow('Bob', 'a@x', 'n/a')])
    const [ada, bob] = [...first.ids]
    const second = await update(sheet, [{ id: ada!, values: { email: { value: 'b@x' } } }])
    await remove(sheet, [bob!])
    const asOf = first.commitId
    expect(await listNames(sheet, { asOf })).toEqual(['Ada', 'Bob'])
    expect(await listNames(sheet, { asOf: second.commitId, filter: 'error' })).toEqual(['Bob'])
    expect(await engine.countRecords(sheet, { asOf })).toEqual({ total: 2, valid: 0, error: 2 })
    const now: SheetRef = {
      ...sheet,
      fields: [sheet.fields[0]!, { ...sheet.fields[2]!, type: 'string-list' }, { key: 'city', type: 'number' }],
    }
    expect(await engine.countRecords(now)).toMatchObject({ total: 1 })
    const then = await engine.readRecords(now, { asOf, sort: { field: 'age', direction: 'desc' } })
    expect(then.commitId).toBe(asOf)
    expect(
      then.records.map(({ values, valid }) => [values.name?.value, values.age?.value, values.city?.value, valid]),
    ).toEqual([
      ['Bob', 'n/a', null, false],
      ['Ada', 1, null, false],
    ])
    expect(await engine.countRecords(now, { asOf, byField: true })).toMatchObject({
      total: 2,
      error: 2,
      byField: { age: { error: 1 }, city: { empty: 2, error: 0 } },
    })
    expect(await engine.listDistinctValues(now, 'city', { asOf })).toEqual([{ value: null, count: 2 }])
    expect(await listNames(now, { asOf, q: 'city eq "" and age contains a' })).toEqual(['Bob'])
    for (const wrong of ['us_vr_other_0', `${asOf}9`, 'x'])
      await expect(engine.listRecords(sheet, { asOf: wrong })).rejects.toMatchObject({
        code: 'invalid',
        problems: [{ key: 'asOf' }],
      })
  })

  it('returns the positions of records, in sheet order or sorted', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(sheet, [createRow('b', 'b@x'), createRow('c', 'c@x'), createRow('a', 'a@x')])
    const [b, c, a] = [...ids]
    const listIndices = async (query = {}) =>
      (await engine.findIndices(sheet, [a!, 'us_rc_other_0_0_0', b!], query)).map(({ id, index }) => [id, index])
    expect(await listIndices()).toEqual([
      [a, 2],
      [b, 0],
    ])
    expect(await listIndices({ sort: { field: 'name', direction: 'desc' } })).toEqual([
      [a, 2],
      [b, 1],
    ])
    await remove(sheet, [b!])
    expect(await listIndices()).toEqual([[a, 1]])
    expect(await listIndices({ ids: [c!], filter: 'all' })).toEqual([[a, 0]])
  })

  it('sums numbers, including numeric texts, and counts changes since a commit', async () => {
    const sheet = createPeopleSheet()
    const added = await insert(sheet, [
      createRow('Ada', 'a@x', 0.1),
      createRow('Bob', null, '0.2'),
      createRow('Cy', null, 'n/a'),
    ])
    await update(sheet, [{ id: [...added.ids][0]!, values: { age: { value: 7 } } }])
    await insert(sheet, [createRow('Dee', null, 1)])
    const of = async (fieldKey: string, query = {}) =>
      Object.fromEntries(
        (await engine.calculate(sheet, query))
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

  it('lists values of several fields in one call, by value or count, or containing a text', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [
      createRow('Bob', null, 10),
      createRow('ada', null, 9),
      createRow('Bob', null, 'x'),
      createRow('', null, 10),
    ])
    const values = await engine.listDistinctValuesByField(sheet, {
      fields: ['age', 'name'],
      order: { by: 'value', direction: 'desc' },
    })
    expect([...values].map(([key, list]) => [key, list.map(({ value }) => value)])).toEqual([
      ['age', ['x', 10, 9]],
      ['name', ['Bob', 'ada', null]],
    ])
    expect(
      await engine.listDistinctValues(sheet, 'name', { valueText: 'A', order: { by: 'count', direction: 'asc' } }),
    ).toEqual([{ value: 'ada', count: 1 }])
    await expect(engine.listDistinctValuesByField(sheet, { fields: ['nope'] })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('sorts long texts with a common prefix, and caches the order for the next page', async () => {
    const sheet = createPeopleSheet()
    const long = 'https://example.com/the/same/path/of/more/than/forty/bytes/'
    const texts = ['Z', 'y', 'Y', '\u00e4', '\ue000', '\ud83d\ude00', 'a\0', 'a']
    await insert(
      sheet,
      texts.map((end) => createRow(long + end)),
    )
    const sort = { field: 'name', direction: 'asc' } as const
    const ends = async (query: object) => (await listNames(sheet, query)).map((name) => String(name).slice(long.length))
    expect(await ends({ sort })).toEqual(['a', 'a\0', 'y', 'Y', 'Z', '\u00e4', '\ud83d\ude00', '\ue000'])
    const store = engine.createStore()
    await engine.listRecords(sheet, { sort, pageSize: 2 }, store)
    cloud.meter.reset()
    store.chunks.clear()
    const { records } = await engine.readRecords(sheet, { sort, pageSize: 2, pageNumber: 2 }, store)
    expect(getNames(records)).toEqual([`${long}y`, `${long}Y`])
    expect(cloud.meter.count()).toBeLessThanOrEqual(2)
  })

  it('reads only the segments whose counts leave validity open', async () => {
    const clean = createPeopleSheet()
    await insert(clean, [createRow('Ada', 'a', 1), createRow('Bob', 'b')])
    const broken = createPeopleSheet()
    await insert(broken, [createRow(null, 'a', 1), createRow(null, 'b')])
    const mixed = createPeopleSheet()
    await insert(mixed, [createRow('Ada', 'a', 1), createRow(null, 'b'), createRow('Cy', 'c', 'old')])
    const found = async (sheet: SheetRef, q: string) => {
      const { records } = await engine.readRecords(sheet, { q }, engine.createStore())
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

  it('treats ids as exceptions under a query, and an empty search or query as none', async () => {
    const sheet = createPeopleSheet()
    const [ada] = (await insert(sheet, [createRow('Ada'), createRow('Adam'), createRow('Bob')])).ids
    expect(await listNames(sheet, { ids: [ada!], q: 'name like Ad%' })).toEqual(['Adam'])
    expect(await listNames(sheet, { ids: [ada!], q: ' ', search: { value: '' } })).toEqual(['Ada'])
    await expect(engine.listRecords(sheet, { q: 'nmae eq 1' })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ key: 'q', message: 'At column 1: the sheet has no field "nmae".' }],
    })
  })
})
