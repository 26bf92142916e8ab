import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Badge, QueryView } from '../../shared/ui/states.tsx'
import { Tabs } from '../../shared/ui/tabs.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type ObjectPageProps, objectQuery, usePath } from '../data.ts'
import { DeleteButton, useAction } from '../parts/actions.tsx'
import { Details, ObjectView, PageHeader, ShowJson, TimeAgo } from '../parts/page.tsx'
import { useFilter, usePages } from '../parts/paging.tsx'
import { StatusFilter } from '../parts/status-filter.tsx'
import { AgentCode } from './agent-code.tsx'
import { AgentState } from './agents.tsx'
import { type Run, RunsTable } from './runs.tsx'

type Agent = Shape<'Agent'>

export default function AgentPage({ id, tab = 'runs' }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const agent = useQuery(
    objectQuery(['agents', id], () =>
      unwrap(api.GET('/api/v1/agents/{agentId}', { params: { path: { agentId: id } } })),
    ),
  )
  const parent = { title: t('agents'), href: path('agents') }
  return (
    <ObjectView query={agent} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.slug} parent={parent} badge={<AgentState agent={found} />}>
            <ActiveButton agent={found} />
            <DeleteButton
              byName
              name={found.slug}
              kind="danger"
              text={t('deleteItem', { name: found.slug })}
              onDelete={() => unwrap(api.DELETE('/api/v1/agents/{agentId}', { params: { path: { agentId: id } } }))}
              onDone={() => navigate(path('agents'))}
              invalidates={['agents']}
            />
          </PageHeader>
          {!found.isActive && <p className="notice warn">{t('agentDisabled')}</p>}
          <Tabs
            label={found.slug}
            selected={tab}
            items={[
              { id: 'runs', label: t('runs'), href: path('agents', id) },
              { id: 'versions', label: t('versions'), href: path('agents', id, 'versions') },
              { id: 'code', label: t('code'), href: path('agents', id, 'code') },
              { id: 'details', label: t('details'), href: path('agents', id, 'details') },
            ]}
          />
          {tab === 'versions' ? (
            <Versions agent={found} />
          ) : tab === 'code' ? (
            <AgentCode key={found.updatedAt} agentId={id} />
          ) : tab === 'details' ? (
            <AgentDetails agent={found} />
          ) : (
            <Runs agent={found} />
          )}
        </>
      )}
    </ObjectView>
  )
}

function ActiveButton({ agent: { id, slug, isActive } }: { agent: Agent }) {
  const { t } = useTranslation()
  const change = useAction(
    () =>
      unwrap(
        api.PATCH('/api/v1/agents/{agentId}', { params: { path: { agentId: id } }, body: { isActive: !isActive } }),
      ),
    ['agents'],
    () => toast(t(isActive ? 'agentIsDisabled' : 'agentIsEnabled', { name: slug })),
  )
  return (
    <Button busy={change.isPending} onClick={() => change.mutate()}>
      {t(isActive ? 'disable' : 'enable')}
    </Button>
  )
}

function AgentDetails({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const packages = Object.entries(agent.packageVersions ?? {})
  return (
    <>
      <Details
        items={[
          [t('topics'), <CodeList key="topics" items={agent.topics} />],
          [t('namespace'), agent.namespace],
          [
            t('packages'),
            packages.length > 0 && (
              <CodeList key="packages" items={packages.map(([name, version]) => `${name} ${version}`)} />
            ),
          ].filter(Boolean) as [string, React.ReactNode],
          [t('created'), <TimeAgo key="created" time={agent.createdAt} />],
          [t('changed'), <TimeAgo key="changed" time={agent.updatedAt} />],
        ]}
      />
      <ShowJson value={agent} />
    </>
  )
}

export const CodeList = ({ items }: { items: readonly string[] }) => (
  <ul className="code-list">
    {items.map((item) => (
      <li key={item}>
        <code>{item}</code>
      </li>
    ))}
  </ul>
)

function Versions({ agent }: { agent: Agent }) {
  const { t, date, number } = useTranslation()
  const path = { agentId: agent.id }
  const versions = useQuery(
    objectQuery(['agent-versions', agent.id], () =>
      unwrap(api.GET('/api/v1/agents/{agentId}/versions', { params: { path } })),
    ),
  )
  const revert = useAction(
    (agentVersionId: string) =>
      unwrap(
        api.POST('/api/v1/agents/{agentId}/versions/{agentVersionId}/revert', {
          params: { path: { ...path, agentVersionId } },
        }),
      ),
    ['agents', 'agent-versions'],
    () => toast(t('rolledBack')),
  )
  return (
    <QueryView query={versions}>
      {(found) => (
        <DataTable
          label={t('versions')}
          rows={found}
          rowKey={({ id }) => id}
          empty={t('nothingFound')}
          columns={[
            {
              id: 'version',
              title: t('version'),
              isMain: true,
              sortValue: ({ version }) => version,
              render: ({ version }) => number(version),
            },
            {
              id: 'topics',
              title: t('topics'),
              render: ({ topics }) => <code className="two-lines">{topics.join(', ')}</code>,
            },
            { id: 'created', title: t('created'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
            {
              id: 'actions',
              title: t('actions'),
              render: (version) =>
                version === found[0] ? (
                  <Badge tone="good">{t('active')}</Badge>
                ) : (
                  <Button
                    kind="ghost"
                    busy={revert.isPending}
                    aria-label={`${t('rollBack')}: ${date(version.createdAt)}`}
                    onClick={() => revert.mutate(version.id)}
                  >
                    {t('rollBack')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </QueryView>
  )
}

function Runs({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const [result, setResult] = useFilter('result')
  const path = { agentId: agent.id }
  const list = usePages(['agent-runs', agent.id, result], (page) => {
    const query = { ...(result ? { success: result === 'succeeded' } : {}), ...page }
    return unwrap(api.GET('/api/v1/agents/{agentId}/logs', { params: { path, query } }))
  })
  const replay = useAction(
    (body: { eventIds: string[] } | { failed: true }) =>
      unwrap(api.POST('/api/v1/agents/{agentId}/replay', { params: { path }, body: body as never })),
    ['agent-runs'],
    () => toast(t('replayed')),
  )
  return (
    <>
      <div className="filters">
        <StatusFilter
          value={result}
          statuses={[
            { value: 'failed', label: t('jobFailed') },
            { value: 'succeeded', label: t('jobCompleted') },
          ]}
          onChange={setResult}
        />
        <Button onClick={() => void list.query.refetch()}>{t('refresh')}</Button>
        <span className="grow" />
        <Button busy={replay.isPending} onClick={() => replay.mutate({ failed: true })}>
          {t('replayFailed')}
        </Button>
      </div>
      <RunsTable
        list={list}
        empty={t(result ? 'nothingFound' : 'noRuns')}
        onRetry={({ eventId }: Run) => replay.mutate({ eventIds: [eventId] })}
      />
    </>
  )
}
