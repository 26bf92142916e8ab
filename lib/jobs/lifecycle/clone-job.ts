import type { NewJob, StoredJob } from '../../entities/jobs.ts'

export function getInheritedFields(job: StoredJob) {
  const { accountId, environmentId, spaceId, workbookId, sheetId, fileId, appId, namespaces } = job
  const { type, operation, source, destination, config, mode, input, subject, managed, metadata } = job
  const { automaticRecipeId } = job
  const location = { accountId, environmentId, spaceId, workbookId, sheetId, fileId, appId, namespaces }
  const settings = {
    type,
    operation,
    source,
    destination,
    config,
    mode,
    input,
    subject,
    managed,
    metadata,
    automaticRecipeId,
  }
  const initialState = { trigger: 'manual', immediate: false, progress: 0 } as const
  return { ...location, ...settings, ...initialState } satisfies Partial<NewJob>
}

export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
