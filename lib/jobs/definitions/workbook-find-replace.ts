/** The operations `workbook:find-replace` and `sheet:find-replace`, for any sheet of the job's space. */
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { invalidField } from '../../core/errors.ts'
import { parseKind } from '../../core/ids.ts'
import { getJobSheet, type JobLocation } from '../resolve-resources.ts'
import { isPlatformOperation, parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'
import { assertKnownField, buildSelection } from './selected-records.ts'

export const findReplace: PlatformOperation = {
  operation: operations.findReplace,
  matches: (job) => isPlatformOperation(operations.findReplace, job),
  validate: async (job, location) => void (await resolveReplacement(job, location)),
}

export async function resolveReplacement(job: JobRequest, location: JobLocation) {
  const { sheetId, fieldKey, find, replace, snapshotLabel, ...criteria } = parseConfig(operations.findReplace, job)
  const targetSheetId = sheetId ?? (parseKind(job.source) === 'sheet' ? job.source : undefined)
  if (targetSheetId === undefined) throw invalidField('config.sheetId', message('jobs.sheetRequired'))
  const sheet = await getJobSheet(location, targetSheetId)
  assertKnownField(sheet, fieldKey, 'config.fieldKey')
  return {
    sheet,
    selection: buildSelection(sheet, criteria),
    replacement: { field: fieldKey, find, replace },
    snapshotLabel,
  }
}
