/** `file:extract` is offered for the formats the platform knows. Others are extracted by listeners. */
import * as operations from '../../../schemas/operations.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { isAnsweredFor } from '../../files/names.ts'
import { configOf } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'

/** The file the job is about. */
export const fileOf = (job: Pick<JobRequest, 'fileId' | 'source'>): Promise<StoredFile | undefined> =>
  Files.get(job.fileId ?? job.source)

export const extract: Offer = {
  operation: operations.extract,
  takes: async (job) => {
    const file = await fileOf(job)
    return file !== undefined && isAnsweredFor(file)
  },
  check: async (job) => void configOf(operations.extract, job),
}
