/**
 * Declares a platform operation: which jobs it matches, their validation and their plan. Does not import the handlers.
 */
import type { CreateJob } from '../../../schemas/job.ts'
import type { Plan } from '../../../schemas/mapping.ts'
import type { Operation } from '../../../schemas/operation.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { Tx } from '../../tx.ts'
import type { JobLocation } from '../resolve-resources.ts'

export type JobRequest = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<Pick<CreateJob, 'config' | 'managed' | 'fileId'>>

export interface PlatformOperation {
  operation: Operation
  matches(job: JobRequest): boolean | Promise<boolean>
  validate?(job: JobRequest, location: JobLocation): Promise<void>
  plan?(job: JobRequest, location: JobLocation): Promise<PlanDraft>
}

export interface PlanDraft {
  plan: Plan
  info: string
  inTransaction(tx: Tx, job: NewJob): void
}
