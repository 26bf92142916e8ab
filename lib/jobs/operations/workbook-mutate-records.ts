/** Performs `workbook:mutate-records`: a user's function changes records, apart from everything else, in one commit. */
import * as operations from '../../../schemas/operations.ts'
import { bulkChanges } from '../../commits/bulk.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import * as records from '../../records/index.ts'
import { KeptAnswers } from '../mutation/kept.ts'
import { mutator } from '../mutation/mutator.ts'
import { meantBy } from '../offers/workbook-mutate-records.ts'
import { changedRecords, refuseLockedFor, snapshotFirst } from './changed.ts'
import { type Ending, type Performer, type Run, tooLong, Unfinished } from './performer.ts'

export const mutateRecords: Performer = { operation: operations.mutateRecords, goesOn: true, perform }

async function perform(run: Run): Promise<Ending> {
  const { sheet, selection, program, snapshotLabel } = await meantBy(run.job, run.job)
  refuseLockedFor(sheet)
  const snapshotId = await snapshotFirst(run, sheet, snapshotLabel)
  const { total } = await records.counts(sheetRef(sheet))
  const kept = await KeptAnswers.of(run.op)
  let done = 0
  const mutate = mutator(program, {
    kept,
    onDone: async (count) => {
      done += count
      // Short of the end: what follows is the commit.
      await run.progress(Math.min(0.95, (0.95 * done) / Math.max(1, total)), `Changing records: ${done} done`)
    },
  })
  const { updated } = await bulkChanges(sheet, run, { op: run.op })
    .mutate(selection, async (batch) => {
      const cells = await mutate(batch)
      await run.assertHeld()
      return cells
    })
    .catch((error: unknown) => {
      // A next run would come no further.
      throw error instanceof Unfinished && kept.added === 0 ? tooLong() : error
    })
  await kept.forget()
  return changedRecords(sheet, updated, snapshotId)
}
