/** The record engine for a test file, with a separate cloud. Each write is a new operation. */
import { afterAll, beforeEach } from 'vitest'
import type { Store } from '../../lib/records/log/store.ts'
import type { SheetRef, WriteContext } from '../../lib/records/sheet.ts'
import { createWriteContext, startRecordCloud } from './records.ts'

type Write<Change, Result> = (sheet: SheetRef, change: Change, ctx: WriteContext, store?: Store) => Result

const withContext =
  <Change, Result>(write: Write<Change, Result>) =>
  (sheet: SheetRef, change: Change, store?: Store): Result =>
    write(sheet, change, createWriteContext(), store)

export async function startRecordSuite() {
  const cloud = await startRecordCloud()
  afterAll(() => cloud.close())
  beforeEach(() => {
    Object.assign(cloud.intercept, { beforeRequest: undefined, loseResponse: undefined, throttle: undefined })
    cloud.meter.reset()
  })
  const engine = await import('../../lib/records/index.ts')
  return {
    cloud,
    engine,
    insert: withContext(engine.insert),
    importRows: withContext(engine.importRows),
    update: withContext(engine.update),
    remove: withContext(engine.remove),
    restoreVersion: withContext(engine.restoreVersion),
  }
}
