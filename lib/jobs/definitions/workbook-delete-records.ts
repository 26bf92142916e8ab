/** The operation `workbook:delete-records`, for any sheet of the job's space. */
import * as operations from '../../../schemas/operations.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { getJobSheet, type JobLocation } from '../resolve-resources.ts'
import { isPlatformOperation, parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'
import { buildSelection } from './selected-records.ts'

export const deleteRecords: PlatformOperation = {
  operation: operations.deleteRecords,
  matches: (job) => isPlatformOperation(operations.deleteRecords, job),
  validate: async (job, location) => void (await resolveDeletion(job, location)),
}

export async function resolveDeletion(job: JobRequest, location: JobLocation) {
  const { exceptions, ids, ...config } = parseConfig(operations.deleteRecords, job)
  const sheet: StoredSheet = await getJobSheet(location, config.sheet)
  const selection = buildSelection(sheet, config)
  const target: readonly string[] | Selection =
    config.filter === 'none' ? (exceptions ?? ids ?? []) : excludeExceptions(selection, exceptions, ids)
  return { sheet, what: target, snapshotLabel: config.snapshotLabel }
}

/** Exceptions are never deleted. `ids` without a filter lists the records to delete. */
function excludeExceptions(
  selection: Selection,
  exceptions: readonly string[] | undefined,
  ids: readonly string[] | undefined,
): readonly string[] | Selection {
  const hasFilter = selection.filter !== undefined || selection.search !== undefined || selection.q !== undefined
  const excludedIds = new Set(exceptions)
  if (!hasFilter && ids) return ids.filter((id) => !excludedIds.has(id))
  return { ...selection, filter: selection.filter ?? 'all', ids: [...excludedIds, ...(ids ?? [])] }
}
