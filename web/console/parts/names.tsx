/** The name of any resource by its id, with a link to its page. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { titleOf } from '../../portal/jobs.tsx'
import { ApiError, api, unwrap } from '../../shared/api/client.ts'
import { type I18n, type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { usePath } from '../data.ts'

interface Resource {
  name: string
  /** Below the environment. */
  page?: readonly string[]
}

interface ResourceKind {
  title: TextKey
  read?(id: string, i18n: Pick<I18n, 't'>): Promise<Resource>
}

const named = (item: { name?: string; email?: string }, page?: readonly string[]): Resource => ({
  name: item.name || item.email || '',
  ...(page ? { page } : {}),
})

/** The workbooks of files have it before their name. */
const FILE_MARK = /^\[file\] /

const KINDS: Record<string, ResourceKind> = {
  us_acc: { title: 'wholeAccount' },
  us_acr: { title: 'role' },
  us_pat: { title: 'token' },
  us_sec: { title: 'secret' },
  us_inv: { title: 'invitation' },
  us_sp: {
    title: 'space',
    read: async (spaceId) =>
      named((await unwrap(api.GET('/api/v1/spaces/{spaceId}', { params: { path: { spaceId } } }))).data, [
        'spaces',
        spaceId,
      ]),
  },
  us_usr: {
    title: 'user',
    read: async (userId) =>
      named((await unwrap(api.GET('/api/v1/users/{userId}', { params: { path: { userId } } }))).data, [
        'users',
        userId,
      ]),
  },
  us_g: {
    title: 'guest',
    read: async (guestId) =>
      named((await unwrap(api.GET('/api/v1/guests/{guestId}', { params: { path: { guestId } } }))).data, [
        'guests',
        guestId,
      ]),
  },
  us_fl: {
    title: 'file',
    read: async (fileId) =>
      named((await unwrap(api.GET('/api/v1/files/{fileId}', { params: { path: { fileId } } }))).data, [
        'files',
        fileId,
      ]),
  },
  us_env: {
    title: 'environment',
    read: async (environmentId) =>
      named(
        (await unwrap(api.GET('/api/v1/environments/{environmentId}', { params: { path: { environmentId } } }))).data,
        ['environments', environmentId],
      ),
  },
  us_wb: {
    title: 'workbook',
    read: async (workbookId) => {
      const { data } = await unwrap(api.GET('/api/v1/workbooks/{workbookId}', { params: { path: { workbookId } } }))
      return named({ name: data.name?.replace(FILE_MARK, '') ?? '' }, ['spaces', data.spaceId])
    },
  },
  us_sh: {
    title: 'sheet',
    read: async (sheetId) =>
      named((await unwrap(api.GET('/api/v1/sheets/{sheetId}', { params: { path: { sheetId } } }))).data),
  },
  us_jb: {
    title: 'job',
    read: async (jobId, i18n) => {
      const { data } = await unwrap(api.GET('/api/v1/jobs/{jobId}', { params: { path: { jobId } } }))
      return { name: titleOf(data, i18n), page: ['jobs', jobId] }
    },
  },
  us_ag: {
    title: 'agent',
    read: async (agentId) => {
      const { data } = await unwrap(api.GET('/api/v1/agents/{agentId}', { params: { path: { agentId } } }))
      return { name: data.slug, page: ['agents', agentId] }
    },
  },
  us_wh: {
    title: 'webhook',
    read: async (webhookId) => {
      const { data } = await unwrap(api.GET('/api/v1/webhooks/{webhookId}', { params: { path: { webhookId } } }))
      return { name: data.url, page: ['webhooks', webhookId] }
    },
  },
}

const FRESH_MS = 300_000
const MAX_RETRIES = 3

const getKind = (id: string): ResourceKind | undefined => KINDS[id.slice(0, id.lastIndexOf('_'))]

export const hasName = (id: string): boolean => getKind(id)?.read !== undefined

export const resourceQuery = (id: string, i18n: Pick<I18n, 't' | 'language'>) =>
  queryOptions({
    queryKey: ['resource', id, i18n.language],
    staleTime: FRESH_MS,
    enabled: getKind(id)?.read !== undefined,
    // A page of names may exceed the rate limit.
    retry: (failures, error) => error instanceof ApiError && error.status === 429 && failures < MAX_RETRIES,
    queryFn: async (): Promise<Resource | null> => (await getKind(id)?.read?.(id, i18n)) ?? null,
  })

export function ResourceName({ id, withKind = false }: { id: string | undefined; withKind?: boolean }) {
  const i18n = useTranslation()
  const path = usePath()
  const { data, error } = useQuery(resourceQuery(id ?? '', i18n))
  if (!id) return null
  const kind = getKind(id)
  const kindName = kind ? i18n.t(kind.title) : undefined
  if (!kind?.read) return <span title={id}>{kindName ?? i18n.t('otherResource')}</span>
  if (error) return <span title={id}>{i18n.t('deletedResource', { kind: kindName ?? '' })}</span>
  if (!data) return <span className="muted">…</span>
  const name = <bdi>{data.name || kindName}</bdi>
  return (
    <span>
      {data.page ? <Link href={path(...data.page)}>{name}</Link> : name}
      {withKind && <span className="hint"> {kindName}</span>}
    </span>
  )
}
