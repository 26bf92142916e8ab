import type * as z from 'zod'
import type { Outcome } from '../../../schemas/jobs/outcome.ts'
import type { MappingPreview } from '../../../schemas/jobs/preview.ts'
import type { Operation } from '../../../schemas/kit/operation.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { Principal } from '../../auth/principal.ts'
import { unprocessable } from '../../core/errors.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { Actor, Tx } from '../../tx.ts'
import type { JobChanges } from '../lifecycle/transition.ts'
import type { PlanDraft } from '../mapping/build-plan.ts'
import type { JobRequest } from '../request/config.ts'
import type { JobLocation } from '../request/resources.ts'

export interface PlatformOperation {
  contract: Operation
  matches(job: JobRequest): boolean | Promise<boolean>
  validate?(job: JobRequest, location: JobLocation, caller: Principal): Promise<void>
  chooseRecipe?(caller: Principal, job: JobRequest, location: JobLocation): Promise<string | undefined>
  plan?(job: JobRequest, location: JobLocation): Promise<PlanDraft>
  preview?(caller: Principal, job: NewJob): Promise<MappingPreview>
  /** Out of time, `run` throws {@link OutOfTimeError}; the next run finds its finished work. */
  resumable?: true
  /** Imports its engine when it is called: functions that only create jobs must not load it. */
  run(run: Run): Promise<JobResult>
}

/** A listener can have an operation of the same name: the platform runs jobs that are `managed` or fit its config. */
export const fitsContract = ({ config }: Operation, job: JobRequest): boolean =>
  job.managed === true || config.safeParse(job.config ?? {}).success

export interface Run {
  job: NewJob
  actor: Actor
  /** Idempotency key of the writes: under the same key they count once, however often the run is repeated. */
  op: string
  /** Reports a fraction from 0 to 1. Throws when the run must stop because the job was canceled or taken over. */
  progress(fraction: number, info?: string): Promise<void>
  assertHeld(): Promise<void>
  remember(changes: JobChanges, inTransaction: (tx: Tx) => void): Promise<void>
}

export interface JobResult {
  info: string
  outcome: z.input<typeof Outcome>
  result?: Record<string, unknown>
  workbookId?: string
  /** Adds writes to the transaction that completes the job. Called again when the transaction is retried. */
  inTransaction?(tx: Tx): Promise<void>
}

export const createTimeLimitError = () => unprocessable(message('jobs.timeLimitExceeded'))

export class OutOfTimeError extends Error {}
