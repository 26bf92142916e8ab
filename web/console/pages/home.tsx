/** The first page: warnings, recent spaces and charts. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Bot, CircleCheck, FileWarning, ListX, type LucideIcon, Webhook } from 'lucide-react'
import { Link } from 'wouter'
import { getSheets, isTargetWorkbook } from '../../portal/queries.ts'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Empty, QueryView } from '../../shared/ui/states.tsx'
import { objectQuery, type PageProps, type Space, usePath, workbooksQuery } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { BarChart } from '../parts/chart.tsx'
import { formatMonth, listMonths } from '../parts/months.ts'
import { PageHeader, Section } from '../parts/page.tsx'
import { NewSpaceButton, SpacesTable } from './spaces.tsx'

const RECENT_SPACES = 8
const MONTHS = 6
const WEEK_MS = 7 * 86_400_000

export default function Home({ environment }: PageProps) {
  const { t } = useTranslation()
  const path = usePath()
  useEnvironmentEvents(environment.id, (topic) =>
    topic === 'job:failed' || topic.startsWith('space:') ? ['home', 'spaces'] : [],
  )
  const spaces = useQuery(
    objectQuery(['spaces', environment.id, 'recent'], () => {
      const query = {
        environmentId: environment.id,
        sortField: 'lastActivityAt',
        sortDirection: 'desc',
        pageSize: RECENT_SPACES,
      } as const
      return unwrap(api.GET('/api/v1/spaces', { params: { query } }))
    }),
  )
  return (
    <>
      <PageHeader title={t('home')}>
        <Link className="button plain" href={path('builder')}>
          {t('newWorkbook')}
        </Link>
        <NewSpaceButton />
      </PageHeader>
      <QueryView query={spaces}>
        {(recent) =>
          recent.length === 0 ? (
            <Empty title={t('noSpacesYet')}>
              <p>{t('noSpacesYetText')}</p>
              <p>
                <Link href={path('start')}>{t('firstSteps')}</Link>
              </p>
            </Empty>
          ) : (
            <>
              <Attention environment={environment} spaces={recent} />
              <Section title={t('recentSpaces')} actions={<Link href={path('spaces')}>{t('allSpaces')}</Link>}>
                <SpacesTable spaces={recent} />
              </Section>
            </>
          )
        }
      </QueryView>
      <MonthCharts environment={environment} />
    </>
  )
}

interface Notice {
  id: string
  Icon: LucideIcon
  text: string
  href: string
}

function Attention({ environment, spaces }: PageProps & { spaces: readonly Space[] }) {
  const { t } = useTranslation()
  const notices = [
    ...useFailedJobs(environment.id),
    ...useFailingWebhooks(environment.id),
    ...useFailedRuns(environment.id),
    ...useSpacesWithErrors(spaces),
  ]
  return (
    <Section title={t('needsAttention')}>
      {notices.length === 0 ? (
        <p className="notice all-good">
          <CircleCheck aria-hidden="true" />
          <span className="grow">{t('nothingNeedsAttention')}</span>
        </p>
      ) : (
        <ul className="rows attention">
          {notices.map(({ id, Icon, text, href }) => (
            <li key={id}>
              <Icon aria-hidden="true" />
              <Link href={href}>{text}</Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function useFailedJobs(environmentId: string): Notice[] {
  const { t } = useTranslation()
  const path = usePath()
  const { data } = useQuery({
    queryKey: ['home', environmentId, 'jobs'],
    queryFn: () => {
      const query = { environmentId, status: ['failed' as const], excludeChildJobs: true, pageSize: 1000 }
      return unwrap(api.GET('/api/v1/jobs', { params: { query } }))
    },
  })
  const since = new Date(Date.now() - WEEK_MS).toISOString()
  const count = (data?.data ?? []).filter(({ createdAt }) => createdAt > since).length
  const href = `${path('jobs')}?status=failed`
  return count > 0 ? [{ id: 'jobs', Icon: ListX, text: t('failedJobs', { count }), href }] : []
}

function useFailingWebhooks(environmentId: string): Notice[] {
  const { t } = useTranslation()
  const path = usePath()
  const { data } = useQuery({
    queryKey: ['home', environmentId, 'webhooks'],
    queryFn: () => unwrap(api.GET('/api/v1/webhooks', { params: { query: { environmentId, pageSize: 1000 } } })),
  })
  return (data?.data ?? [])
    .filter(({ failingSince, disabledReason }) => failingSince ?? disabledReason)
    .map(({ id, url, active }) => ({
      id,
      Icon: Webhook,
      text: t(active ? 'webhookFails' : 'webhookStopped', { url }),
      href: path('webhooks', id),
    }))
}

function useFailedRuns(environmentId: string): Notice[] {
  const { t } = useTranslation()
  const path = usePath()
  const { data } = useQuery({
    queryKey: ['home', environmentId, 'runs'],
    queryFn: () => {
      const since = new Date(Date.now() - WEEK_MS).toISOString()
      const query = { environmentId, success: false, since, pageSize: 1000 }
      return unwrap(api.GET('/api/v1/agents/executions', { params: { query } }))
    },
  })
  const counts = new Map<string, number>()
  for (const { agentId } of data?.data ?? []) counts.set(agentId, (counts.get(agentId) ?? 0) + 1)
  const agents = useQuery({
    ...objectQuery(['agents', environmentId, 'names'], () =>
      unwrap(api.GET('/api/v1/agents', { params: { query: { environmentId, pageSize: 1000 } } })),
    ),
    enabled: counts.size > 0,
  })
  return (agents.data ?? [])
    .filter(({ id }) => counts.has(id))
    .map(({ id, slug }) => ({
      id,
      Icon: Bot,
      text: t('failedRuns', { name: slug, count: counts.get(id) ?? 0 }),
      href: `${path('agents', id)}?result=failed`,
    }))
}

function useSpacesWithErrors(spaces: readonly Space[]): Notice[] {
  const { t } = useTranslation()
  const path = usePath()
  const workbooks = useQueries({ queries: spaces.map(({ id }) => workbooksQuery(id)) })
  return spaces.flatMap(({ id, name }, index) => {
    const sheets = getSheets((workbooks[index]?.data ?? []).filter(isTargetWorkbook))
    const count = sheets.reduce((sum, { recordCounts }) => sum + (recordCounts?.error ?? 0), 0)
    const text = t('spaceWithErrors', { name: name || t('unnamed'), count })
    return count > 0 ? [{ id, Icon: FileWarning, text, href: path('spaces', id) }] : []
  })
}

function MonthCharts({ environment }: PageProps) {
  const { t, language } = useTranslation()
  const months = listMonths(MONTHS)
  const usages = useQueries({
    queries: months.map((month) =>
      objectQuery(['usage', environment.id, month], () =>
        unwrap(
          api.GET('/api/v1/environments/{environmentId}/usage', {
            params: { path: { environmentId: environment.id }, query: { month } },
          }),
        ),
      ),
    ),
  })
  if (usages.some(({ data }) => !data)) return null
  const buildBars = (key: 'recordsCreated' | 'files' | 'agentRuns') =>
    months.map((month, index) => ({
      name: formatMonth(month, language),
      value: usages[index]?.data?.used[key] ?? 0,
    }))
  return (
    <Section title={t('lastSixMonths')}>
      <div className="charts">
        <BarChart label={t('recordsCreated')} bars={buildBars('recordsCreated')} />
        <BarChart label={t('files')} bars={buildBars('files')} />
        <BarChart label={t('agentRuns')} bars={buildBars('agentRuns')} />
      </div>
    </Section>
  )
}
