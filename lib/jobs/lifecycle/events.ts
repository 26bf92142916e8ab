import type * as z from 'zod'
import * as jobs from '../../../schemas/jobs/events.ts'
import { isPart, jobContext, type NewJob } from '../../entities/jobs.ts'
import type { Tx } from '../../tx.ts'
import type { JobTopic } from './state-machine.ts'

const DECLARATIONS = {
  'job:created': jobs.created,
  'job:ready': jobs.ready,
  'job:scheduled': jobs.scheduled,
  'job:updated': jobs.updated,
  'job:completed': jobs.completed,
  'job:failed': jobs.failed,
  'job:outcome-acknowledged': jobs.outcomeAcknowledged,
  'job:parts-completed': jobs.partsCompleted,
} as const satisfies Record<JobTopic, unknown>

export const buildJobPayload = (job: NewJob) => ({
  domain: job.type,
  operation: job.operation,
  job: `${job.type}:${job.operation}`,
  status: job.status,
  ...(job.info === undefined ? {} : { info: job.info }),
  isPart: isPart(job),
  ...(job.input === undefined ? {} : { input: job.input }),
})

export type PartResults = z.input<typeof jobs.partsCompleted.payload>['parts']

function buildPayload(job: NewJob, topic: JobTopic, parts: PartResults) {
  // job:created always reports "created", even when the job is ready in the same transaction.
  if (topic === 'job:created') return { ...buildJobPayload(job), status: 'created' as const }
  return topic === 'job:parts-completed' ? { ...buildJobPayload(job), parts } : buildJobPayload(job)
}

/** Returns the createdAt of job:updated; undefined when it is not among the topics. */
export function emitJobEvents(
  tx: Tx,
  job: NewJob,
  topics: readonly JobTopic[],
  parts: PartResults = [],
): string | undefined {
  let updatedAt: string | undefined
  for (const topic of topics) {
    const declaration = DECLARATIONS[topic] as (typeof DECLARATIONS)['job:updated']
    const { createdAt } = tx.emit(declaration, jobContext(job), buildPayload(job, topic, parts), {
      ...(job.namespaces?.length ? { namespaces: job.namespaces } : {}),
      attributes: { progress: { current: job.progress, total: 100, percent: job.progress } },
    })
    if (topic === 'job:updated') updatedAt = createdAt
  }
  return updatedAt
}
