/** Reports extraction progress and releases the file when the extraction is stopped. */
import { Jobs } from '../../entities/jobs.ts'
import { type ExtractedFileContext, updateExtractedFile } from './status.ts'

const MAX_READING_FRACTION = 0.99

export class Progress {
  stopped: unknown
  readonly #onReport: (fraction: number) => Promise<void>

  constructor(onReport: (fraction: number) => Promise<void>) {
    this.#onReport = onReport
  }

  report(done: number): Promise<void> {
    return this.#report(Math.min(MAX_READING_FRACTION, done))
  }

  reportBeforeCommit(): Promise<void> {
    return this.#report(1)
  }

  async #report(fraction: number): Promise<void> {
    try {
      await this.#onReport(fraction)
    } catch (error) {
      this.stopped = error
      throw error
    }
  }

  /** A canceled job's file becomes `complete`; if another run continues the job, the file is left to it. */
  async release(extraction: ExtractedFileContext, jobId: string): Promise<void> {
    const job = await Jobs.get(jobId)
    if (job?.status !== 'executing') await updateExtractedFile(extraction, { status: 'complete' })
  }
}
