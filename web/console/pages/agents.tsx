import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Badge } from '../../shared/ui/states.tsx'
import { type PageProps, usePath } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { PagedTable, useFilter, usePages } from '../parts/paging.tsx'

export function AgentState({ agent: { status, isActive } }: { agent: Pick<Shape<'Agent'>, 'status' | 'isActive'> }) {
  const { t } = useTranslation()
  if (!isActive) return <Badge>{t('disabled')}</Badge>
  return status === 'active' ? <Badge tone="good">{t('active')}</Badge> : <Badge>{t('statusDeploying')}</Badge>
}

export default function Agents({ environment }: PageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search, setSearch] = useFilter('search')
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('agent:') ? ['agents'] : []))
  const list = usePages(['agents', environment.id, search], (page) => {
    const query = { environmentId: environment.id, search: search || undefined, ...page }
    return unwrap(api.GET('/api/v1/agents', { params: { query } }))
  })
  return (
    <>
      <PageHeader title={t('agents')} text={t('agentsText')} />
      <div className="filters">
        <SearchField label={t('searchAgents')} value={search} onChange={setSearch} />
      </div>
      <PagedTable
        label={t('agents')}
        list={list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => path('agents', id)}
        empty={t(search ? 'nothingFound' : 'noAgents')}
        columns={[
          { id: 'name', title: t('name'), isMain: true, sortValue: ({ slug }) => slug, render: ({ slug }) => slug },
          {
            id: 'topics',
            title: t('topics'),
            render: ({ topics }) => <code className="two-lines">{topics.join(', ')}</code>,
          },
          {
            id: 'status',
            title: t('status'),
            sortValue: ({ status }) => status,
            render: (agent) => <AgentState agent={agent} />,
          },
          {
            id: 'changed',
            title: t('changed'),
            sortValue: ({ updatedAt }) => updatedAt,
            render: ({ updatedAt }) => <TimeAgo time={updatedAt} />,
          },
        ]}
      />
    </>
  )
}
