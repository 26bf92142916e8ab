/** Compares a mutation with updates of the same cells by record id. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unpackIds } from '../../../lib/events/id-ranges.ts'
import { splitTexts, type TextBatch } from '../../../lib/records/index.ts'
import type { CellChange, SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'

const { engine, importRows, update, remove } = await startRecordSuite()

const KEYS = ['name', 'email', 'age', 'phone']
const ROWS = 60

const createSheet = () =>
  ({
    sheetId: newSheetId(),
    fields: [
      { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
      { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
      { key: 'age', type: 'number' },
      { key: 'phone', type: 'string' },
    ],
    constraints: [{ type: 'required-with', config: { field: 'phone', with: ['age'] } }],
  }) as SheetRef

const VALUE = fc.oneof(fc.constantFrom(null, 'p1@x', 'p2@x', 'Zoë "Z"', '7', 'unread'), fc.integer({ max: 9, min: 0 }))
const CELL = fc.record({ row: fc.nat(ROWS - 1), key: fc.constantFrom(...KEYS), value: VALUE })
type Cell = typeof CELL extends fc.Arbitrary<infer T> ? T : never

async function* generateRows() {
  const rows = Array.from({ length: ROWS }, (_, i) => [`Person ${i}`, `p${i}@x`, i % 7 ? i : null, `+${i}`])
  yield { keys: KEYS, rows }
}

const groupByRow = (cells: readonly Cell[]): Map<number, Record<string, { value: unknown }>> => {
  const rows = new Map<number, Record<string, { value: unknown }>>()
  const inFieldOrder = [...cells].sort((a, b) => KEYS.indexOf(a.key) - KEYS.indexOf(b.key))
  for (const { row, key, value } of inFieldOrder) rows.set(row, { ...rows.get(row), [key]: { value } })
  return rows
}

/** Within a record, the order of fields is that in which their segment changed them. */
function sortByField(changes: readonly CellChange[]): CellChange[] {
  const positions = new Map([...new Set(changes.map(({ recordId }) => recordId))].map((id, i) => [id, i]))
  const getPosition = ({ recordId, fieldKey }: CellChange) =>
    positions.get(recordId)! * KEYS.length + KEYS.indexOf(fieldKey)
  return [...changes].sort((a, b) => getPosition(a) - getPosition(b))
}

it('changes the same as updates of the same cells, whichever fields it reads', async () => {
  const property = fc.asyncProperty(
    fc.array(CELL, { maxLength: 20 }),
    fc.uniqueArray(fc.nat(ROWS - 1), { maxLength: 8 }),
    fc.array(CELL, { maxLength: 100 }),
    fc.subarray(KEYS),
    fc.constantFrom(1, 5, 500),
    async (edits, deleted, cells, readKeys, editedRows) => {
      const store = () => engine.createStore({ segmentRows: 20, editedRows })
      const prepare = async () => {
        const sheet = createSheet()
        const ids = [...(await importRows(sheet, generateRows(), store())).ids]
        const toUpdates = (list: readonly Cell[]) =>
          [...groupByRow(list)].map(([row, values]) => ({ id: ids[row]!, values }))
        if (edits.length) await update(sheet, toUpdates(edits), store())
        const removedIds = deleted.map((row) => ids[row]!)
        if (deleted.length) await remove(sheet, removedIds, store())
        return { sheet, ids, toUpdates }
      }
      const describe = async (sheet: SheetRef, { changes, updated, counts }: Awaited<ReturnType<typeof update>>) => ({
        ...{ updated, counts, changes: sortByField(await collect(changes)) },
        records: (await engine.readRecords(sheet, { includeMessages: true }, store())).records,
      })
      const withoutSheet = (value: unknown, { sheetId }: SheetRef): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll(sheetId.slice('us_sh_'.length), 'sheet'))

      const { sheet, ids } = await prepare()
      const before = new Map(
        (await engine.readRecords(sheet, {}, store())).records.map((record) => [record.id, record]),
      )
      const rows = groupByRow(cells)
      const mutateBatch = async ({ length, getIdRuns, readTexts }: TextBatch) => {
        const batchIds = unpackIds({ runs: getIdRuns(0, length) })
        const texts = await readTexts(readKeys)
        for (const [i, key] of readKeys.entries())
          expect(splitTexts(texts[i]!).map((text) => JSON.parse(text))).toEqual(
            batchIds.map((id) => before.get(id)!.values[key]!.value),
          )
        return new Map(KEYS.map((key) => [key, batchIds.map((id) => rows.get(ids.indexOf(id))?.[key])]))
      }
      const mutated = await engine.mutate(sheet, {}, mutateBatch, createWriteContext(), store())

      const reference = await prepare()
      const updated = await update(reference.sheet, reference.toUpdates(cells), store())
      expect(withoutSheet(await describe(sheet, mutated as never), sheet)).toEqual(
        withoutSheet(await describe(reference.sheet, updated), reference.sheet),
      )
    },
  )
  await fc.assert(property, { numRuns: 40 })
}, 120_000)
