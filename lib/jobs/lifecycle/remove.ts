/** Deletes a job with its plan and program. The event then deletes its parts (lib/jobs/dependencies/propagate.ts). */
import * as jobs from '../../../schemas/jobs/events.ts'
import { JobPlans, Jobs, jobContext, type StoredJob } from '../../entities/jobs.ts'
import { Programs } from '../../entities/programs.ts'
import type { Tx } from '../../tx.ts'

export async function removeJob(tx: Tx, job: StoredJob): Promise<void> {
  const plan = await JobPlans.get(job.id)
  tx.write(Jobs.remove(job))
  if (plan) tx.write(JobPlans.remove(job.id, plan))
  const program = await Programs.ofPlan(job.id, plan)
  if (program) tx.write(...Programs.remove(program))
  tx.emit(jobs.deleted, jobContext(job), {}, { namespaces: job.namespaces ?? [] })
}
