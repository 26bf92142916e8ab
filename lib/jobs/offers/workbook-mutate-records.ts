/** `workbook:mutate-records` and `sheet:mutate-records` are offered for any sheet of the job's space. */
import type * as z from 'zod'
import * as operations from '../../../schemas/operations.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Selection } from '../../records/index.ts'
import { programOf } from '../mutation/source.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'
import { selectedBy } from './selected.ts'

export const mutateRecords: Offer = {
  operation: operations.mutateRecords,
  takes: (job) => isMeant(operations.mutateRecords, job),
  check: async (job, place) => void (await meantBy(job, place)),
}

export interface Mutation {
  sheet: StoredSheet
  selection: Selection
  /** Evaluates to the function. */
  program: string
}

/** The sheet, which of its records, and the function. Throws 404 for a sheet that lives elsewhere, else 400. */
export async function meantBy(
  job: JobRequest,
  place: JobPlace,
): Promise<Mutation & { snapshotLabel: string | undefined }> {
  const config = configOf(operations.mutateRecords, job)
  const sheet = await sheetOfJob(place, config.sheetId)
  return { ...mutationOf(sheet, config, 'config.'), snapshotLabel: config.snapshotLabel }
}

/** Throws 400 below `at`. */
export function mutationOf(
  sheet: StoredSheet,
  config: z.output<typeof operations.mutateRecords.config>,
  at: string,
): Mutation {
  const program = programOf(config.mutateRecord, `${at}mutateRecord`)
  return { sheet, selection: selectedBy(sheet, config, at), program }
}
