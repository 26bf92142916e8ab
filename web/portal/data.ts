/** What the screens of a space ask for, by the names their answers are kept under. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError, api, ask, type Shape } from '../shared/api/client.ts'
import { session, signedInId } from '../shared/api/session.ts'

export type Space = Shape<'Space'>
export type Workbook = Shape<'Workbook'>
export type Sheet = Shape<'Sheet'>
export type File = Shape<'File'>
export type Job = Shape<'Job'>
export type Action = Shape<'Action'>
export type Clip = Awaited<ReturnType<typeof clipsIn>>[number]
export type StandAlone = Action & { id: string; targetId: string }
export type SheetField = Sheet['config']['fields'][number]

const ALL = '1000'

/** Guests of single workbooks do not see what is kept for the space as a whole: for them it is empty. */
const orNothing = async <T>(request: Promise<{ data: T[] }>): Promise<T[]> => {
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
      ask(api.GET('/api/v1/spaces', { params: { query: { pageSize: 100, search: search || undefined } } })),
  })

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: async () => (await ask(api.GET('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } }))).data,
  })

export const workbooksQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['workbooks', spaceId],
    queryFn: async () => {
      const query = { spaceId, includeSheets: true, includeCounts: true, pageSize: ALL } as const
      return (await ask(api.GET('/api/v1/workbooks', { params: { query } }))).data
    },
  })

export const documentsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['documents', spaceId],
    queryFn: () => orNothing(ask(api.GET('/api/v1/spaces/{spaceId}/documents', { params: { path: { spaceId } } }))),
  })

export const filesQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['files', spaceId],
    queryFn: () => orNothing(ask(api.GET('/api/v1/files', { params: { query: { spaceId, pageSize: 100 } } }))),
  })

/** How a file begins, and how it would be read; what is told in place of what would be found may be empty. */
export const beginningQuery = (fileId: string, delimiter: string, encoding: string) =>
  queryOptions({
    queryKey: ['beginning', fileId, delimiter, encoding],
    queryFn: async () => {
      const query = { delimiter: delimiter || undefined, encoding: encoding || undefined }
      return (await ask(api.GET('/api/v1/files/{fileId}/beginning', { params: { path: { fileId }, query } }))).data
    },
  })

/** Actions that stand in no configuration. */
export const actionsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['actions', spaceId],
    queryFn: () =>
      orNothing<StandAlone>(
        ask(api.GET('/api/v1/actions', { params: { query: { spaceId } } })).then((data) => ({ data })),
      ),
  })

export const jobsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['jobs', spaceId],
    queryFn: () =>
      orNothing(ask(api.GET('/api/v1/jobs', { params: { query: { spaceId, excludeChildJobs: true, pageSize: 30 } } }))),
  })

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: async () => (await ask(api.GET('/api/v1/jobs/{jobId}', { params: { path: { jobId } } }))).data,
  })

export const guestsQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['guests', spaceId],
    queryFn: () => orNothing(ask(api.GET('/api/v1/guests', { params: { query: { spaceId, pageSize: 100 } } }))),
  })

/** Newest first. */
const clipsIn = async (spaceId: string) =>
  (await orNothing(ask(api.GET('/api/v1/data-clips', { params: { query: { spaceId } } })))).map(({ data }) => data)

export const clipsQuery = (spaceId: string) =>
  queryOptions({ queryKey: ['clips', spaceId], queryFn: () => clipsIn(spaceId) })

export const isOfClip = (workbook: Workbook): boolean => workbook.labels?.includes('data-clip') ?? false

/** Files and clips become workbooks of their own; the others are where data goes. */
export const isTarget = (workbook: Workbook): boolean => !workbook.labels?.includes('file') && !isOfClip(workbook)

export const sheetsOf = (workbooks: readonly Workbook[]): Sheet[] => workbooks.flatMap(({ sheets }) => sheets ?? [])

const ENDED = new Set<Job['status']>(['completed', 'failed', 'canceled'])
export const hasEnded = (job: Job): boolean => ENDED.has(job.status)

export const isOwn = ({ createdBy }: Job): boolean => createdBy === signedInId()

/** Guests may retry, cancel and acknowledge only the jobs they started. */
export const mayChange = (job: Job): boolean => session()?.kind !== 'guest' || isOwn(job)

/** Users may have code run over records, guests where their space lets them; an embedded importer never does. */
export function mayRunMutations({ settings }: Space): boolean {
  const kind = session()?.kind
  return kind === 'user' || (kind === 'guest' && settings?.guestsRunMutations === true)
}

/** Roles whose outcomes may start something in the browser of whoever started the job. */
const TRUSTED = new Set(['administrator', 'member', 'environment', 'agent'])

/** Whether the outcome may start without a click: one's own job, ended by the platform, its agents and keys, a team member or oneself. */
export function mayStartAlone(job: Job): boolean {
  const { outcomeBy } = job
  if (!isOwn(job)) return false
  if (outcomeBy === undefined || TRUSTED.has(outcomeBy)) return true
  const kind = session()?.kind
  return kind === 'guest' ? outcomeBy.endsWith('Guest') : kind === outcomeBy
}
