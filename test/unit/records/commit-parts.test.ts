import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, insert, importRows, update, remove } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string' },
    { key: 'age', type: 'number' },
  ],
})
async function* generateBatches(sizes: readonly number[]) {
  for (const size of sizes)
    yield { keys: ['name', 'age'], rows: Array.from({ length: size }, (_, i) => [`${size}:${i}`, i % 3 ? i : null]) }
}

it('every record of a commit is in exactly one of its parts, also after later deletions, edits and merges', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
        changed: fc.array(fc.nat(60)),
        deleted: fc.array(fc.nat(60)),
        later: fc.integer({ min: 0, max: 6 }),
        parts: fc.integer({ min: 1, max: 9 }),
      }),
      async ({ sizes, changed, deleted, later, parts }) => {
        const sheet = createSheet()
        const store = engine.createStore({ mergeSegments: 3, mergeRows: 100 })
        await insert(sheet, [{ values: { name: { value: 'earlier' } } }], store)
        const added = await importRows(sheet, generateBatches(sizes), store)
        const ids = [...added.ids]
        const changedIds = [...new Set(changed.map((at) => ids[at % ids.length]!))]
        const updated = await update(
          sheet,
          changedIds.map((id) => ({ id, values: { age: { value: 1000 } } })),
          store,
        )
        const listParts = async (commitId: string) => {
          const read = (number: number) => engine.readRecords(sheet, { commitId, part: { number, of: parts } }, store)
          const pages = await Promise.all(Array.from({ length: parts }, (_, i) => read(i + 1)))
          return pages.map(({ records }) => records.map(({ id }) => id))
        }
        const commitIds = [added.commitId, updated.commitId].flatMap((id) => id ?? [])
        const before = await Promise.all(commitIds.map(listParts))
        expect(before[0]!.flat()).toEqual(ids)
        expect(before[1]?.flat().toSorted() ?? []).toEqual(changedIds.toSorted())
        for (const { length } of before[0]!) expect(Math.abs(length - ids.length / parts)).toBeLessThan(1)

        const deletedIds = new Set(deleted.map((at) => ids[at % ids.length]!))
        if (deletedIds.size) await remove(sheet, [...deletedIds], store)
        for (let i = 0; i < later; i++) await insert(sheet, [{ values: { name: { value: `later ${i}` } } }], store)
        const expected = before.map((lists) => lists.map((list) => list.filter((id) => !deletedIds.has(id))))
        expect(await Promise.all(commitIds.map(listParts))).toEqual(expected)
      },
    ),
    { numRuns: 15 },
  )
})

it('columns have the same records, values and messages as the list of records', async () => {
  const sheet = createSheet()
  const { ids } = await importRows(sheet, generateBatches([5, 7]))
  await update(sheet, [
    {
      id: [...ids][6]!,
      values: {
        name: { value: null, messages: [{ type: 'warn', source: 'custom-logic', message: 'empty' }] },
        age: { value: 'x' },
      },
      metadata: { a: 1 },
    },
  ])
  const page = JSON.parse(`{${await engine.listColumns(sheet, { pageSize: 9, pageNumber: 1 })}}`)
  const { records } = await engine.readRecords(sheet, { pageSize: 9 })
  const toIds = ({ prefix, first, count }: { prefix: string; first: number; count: number }) =>
    Array.from({ length: count }, (_, i) => `${prefix}${first + i}`)
  expect(page.ids.flatMap(toIds)).toEqual(records.map(({ id }) => id))
  for (const key of ['name', 'age']) expect(page.columns[key]).toEqual(records.map(({ values }) => values[key]!.value))
  const messages = records.flatMap(({ values }, row) =>
    Object.entries(values).flatMap(([field, cell]) =>
      cell.messages.length ? [{ row, field, messages: cell.messages }] : [],
    ),
  )
  expect(page.messages).toEqual(messages)
  expect([page.metadata, page.config, page.links]).toEqual([[{ row: 6, value: { a: 1 } }], [], []])
})
