/** Unreferenced objects are deleted; everything that a version needs stays. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { createWriteContext, newSheetId, type RecordCloud, startRecordCloud } from '../../support/records.ts'

let cloud: RecordCloud
let engine: typeof import('../../../lib/records/index.ts')
let objects: typeof import('../../../lib/objects/store.ts')

beforeAll(async () => {
  cloud = await startRecordCloud()
  engine = await import('../../../lib/records/index.ts')
  objects = await import('../../../lib/objects/store.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.beforeRequest = undefined
})

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'note', type: 'string' },
  ],
})
async function* generateRows(count: number) {
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
const listKeys = async ({ sheetId }: SheetRef) => {
  const keys: string[] = []
  for await (const { key } of objects.listObjects(`seg/${sheetId}/`)) keys.push(key)
  return keys
}
const inOneMinute = () => new Date(Date.now() + 60_000)

it('garbage collection deletes objects of a crashed writer, and every version stays readable', async () => {
  const sheet = createSheet()
  const store = engine.createStore(OPTIONS)
  const versions: { seq: number; names: unknown[] }[] = []
  const readNamesAt = async (seq: number) =>
    (await engine.diffRecords(sheet, { from: seq }, engine.createStore(OPTIONS))).records.map(
      ({ values }) => values.name!.snapshotValue,
    )
  const saveVersion = async () => {
    const { seq } = await engine.readVersion(sheet, store)
    versions.push({ seq, names: await readNamesAt(seq) })
  }
  const ids = [...(await engine.importRows(sheet, generateRows(70), createWriteContext(), store)).ids]
  await saveVersion()
  await engine.update(
    sheet,
    ids.slice(0, 9).map((id) => ({ id, values: { name: { value: `of ${id}` } } })),
    createWriteContext(),
    store,
  )
  await saveVersion()
  for (let i = 0; i < 7; i++)
    await engine.insert(sheet, [{ values: { name: { value: `single ${i}` } } }], createWriteContext(), store)
  await engine.remove(sheet, ids.slice(4, 50), createWriteContext(), store)
  await saveVersion()
  await engine.restoreVersion(sheet, { to: versions[0]!.seq, deleted: true }, createWriteContext(), store)
  await saveVersion()
  const live = await listKeys(sheet)
  expect(await engine.collectGarbage(sheet.sheetId, { olderThan: inOneMinute() }, store)).toEqual({
    objects: 0,
    bytes: 0,
  })

  let puts = 0
  cloud.intercept.beforeRequest = (operation) => {
    if (operation === 'PUT') puts++
    if (operation === 'UpdateItem') throw new Error('dead')
  }
  await expect(
    engine.importRows(sheet, generateRows(130), createWriteContext(), engine.createStore(OPTIONS)),
  ).rejects.toThrow()
  cloud.intercept.beforeRequest = undefined
  expect(puts).toBeGreaterThan(5)
  expect((await listKeys(sheet)).length).toBeGreaterThan(live.length)
  expect(await engine.collectGarbage(sheet.sheetId, {}, store)).toEqual({ objects: 0, bytes: 0 })
  const { objects: gone, bytes } = await engine.collectGarbage(
    sheet.sheetId,
    { olderThan: inOneMinute() },
    engine.createStore(),
  )
  expect(gone).toBeGreaterThan(5)
  expect(bytes).toBeGreaterThan(1000)
  expect(await listKeys(sheet)).toEqual(live)
  for (const { seq, names } of versions) expect(await readNamesAt(seq)).toEqual(names)
  expect(
    (await engine.restoreVersion(sheet, { to: versions[1]!.seq }, createWriteContext(), engine.createStore(OPTIONS)))
      .counts.total,
  ).toBe(70)
}, 60_000)

it('garbage collection keeps everything that repeated entries and large manifests reference', async () => {
  const sheet = createSheet()
  const store = engine.createStore({ ...OPTIONS, mergeSegments: 1e9 })
  let lose = 1
  cloud.intercept.loseResponse = (operation) => operation === 'UpdateItem' && lose-- > 0
  await engine.importRows(sheet, generateRows(300), createWriteContext(), store)
  cloud.intercept.loseResponse = undefined
  for (let i = 0; i < 3; i++) await engine.importRows(sheet, generateRows(25), createWriteContext(), store)
  await engine.collectGarbage(sheet.sheetId, { olderThan: inOneMinute() }, store)
  expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual({ total: 375, valid: 275, error: 100 })
})

it('garbage collection leaves other sheets unchanged, and deletes everything of a deleted sheet', async () => {
  const sheet = createSheet()
  const other = { ...createSheet(), sheetId: `${sheet.sheetId}0` }
  const store = engine.createStore(OPTIONS)
  await engine.importRows(sheet, generateRows(50), createWriteContext(), store)
  await engine.importRows(other, generateRows(50), createWriteContext(), store)
  const kept = await listKeys(other)
  await engine.deleteSheetData(sheet.sheetId, store)
  expect(await listKeys(sheet)).toEqual([])
  expect(await engine.collectGarbage(sheet.sheetId, { olderThan: inOneMinute() }, store)).toEqual({
    objects: 0,
    bytes: 0,
  })
  expect(await listKeys(other)).toEqual(kept)
  expect(await engine.countRecords(other, {}, engine.createStore(OPTIONS))).toMatchObject({ total: 50 })
})
