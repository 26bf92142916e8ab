/** Handles `workbook:delete-records`. With `filter: none` it deletes just the exceptions. */
import * as operations from '../../../schemas/operations.ts'
import { createRecordWriter } from '../../commits/write.ts'
import { resolveDeletion } from '../definitions/workbook-delete-records.ts'
import type { JobResult, OperationHandler, Run } from './operation.ts'
import { assertUnlockedForJob, formatRecordCount, takeSnapshotOnce } from './record-changes.ts'

export const deleteRecords: OperationHandler = { operation: operations.deleteRecords, runOperation }

async function runOperation(run: Run): Promise<JobResult> {
  const { sheet, what: target, snapshotLabel } = await resolveDeletion(run.job, run.job)
  assertUnlockedForJob(sheet)
  const snapshotId = await takeSnapshotOnce(run, sheet, snapshotLabel)
  await run.progress(0.1, 'Deleting records')
  await run.assertHeld()
  const writer = createRecordWriter(sheet, run, { op: run.op })
  const { removed } = Array.isArray(target) && target.length === 0 ? { removed: 0 } : await writer.remove(target)
  return {
    info: `Deleted ${formatRecordCount(removed)}`,
    result: { sheetId: sheet.id, records: removed, ...(snapshotId ? { snapshotId } : {}) },
    outcome: {
      acknowledge: true,
      heading: 'Records deleted',
      message: `${formatRecordCount(removed)} deleted from ${sheet.name}.`,
      next: { type: 'clearFilters', sheetIds: [sheet.id] },
    },
  }
}
