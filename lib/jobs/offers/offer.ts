/** What the platform offers to perform: which jobs it takes, how it checks them and what it plans. Imports no work. */
import type { CreateJob } from '../../../schemas/job.ts'
import type { Plan } from '../../../schemas/mapping.ts'
import type { Operation } from '../../../schemas/operation.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { Tx } from '../../tx.ts'
import type { JobPlace } from '../references.ts'

/** A job as far as it is known before it exists. */
export type JobRequest = Pick<CreateJob, 'type' | 'operation' | 'source'> &
  Partial<Pick<CreateJob, 'config' | 'managed' | 'fileId'>>

export interface Offer {
  operation: Operation
  /** Is a job of this name the platform's to perform? Others are left to listeners. */
  takes(job: JobRequest): boolean | Promise<boolean>
  /** Checks a job the platform takes before it is created. Throws 400 or 404. */
  check?(job: JobRequest, place: JobPlace): Promise<void>
  /** The plan of a job that has one. */
  plan?(job: JobRequest, place: JobPlace): Promise<Planned>
}

/** A plan, before its job exists. */
export interface Planned {
  plan: Plan
  /** What people are told of it. */
  info: string
  /** Writes what belongs to the plan into the transaction that writes it. */
  alongside(tx: Tx, job: NewJob): void
}
