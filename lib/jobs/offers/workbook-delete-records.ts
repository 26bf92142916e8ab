/** `workbook:delete-records` is offered for any sheet of the job's space. */
import * as operations from '../../../schemas/operations.ts'
import { invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'

export const deleteRecords: Offer = {
  operation: operations.deleteRecords,
  takes: (job) => isMeant(operations.deleteRecords, job),
  check: async (job, place) => void (await meantBy(job, place)),
}

/** The sheet and which of its records. Throws 404 for a sheet that lives elsewhere, 400 for what cannot be selected. */
export async function meantBy(
  job: JobRequest,
  place: JobPlace,
): Promise<{ sheet: StoredSheet; what: string[] | Selection }> {
  const config = configOf(operations.deleteRecords, job)
  const sheet = await sheetOfJob(place, config.sheet)
  for (const unsupported of ['q', 'snapshotLabel'] as const) {
    // Deleting more than was asked for, or without the copy that was asked for, cannot be undone.
    if (config[unsupported] !== undefined && config[unsupported] !== null)
      throw invalidField(`config.${unsupported}`, 'is not supported: nothing would be deleted as asked')
  }
  for (const key of ['filterField', 'searchField'] as const) {
    const field = config[key]
    if (field !== undefined && !sheet.config.fields.some((own) => own.key === field))
      throw invalidField(`config.${key}`, `the sheet has no field ${field}`)
  }
  if (config.filter === 'none') return { sheet, what: config.exceptions ?? [] }
  const { filter = 'all', filterField, searchValue, searchField, exceptions = [] } = config
  const search =
    searchValue === undefined ? undefined : { value: searchValue, ...(searchField ? { field: searchField } : {}) }
  return {
    sheet,
    what: { filter, ids: exceptions, ...(filterField ? { filterField } : {}), ...(search ? { search } : {}) },
  }
}
