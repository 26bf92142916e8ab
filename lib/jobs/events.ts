/** Emits the events of a move, with all a listener filters by. */
import * as jobs from '../../schemas/jobs.ts'
import { jobContext, type NewJob } from '../entities/jobs.ts'
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
} as const satisfies Record<JobTopic, unknown>

/** JP of the specification. */
export const jobPayload = (job: NewJob) => ({
  domain: job.type,
  operation: job.operation,
  job: `${job.type}:${job.operation}`,
  status: job.status,
  ...(job.info === undefined ? {} : { info: job.info }),
  isPart: job.parentId !== undefined,
  ...(job.input === undefined ? {} : { input: job.input }),
})

/** Emits `topics` about the job as it is after the move. */
export function emitJobEvents(tx: Tx, job: NewJob, topics: readonly JobTopic[]): void {
  for (const topic of topics) {
    // A job announced as created is told of as created, even when it is ready in the same breath.
    const payload = topic === 'job:created' ? { ...jobPayload(job), status: 'created' as const } : jobPayload(job)
    tx.emit(DECLARED[topic], jobContext(job), payload, {
      ...(job.namespaces?.length ? { namespaces: job.namespaces } : {}),
      attributes: { progress: { current: job.progress, total: 100, percent: job.progress } },
    })
  }
}
