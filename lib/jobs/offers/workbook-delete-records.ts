/** `workbook:delete-records` is offered for any sheet of the job's space. */
import * as operations from '../../../schemas/operations.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'
import { selectedBy } from './selected.ts'

export const deleteRecords: Offer = {
  operation: operations.deleteRecords,
  takes: (job) => isMeant(operations.deleteRecords, job),
  check: async (job, place) => void (await meantBy(job, place)),
}

/** The sheet and which of its records. Throws 404 for a sheet that lives elsewhere, 400 for what cannot be selected. */
export async function meantBy(job: JobRequest, place: JobPlace) {
  const { exceptions, ids, ...config } = configOf(operations.deleteRecords, job)
  const sheet: StoredSheet = await sheetOfJob(place, config.sheet)
  const selection = selectedBy(sheet, config)
  const what: readonly string[] | Selection =
    config.filter === 'none' ? (exceptions ?? ids ?? []) : allBut(selection, exceptions, ids)
  return { sheet, what, snapshotLabel: config.snapshotLabel }
}

/** Exceptions are kept, whatever selects; `ids` alone are what is deleted. */
function allBut(
  selection: Selection,
  exceptions: readonly string[] | undefined,
  ids: readonly string[] | undefined,
): readonly string[] | Selection {
  const isNarrowed = selection.filter !== undefined || selection.search !== undefined || selection.q !== undefined
  const kept = new Set(exceptions)
  if (!isNarrowed && ids) return ids.filter((id) => !kept.has(id))
  return { ...selection, filter: selection.filter ?? 'all', ids: [...kept, ...(ids ?? [])] }
}
