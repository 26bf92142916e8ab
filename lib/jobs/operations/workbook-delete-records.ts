/** The operation `workbook:delete-records`, for any sheet of the space. `filter: none` deletes just the exceptions. */

import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getJobSheet, type JobLocation } from '../request/resources.ts'
import { buildSelection } from '../request/selected-records.ts'
import { fitsContract, type JobResult, type PlatformOperation, type Run } from './operation.ts'
import { prepareChange } from './record-changes.ts'

export const deleteRecords: PlatformOperation = {
  contract: contracts.deleteRecords,
  matches: (job) => fitsContract(contracts.deleteRecords, job),
  validate: async (job, location) => void (await resolveDeletion(job, location)),
  run: runDeletion,
}

async function runDeletion(run: Run): Promise<JobResult> {
  const { sheet, target, snapshotLabel } = await resolveDeletion(run.job, run.job)
  const { snapshotId, writer } = await prepareChange(run, sheet, snapshotLabel)
  await run.progress(0.1, message('jobs.deletingRecords'))
  await run.assertHeld()
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

async function resolveDeletion(job: JobRequest, location: JobLocation) {
  const { exceptions, ids, ...config } = parseConfig(contracts.deleteRecords, job)
  const sheet: StoredSheet = await getJobSheet(location, config.sheet)
  const selection = buildSelection(sheet, config)
  const target: readonly string[] | Selection =
    config.filter === 'none' ? (exceptions ?? ids ?? []) : excludeExceptions(selection, exceptions, ids)
  return { sheet, target, snapshotLabel: config.snapshotLabel }
}

/** Exceptions are never deleted. `ids` without a filter lists the records to delete. */
export function excludeExceptions(
  selection: Selection,
  exceptions: readonly string[] | undefined,
  ids: readonly string[] | undefined,
): readonly string[] | Selection {
  const hasFilter = selection.filter !== undefined || selection.search !== undefined || selection.q !== undefined
  const excludedIds = new Set(exceptions)
  if (!hasFilter && ids) return ids.filter((id) => !excludedIds.has(id))
  return { ...selection, filter: selection.filter ?? 'all', ids: [...excludedIds, ...(ids ?? [])] }
}
