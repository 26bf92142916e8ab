/** The sweep deletes objects of crashed writers, but nothing that a version references. In a separate cloud. */
import { expect, it } from 'vitest'
import type { NewSheet } from '../../../lib/entities/sheets.ts'
import { startRecordSuite } from '../../support/record-suite.ts'

const { engine, insert, remove, restoreVersion } = await startRecordSuite()

const DAY_MS = 86_400_000
const fields = [{ key: 'a', type: 'string' as const }]

async function createStoredSheet(): Promise<string> {
  const { newId } = await import('../../../lib/core/ids.ts')
  const { Sheets } = await import('../../../lib/entities/sheets.ts')
  const { transact } = await import('../../../lib/table/transact.ts')
  const id = newId('sheet')
  const place = { accountId: 'us_acc_1', environmentId: 'us_env_1', spaceId: 'us_sp_1', workbookId: 'us_wb_1' }
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  const sheet: NewSheet = { id, ...place, ...times, name: 'S', slug: 's', position: 0, config: { name: 'S', fields } }
  await transact([Sheets.create(sheet)])
  return id
}

it('the sweep deletes day-old orphans of existing and deleted sheets, and keeps every version', async () => {
  const { listObjects, putObject } = await import('../../../lib/objects/store.ts')
  const { handler } = await import('../../../functions/system/collect-orphans.ts')
  const { newId } = await import('../../../lib/core/ids.ts')
  const sheetId = await createStoredSheet()
  const sheet = { sheetId, fields }
  const rows = Array.from({ length: 9000 }, (_, i) => ({ values: { a: { value: `${i} ${Math.random()}` } } }))
  await insert(sheet, rows)
  const { seq } = await engine.readVersion(sheet)
  await remove(sheet, { filter: 'all' })

  const gone = newId('sheet', 1)
  for (const id of [sheetId, gone]) await putObject(`seg/${id}/left-behind`, 'x')
  const listKeys = async (id: string) => {
    const found: string[] = []
    for await (const { key } of listObjects(`seg/${id}/`)) found.push(key)
    return found
  }
  const before = await listKeys(sheetId)
  const runSweep = (time: Date, remaining = Number.POSITIVE_INFINITY) =>
    handler({ time: time.toISOString() }, { getRemainingTimeInMillis: () => remaining })

  expect(await runSweep(new Date())).toEqual({ sheets: 2, objects: 0, bytes: 0 })
  expect(await listKeys(sheetId)).toEqual(before)
  const tomorrow = new Date(Date.now() + DAY_MS + 60_000)
  expect(await runSweep(tomorrow, 1000)).toEqual({ sheets: 0, objects: 0, bytes: 0 })
  expect(await runSweep(tomorrow)).toEqual({ sheets: 2, objects: 2, bytes: 2 })
  expect(await listKeys(gone)).toEqual([])
  expect(await listKeys(sheetId)).toEqual(before.filter((key) => !key.endsWith('left-behind')))
  await restoreVersion(sheet, { to: seq }, engine.createStore())
  expect(await engine.countRecords(sheet, {}, engine.createStore())).toMatchObject({ total: 9000 })
})
