/** How far an extraction is, and what becomes of the file when it is stopped from outside. */
import { Jobs } from '../../entities/jobs.ts'
import { type Extracting, setFile } from './status.ts'

/** Told while reading; the rest is the end's. */
const READ = 0.99

export class Progress {
  /** What was thrown to stop the extraction. */
  stopped: unknown
  readonly #tell: (fraction: number) => Promise<void>
  readonly #bytes: number

  constructor(tell: (fraction: number) => Promise<void>, bytes: number) {
    this.#tell = tell
    this.#bytes = Math.max(1, bytes)
  }

  tell(bytesDone: number): Promise<void> {
    return this.#report(Math.min(READ, bytesDone / this.#bytes))
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
