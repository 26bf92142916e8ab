/** The two sheets a mapping job is between. */
import * as operations from '../../../schemas/operations.ts'
import { invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf } from './config.ts'
import type { JobRequest } from './offer.ts'

export interface MappedSheets {
  source: StoredSheet
  destination: StoredSheet
}

/** The sheets a mapping job names. Throws 400 for a configuration that does not fit, 404 for a sheet that lives elsewhere. */
export async function sheetsOf(job: JobRequest, place: JobPlace): Promise<MappedSheets> {
  const { sourceSheetId, destinationSheetId } = configOf(operations.map, job)
  if (sourceSheetId === destinationSheetId)
    throw invalidField('config.destinationSheetId', 'must be another sheet than the source')
  const [source, destination] = await Promise.all([
    sheetOfJob(place, sourceSheetId),
    sheetOfJob(place, destinationSheetId),
  ])
  return { source, destination }
}
