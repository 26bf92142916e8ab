/** What a job carries must fit one item of the table together with its events. */
import { JOB_BYTES } from '../../schemas/job.ts'
import { tooLarge } from '../core/errors.ts'
import type { NewJob } from '../entities/jobs.ts'

/** Throws 413 when the job's own data is larger than {@link JOB_BYTES}. */
export function assertJobFits(job: NewJob): void {
  const bytes = Buffer.byteLength(JSON.stringify(job))
  if (bytes > JOB_BYTES) {
    throw tooLarge(
      `A job with its config, input, metadata and outcome may have at most ${JOB_BYTES} bytes, this one has ${bytes}: store the data in a file or in records and name it.`,
    )
  }
}
