/** `file:extract` is offered for delimited text. Other formats are extracted by listeners. */
import * as operations from '../../../schemas/operations.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { isDelimitedText } from '../../files/names.ts'
import type { JobRequest, Offer } from './offer.ts'

/** Text files that may hold a table: extracted when somebody asks, not when they arrive. */
const ON_REQUEST = new Set(['txt', 'psv', 'tab'])

/** The file the job is about. */
export const fileOf = (job: Pick<JobRequest, 'fileId' | 'source'>): Promise<StoredFile | undefined> =>
  Files.get(job.fileId ?? job.source)

export const extract: Offer = {
  operation: operations.extract,
  takes: async (job) => {
    const file = await fileOf(job)
    return file !== undefined && (isDelimitedText(file) || ON_REQUEST.has(file.ext))
  },
}
