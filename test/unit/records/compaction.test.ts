/** Housekeeping keeps the state small and changes nothing anyone can see. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, collected, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine
let log: typeof import('../../../lib/records/log/log.ts')

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  log = await import('../../../lib/records/log/log.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
  cloud.meter.reset()
})

const people = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'email', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'age', type: 'number' },
  ],
})
const row = (email: string, age: unknown = 1, more: object = {}) => ({
  values: { email: { value: email }, age: { value: age } },
  ...more,
})
async function* rowsOf(count: number, name = 'p') {
  yield { keys: ['email', 'age'], rows: Array.from({ length: count }, (_, i) => [`${name}${i}@x`, i]) }
}

it('makes a few segments of many single-row inserts, ids, messages, metadata and config as they were', async () => {
  for (const [inlineSegmentBytes, inserts] of [
    [1000, 130],
    [0, 90],
  ] as const) {
    const sheet = people()
    const store = engine.newStore({ inlineSegmentBytes })
    const wanted: string[] = []
    for (let i = 0; i < inserts; i++) {
      const extra = i % 50 ? {} : { metadata: { i }, config: { readonly: true } }
      const { ids } = await engine.insert(
        sheet,
        [row(`p${i % (inserts - 10)}@x`, i % 40 ? i : 'n/a', extra)],
        by(),
        store,
      )
      wanted.push(...ids)
    }
    const state = await log.sync(store, sheet.sheetId)
    expect(state.segments.length).toBeLessThanOrEqual(12)
    for (const { runs } of state.unique.values()) expect(runs.size).toBeLessThanOrEqual(12)
    cloud.meter.reset()
    const { records } = await engine.read(sheet, {}, engine.newStore())
    expect(cloud.meter.count()).toBeLessThanOrEqual(6)
    expect(records.map(({ id }) => id)).toEqual(wanted)
    expect(records.filter(({ values }) => !values.email!.valid)).toHaveLength(20)
    expect(records.filter(({ values }) => !values.age!.valid)).toHaveLength(Math.ceil(inserts / 40))
    expect(records[50]).toMatchObject({ metadata: { i: 50 }, config: { readonly: true } })
    const error = records.filter(({ valid }) => !valid).length
    const counts = { total: inserts, valid: inserts - error, error }
    expect(await engine.counts(sheet, {}, engine.newStore())).toEqual(counts)
    expect(await engine.commits(sheet.sheetId, { pageSize: 1000 })).toHaveLength(inserts)
    const { counts: after } = await engine.insert(sheet, [row('p63@x')], by(), engine.newStore())
    expect(after).toEqual({ total: inserts + 1, valid: inserts - error - 1, error: error + 2 })
  }
}, 120_000)

it('leaves a record deleted before a merge missing, and its commit as it was', async () => {
  const sheet = people()
  const store = engine.newStore({ mergeSegments: 4 })
  const { ids } = await engine.insert(sheet, [row('a'), row('b'), row('c')], by(), store)
  const [, b, c] = [...ids]
  const removed = await engine.remove(sheet, [b!], by(), store)
  const edited = await engine.update(sheet, [{ id: c!, values: { email: { value: 'cc' } } }], by(), store)
  for (const name of ['d', 'e', 'f', 'g', 'h']) await engine.insert(sheet, [row(name)], by(), store)
  expect((await log.sync(store, sheet.sheetId)).segments.length).toBeLessThan(6)
  for (const reader of [store, engine.newStore()]) {
    expect(await engine.recordsOfCommit(sheet, removed.commitId!, reader)).toMatchObject({ deleted: [b] })
    const changed = await engine.recordsOfCommit(sheet, edited.commitId!, reader)
    expect(await collected(changed!.changes)).toEqual([
      { recordId: c, fieldKey: 'email', previousValue: 'c', newValue: 'cc' },
    ])
    expect((await engine.read(sheet, { ids: [b!, c!] }, reader)).records.map(({ id }) => id)).toEqual([c])
    expect((await engine.read(sheet, { sinceCommitId: removed.commitId! }, reader)).records).toHaveLength(6)
  }
  const { missing } = await engine.update(sheet, [{ id: b!, values: { age: { value: 2 } } }], by(), store)
  expect(missing).toEqual([b])
  const again = await engine.insert(sheet, [row('b'), row('cc')], by(), engine.newStore())
  expect(again.counts).toEqual({ total: 9, valid: 7, error: 2 })
})

it('writes a much edited segment anew, and one of mostly deleted rows without them', async () => {
  const sheet = people()
  const store = engine.newStore({ compactEdits: 20, mergeRows: 100 })
  const ids = [...(await engine.importRows(sheet, rowsOf(150), by(), store)).ids]
  for (let i = 0; i < 25; i++)
    await engine.update(
      sheet,
      [
        {
          id: ids[i]!,
          values: { email: { value: i % 2 ? 'same' : `e${i}`, messages: [{ type: 'warn', message: 'm' }] } },
        },
      ],
      by(),
      store,
    )
  const edited = (await log.sync(store, sheet.sheetId)).segments[0]!
  expect(edited.edits.size).toBeLessThan(20)
  const counts = { total: 150, valid: 138, error: 12 }
  expect(await engine.counts(sheet, {}, engine.newStore())).toEqual(counts)
  const [second] = (await engine.read(sheet, { ids: [ids[1]!] }, engine.newStore())).records
  expect(second!.values.email!.messages.map(({ source }) => source)).toEqual(['custom-logic', 'unique-constraint'])
  const { seq } = await engine.versionOf(sheet)
  await engine.remove(sheet, ids.slice(3), by(), store)
  expect((await log.sync(store, sheet.sheetId)).segments.map(({ rows }) => rows)).toEqual([3])
  expect((await engine.restore(sheet, { to: seq }, by(), store)).counts).toEqual(counts)
})

it('merges small runs of hashes, and duplicates are still found', async () => {
  const sheet = people()
  const store = engine.newStore({ mergeRuns: 3, mergeRows: 0 })
  const first: string[] = []
  for (let i = 0; i < 9; i++)
    first.push([...(await engine.importRows(sheet, rowsOf(20, `f${i}-`), by(), store)).ids][0]!)
  await engine.update(sheet, [{ id: first[2]!, values: { email: { value: 'moved' } } }], by(), store)
  for (let i = 9; i < 15; i++) await engine.importRows(sheet, rowsOf(20, `f${i}-`), by(), store)
  const state = await log.sync(engine.newStore(), sheet.sheetId)
  expect(state.segments).toHaveLength(15)
  expect([...state.unique.values()][0]!.runs.size).toBeLessThanOrEqual(6)
  const rows = [row('f0-3@x'), row('f2-0@x'), row('moved'), row('f14-19@x')]
  const { counts } = await engine.insert(sheet, rows, by(), engine.newStore())
  expect(counts).toEqual({ total: 304, valid: 298, error: 6 })
})

it('gives way to another writer and does no harm when it fails', async () => {
  const sheet = people()
  const store = engine.newStore({ mergeSegments: 4 })
  for (const name of ['a', 'b', 'c']) await engine.insert(sheet, [row(name)], by(), store)
  let appends = 0
  cloud.intercept.before = async (operation) => {
    if (operation !== 'UpdateItem' || ++appends !== 2) return
    cloud.intercept.before = undefined
    await engine.insert(sheet, [row('between')], by(), engine.newStore({ mergeSegments: 99 }))
  }
  await engine.insert(sheet, [row('d')], by(), store)
  expect((await log.sync(store, sheet.sheetId)).segments).toHaveLength(5)
  cloud.intercept.before = (operation) => {
    if (operation === 'PutItem') throw new Error('dead')
  }
  const { counts } = await engine.insert(sheet, [row('e')], by(), store)
  cloud.intercept.before = undefined
  expect(counts).toEqual({ total: 6, valid: 6, error: 0 })
  const state = await engine.maintain(store, sheet, await log.sync(store, sheet.sheetId))
  expect(state.segments).toHaveLength(1)
  const { records } = await engine.read(sheet, {}, engine.newStore())
  expect(records.map(({ values }) => values.email!.value)).toEqual(['a', 'b', 'c', 'd', 'between', 'e'])
})
