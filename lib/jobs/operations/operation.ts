/** The types of an operation handler, its run and its result. */
import type * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import type { Operation } from '../../../schemas/operation.ts'
import type { Outcome } from '../../../schemas/outcome.ts'
import { unprocessable } from '../../core/errors.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { Actor, Tx } from '../../tx.ts'
import type { JobChanges } from '../transition.ts'

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

export interface OperationHandler {
  operation: Operation
  /** Out of time, the handler throws {@link OutOfTimeError}; the next run finds its finished work. */
  resumable?: true
  runOperation(run: Run): Promise<JobResult>
}
