/** Unreferenced objects are deleted; everything that a version needs stays. */
import { expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { cloud, engine, insert, importRows, update, remove, restoreVersion } = await startRecordSuite()
const objects = await import('../../../lib/objects/store.ts')

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
  objectBytes: 800,
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
  const ids = [...(await importRows(sheet, generateRows(70), store)).ids]
  await saveVersion()
  await update(
    sheet,
    ids.slice(0, 9).map((id) => ({ id, values: { name: { value: `of ${id}` } } })),
    store,
  )
  await saveVersion()
  for (let i = 0; i < 7; i++) await insert(sheet, [{ values: { name: { value: `single ${i}` } } }], store)
  await remove(sheet, ids.slice(4, 50), store)
  await saveVersion()
  await restoreVersion(sheet, { to: versions[0]!.seq, deleted: true }, store)
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
  await expect(importRows(sheet, generateRows(320), engine.createStore(OPTIONS))).rejects.toThrow()
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
  expect((await restoreVersion(sheet, { to: versions[1]!.seq }, engine.createStore(OPTIONS))).counts.total).toBe(70)
}, 60_000)

it('garbage collection keeps everything that repeated entries and large manifests reference', async () => {
  const sheet = createSheet()
  const store = engine.createStore({ ...OPTIONS, mergeSegments: 1e9 })
  let lose = 1
  cloud.intercept.loseResponse = (operation) => operation === 'UpdateItem' && lose-- > 0
  await importRows(sheet, generateRows(300), store)
  cloud.intercept.loseResponse = undefined
  for (let i = 0; i < 3; i++) await importRows(sheet, generateRows(25), store)
  await engine.collectGarbage(sheet.sheetId, { olderThan: inOneMinute() }, store)
  expect(await engine.countRecords(sheet, {}, engine.createStore())).toEqual({ total: 375, valid: 275, error: 100 })
})

it('garbage collection leaves other sheets unchanged, and deletes everything of a deleted sheet', async () => {
  const sheet = createSheet()
  const other = { ...createSheet(), sheetId: `${sheet.sheetId}0` }
  const store = engine.createStore(OPTIONS)
  await importRows(sheet, generateRows(50), store)
  await importRows(other, generateRows(50), store)
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
