import * as operations from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getJobSheet, type JobLocation } from '../request/resources.ts'

export interface MappedSheets {
  source: StoredSheet
  destination: StoredSheet
}

export async function resolveMappedSheets(job: JobRequest, location: JobLocation): Promise<MappedSheets> {
  const { sourceSheetId, destinationSheetId } = parseConfig(operations.map, job)
  if (sourceSheetId === destinationSheetId) throw invalidField('config.destinationSheetId', message('jobs.sameSheet'))
  const [source, destination] = await Promise.all([
    getJobSheet(location, sourceSheetId),
    getJobSheet(location, destinationSheetId),
  ])
  return { source, destination }
}
