import { JobFailed } from './errors.ts'
import { Jobs as JobOperations } from './operations.generated.ts'
import { sleep } from './retries.ts'
import type { Job } from './types.ts'

const FIRST_POLL_MS = 100
const MAX_POLL_MS = 2000
const POLL_GROWTH = 1.5

export interface WaitOptions {
  /** The status to wait for; `completed` by default. */
  until?: Job['status'] | undefined
  /** Called with the job whenever its status, progress or info changed. */
  onProgress?: ((job: Job) => void) | undefined
  /** `AbortSignal.timeout(ms)` limits the time. */
  signal?: AbortSignal | undefined
}

export class Jobs extends JobOperations {
  /** @throws JobFailed if the job fails or is canceled */
  async wait(jobId: string, { until = 'completed', onProgress, signal }: WaitOptions = {}): Promise<Job> {
    let seen = ''
    for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(MAX_POLL_MS, delayMs * POLL_GROWTH)) {
      const job = await this.get(jobId, { signal })
      const { status, progress, info } = job
      const current = JSON.stringify([status, progress, info])
      if (current !== seen) onProgress?.(job)
      seen = current
      if (status === until || status === 'completed') return job
      if (status === 'failed' || status === 'canceled') throw new JobFailed(job)
      await sleep(delayMs, signal)
    }
  }
}
