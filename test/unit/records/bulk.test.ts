/** The same change for all selected records, in one commit. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

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

const newSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
    { key: 'tags', type: 'string-list' },
  ],
})
async function* rowsOf(count: number) {
  const rows = Array.from({ length: count }, (_, i) => [`Person ${i}`, `p${i}@x`, i])
  for (let from = 0; from < count; from += 4096)
    yield { keys: ['name', 'email', 'age'], rows: rows.slice(from, from + 4096) }
}
const column = async (sheet: SheetRef, field: string, query = {}) =>
  (await engine.read(sheet, query, engine.newStore())).records.map(({ values }) => values[field]!.value)
describe('a bulk update', () => {
  it('sets the cells of every selected record in one commit, and tells of those that changed', async () => {
    const sheet = newSheet()
    await engine.importRows(sheet, rowsOf(3000), by(), engine.newStore({ segmentRows: 1000 }))
    const ctx = by()
    const cells = { age: { value: 7 }, nowhere: { value: 1 } }
    const result = await engine.bulkUpdate(sheet, { search: { value: '1', field: 'name' } }, cells, ctx)
    const selected = Array.from({ length: 3000 }, (_, i) => i).filter((i) => String(i).includes('1'))
    expect(result).toMatchObject({ updated: selected.length, ignoredFields: ['nowhere'], changed: true })
    expect(result.counts).toEqual({ total: 3000, valid: 3000, error: 0 })
    const ages = await column(sheet, 'age')
    expect(ages).toEqual(Array.from({ length: 3000 }, (_, i) => (String(i).includes('1') ? 7 : i)))
    const changes = await collected(result.changes)
    expect(changes.map(({ previousValue }) => previousValue)).toEqual(selected)
    expect(changes.map(({ recordId }) => recordId)).toEqual([...result.ids])
    const told = await engine.recordsOfCommit(sheet, result.commitId!, engine.newStore())
    expect(await collected(told!.changes)).toEqual(changes)
    const again = await engine.bulkUpdate(sheet, {}, cells, ctx, engine.newStore())
    expect(again).toMatchObject({ updated: selected.length, commitId: result.commitId, outbox: undefined })
    expect(await collected(again.changes)).toEqual(changes)
  })

  it('is told of in the same order by who reads it from the log: patches and columns written anew by their place', async () => {
    const sheet = newSheet()
    await engine.importRows(sheet, rowsOf(3000), by(), engine.newStore({ segmentRows: 1000 }))
    const store = engine.newStore({ editedRows: 50 })
    const some = { q: 'age gte 995 and age lt 2005' }
    const result = await engine.bulkUpdate(sheet, some, { name: { value: 'same' } }, by(), store)
    const changes = await collected(result.changes)
    expect(changes.map(({ previousValue }) => previousValue)).toEqual(
      Array.from({ length: 1010 }, (_, i) => `Person ${995 + i}`),
    )
    const read = await engine.recordsOfCommit(sheet, result.commitId!, engine.newStore())
    expect(await collected(read!.changes)).toEqual(changes)
  })

  it('makes no commit when nothing changes', async () => {
    const sheet = newSheet()
    await engine.importRows(sheet, rowsOf(20), by())
    cloud.meter.reset()
    const same = await engine.bulkUpdate(
      sheet,
      { search: { value: 'Person 3', field: 'name' } },
      { age: { value: 3 } },
      by(),
    )
    expect(same).toMatchObject({ changed: false, commitId: undefined, updated: 0 })
    expect(await engine.findReplace(sheet, {}, { field: 'name', find: 'nobody', replace: 'x' }, by())).toMatchObject({
      changed: false,
    })
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })

  it('flags all of them where a value must be unique, and clears them again', async () => {
    const sheet = newSheet()
    await engine.importRows(sheet, rowsOf(2500), by(), engine.newStore({ segmentRows: 1000 }))
    const { counts } = await engine.bulkUpdate(sheet, {}, { email: { value: 'same' } }, by())
    expect(counts).toEqual({ total: 2500, valid: 0, error: 2500 })
    expect(await engine.counts(sheet, {}, engine.newStore())).toEqual(counts)
    const cleared = await engine.bulkUpdate(sheet, { filter: 'error' }, { email: { value: null } }, by())
    expect(cleared).toMatchObject({ updated: 2500, counts: { total: 2500, valid: 2500, error: 0 } })
  })

  it('loses to no edit that comes in between, and no edit to it', async () => {
    const sheet = newSheet()
    const ids = [...(await engine.importRows(sheet, rowsOf(600), by(), engine.newStore({ segmentRows: 200 }))).ids]
    const edits = async (): Promise<void> => {
      const store = engine.newStore()
      for (let i = 0; i < 25; i++)
        await engine.update(sheet, [{ id: ids[i * 20]!, values: { name: { value: `Edited ${i}` } } }], by(), store)
    }
    const bulk = async (): Promise<void> => {
      const store = engine.newStore({ editedRows: 50 })
      for (let i = 1; i <= 3; i++) await engine.bulkUpdate(sheet, {}, { age: { value: -i } }, by(), store)
    }
    await Promise.all([edits(), bulk()])
    expect(new Set(await column(sheet, 'age'))).toEqual(new Set([-3]))
    const names = await column(sheet, 'name')
    expect(names).toEqual(ids.map((_, i) => (i % 20 === 0 && i < 500 ? `Edited ${i / 20}` : `Person ${i}`)))
  }, 60_000)
})

describe('find and replace', () => {
  const replaced = async (field: string, given: unknown[], find: string | null | undefined, replace: unknown) => {
    const sheet = newSheet()
    const rows = given.map((value) => ({ values: { name: { value: 'n' }, [field]: { value } } }))
    await engine.insert(sheet, rows, by())
    const { updated } = await engine.findReplace(sheet, {}, { field, find, replace }, by())
    return { updated, values: await column(sheet, field) }
  }

  it('replaces every occurrence in a text, ignoring case and taking signs as they are', async () => {
    expect(await replaced('email', ['Bob bob', 'a.b', 'xyz', null], 'BOB', '$&')).toEqual({
      updated: 1,
      values: ['$& $&', 'a.b', 'xyz', null],
    })
    expect(await replaced('email', ['a.b', 'axb'], '.', '')).toEqual({ updated: 1, values: ['ab', 'axb'] })
  })

  it('in double quotes meets whole values only', async () => {
    expect(await replaced('email', ['Bob', 'bob 2', 'bob'], '"Bob"', 'Eve')).toEqual({
      updated: 2,
      values: ['Eve', 'bob 2', 'Eve'],
    })
  })

  it('meets numbers as a whole, and keeps texts as texts', async () => {
    expect(await replaced('age', [5, 15, '5 ', '15 '], '5', '6')).toEqual({ updated: 3, values: [6, 15, '6 ', '16 '] })
  })

  it('fills empty cells, and clears what it finds when told to', async () => {
    for (const find of ['""', null, undefined])
      expect(await replaced('email', [null, 'a'], find, 'new')).toEqual({ updated: 1, values: ['new', 'a'] })
    expect(await replaced('email', ['null', 'ann', 'b'], 'n', null)).toEqual({ updated: 2, values: [null, null, 'b'] })
  })

  it('goes into lists', async () => {
    expect(await replaced('tags', [['red', 'Blue'], ['green'], null], 'blue', 'navy')).toEqual({
      updated: 1,
      values: [['red', 'navy'], ['green'], null],
    })
    expect(await replaced('tags', [['red', 'blue'], ['blue']], 'blue', null)).toEqual({
      updated: 2,
      values: [['red'], null],
    })
  })

  it('refuses a field the sheet has not', async () => {
    await expect(replaced('name', [], 'x', 'y')).resolves.toMatchObject({ updated: 0 })
    const unknown = engine.findReplace(newSheet(), {}, { field: 'nowhere', find: 'x', replace: 'y' }, by())
    await expect(unknown).rejects.toMatchObject({ code: 'invalid' })
  })

  it('does to any texts what replacing them one by one does', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '.', '"', '\n', 'ü'), minLength: 1, maxLength: 6 }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.string({ unit: fc.constantFrom('A', 'b', '.', 'ü'), minLength: 1, maxLength: 2 }),
        async (texts, find) => {
          const { values } = await replaced('email', texts, find, '-')
          const escaped = find.replace(/\./g, '\\.')
          expect(values).toEqual(texts.map((text) => text.replace(new RegExp(escaped, 'gi'), '-')))
        },
      ),
      { numRuns: 15 },
    ))
})
