import { MAX_SPLIT_BYTES } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { conflict, tooLarge } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import type { Actor, Tx } from '../../tx.ts'
import { getInheritedFields, withoutUndefined } from '../lifecycle/clone-job.ts'
import { emitJobEvents } from '../lifecycle/events.ts'
import { assertJobFits } from '../lifecycle/size.ts'
import { findStep, NOT_CREATED, type Step } from '../lifecycle/state-machine.ts'
import { applyTransition } from '../lifecycle/transition.ts'

export interface SplitRequest {
  parts: number | Record<string, unknown>[]
  runInParallel?: boolean | undefined
}

/** Throws 409 for a platform job or in a status that cannot be split, 413 when the parts are too large. */
export async function splitJob(actor: Actor, job: StoredJob, request: SplitRequest): Promise<NewJob> {
  const { findOperation } = await import('../operations/index.ts')
  if (await findOperation(job))
    throw conflict(message('jobs.platformJobNotSplittable', { operation: `${job.type}:${job.operation}` }))
  return applyTransition(actor, job.id, (current) => {
    if (current.pendingPredecessors?.length) throw conflict(message('jobs.waitsForPredecessors'))
    const ids = Array.from({ length: countParts(request) }, () => newId('job'))
    return {
      trigger: 'split',
      changes: { parts: [...(current.parts ?? []), ...ids], awaitedPartCount: ids.length },
      inTransaction: (tx) => writeParts(tx, buildParts(tx, current, request, ids)),
    }
  })
}

const countParts = ({ parts }: SplitRequest): number => (typeof parts === 'number' ? parts : parts.length)

function writeParts(tx: Tx, parts: NewJob[]): void {
  const { emits } = findStep(NOT_CREATED, 'create') as Step
  for (const part of parts) {
    tx.write(Jobs.create(part))
    emitJobEvents(tx, part, emits)
  }
}

function buildParts(tx: Tx, job: StoredJob, { parts, runInParallel }: SplitRequest, ids: string[]): NewJob[] {
  const built = ids.map((id, part) =>
    withoutUndefined<NewJob>({
      ...getInheritedFields(job),
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
  for (const part of built) assertJobFits(part)
  const bytes = built.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
  if (bytes > MAX_SPLIT_BYTES) throw tooLarge(message('jobs.splitTooLarge', { limit: MAX_SPLIT_BYTES, count: bytes }))
  return built
}
