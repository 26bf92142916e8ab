/** What nothing names goes; what any version needs stays. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

let cloud: RecordCloud
let engine: typeof import('../../../lib/records/index.ts')
let objects: typeof import('../../../lib/objects/store.ts')

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  objects = await import('../../../lib/objects/store.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
})

const sheetOf = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'note', type: 'string' },
  ],
})
async function* rowsOf(count: number) {
  yield { keys: ['name', 'note'], rows: Array.from({ length: count }, (_, i) => [`n${i}`, `note ${i}`]) }
}
const OPTIONS = {
  segmentRows: 20,
  blobItemBytes: 0,
  inlineSegmentBytes: 0,
  editedRows: 5,
  compactEdits: 3,
  mergeSegments: 3,
}
const keysOf = async ({ sheetId }: SheetRef) => {
  const keys: string[] = []
  for await (const { key } of objects.listObjects(`seg/${sheetId}/`)) keys.push(key)
  return keys
}
const later = () => new Date(Date.now() + 60_000)

it('deletes the objects of a writer that died, and every version still reads', async () => {
  const sheet = sheetOf()
  const store = engine.newStore(OPTIONS)
  const versions: { seq: number; names: unknown[] }[] = []
  const namesAt = async (seq: number) =>
    (await engine.diffRecords(sheet, { from: seq }, engine.newStore(OPTIONS))).records.map(
      ({ values }) => values.name!.snapshotValue,
    )
  const save = async () => {
    const { seq } = await engine.versionOf(sheet, store)
    versions.push({ seq, names: await namesAt(seq) })
  }
  const ids = [...(await engine.importRows(sheet, rowsOf(70), by(), store)).ids]
  await save()
  await engine.update(
    sheet,
    ids.slice(0, 9).map((id) => ({ id, values: { name: { value: `of ${id}` } } })),
    by(),
    store,
  )
  await save()
  for (let i = 0; i < 7; i++) await engine.insert(sheet, [{ values: { name: { value: `single ${i}` } } }], by(), store)
  await engine.remove(sheet, ids.slice(4, 50), by(), store)
  await save()
  await engine.restore(sheet, { to: versions[0]!.seq, deleted: true }, by(), store)
  await save()
  const live = await keysOf(sheet)
  expect(await engine.collect(sheet.sheetId, { olderThan: later() }, store)).toEqual({ objects: 0, bytes: 0 })

  let puts = 0
  cloud.intercept.before = (operation) => {
    if (operation === 'PUT') puts++
    if (operation === 'UpdateItem') throw new Error('dead')
  }
  await expect(engine.importRows(sheet, rowsOf(130), by(), engine.newStore(OPTIONS))).rejects.toThrow()
  cloud.intercept.before = undefined
  expect(puts).toBeGreaterThan(5)
  expect((await keysOf(sheet)).length).toBeGreaterThan(live.length)
  expect(await engine.collect(sheet.sheetId, {}, store)).toEqual({ objects: 0, bytes: 0 })
  const { objects: gone, bytes } = await engine.collect(sheet.sheetId, { olderThan: later() }, engine.newStore())
  expect(gone).toBeGreaterThan(5)
  expect(bytes).toBeGreaterThan(1000)
  expect(await keysOf(sheet)).toEqual(live)
  for (const { seq, names } of versions) expect(await namesAt(seq)).toEqual(names)
  expect((await engine.restore(sheet, { to: versions[1]!.seq }, by(), engine.newStore(OPTIONS))).counts.total).toBe(70)
}, 60_000)

it('keeps what repeated entries and large manifests name', async () => {
  const sheet = sheetOf()
  const store = engine.newStore({ ...OPTIONS, mergeSegments: 1e9 })
  let lose = 1
  cloud.intercept.after = (operation) => operation === 'UpdateItem' && lose-- > 0
  await engine.importRows(sheet, rowsOf(300), by(), store)
  cloud.intercept.after = undefined
  for (let i = 0; i < 3; i++) await engine.importRows(sheet, rowsOf(25), by(), store)
  await engine.collect(sheet.sheetId, { olderThan: later() }, store)
  expect(await engine.counts(sheet, {}, engine.newStore())).toEqual({ total: 375, valid: 275, error: 100 })
})

it('leaves other sheets alone, and nothing at all of a sheet that is erased', async () => {
  const sheet = sheetOf()
  const other = { ...sheetOf(), sheetId: `${sheet.sheetId}0` }
  const store = engine.newStore(OPTIONS)
  await engine.importRows(sheet, rowsOf(50), by(), store)
  await engine.importRows(other, rowsOf(50), by(), store)
  const kept = await keysOf(other)
  await engine.erase(sheet.sheetId, store)
  expect(await keysOf(sheet)).toEqual([])
  expect(await engine.collect(sheet.sheetId, { olderThan: later() }, store)).toEqual({ objects: 0, bytes: 0 })
  expect(await keysOf(other)).toEqual(kept)
  expect(await engine.counts(other, {}, engine.newStore(OPTIONS))).toMatchObject({ total: 50 })
})
