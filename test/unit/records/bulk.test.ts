/** Applies one change to all selected records in one commit. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'

const { cloud, engine, insert, importRows, update } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
    { key: 'tags', type: 'string-list' },
  ],
})
async function* generateRows(count: number) {
  const rows = Array.from({ length: count }, (_, i) => [`Person ${i}`, `p${i}@x`, i])
  for (let from = 0; from < count; from += 4096)
    yield { keys: ['name', 'email', 'age'], rows: rows.slice(from, from + 4096) }
}
const readColumn = async (sheet: SheetRef, field: string, query = {}) =>
  (await engine.readRecords(sheet, query, engine.createStore())).records.map(({ values }) => values[field]!.value)
describe('bulk update', () => {
  it('sets the cells of every selected record in one commit, and emits events for changed ones', async () => {
    const sheet = createSheet()
    await importRows(sheet, generateRows(3000), engine.createStore({ segmentRows: 1000 }))
    const ctx = createWriteContext()
    const cells = { age: { value: 7 }, nowhere: { value: 1 } }
    const result = await engine.bulkUpdate(sheet, { search: { value: '1', field: 'name' } }, cells, ctx)
    const selected = Array.from({ length: 3000 }, (_, i) => i).filter((i) => String(i).includes('1'))
    expect(result).toMatchObject({ updated: selected.length, ignoredFields: ['nowhere'], changed: true })
    expect(result.counts).toEqual({ total: 3000, valid: 3000, error: 0 })
    const ages = await readColumn(sheet, 'age')
    expect(ages).toEqual(Array.from({ length: 3000 }, (_, i) => (String(i).includes('1') ? 7 : i)))
    const changes = await collect(result.changes)
    expect(changes.map(({ previousValue }) => previousValue)).toEqual(selected)
    expect(changes.map(({ recordId }) => recordId)).toEqual([...result.ids])
    const told = await engine.readCommitRecords(sheet, result.commitId!, engine.createStore())
    expect(await collect(told!.changes)).toEqual(changes)
    const again = await engine.bulkUpdate(sheet, {}, cells, ctx, engine.createStore())
    expect(again).toMatchObject({ updated: selected.length, commitId: result.commitId, outbox: undefined })
    expect(await collect(again.changes)).toEqual(changes)
  })

  it('emits the same order from the log: patches and rewritten columns by position', async () => {
    const sheet = createSheet()
    await importRows(sheet, generateRows(3000), engine.createStore({ segmentRows: 1000 }))
    const store = engine.createStore({ editedRows: 50 })
    const some = { q: 'age gte 995 and age lt 2005' }
    const result = await engine.bulkUpdate(sheet, some, { name: { value: 'same' } }, createWriteContext(), store)
    const changes = await collect(result.changes)
    expect(changes.map(({ previousValue }) => previousValue)).toEqual(
      Array.from({ length: 1010 }, (_, i) => `Person ${995 + i}`),
    )
    const read = await engine.readCommitRecords(sheet, result.commitId!, engine.createStore())
    expect(await collect(read!.changes)).toEqual(changes)
  })

  it('makes no commit when nothing changes', async () => {
    const sheet = createSheet()
    await importRows(sheet, generateRows(20))
    cloud.meter.reset()
    const same = await engine.bulkUpdate(
      sheet,
      { search: { value: 'Person 3', field: 'name' } },
      { age: { value: 3 } },
      createWriteContext(),
    )
    expect(same).toMatchObject({ changed: false, commitId: undefined, updated: 0 })
    expect(
      await engine.findReplace(sheet, {}, { fields: ['name'], find: 'nobody', replace: 'x' }, createWriteContext()),
    ).toMatchObject({
      changed: false,
    })
    expect(cloud.meter.count('UpdateItem')).toBe(0)
  })

  it('flags all records when a value must be unique, and clears the flags again', async () => {
    const sheet = createSheet()
    await importRows(sheet, generateRows(2500), engine.createStore({ segmentRows: 1000 }))
    const { counts } = await engine.bulkUpdate(sheet, {}, { email: { value: 'same' } }, createWriteContext())
    expect(counts).toEqual({ total: 2500, valid: 0, error: 2500 })
    expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual(counts)
    const cleared = await engine.bulkUpdate(
      sheet,
      { filter: 'error' },
      { email: { value: null } },
      createWriteContext(),
    )
    expect(cleared).toMatchObject({ updated: 2500, counts: { total: 2500, valid: 2500, error: 0 } })
  })

  it('loses no concurrent edit, and no edit loses it', async () => {
    const sheet = createSheet()
    const ids = [...(await importRows(sheet, generateRows(600), engine.createStore({ segmentRows: 200 }))).ids]
    const runEdits = async (): Promise<void> => {
      const store = engine.createStore()
      for (let i = 0; i < 25; i++)
        await update(sheet, [{ id: ids[i * 20]!, values: { name: { value: `Edited ${i}` } } }], store)
    }
    const runBulk = async (): Promise<void> => {
      const store = engine.createStore({ editedRows: 50 })
      for (let i = 1; i <= 3; i++)
        await engine.bulkUpdate(sheet, {}, { age: { value: -i } }, createWriteContext(), store)
    }
    await Promise.all([runEdits(), runBulk()])
    expect(new Set(await readColumn(sheet, 'age'))).toEqual(new Set([-3]))
    const names = await readColumn(sheet, 'name')
    expect(names).toEqual(ids.map((_, i) => (i % 20 === 0 && i < 500 ? `Edited ${i / 20}` : `Person ${i}`)))
  }, 60_000)
})

describe('find and replace', () => {
  const replaceIn = async (field: string, given: unknown[], find: string | null | undefined, replace: unknown) => {
    const sheet = createSheet()
    const rows = given.map((value) => ({ values: { name: { value: 'n' }, [field]: { value } } }))
    await insert(sheet, rows)
    const { updated } = await engine.findReplace(sheet, {}, { fields: [field], find, replace }, createWriteContext())
    return { updated, values: await readColumn(sheet, field) }
  }

  it('replaces every occurrence in a text, ignoring case and treating special characters literally', async () => {
    expect(await replaceIn('email', ['Bob bob', 'a.b', 'xyz', null], 'BOB', '$&')).toEqual({
      updated: 1,
      values: ['$& $&', 'a.b', 'xyz', null],
    })
    expect(await replaceIn('email', ['a.b', 'axb'], '.', '')).toEqual({ updated: 1, values: ['ab', 'axb'] })
  })

  it('matches only whole values when in double quotes', async () => {
    expect(await replaceIn('email', ['Bob', 'bob 2', 'bob'], '"Bob"', 'Eve')).toEqual({
      updated: 2,
      values: ['Eve', 'bob 2', 'Eve'],
    })
  })

  it('matches numbers as a whole and keeps texts as texts', async () => {
    expect(await replaceIn('age', [5, 15, '5 ', '15 '], '5', '6')).toEqual({ updated: 3, values: [6, 15, '6 ', '16 '] })
  })

  it('fills empty cells, and clears matches on request', async () => {
    for (const find of ['""', null, undefined])
      expect(await replaceIn('email', [null, 'a'], find, 'new')).toEqual({ updated: 1, values: ['new', 'a'] })
    expect(await replaceIn('email', ['null', 'ann', 'b'], 'n', null)).toEqual({ updated: 2, values: [null, null, 'b'] })
  })

  it('replaces items of lists', async () => {
    expect(await replaceIn('tags', [['red', 'Blue'], ['green'], null], 'blue', 'navy')).toEqual({
      updated: 1,
      values: [['red', 'navy'], ['green'], null],
    })
    expect(await replaceIn('tags', [['red', 'blue'], ['blue']], 'blue', null)).toEqual({
      updated: 2,
      values: [['red'], null],
    })
  })

  it('rejects a field that the sheet does not have', async () => {
    await expect(replaceIn('name', [], 'x', 'y')).resolves.toMatchObject({ updated: 0 })
    const unknown = engine.findReplace(
      createSheet(),
      {},
      { fields: ['nowhere'], find: 'x', replace: 'y' },
      createWriteContext(),
    )
    await expect(unknown).rejects.toMatchObject({ code: 'invalid' })
  })

  it('gives the same result as replacing texts one by one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '.', '"', '\n', 'ü'), minLength: 1, maxLength: 6 }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.string({ unit: fc.constantFrom('A', 'b', '.', 'ü'), minLength: 1, maxLength: 2 }),
        async (texts, find) => {
          const { values } = await replaceIn('email', texts, find, '-')
          const escaped = find.replace(/\./g, '\\.')
          expect(values).toEqual(texts.map((text) => text.replace(new RegExp(escaped, 'gi'), '-')))
        },
      ),
      { numRuns: 15 },
    ))
})
