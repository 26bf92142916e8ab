/** Divides a job into parts: jobs of their own, written with the move that lets their parent wait, in one transaction. */
import { SPLIT_BYTES } from '../../schemas/job.ts'
import { conflict, tooLarge } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import type { Actor, Tx } from '../tx.ts'
import { withoutUndefined, workOf } from './copy.ts'
import { emitJobEvents } from './events.ts'
import { NONE, type Step, step } from './machine.ts'
import { moveNow } from './move.ts'
import { assertJobFits } from './size.ts'

export interface Division {
  /** How many parts, or what each is about. */
  parts: number | Record<string, unknown>[]
  runInParallel?: boolean | undefined
}

/**
 * Writes the parts as created; they become ready because their parent waits (lib/jobs/parts.ts).
 * @returns the parent as it waits. Throws 409 for a job the platform performs itself, or one that cannot be split where it
 * stands, and 413 when the parts are too large.
 */
export async function splitJob(actor: Actor, job: StoredJob, division: Division): Promise<NewJob> {
  const { offerFor } = await import('./offers/index.ts')
  if (await offerFor(job))
    throw conflict(`The platform performs ${job.type}:${job.operation} itself: only jobs of listeners can be split.`)
  return moveNow(actor, job.id, (current) => {
    if (current.awaits?.length) throw conflict('The job waits for its predecessors: split it when it is ready.')
    const ids = Array.from({ length: countOf(division) }, () => newId('job'))
    return {
      trigger: 'split',
      changes: { parts: [...(current.parts ?? []), ...ids], awaited: ids.length },
      also: (tx) => writeParts(tx, partsOf(tx, current, division, ids)),
    }
  })
}

const countOf = ({ parts }: Division): number => (typeof parts === 'number' ? parts : parts.length)

function writeParts(tx: Tx, parts: NewJob[]): void {
  const { emits } = step(NONE, 'create') as Step
  for (const part of parts) {
    tx.write(Jobs.create(part))
    emitJobEvents(tx, part, emits)
  }
}

function partsOf(tx: Tx, job: StoredJob, { parts, runInParallel }: Division, ids: string[]): NewJob[] {
  const made = ids.map((id, part) =>
    withoutUndefined<NewJob>({
      ...workOf(job),
      id,
      status: 'created',
      parentId: job.id,
      part,
      partExecution: runInParallel ? 'parallel' : 'sequential',
      partData: typeof parts === 'number' ? undefined : parts[part],
      createdBy: tx.actor.actorId,
      createdAt: tx.now,
      updatedAt: tx.now,
    }),
  )
  for (const part of made) assertJobFits(part)
  const bytes = made.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
  if (bytes > SPLIT_BYTES) {
    throw tooLarge(
      `The parts of a split, each with its parent's input, config and metadata, may have together at most ${SPLIT_BYTES} bytes, these have ${bytes}: store the data in a file or in records and name it.`,
    )
  }
  return made
}
