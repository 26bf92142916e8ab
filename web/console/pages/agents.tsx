import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { DataTable, DeleteButton, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'

type Agent = Shape<'Agent'>

const STATUS_BADGES = {
  running: { text: 'jobRunning', badge: '' },
  succeeded: { text: 'jobCompleted', badge: 'good' },
  failed: { text: 'jobFailed', badge: 'bad' },
} as const

export default function Agents({ environment }: PageProps) {
  const { t, date } = useTranslation()
  const [open, setOpen] = useState<{ agent: Agent; tab: 'versions' | 'runs' }>()
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('agent:') ? ['agents'] : ['agent-runs']))
  const agents = useQuery({
    queryKey: ['agents', environment.id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/agents', { params: { query: { environmentId: environment.id } } }))).data,
  })
  const renderOpenButton = (agent: Agent, tab: 'versions' | 'runs') => (
    <Button kind="ghost" aria-label={`${t(tab)}: ${agent.slug}`} onClick={() => setOpen({ agent, tab })}>
      {t(tab)}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('agents')} text={t('agentsText')} />
      <QueryView query={agents}>
        {(all) => (
          <DataTable
            name={t('agents')}
            rows={all}
            empty={t('noAgents')}
            columns={[
              { title: t('name'), cell: (agent) => <code>{agent.slug}</code> },
              {
                title: t('topics'),
                wide: true,
                cell: ({ topics }) => <span className="hint">{topics.join(', ')}</span>,
              },
              {
                title: t('status'),
                cell: ({ status }) => (
                  <span className={`badge ${status === 'active' ? 'good' : ''}`}>
                    {t(status === 'active' ? 'active' : 'statusDeploying')}
                  </span>
                ),
              },
              { title: t('changed'), cell: (agent) => date(agent.updatedAt) },
              {
                title: t('actions'),
                cell: (agent) => (
                  <>
                    {renderOpenButton(agent, 'runs')}
                    {renderOpenButton(agent, 'versions')}
                    <DeleteButton
                      name={agent.slug}
                      text={t('deleteItem', { name: agent.slug })}
                      onDelete={() =>
                        unwrap(api.DELETE('/api/v1/agents/{agentId}', { params: { path: { agentId: agent.id } } }))
                      }
                      invalidates={['agents']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {open && (
        <Dialog title={open.agent.slug} place="end" wide onClose={() => setOpen(undefined)}>
          {open.tab === 'versions' ? <Versions agent={open.agent} /> : <Runs agent={open.agent} />}
        </Dialog>
      )}
    </>
  )
}

function Versions({ agent }: { agent: Agent }) {
  const { t, date, number } = useTranslation()
  const path = { agentId: agent.id }
  const versions = useQuery({
    queryKey: ['agent-versions', agent.id],
    queryFn: async () => (await unwrap(api.GET('/api/v1/agents/{agentId}/versions', { params: { path } }))).data,
  })
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
      {(all) => (
        <DataTable
          name={t('versions')}
          rows={all}
          empty={t('nothingFound')}
          columns={[
            { title: t('created'), wide: true, cell: (version) => date(version.createdAt) },
            { title: t('topics'), cell: ({ topics }) => number(topics.length) },
            {
              title: t('actions'),
              cell: (version) => (
                <Button
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

const POLL_RUNS_MS = 3000

function Runs({ agent }: { agent: Agent }) {
  const { t, date, duration } = useTranslation()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const path = { agentId: agent.id }
  const runs = useQuery({
    queryKey: ['agent-runs', agent.id, onlyFailed],
    // No event is emitted at the end of a run.
    refetchInterval: POLL_RUNS_MS,
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/agents/{agentId}/logs', {
          params: { path, query: { ...(onlyFailed ? { success: false } : {}), pageSize: 50 } },
        }),
      ),
  })
  const replay = useAction(
    (body: { eventIds: string[] } | { failed: true }) =>
      unwrap(api.POST('/api/v1/agents/{agentId}/replay', { params: { path }, body: body as never })),
    ['agent-runs'],
    () => toast(t('replayed')),
  )
  return (
    <>
      <div className="toolbar-row">
        <CheckField
          label={t('onlyFailed')}
          checked={onlyFailed}
          onChange={(event) => setOnlyFailed(event.target.checked)}
        />
        <span className="grow" />
        <Button busy={replay.isPending} onClick={() => replay.mutate({ failed: true })}>
          {t('replayFailed')}
        </Button>
      </div>
      <QueryView query={runs}>
        {({ data }) => (
          <DataTable
            name={t('runs')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              { title: t('topic'), cell: (run) => <code>{run.topic}</code> },
              {
                title: t('status'),
                cell: (run) => (
                  <span className={`badge ${STATUS_BADGES[run.status].badge}`}>
                    {t(STATUS_BADGES[run.status].text)}
                  </span>
                ),
              },
              { title: t('duration'), cell: (run) => duration(run.duration) },
              { title: t('created'), cell: (run) => date(run.createdAt) },
              {
                title: t('log'),
                wide: true,
                cell: (run) =>
                  (run.log || run.error) && (
                    <pre className="log">{[run.log, run.error].filter(Boolean).join('\n')}</pre>
                  ),
              },
              {
                title: t('actions'),
                cell: (run) => (
                  <Button
                    kind="ghost"
                    aria-label={`${t('replay')}: ${run.eventId}`}
                    onClick={() => replay.mutate({ eventIds: [run.eventId] })}
                  >
                    {t('replay')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
