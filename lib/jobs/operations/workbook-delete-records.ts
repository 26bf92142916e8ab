/** Performs `workbook:delete-records`: what a filter selects but for the exceptions, or with `filter: none` just these. */
import * as operations from '../../../schemas/operations.ts'
import { writeRecords } from '../../commits/write.ts'
import { meantBy } from '../offers/workbook-delete-records.ts'
import { counted, refuseLockedFor, snapshotFirst } from './changed.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const deleteRecords: Performer = { operation: operations.deleteRecords, perform }

async function perform(run: Run): Promise<Ending> {
  const { sheet, what, snapshotLabel } = await meantBy(run.job, run.job)
  refuseLockedFor(sheet)
  const snapshotId = await snapshotFirst(run, sheet, snapshotLabel)
  await run.progress(0.1, 'Deleting records')
  await run.assertHeld()
  const writer = writeRecords(sheet, run, { op: run.op })
  const { removed } = Array.isArray(what) && what.length === 0 ? { removed: 0 } : await writer.remove(what)
  return {
    info: `Deleted ${counted(removed)}`,
    result: { sheetId: sheet.id, records: removed, ...(snapshotId ? { snapshotId } : {}) },
    outcome: {
      acknowledge: true,
      heading: 'Records deleted',
      message: `${counted(removed)} deleted from ${sheet.name}.`,
      next: { type: 'clearFilters', sheetIds: [sheet.id] },
    },
  }
}
