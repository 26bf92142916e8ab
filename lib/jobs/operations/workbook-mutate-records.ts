/** Handles `workbook:mutate-records`: runs a user's function in isolation and writes its changes in one commit. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { createBulkWriter } from '../../commits/bulk.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import * as records from '../../records/index.ts'
import { resolveMutation } from '../definitions/workbook-mutate-records.ts'
import { createMutator } from '../mutation/mutator.ts'
import { ResultCache } from '../mutation/result-cache.ts'
import { createTimeLimitError, type JobResult, type OperationHandler, OutOfTimeError, type Run } from './operation.ts'
import { assertUnlockedForJob, buildChangeResult, takeSnapshotOnce } from './record-changes.ts'

export const mutateRecords: OperationHandler = { operation: operations.mutateRecords, resumable: true, runOperation }

async function runOperation(run: Run): Promise<JobResult> {
  const { sheet, selection, program, snapshotLabel } = await resolveMutation(run.job, run.job)
  assertUnlockedForJob(sheet)
  const snapshotId = await takeSnapshotOnce(run, sheet, snapshotLabel)
  const { total } = await records.countRecords(toSheetRef(sheet))
  const cache = await ResultCache.load(run.op)
  let changedCount = 0
  const mutate = createMutator(program, {
    cache,
    onDone: async (count) => {
      changedCount += count
      await run.progress(
        Math.min(0.95, (0.95 * changedCount) / Math.max(1, total)),
        message('jobs.changingRecords', { count: changedCount }),
      )
    },
  })
  const { updated } = await createBulkWriter(sheet, run, { op: run.op })
    .mutate(selection, async (batch) => {
      const cells = await mutate(batch)
      await run.assertHeld()
      return cells
    })
    .catch((error: unknown) => {
      throw error instanceof OutOfTimeError && cache.addedCount === 0 ? createTimeLimitError() : error
    })
  await cache.clear()
  return buildChangeResult(sheet, updated, snapshotId)
}
