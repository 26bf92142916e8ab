/** Finds spaces, people, files, jobs and pages by name or id. */
import { titleOf } from '../../portal/jobs.tsx'
import { api, unwrap } from '../../shared/api/client.ts'
import type { I18n } from '../../shared/texts/texts.tsx'
import { type Environment, MAX_CHOICES } from '../data.ts'

export interface Hit {
  label: string
  description: string
  /** Below the environment. */
  page: readonly string[]
}

const MAX_HITS = 8

type Search = (environmentId: string, text: string, i18n: I18n) => Promise<Hit[]>

const includes = (text: string, parts: readonly (string | undefined)[]): boolean =>
  parts.some((part) => part?.toLowerCase().includes(text.toLowerCase()))

const findSpaces: Search = async (environmentId, search, { t }) => {
  const query = { environmentId, search, pageSize: MAX_HITS }
  const { data } = await unwrap(api.GET('/api/v1/spaces', { params: { query } }))
  return data.map(({ id, name }) => ({ label: name || t('unnamed'), description: t('space'), page: ['spaces', id] }))
}

const findGuests: Search = async (environmentId, text, { t }) => {
  const query = { environmentId, pageSize: MAX_CHOICES }
  const { data } = await unwrap(api.GET('/api/v1/guests', { params: { query } }))
  return data
    .filter(({ id, name, email }) => includes(text, [id, name, email]))
    .map(({ id, name, email }) => ({
      label: name || email,
      description: `${t('guest')} · ${email}`,
      page: ['guests', id],
    }))
}

const findUsers: Search = async (_environmentId, search, { t }) => {
  const { data } = await unwrap(api.GET('/api/v1/users', { params: { query: { search, pageSize: MAX_HITS } } }))
  return data.map(({ id, name, email }) => ({
    label: name || email,
    description: `${t('user')} · ${email}`,
    page: ['users', id],
  }))
}

const findFiles: Search = async (environmentId, text, { t }) => {
  const query = { environmentId, pageSize: MAX_CHOICES }
  const { data } = await unwrap(api.GET('/api/v1/files', { params: { query } }))
  return data
    .filter(({ id, name }) => includes(text, [id, name]))
    .map(({ id, name }) => ({ label: name, description: t('file'), page: ['files', id] }))
}

const findJobs: Search = async (environmentId, text, i18n) => {
  const query = { environmentId, pageSize: MAX_CHOICES }
  const { data } = await unwrap(api.GET('/api/v1/jobs', { params: { query } }))
  return data
    .filter((job) => includes(text, [job.id, titleOf(job, i18n)]))
    .map((job) => ({
      label: titleOf(job, i18n),
      description: `${i18n.t('job')} · ${i18n.ago(job.createdAt)}`,
      page: ['jobs', job.id],
    }))
}

const SEARCHES = [findSpaces, findGuests, findUsers, findFiles, findJobs]

const PAGE_OF_ID: Record<string, { page: string; title: 'space' | 'agent' | 'webhook' | 'events' | 'environment' }> = {
  us_sp: { page: 'spaces', title: 'space' },
  us_ag: { page: 'agents', title: 'agent' },
  us_wh: { page: 'webhooks', title: 'webhook' },
  us_evt: { page: 'events', title: 'events' },
  us_env: { page: 'environments', title: 'environment' },
}

function findById(text: string, { t }: I18n): Hit[] {
  const target = PAGE_OF_ID[text.slice(0, text.lastIndexOf('_'))]
  return target ? [{ label: text, description: t(target.title), page: [target.page, text] }] : []
}

/** Parts that the caller may not list are left out. */
export async function findEverywhere(environment: Environment, text: string, i18n: I18n): Promise<Hit[]> {
  const found = await Promise.allSettled(SEARCHES.map((search) => search(environment.id, text, i18n)))
  if (found.every(({ status }) => status === 'rejected')) throw (found[0] as PromiseRejectedResult).reason
  const hits = found.flatMap((result) => (result.status === 'fulfilled' ? result.value.slice(0, MAX_HITS) : []))
  return [...findById(text, i18n), ...hits]
}
