/**
 * Propagates a job's status to its parts, its parent and the jobs waiting for it. Idempotent: runs before the response
 * and again on the job's event, so that a crash loses nothing.
 */

import { message } from '../../../schemas/messages/index.ts'
import { mapConcurrent } from '../../core/concurrency.ts'
import { ApiError } from '../../core/errors.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import { retryOnConflict } from '../../table/transact.ts'
import { type Actor, begin } from '../../tx.ts'
import type { PartResults } from '../lifecycle/events.ts'
import { removeJob } from '../lifecycle/remove.ts'
import { isEnded } from '../lifecycle/state-machine.ts'
import { applyTransition, type ChooseTransition } from '../lifecycle/transition.ts'
import { onPredecessorEnded } from './predecessors.ts'

const MAX_CONCURRENT_TRANSITIONS = 8

export const hasDependents = ({ status, parts, parentId, successors }: NewJob): boolean =>
  isEnded(status)
    ? (parts ?? parentId ?? successors) !== undefined
    : parts !== undefined && STATUSES_AFFECTING_PARTS.has(status)

const STATUSES_AFFECTING_PARTS: ReadonlySet<string> = new Set(['waiting', 'scheduled'])

export async function propagate(job: NewJob): Promise<void> {
  if (job.status === 'waiting') await advanceParts(job)
  if (isEnded(job.status) || job.status === 'scheduled') await cancelParts(job)
  if (isEnded(job.status)) await advanceSuccessors(job)
  if (job.parentId !== undefined) await advanceParent(job.parentId)
}

async function advanceSuccessors({ id, status, successors }: NewJob): Promise<void> {
  await transitionEach(await Jobs.getMany(successors ?? []), onPredecessorEnded(id, status))
}

export async function advanceParent(parentId: string): Promise<void> {
  const parent = await Jobs.get(parentId)
  if (parent) await advanceParts(parent)
}

async function advanceParts(parent: NewJob): Promise<void> {
  if (parent.status !== 'waiting' || parent.parts === undefined) return
  const parts = await getParts(parent, parent.awaitedPartCount)
  const unfinished = parts.filter(({ status }) => !isEnded(status))
  if (unfinished.length === 0) return completeParts(parent, parts)
  const startable = unfinished[0]!.partExecution === 'parallel' ? unfinished : unfinished.slice(0, 1)
  await transitionEach(
    startable.filter(({ status }) => status === 'created'),
    ({ status }) => (status === 'created' ? { trigger: 'execute' } : undefined),
  )
}

async function completeParts(parent: NewJob, parts: StoredJob[]): Promise<void> {
  await transitionIfExists(parent, (job) =>
    job.status === 'waiting' && job.parts?.length === parent.parts?.length
      ? { trigger: 'completeParts', partResults: parts.map(toPartResult) }
      : undefined,
  )
}

const toPartResult = ({ id, status, finishedAt, updatedAt }: NewJob): PartResults[number] => ({
  partId: id,
  status,
  completedAt: finishedAt ?? updatedAt,
})

async function cancelParts(job: NewJob): Promise<void> {
  const unfinished = (await getParts(job)).filter(({ status }) => !isEnded(status))
  await transitionEach(unfinished, ({ status }) =>
    isEnded(status)
      ? undefined
      : { trigger: 'cancel', changes: { info: message('jobs.parentEnded', { status: job.status }) } },
  )
}

async function getParts(job: NewJob, count = job.parts?.length ?? 0): Promise<StoredJob[]> {
  return Jobs.getMany(count === 0 ? [] : (job.parts ?? []).slice(-count))
}

async function transitionEach(jobs: StoredJob[], choose: ChooseTransition): Promise<void> {
  await mapConcurrent(MAX_CONCURRENT_TRANSITIONS, jobs, (job) => transitionIfExists(job, choose))
}

const getActor = ({ accountId, createdBy }: NewJob): Actor => ({ accountId, actorId: createdBy })

async function transitionIfExists(job: NewJob, choose: ChooseTransition): Promise<void> {
  await applyTransition(getActor(job), job.id, choose).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'not-found')) throw error
  })
}

export interface DeletedJob {
  jobId: string
  accountId: string
  environmentId: string
  spaceId?: string | undefined
}

export async function removeDependents({ jobId, accountId, environmentId, spaceId }: DeletedJob): Promise<void> {
  const candidates = await (spaceId ? Jobs.inSpace(spaceId) : Jobs.inEnvironment(environmentId))
  const accountJobs = candidates.filter((job) => job.accountId === accountId)
  for (const job of accountJobs) if (job.parentId === jobId) await removePart(job)
  const waiting = accountJobs.filter(({ pendingPredecessors }) => pendingPredecessors?.includes(jobId))
  await transitionEach(waiting, onPredecessorEnded(jobId, undefined))
}

async function removePart(part: StoredJob): Promise<void> {
  await retryOnConflict(Number.POSITIVE_INFINITY, async (attemptNumber) => {
    const current = attemptNumber === 1 ? part : await Jobs.get(part.id)
    if (!current) return
    const tx = begin(getActor(current))
    await removeJob(tx, current)
    await tx.commit()
  })
}
