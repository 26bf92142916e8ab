import { MAX_JOB_BYTES } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { tooLarge } from '../../core/errors.ts'
import type { NewJob } from '../../entities/jobs.ts'

export function assertJobFits(job: NewJob): void {
  const bytes = Buffer.byteLength(JSON.stringify(job))
  if (bytes > MAX_JOB_BYTES) throw tooLarge(message('jobs.tooLarge', { limit: MAX_JOB_BYTES, count: bytes }))
}
