/** Performs `workbook:find-replace`: a text in the values of one field becomes another, in one commit. */
import * as operations from '../../../schemas/operations.ts'
import { bulkChanges } from '../../commits/bulk.ts'
import { meantBy } from '../offers/workbook-find-replace.ts'
import { changedRecords, refuseLockedFor, snapshotFirst } from './changed.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const findReplace: Performer = { operation: operations.findReplace, perform }

async function perform(run: Run): Promise<Ending> {
  const { sheet, selection, replacement, snapshotLabel } = await meantBy(run.job, run.job)
  refuseLockedFor(sheet)
  const snapshotId = await snapshotFirst(run, sheet, snapshotLabel)
  await run.progress(0.1, 'Replacing values')
  await run.assertHeld()
  const { updated } = await bulkChanges(sheet, run, { op: run.op }).findReplace(selection, replacement)
  return changedRecords(sheet, updated, snapshotId)
}
