/** Emits the events of a move, with all a listener filters by. */
import type * as z from 'zod'
import * as jobs from '../../schemas/job-events.ts'
import { isPart, jobContext, type NewJob } from '../entities/jobs.ts'
import type { Tx } from '../tx.ts'
import type { JobTopic } from './machine.ts'

const DECLARED = {
  'job:created': jobs.created,
  'job:ready': jobs.ready,
  'job:scheduled': jobs.scheduled,
  'job:updated': jobs.updated,
  'job:completed': jobs.completed,
  'job:failed': jobs.failed,
  'job:outcome-acknowledged': jobs.outcomeAcknowledged,
  'job:parts-completed': jobs.partsCompleted,
} as const satisfies Record<JobTopic, unknown>

/** JP of the specification. */
export const jobPayload = (job: NewJob) => ({
  domain: job.type,
  operation: job.operation,
  job: `${job.type}:${job.operation}`,
  status: job.status,
  ...(job.info === undefined ? {} : { info: job.info }),
  isPart: isPart(job),
  ...(job.input === undefined ? {} : { input: job.input }),
})

/** How the parts of a job ended. */
export type EndedParts = z.input<typeof jobs.partsCompleted.payload>['parts']

function payloadOf(job: NewJob, topic: JobTopic, parts: EndedParts) {
  // A job announced as created is told of as created, even when it is ready in the same breath.
  if (topic === 'job:created') return { ...jobPayload(job), status: 'created' as const }
  return topic === 'job:parts-completed' ? { ...jobPayload(job), parts } : jobPayload(job)
}

/**
 * Emits `topics` about the job as it is after the move; `parts` are told of with job:parts-completed.
 * @returns when listeners are told of it by job:updated, as that event says; undefined when they are not
 */
export function emitJobEvents(
  tx: Tx,
  job: NewJob,
  topics: readonly JobTopic[],
  parts: EndedParts = [],
): string | undefined {
  let updatedAt: string | undefined
  for (const topic of topics) {
    // The payload is made by its topic; which of them is not to be known here.
    const declared = DECLARED[topic] as (typeof DECLARED)['job:updated']
    const { createdAt } = tx.emit(declared, jobContext(job), payloadOf(job, topic, parts), {
      ...(job.namespaces?.length ? { namespaces: job.namespaces } : {}),
      attributes: { progress: { current: job.progress, total: 100, percent: job.progress } },
    })
    if (topic === 'job:updated') updatedAt = createdAt
  }
  return updatedAt
}
