/** Handles `workbook:delete-records`. With `filter: none` it deletes just the exceptions. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { createRecordWriter } from '../../commits/write.ts'
import { resolveDeletion } from '../definitions/workbook-delete-records.ts'
import type { JobResult, OperationHandler, Run } from './operation.ts'
import { assertUnlockedForJob, takeSnapshotOnce } from './record-changes.ts'

export const deleteRecords: OperationHandler = { operation: operations.deleteRecords, runOperation }

async function runOperation(run: Run): Promise<JobResult> {
  const { sheet, what: target, snapshotLabel } = await resolveDeletion(run.job, run.job)
  assertUnlockedForJob(sheet)
  const snapshotId = await takeSnapshotOnce(run, sheet, snapshotLabel)
  await run.progress(0.1, message('jobs.deletingRecords'))
  await run.assertHeld()
  const writer = createRecordWriter(sheet, run, { op: run.op })
  const { removed } = Array.isArray(target) && target.length === 0 ? { removed: 0 } : await writer.remove(target)
  return {
    info: message('jobs.recordsDeleted', { count: removed }),
    result: { sheetId: sheet.id, records: removed, ...(snapshotId ? { snapshotId } : {}) },
    outcome: {
      acknowledge: true,
      heading: message('jobs.deletionFinished'),
      message: message('jobs.recordsDeletedFrom', { count: removed, sheet: sheet.name }),
      next: { type: 'clearFilters', sheetIds: [sheet.id] },
    },
  }
}
