/** The changes of a rewrite are those found by comparing its records, also when they are rebuilt from the log. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collect, createWriteContext, newSheetId, type RecordCloud, startRecordCloud } from '../../support/records.ts'

const ROWS = 900
const TEXTS = ['plain', '', 'ü😀', 'with "quotes"', 'back\\slash', 'two\nlines', '\u0001', '12.50', 'x'.repeat(40)]

let cloud: RecordCloud
beforeAll(async () => {
  cloud = await startRecordCloud()
})
afterAll(() => cloud.close())

it.each([
  ['most rows of text in ASCII', ['a', 'b "c"', 'd\\e'], 1],
  ['most rows of any text', TEXTS, 1],
  ['few rows of any text', TEXTS, 7],
])('%s', async (_name, texts, step) => {
  const engine = await import('../../../lib/records/index.ts')
  const store = engine.createStore({ sheetRows: ROWS, segmentRows: 200 })
  const fields = [
    { key: 'id', type: 'string' },
    { key: 'text', type: 'string' },
    { key: 'count', type: 'number' },
  ]
  const sheet = { sheetId: newSheetId(), fields }
  const keys = fields.map(({ key }) => key)
  const toRow = (row: number, shift: number) => [
    `k${row}`,
    texts[(row * 5 + shift) % texts.length]!,
    (row % 11) * shift,
  ]
  async function* readRows(shift: number, every: number) {
    const rows = Array.from({ length: Math.ceil(ROWS / every) }, (_, i) => toRow(i * every, shift))
    yield { length: rows.length, columns: new Map(keys.map((key, at) => [key, rows.map((row) => row[at])])) }
  }
  await engine.importRows(sheet, readRows(1, 1), createWriteContext(), store)
  const list = async () => (await engine.readRecords(sheet, { pageSize: ROWS }, store)).records
  const before = await list()
  const options = { key: ['id'], fields: keys, addsNew: false }
  const written = await engine.importByKey(sheet, () => readRows(2, step), options, createWriteContext(), store)
  const after = await list()
  const expected = before.flatMap(({ id: recordId, values }, i) =>
    keys.flatMap((fieldKey) => {
      const [previousValue, newValue] = [values[fieldKey]!.value, after[i]!.values[fieldKey]!.value]
      return previousValue === newValue ? [] : [{ recordId, fieldKey, previousValue, newValue }]
    }),
  )
  expect(expected.length).toBeGreaterThan(ROWS / step / 2)
  expect((await collect(written.changes)).sort(byCell)).toEqual(expected.sort(byCell))
  const rebuilt = await engine.readCommitRecords(sheet, written.commitId!, engine.createStore())
  expect(await collect(rebuilt!.changes)).toEqual(await collect(written.changes))
})

interface Cell {
  recordId: string
  fieldKey: string
}
const byCell = (a: Cell, b: Cell): number =>
  a.recordId === b.recordId ? (a.fieldKey < b.fieldKey ? -1 : 1) : a.recordId < b.recordId ? -1 : 1
