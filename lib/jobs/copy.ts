/** What one job takes over from another. */
import type { NewJob, StoredJob } from '../entities/jobs.ts'

/** All that says what the work is and where, nothing of how it went. */
export function workOf(job: StoredJob) {
  const { accountId, environmentId, spaceId, workbookId, sheetId, fileId, appId, namespaces } = job
  const { type, operation, source, destination, config, mode, input, subject, managed, metadata } = job
  const place = { accountId, environmentId, spaceId, workbookId, sheetId, fileId, appId, namespaces }
  const work = { type, operation, source, destination, config, mode, input, subject, managed, metadata }
  const fresh = { trigger: 'manual', immediate: false, progress: 0 } as const
  return { ...place, ...work, ...fresh } satisfies Partial<NewJob>
}

/** What is not said is not stored. */
export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
