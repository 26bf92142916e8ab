/** Handles `workbook:find-replace`: replaces a text in one field, in one commit. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { createBulkWriter } from '../../commits/bulk.ts'
import { resolveReplacement } from '../definitions/workbook-find-replace.ts'
import type { JobResult, OperationHandler, Run } from './operation.ts'
import { assertUnlockedForJob, buildChangeResult, takeSnapshotOnce } from './record-changes.ts'

export const findReplace: OperationHandler = { operation: operations.findReplace, runOperation }

async function runOperation(run: Run): Promise<JobResult> {
  const { sheet, selection, replacement, snapshotLabel } = await resolveReplacement(run.job, run.job)
  assertUnlockedForJob(sheet)
  const snapshotId = await takeSnapshotOnce(run, sheet, snapshotLabel)
  await run.progress(0.1, message('jobs.replacingValues'))
  await run.assertHeld()
  const { updated } = await createBulkWriter(sheet, run, { op: run.op }).findReplace(selection, replacement)
  return buildChangeResult(sheet, updated, snapshotId)
}
