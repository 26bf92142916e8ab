import { queryOptions } from '@tanstack/react-query'
import { ApiError, api, type Shape, unwrap } from '../shared/api/client.ts'
import { getSignedInId, session } from '../shared/api/session.ts'

export type Space = Shape<'Space'>
export type Workbook = Shape<'Workbook'>
export type Sheet = Shape<'Sheet'>
export type File = Shape<'File'>
export type Job = Shape<'Job'>
export type Action = Shape<'Action'>
export type Clip = Awaited<ReturnType<typeof fetchClips>>[number]
export type StandaloneAction = Action & { id: string; targetId: string }
export type SheetField = Sheet['config']['fields'][number]

const MAX_PAGE_SIZE = '1000'

/** Guests with access to single workbooks get a 403 for space-wide lists. */
const emptyIfForbidden = async <T>(request: Promise<{ data: T[] }>): Promise<T[]> => {
  try {
    return (await request).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  }
}

export const spacesQuery = (search = '') =>
  queryOptions({
    queryKey: ['spaces', search],
    queryFn: () =>
      unwrap(api.GET('/api/v1/spaces', { params: { query: { pageSize: 100, search: search || undefined } } })),
  })

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: async () => (await unwrap(api.GET('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } }))).data,
  })

export const workbooksQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['workbooks', spaceId],
    queryFn: async () => {
      const query = { spaceId, includeSheets: true, includeCounts: true, pageSize: MAX_PAGE_SIZE } as const
      return (await unwrap(api.GET('/api/v1/workbooks', { params: { query } }))).data
    },
  })

export const sheetQuery = (sheetId: string) =>
  queryOptions({
    queryKey: ['sheet', sheetId],
    queryFn: async () => (await unwrap(api.GET('/api/v1/sheets/{sheetId}', { params: { path: { sheetId } } }))).data,
  })

export const documentsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['documents', spaceId],
    queryFn: () =>
      emptyIfForbidden(unwrap(api.GET('/api/v1/spaces/{spaceId}/documents', { params: { path: { spaceId } } }))),
  })

export const filesQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['files', spaceId],
    queryFn: () =>
      emptyIfForbidden(unwrap(api.GET('/api/v1/files', { params: { query: { spaceId, pageSize: 100 } } }))),
  })

export const previewQuery = (fileId: string, delimiter: string, encoding: string) =>
  queryOptions({
    queryKey: ['file-preview', fileId, delimiter, encoding],
    queryFn: async () => {
      const query = { delimiter: delimiter || undefined, encoding: encoding || undefined }
      return (await unwrap(api.GET('/api/v1/files/{fileId}/preview', { params: { path: { fileId }, query } }))).data
    },
  })

export const actionsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['actions', spaceId],
    queryFn: () =>
      emptyIfForbidden<StandaloneAction>(
        unwrap(api.GET('/api/v1/actions', { params: { query: { spaceId } } })).then((data) => ({ data })),
      ),
  })

export const jobsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['jobs', spaceId],
    queryFn: () =>
      emptyIfForbidden(
        unwrap(api.GET('/api/v1/jobs', { params: { query: { spaceId, excludeChildJobs: true, pageSize: 30 } } })),
      ),
  })

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: async () => (await unwrap(api.GET('/api/v1/jobs/{jobId}', { params: { path: { jobId } } }))).data,
  })

export const guestsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['guests', spaceId],
    queryFn: () =>
      emptyIfForbidden(unwrap(api.GET('/api/v1/guests', { params: { query: { spaceId, pageSize: 100 } } }))),
  })

const fetchClips = async (spaceId: string) =>
  (await emptyIfForbidden(unwrap(api.GET('/api/v1/data-clips', { params: { query: { spaceId } } })))).map(
    ({ data }) => data,
  )

export const clipsQuery = (spaceId: string) =>
  queryOptions({ queryKey: ['clips', spaceId], queryFn: () => fetchClips(spaceId) })

export const isClipWorkbook = (workbook: Workbook): boolean => workbook.labels?.includes('data-clip') ?? false

export const isTargetWorkbook = (workbook: Workbook): boolean =>
  !workbook.labels?.includes('file') && !isClipWorkbook(workbook)

export const getSheets = (workbooks: readonly Workbook[]): Sheet[] => workbooks.flatMap(({ sheets }) => sheets ?? [])

const FINAL_STATUSES = new Set<Job['status']>(['completed', 'failed', 'canceled'])
export const hasEnded = (job: Job): boolean => FINAL_STATUSES.has(job.status)

export const isOwnJob = ({ createdBy }: Job): boolean => createdBy === getSignedInId()

export const canChangeJob = (job: Job): boolean => session()?.kind !== 'guest' || isOwnJob(job)

export function canRunMutations({ settings }: Space): boolean {
  const kind = session()?.kind
  return kind === 'user' || (kind === 'guest' && settings?.guestsRunMutations === true)
}

const TRUSTED_ROLES = new Set(['administrator', 'member', 'environment', 'agent'])

/** Only in jobs the user started, and if a trusted role set the outcome. */
export function canRunNextAutomatically(job: Job): boolean {
  const { outcomeBy } = job
  if (!isOwnJob(job)) return false
  if (outcomeBy === undefined || TRUSTED_ROLES.has(outcomeBy)) return true
  const kind = session()?.kind
  return kind === 'guest' ? outcomeBy.endsWith('Guest') : kind === outcomeBy
}
