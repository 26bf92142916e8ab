/** The operations `workbook:mutate-records` and `sheet:mutate-records`, for any sheet of the job's space. */
import type * as z from 'zod'
import * as operations from '../../../schemas/operations.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { buildFunctionProgram } from '../mutation/source.ts'
import { getJobSheet, type JobLocation } from '../resolve-resources.ts'
import { isPlatformOperation, parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'
import { buildSelection } from './selected-records.ts'

export const mutateRecords: PlatformOperation = {
  operation: operations.mutateRecords,
  matches: (job) => isPlatformOperation(operations.mutateRecords, job),
  validate: async (job, location) => void (await resolveMutation(job, location)),
}

export interface Mutation {
  sheet: StoredSheet
  selection: Selection
  program: string
}

export async function resolveMutation(
  job: JobRequest,
  location: JobLocation,
): Promise<Mutation & { snapshotLabel: string | undefined }> {
  const config = parseConfig(operations.mutateRecords, job)
  const sheet = await getJobSheet(location, config.sheetId)
  return { ...parseMutation(sheet, config, 'config.'), snapshotLabel: config.snapshotLabel }
}

export function parseMutation(
  sheet: StoredSheet,
  config: z.output<typeof operations.mutateRecords.config>,
  keyPrefix: string,
): Mutation {
  const program = buildFunctionProgram(config.mutateRecord, `${keyPrefix}mutateRecord`)
  return { sheet, selection: buildSelection(sheet, config, keyPrefix), program }
}
