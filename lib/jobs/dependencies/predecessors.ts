import { type CreateJob, MAX_SUCCESSORS_PER_JOB } from '../../../schemas/jobs/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import { isEnded } from '../lifecycle/state-machine.ts'
import type { ChooseTransition } from '../lifecycle/transition.ts'
import { isInLocation, type JobLocation } from '../request/resources.ts'

/**
 * @throws ApiError 404 for a predecessor that is missing or elsewhere, 400 for one that failed or has too many
 * successors
 */
export async function getPendingPredecessors(
  { predecessorIds }: Partial<CreateJob>,
  location: JobLocation,
): Promise<StoredJob[]> {
  const ids = [...new Set(predecessorIds ?? [])]
  const predecessors = (await Jobs.getMany(ids)).filter((job) => isInLocation(location, job))
  const missing = ids.find((id) => !predecessors.some((job) => job.id === id))
  if (missing !== undefined) throw notFound('job', missing)
  const pending = predecessors.filter(({ status }) => status !== 'completed')
  const problems = pending.flatMap(findProblems)
  if (problems.length > 0) throw invalid(problems.map((problem) => ({ key: 'predecessorIds', message: problem })))
  return pending
}

function findProblems({ id, status, successors = [] }: StoredJob): string[] {
  if (isEnded(status)) return [message('jobs.retryFirst', { job: id, status })]
  return successors.length < MAX_SUCCESSORS_PER_JOB
    ? []
    : [message('jobs.tooManySuccessors', { job: id, count: MAX_SUCCESSORS_PER_JOB })]
}

export const onPredecessorEnded =
  (id: string, status: NewJob['status'] | undefined): ChooseTransition =>
  (job) => {
    if (isEnded(job.status) || !job.pendingPredecessors?.includes(id)) return undefined
    if (status !== 'completed') {
      const info =
        status === undefined
          ? message('jobs.predecessorRemoved', { job: id })
          : message('jobs.predecessorEnded', { job: id, status })
      return { trigger: 'cancel', changes: { info } }
    }
    const pendingPredecessors = job.pendingPredecessors.filter((other) => other !== id)
    return {
      trigger: pendingPredecessors.length === 0 && job.status === 'waiting' ? 'proceed' : 'precede',
      changes: { pendingPredecessors },
    }
  }
