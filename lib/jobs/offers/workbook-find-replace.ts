/** `workbook:find-replace` and `sheet:find-replace` are offered for any sheet of the job's space. */
import * as operations from '../../../schemas/operations.ts'
import { invalidField } from '../../core/errors.ts'
import { kindOf } from '../../core/ids.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'
import { knownField, selectedBy } from './selected.ts'

export const findReplace: Offer = {
  operation: operations.findReplace,
  takes: (job) => isMeant(operations.findReplace, job),
  check: async (job, place) => void (await meantBy(job, place)),
}

/** The sheet, which of its records, and what becomes what. Throws 404 for a sheet that lives elsewhere, else 400. */
export async function meantBy(job: JobRequest, place: JobPlace) {
  const { sheetId, fieldKey, find, replace, snapshotLabel, ...chosen } = configOf(operations.findReplace, job)
  const wanted = sheetId ?? (kindOf(job.source) === 'sheet' ? job.source : undefined)
  if (wanted === undefined) throw invalidField('config.sheetId', "is required: the job's source is no sheet")
  const sheet = await sheetOfJob(place, wanted)
  knownField(sheet, fieldKey, 'config.fieldKey')
  return { sheet, selection: selectedBy(sheet, chosen), replacement: { field: fieldKey, find, replace }, snapshotLabel }
}
