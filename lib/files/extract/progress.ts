/** How far an extraction is, and what becomes of the file when it is stopped from outside. */
import { Jobs } from '../../entities/jobs.ts'
import { type Extracting, setFile } from './status.ts'

/** Told while reading; the rest is the end's. */
const READ = 0.99

export class Progress {
  /** What was thrown to stop the extraction. */
  stopped: unknown
  readonly #tell: (fraction: number) => Promise<void>

  constructor(tell: (fraction: number) => Promise<void>) {
    this.#tell = tell
  }

  /** @param done how much of the file is read, 0 to 1 */
  tell(done: number): Promise<void> {
    return this.#report(Math.min(READ, done))
  }

  /** The last moment at which nothing is visible yet. */
  beforeEnd(): Promise<void> {
    return this.#report(1)
  }

  async #report(fraction: number): Promise<void> {
    try {
      await this.#tell(fraction)
    } catch (error) {
      this.stopped = error
      throw error
    }
  }

  /** A file whose job was canceled is complete, only not extracted; one whose job goes on elsewhere is left to that run. */
  async release(extracting: Extracting, jobId: string): Promise<void> {
    const job = await Jobs.get(jobId)
    if (job?.status !== 'executing') await setFile(extracting, { status: 'complete' })
  }
}
