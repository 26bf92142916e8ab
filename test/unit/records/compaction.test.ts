/** Compaction keeps the state small and changes nothing visible. */
import { expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, newSheetId } from '../../support/records.ts'

const { cloud, engine, insert, importRows, update, remove, restoreVersion } = await startRecordSuite()
const log = await import('../../../lib/records/log/log.ts')

const createPeopleSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ],
})
const createRow = (email: string, age: unknown = 1, more: object = {}) => ({
  values: { email: { value: email }, age: { value: age } },
  ...more,
})
async function* generateRows(count: number, name = 'p') {
  yield { keys: ['email', 'age'], rows: Array.from({ length: count }, (_, i) => [`${name}${i}@x`, i]) }
}

it('compaction merges many single-row inserts, and keeps ids, messages, metadata and config', async () => {
  for (const [inlineSegmentBytes, inserts] of [
    [1000, 130],
    [0, 90],
  ] as const) {
    const sheet = createPeopleSheet()
    const store = engine.createStore({ inlineSegmentBytes })
    const wanted: string[] = []
    for (let i = 0; i < inserts; i++) {
      const extra = i % 50 ? {} : { metadata: { i }, config: { readonly: true } }
      const { ids } = await insert(sheet, [createRow(`p${i % (inserts - 10)}@x`, i % 40 ? i : 'n/a', extra)], store)
      wanted.push(...ids)
    }
    const state = await log.sync(store, sheet.sheetId)
    expect(state.segments.length).toBeLessThanOrEqual(12)
    for (const { runs } of state.unique.values()) expect(runs.size).toBeLessThanOrEqual(12)
    cloud.meter.reset()
    const { records } = await engine.readRecords(sheet, {}, engine.createStore())
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
    expect(records.map(({ id }) => id)).toEqual(wanted)
    expect(records.filter(({ values }) => !values.email!.valid)).toHaveLength(20)
    expect(records.filter(({ values }) => !values.age!.valid)).toHaveLength(Math.ceil(inserts / 40))
    expect(records[50]).toMatchObject({ metadata: { i: 50 }, config: { readonly: true } })
    const error = records.filter(({ valid }) => !valid).length
    const counts = { total: inserts, valid: inserts - error, error }
    expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual(counts)
    expect(await engine.listCommits(sheet.sheetId, { pageSize: 1000 })).toHaveLength(inserts)
    const { counts: after } = await insert(sheet, [createRow('p63@x')], engine.createStore())
    expect(after).toEqual({ total: inserts + 1, valid: inserts - error - 1, error: error + 2 })
  }
}, 120_000)

it('compaction keeps a record deleted before a merge deleted, and its commit unchanged', async () => {
  const sheet = createPeopleSheet()
  const store = engine.createStore({ mergeSegments: 4 })
  const { ids } = await insert(sheet, [createRow('a'), createRow('b'), createRow('c')], store)
  const [, b, c] = [...ids]
  const removed = await remove(sheet, [b!], store)
  const edited = await update(sheet, [{ id: c!, values: { email: { value: 'cc' } } }], store)
  for (const name of ['d', 'e', 'f', 'g', 'h']) await insert(sheet, [createRow(name)], store)
  expect((await log.sync(store, sheet.sheetId)).segments.length).toBeLessThan(6)
  for (const reader of [store, engine.createStore()]) {
    expect(await engine.readCommitRecords(sheet, removed.commitId!, reader)).toMatchObject({ deleted: [b] })
    const changed = await engine.readCommitRecords(sheet, edited.commitId!, reader)
    expect(await collect(changed!.changes)).toEqual([
      { recordId: c, fieldKey: 'email', previousValue: 'c', newValue: 'cc' },
    ])
    expect((await engine.readRecords(sheet, { ids: [b!, c!] }, reader)).records.map(({ id }) => id)).toEqual([c])
    expect((await engine.readRecords(sheet, { sinceCommitId: removed.commitId! }, reader)).records).toHaveLength(6)
  }
  const { missing } = await update(sheet, [{ id: b!, values: { age: { value: 2 } } }], store)
  expect(missing).toEqual([b])
  const again = await insert(sheet, [createRow('b'), createRow('cc')], engine.createStore())
  expect(again.counts).toEqual({ total: 9, valid: 7, error: 2 })
})

it('compaction rewrites a heavily edited segment, and drops deleted rows of a mostly deleted one', async () => {
  const sheet = createPeopleSheet()
  const store = engine.createStore({ compactEdits: 20, mergeRows: 100 })
  const ids = [...(await importRows(sheet, generateRows(150), store)).ids]
  for (let i = 0; i < 25; i++)
    await update(
      sheet,
      [
        {
          id: ids[i]!,
          values: { email: { value: i % 2 ? 'same' : `e${i}`, messages: [{ type: 'warn', message: 'm' }] } },
        },
      ],
      store,
    )
  const edited = (await log.sync(store, sheet.sheetId)).segments[0]!
  expect(edited.edits.size).toBeLessThan(20)
  const counts = { total: 150, valid: 138, error: 12 }
  expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual(counts)
  const [second] = (await engine.readRecords(sheet, { ids: [ids[1]!] }, engine.createStore())).records
  expect(second!.values.email!.messages.map(({ source }) => source)).toEqual(['custom-logic', 'unique-constraint'])
  const { seq } = await engine.readVersion(sheet)
  await remove(sheet, ids.slice(3), store)
  expect((await log.sync(store, sheet.sheetId)).segments.map(({ rows }) => rows)).toEqual([3])
  expect((await restoreVersion(sheet, { to: seq }, store)).counts).toEqual(counts)
})

it('compaction merges small hash runs, and duplicates are still found', async () => {
  const sheet = createPeopleSheet()
  const store = engine.createStore({ mergeRuns: 3, mergeRows: 0 })
  const first: string[] = []
  for (let i = 0; i < 9; i++) first.push([...(await importRows(sheet, generateRows(20, `f${i}-`), store)).ids][0]!)
  await update(sheet, [{ id: first[2]!, values: { email: { value: 'moved' } } }], store)
  for (let i = 9; i < 15; i++) await importRows(sheet, generateRows(20, `f${i}-`), store)
  const state = await log.sync(engine.createStore(), sheet.sheetId)
  expect(state.segments).toHaveLength(15)
  expect([...state.unique.values()][0]!.runs.size).toBeLessThanOrEqual(6)
  const rows = [createRow('f0-3@x'), createRow('f2-0@x'), createRow('moved'), createRow('f14-19@x')]
  const { counts } = await insert(sheet, rows, engine.createStore())
  expect(counts).toEqual({ total: 304, valid: 298, error: 6 })
})

it('compaction yields to another writer and is harmless when it fails', async () => {
  const sheet = createPeopleSheet()
  const store = engine.createStore({ mergeSegments: 4 })
  for (const name of ['a', 'b', 'c']) await insert(sheet, [createRow(name)], store)
  let appends = 0
  cloud.intercept.beforeRequest = async (operation) => {
    if (operation !== 'UpdateItem' || ++appends !== 2) return
    cloud.intercept.beforeRequest = undefined
    await insert(sheet, [createRow('between')], engine.createStore({ mergeSegments: 99 }))
  }
  await insert(sheet, [createRow('d')], store)
  expect((await log.sync(store, sheet.sheetId)).segments).toHaveLength(5)
  cloud.intercept.beforeRequest = (operation) => {
    if (operation === 'PutItem') throw new Error('dead')
  }
  const { counts } = await insert(sheet, [createRow('e')], store)
  cloud.intercept.beforeRequest = undefined
  expect(counts).toEqual({ total: 6, valid: 6, error: 0 })
  const state = await engine.compact(store, sheet, await log.sync(store, sheet.sheetId))
  expect(state.segments).toHaveLength(1)
  const { records } = await engine.readRecords(sheet, {}, engine.createStore())
  expect(records.map(({ values }) => values.email!.value)).toEqual(['a', 'b', 'c', 'd', 'between', 'e'])
})
