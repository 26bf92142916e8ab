/** The operation `file:extract`, for the formats the platform can read. Listeners extract the others. */
import * as operations from '../../../schemas/operations.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { isHandledByPlatform } from '../../files/file-types.ts'
import { parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'

export const getJobFile = (job: Pick<JobRequest, 'fileId' | 'source'>): Promise<StoredFile | undefined> =>
  Files.get(job.fileId ?? job.source)

export const extract: PlatformOperation = {
  operation: operations.extract,
  matches: async (job) => {
    const file = await getJobFile(job)
    return file !== undefined && isHandledByPlatform(file)
  },
  validate: async (job) => void parseConfig(operations.extract, job),
}
