/** Performs `workbook:delete-records`: what a filter selects but for the exceptions, or with `filter: none` just these. */
import * as operations from '../../../schemas/operations.ts'
import { writeRecords } from '../../commits/write.ts'
import { conflict } from '../../core/errors.ts'
import { meantBy } from '../offers/workbook-delete-records.ts'
import type { Ending, Performer, Run } from './performer.ts'

export const deleteRecords: Performer = { operation: operations.deleteRecords, perform }

async function perform(run: Run): Promise<Ending> {
  const { sheet, what } = await meantBy(run.job, run.job)
  if (sheet.lockedAt) throw conflict(`The sheet ${sheet.name} is locked: unlock it and try again.`)
  await run.progress(0.1, 'Deleting records')
  const writer = writeRecords(sheet, run, { op: run.op })
  const { removed } = Array.isArray(what) && what.length === 0 ? { removed: 0 } : await writer.remove(what)
  const counted = `${removed} ${removed === 1 ? 'record' : 'records'}`
  return {
    info: `Deleted ${counted}`,
    result: { sheetId: sheet.id, records: removed },
    outcome: {
      acknowledge: true,
      heading: 'Records deleted',
      message: `${counted} deleted from ${sheet.name}.`,
      next: { type: 'clearFilters', sheetIds: [sheet.id] },
    },
  }
}
