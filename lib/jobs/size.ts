/** Limits a job's data, so that it fits one table item together with its events. */
import { MAX_JOB_BYTES } from '../../schemas/job.ts'
import { tooLarge } from '../core/errors.ts'
import type { NewJob } from '../entities/jobs.ts'

export function assertJobFits(job: NewJob): void {
  const bytes = Buffer.byteLength(JSON.stringify(job))
  if (bytes > MAX_JOB_BYTES) {
    throw tooLarge(
      `Jobs are limited to ${MAX_JOB_BYTES} bytes, including config, input, metadata and outcome; this one has ${bytes}. Store the data in a file or in records and refer to it.`,
    )
  }
}
