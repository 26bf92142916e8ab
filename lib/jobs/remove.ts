/** Removes a job with its plan, and tells of it. What hung below it, its parts, goes by that event (lib/jobs/parts.ts). */
import * as jobs from '../../schemas/job-events.ts'
import { JobPlans, Jobs, jobContext, type StoredJob } from '../entities/jobs.ts'
import type { Tx } from '../tx.ts'

export async function removeJob(tx: Tx, job: StoredJob): Promise<void> {
  const plan = await JobPlans.get(job.id)
  tx.write(Jobs.remove(job))
  if (plan) tx.write(JobPlans.remove(job.id, plan))
  tx.emit(jobs.deleted, jobContext(job), {}, { namespaces: job.namespaces ?? [] })
}
