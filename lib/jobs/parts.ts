/**
 * What the parts of a job do to one another and to their parent, and what a job's end means for those that wait for it.
 * Everything derives from the jobs as they are stored: run again, or at the same time, it finds nothing left to do. A request
 * does it before it answers, and the event of its move does it again. So a job becomes ready once, and a parent is told once,
 * whoever ends last and whatever dies in between.
 */
import { ApiError } from '../core/errors.ts'
import { inFlight } from '../core/in-flight.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import { ConditionFailed } from '../table/transact.ts'
import { type Actor, begin } from '../tx.ts'
import type { EndedParts } from './events.ts'
import { isEnded } from './machine.ts'
import { type Decide, moveNow } from './move.ts'
import { afterPredecessor } from './predecessors.ts'
import { removeJob } from './remove.ts'

/** Moves under way at the same time. */
const AT_ONCE = 8

/** Is there something to do for the job's parts, its parent or the jobs after it, now that it is in its state? */
export const isFollowed = ({ status, parts, parentId, successors }: NewJob): boolean =>
  isEnded(status) ? (parts ?? parentId ?? successors) !== undefined : parts !== undefined && FOLLOWED.has(status)

const FOLLOWED: ReadonlySet<string> = new Set(['waiting', 'scheduled'])

/** Does what follows from the job's present state: for its parts, for the jobs after it, and for the job it is a part of. */
export async function settle(job: NewJob): Promise<void> {
  if (job.status === 'waiting') await advance(job)
  if (isEnded(job.status) || job.status === 'scheduled') await cancelParts(job)
  if (isEnded(job.status)) await moveSuccessors(job)
  if (job.parentId !== undefined) await advanceParent(job.parentId)
}

async function moveSuccessors({ id, status, successors }: NewJob): Promise<void> {
  await moveEach(await Jobs.getMany(successors ?? []), afterPredecessor(id, status))
}

/** The same for a part that may be gone. */
export async function advanceParent(parentId: string): Promise<void> {
  const parent = await Jobs.get(parentId)
  if (parent) await advance(parent)
}

async function advance(parent: NewJob): Promise<void> {
  if (parent.status !== 'waiting' || parent.parts === undefined) return
  const parts = await partsOf(parent, parent.awaited)
  const open = parts.filter(({ status }) => !isEnded(status))
  if (open.length === 0) return completeParts(parent, parts)
  const due = open[0]!.partExecution === 'parallel' ? open : open.slice(0, 1)
  await moveEach(
    due.filter(({ status }) => status === 'created'),
    ({ status }) => (status === 'created' ? { trigger: 'execute' } : undefined),
  )
}

async function completeParts(parent: NewJob, parts: StoredJob[]): Promise<void> {
  await moveUnlessGone(parent, (job) =>
    // Retried and split anew meanwhile: it waits for others now.
    job.status === 'waiting' && job.parts?.length === parent.parts?.length
      ? { trigger: 'completeParts', ended: parts.map(asEnded) }
      : undefined,
  )
}

const asEnded = ({ id, status, finishedAt, updatedAt }: NewJob): EndedParts[number] => ({
  partId: id,
  status,
  completedAt: finishedAt ?? updatedAt,
})

async function cancelParts(job: NewJob): Promise<void> {
  const open = (await partsOf(job)).filter(({ status }) => !isEnded(status))
  await moveEach(open, ({ status }) =>
    isEnded(status) ? undefined : { trigger: 'cancel', changes: { info: `Its parent job is ${job.status}.` } },
  )
}

/** The parts of a job that are still there, in their order; the last `count` of them when told. */
async function partsOf(job: NewJob, count = job.parts?.length ?? 0): Promise<StoredJob[]> {
  return Jobs.getMany(count === 0 ? [] : (job.parts ?? []).slice(-count))
}

async function moveEach(jobs: StoredJob[], decide: Decide): Promise<void> {
  await inFlight(AT_ONCE, jobs, (job) => moveUnlessGone(job, decide))
}

/** In the name of who made the job. */
const ownerOf = ({ accountId, createdBy }: NewJob): Actor => ({ accountId, actorId: createdBy })

async function moveUnlessGone(job: NewJob, decide: Decide): Promise<void> {
  await moveNow(ownerOf(job), job.id, decide).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'not-found')) throw error
  })
}

/** Where a job was that is gone. */
export interface Trace {
  jobId: string
  accountId: string
  environmentId: string
  spaceId?: string | undefined
}

/** Removes the parts of a job that is gone, and cancels what waited for it. */
export async function removeFollowers({ jobId, accountId, environmentId, spaceId }: Trace): Promise<void> {
  const around = await (spaceId ? Jobs.inSpace(spaceId) : Jobs.inEnvironment(environmentId))
  const own = around.filter((job) => job.accountId === accountId)
  for (const job of own) if (job.parentId === jobId) await removePart(job)
  const waiting = own.filter(({ awaits }) => awaits?.includes(jobId))
  await moveEach(waiting, afterPredecessor(jobId, undefined))
}

/** A part that a listener moves at the same moment is read and removed again. */
async function removePart(part: StoredJob): Promise<void> {
  for (let current: StoredJob | undefined = part; current; current = await Jobs.get(part.id)) {
    const tx = begin(ownerOf(current))
    await removeJob(tx, current)
    tx.onConflict((error) => error)
    try {
      return await tx.commit()
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}
