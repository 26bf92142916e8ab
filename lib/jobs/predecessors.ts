/**
 * Jobs that wait for others. A job knows which of its predecessors have not completed, and each of those knows who waits for
 * it. It becomes ready with the last that completes; one that ends otherwise cancels whoever waits for it.
 */
import { type CreateJob, SUCCESSORS } from '../../schemas/job.ts'
import { invalid, notFound } from '../core/errors.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import { isEnded } from './machine.ts'
import type { Decide } from './move.ts'
import { isIn, type JobPlace } from './references.ts'

/**
 * The predecessors of a new job that have not completed.
 * @throws ApiError 404 for one that is missing or lives elsewhere, 400 for one that failed or too many wait for
 */
export async function openPredecessors({ predecessorIds }: Partial<CreateJob>, place: JobPlace): Promise<StoredJob[]> {
  const ids = [...new Set(predecessorIds ?? [])]
  const found = (await Jobs.getMany(ids)).filter((job) => isIn(place, job))
  const missing = ids.find((id) => !found.some((job) => job.id === id))
  if (missing !== undefined) throw notFound('job', missing)
  const open = found.filter(({ status }) => status !== 'completed')
  const problems = open.flatMap(problemWith)
  if (problems.length > 0) throw invalid(problems.map((message) => ({ key: 'predecessorIds', message })))
  return open
}

function problemWith({ id, status, successors = [] }: StoredJob): string[] {
  if (isEnded(status)) return [`${id} is ${status}: nothing follows from it before it is tried again`]
  return successors.length < SUCCESSORS ? [] : [`${id} has ${SUCCESSORS} jobs that wait for it, the most it may have`]
}

/** What the end of a predecessor means for a job that waits for it. @param status undefined for one that is gone */
export const afterPredecessor =
  (id: string, status: NewJob['status'] | undefined): Decide =>
  (job) => {
    if (isEnded(job.status) || !job.awaits?.includes(id)) return undefined
    if (status !== 'completed') {
      const info = `Its predecessor ${id} is ${status ?? 'removed'}.`
      return { trigger: 'cancel', changes: { info } }
    }
    const awaits = job.awaits.filter((other) => other !== id)
    return { trigger: awaits.length === 0 && job.status === 'waiting' ? 'proceed' : 'precede', changes: { awaits } }
  }
