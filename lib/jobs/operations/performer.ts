/** What performs an operation of the platform: one run of a job in, its ending out. */
import type * as z from 'zod'
import type { Operation } from '../../../schemas/operation.ts'
import type { Outcome } from '../../../schemas/outcome.ts'
import { unprocessable } from '../../core/errors.ts'
import type { NewJob } from '../../entities/jobs.ts'
import type { Actor, Tx } from '../../tx.ts'
import type { JobChanges } from '../move.ts'

/** One run of a job. */
export interface Run {
  job: NewJob
  /** Who the work is done for: it stands in every event. */
  actor: Actor
  /** Names the work: writes under the same name count once, however often a run is repeated. */
  op: string
  /** Tells how far the work is, from 0 to 1. Throws when the run must stop: the job was canceled or taken over. */
  progress(fraction: number, info?: string): Promise<void>
  /** Throws when the run must stop: the last look before work becomes visible. */
  assertHeld(): Promise<void>
  /** Has the job remember something, together with what else is written. */
  remember(changes: JobChanges, also: (tx: Tx) => void): Promise<void>
}

/** How a job ended well. */
export interface Ending {
  info: string
  outcome: z.input<typeof Outcome>
  result?: Record<string, unknown>
  /** The workbook the job made: its events carry it from now on. */
  workbookId?: string
  /** Writes what follows from the work into the transaction that completes the job; asked anew when that must be repeated. */
  alongside?(tx: Tx): Promise<void>
}

export const tooLong = () =>
  unprocessable('The job took longer than one run may take: split the data into smaller parts.')

/** A run may not take longer, but another one can go on from here. */
export class Unfinished extends Error {}

export interface Performer {
  operation: Operation
  /** A run that has no time left stops by {@link Unfinished}, and the next one finds what it did. */
  goesOn?: true
  /** Does the work. Throws an ApiError with a message for people when it cannot be done. */
  perform(run: Run): Promise<Ending>
}
