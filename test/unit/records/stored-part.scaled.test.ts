/** Parts that functions store side by side, compared with importing the same rows in one piece. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowsPart } from '../../../lib/records/index.ts'
import type { Store } from '../../../lib/records/log/store.ts'
import type { Field, SheetConstraint, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'
import { runs } from '../../support/runs.ts'

const { engine, insert, update } = await startRecordSuite()

const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'name', type: 'string', constraints: [{ type: 'required' }, { type: 'unique', config: { level: 'warn' } }] },
  { key: 'country', type: 'reference', config: { ref: '/countries', key: 'id' } },
  { key: 'size', type: 'number' },
]
const CONSTRAINTS: SheetConstraint[] = [{ type: 'rule', config: { when: 'size gt 5', message: 'too large' } }]

type Row = [code: string | null, name: string | null, country: string | null, size: number | null]

const text = (letters: string) => fc.option(fc.constantFrom(...letters), { nil: null })
const row = fc.tuple(text('abcdefghij'), text('klmnopqrst'), text('xyz'), fc.option(fc.nat(9), { nil: null }))

async function createSheets(): Promise<{ sheet: SheetRef; store: Store }> {
  const countries: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'id', type: 'string' }] }
  await insert(
    countries,
    ['x', 'y'].map((id) => ({ values: { id: { value: id } } })),
  )
  const sheet = {
    sheetId: newSheetId(),
    fields: FIELDS,
    constraints: CONSTRAINTS,
    findLinkedSheet: async () => countries,
  }
  return { sheet, store: engine.createStore({ segmentRows: 3, sliceHashes: 4 }) }
}

async function* yieldRows(rows: readonly Row[]): AsyncGenerator<RowsPart> {
  yield { keys: FIELDS.map(({ key }) => key), rows }
}

async function readSheet({ sheet, store }: { sheet: SheetRef; store: Store }) {
  const { records } = await engine.readRecords(sheet, {}, store)
  const withoutIds = records.map(({ values, valid }: WireRecord) => ({ values, valid }))
  return { records: withoutIds, counts: await engine.countRecords(sheet, { byField: true }, store) }
}

const importParts = async ({ sheet, store }: { sheet: SheetRef; store: Store }, parts: readonly Row[][], op?: string) =>
  engine.importParts(
    sheet,
    JSON.parse(JSON.stringify(await Promise.all(parts.map((rows) => engine.storePart(sheet, yieldRows(rows), store))))),
    { ...createWriteContext(), ...(op ? { op } : {}) },
    {},
    store,
  )

describe('importParts', () => {
  it('imports the same records, messages and counts as one import, also after later edits', async () => {
    const lists = fc.array(row, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.array(lists, { maxLength: 5 }),
        row,
        async (existing, parts, [code, name, country]) => {
          const [divided, whole] = [await createSheets(), await createSheets()]
          for (const { sheet, store } of [divided, whole])
            await engine.importRows(sheet, yieldRows(existing), createWriteContext(), store)
          const imported = await importParts(divided, parts)
          const expected = await engine.importRows(
            whole.sheet,
            yieldRows(parts.flat()),
            createWriteContext(),
            whole.store,
          )
          expect([imported.created, imported.createdErrors]).toEqual([expected.created, expected.createdErrors])
          expect(await readSheet(divided)).toEqual(await readSheet(whole))
          for (const { sheet, store } of [divided, whole]) {
            const { records } = await engine.readRecords(sheet, {}, store)
            const last = records.at(-1)
            const values = { code: { value: code }, name: { value: name }, country: { value: country } }
            if (last) await update(sheet, [{ id: last.id, values }], store)
          }
          expect(await readSheet(divided)).toEqual(await readSheet(whole))
          expect(await readSheet({ ...divided, store: engine.createStore() })).toEqual(await readSheet(whole))
        },
      ),
      { numRuns: runs(40) },
    )
  })

  it('imports once if the operation is repeated', async () => {
    const sheets = await createSheets()
    const parts: Row[][] = [[['a', 'k', 'x', 1]], [['a', 'l', 'z', 9]]]
    const first = await importParts(sheets, parts, 'import')
    const repeated = await importParts(sheets, parts, 'import')
    expect(repeated).toMatchObject({ created: 2, createdErrors: 2, commitId: first.commitId })
    expect((await readSheet(sheets)).counts).toMatchObject({ total: 2, error: 2 })
  })

  it('replaces all records with `truncate`', async () => {
    const { sheet, store } = await createSheets()
    await engine.importRows(sheet, yieldRows([['a', 'k', 'x', 1]]), createWriteContext(), store)
    const part = await engine.storePart(sheet, yieldRows([['a', 'k', 'y', 2]]), store)
    await engine.importParts(sheet, [part], createWriteContext(), { truncate: true }, store)
    const { records, counts } = await readSheet({ sheet, store })
    expect(records.map(({ values }) => values.size!.value)).toEqual([2])
    expect(counts).toMatchObject({ total: 1, error: 0 })
  })

  it('refuses parts that were validated by other rules', async () => {
    const { sheet, store } = await createSheets()
    const part = await engine.storePart(sheet, yieldRows([['a', 'k', 'x', 1]]), store)
    const changed = { ...sheet, fields: FIELDS.slice(1) }
    await expect(engine.importParts(changed, [part], createWriteContext(), {}, store)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await engine.readNewestCommitId(sheet, store)).toBeUndefined()
  })

  it('refuses parts that exceed the record limit together', async () => {
    const { sheet } = await createSheets()
    const store = engine.createStore({ sheetRows: 3 })
    const rows: Row[] = [
      ['a', 'k', 'x', 1],
      ['b', 'l', 'x', 1],
    ]
    await expect(importParts({ sheet, store }, [rows, rows])).rejects.toMatchObject({ code: 'conflict' })
  })
})
