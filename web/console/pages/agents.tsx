/** Deployed agents: their versions, runs, logs and failures, and what failed once more. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, CheckField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import type { Given } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { Head, Remove, Table, useDoing } from '../parts.tsx'

type Agent = Shape<'Agent'>

const STATES = {
  running: { text: 'jobRunning', badge: '' },
  succeeded: { text: 'jobCompleted', badge: 'good' },
  failed: { text: 'jobFailed', badge: 'bad' },
} as const

export default function Agents({ environment }: Given) {
  const { t, date } = useTexts()
  const [open, setOpen] = useState<{ agent: Agent; what: 'versions' | 'runs' }>()
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('agent:') ? ['agents'] : ['agent-runs']))
  const agents = useQuery({
    queryKey: ['agents', environment.id],
    queryFn: async () =>
      (await ask(api.GET('/api/v1/agents', { params: { query: { environmentId: environment.id } } }))).data,
  })
  const show = (agent: Agent, what: 'versions' | 'runs') => (
    <Button kind="ghost" aria-label={`${t(what)}: ${agent.slug}`} onClick={() => setOpen({ agent, what })}>
      {t(what)}
    </Button>
  )
  return (
    <>
      <Head title={t('agents')} text={t('agentsText')} />
      <Shown of={agents}>
        {(all) => (
          <Table
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
                cell: ({ status }) => <span className={`badge ${status === 'active' ? 'good' : ''}`}>{status}</span>,
              },
              { title: t('changed'), cell: (agent) => date(agent.updatedAt) },
              {
                title: t('actions'),
                cell: (agent) => (
                  <>
                    {show(agent, 'runs')}
                    {show(agent, 'versions')}
                    <Remove
                      name={agent.slug}
                      text={t('deleteForGood', { name: agent.slug })}
                      work={() =>
                        ask(api.DELETE('/api/v1/agents/{agentId}', { params: { path: { agentId: agent.id } } }))
                      }
                      touched={['agents']}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {open && (
        <Dialog title={open.agent.slug} drawer wide onClose={() => setOpen(undefined)}>
          {open.what === 'versions' ? <Versions agent={open.agent} /> : <Runs agent={open.agent} />}
        </Dialog>
      )}
    </>
  )
}

function Versions({ agent }: { agent: Agent }) {
  const { t, date } = useTexts()
  const path = { agentId: agent.id }
  const versions = useQuery({
    queryKey: ['agent-versions', agent.id],
    queryFn: async () => (await ask(api.GET('/api/v1/agents/{agentId}/versions', { params: { path } }))).data,
  })
  const revert = useDoing(
    (agentVersionId: string) =>
      ask(
        api.POST('/api/v1/agents/{agentId}/versions/{agentVersionId}/revert', {
          params: { path: { ...path, agentVersionId } },
        }),
      ),
    ['agents', 'agent-versions'],
    () => toast(t('deployedAgain')),
  )
  return (
    <Shown of={versions}>
      {(all) => (
        <Table
          name={t('versions')}
          rows={all}
          empty={t('nothingFound')}
          columns={[
            { title: t('created'), wide: true, cell: (each) => date(each.createdAt) },
            { title: t('topics'), cell: ({ topics }) => topics.length },
            {
              title: t('actions'),
              cell: (each) => (
                <Button
                  busy={revert.isPending}
                  aria-label={`${t('revert')}: ${date(each.createdAt)}`}
                  onClick={() => revert.mutate(each.id)}
                >
                  {t('revert')}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Shown>
  )
}

const RUNS_MS = 3000

function Runs({ agent }: { agent: Agent }) {
  const { t, date, number } = useTexts()
  const [failed, setFailed] = useState(false)
  const path = { agentId: agent.id }
  const runs = useQuery({
    queryKey: ['agent-runs', agent.id, failed],
    // No event tells that a run has ended.
    refetchInterval: RUNS_MS,
    queryFn: () =>
      ask(
        api.GET('/api/v1/agents/{agentId}/logs', {
          params: { path, query: { ...(failed ? { success: false } : {}), pageSize: 50 } },
        }),
      ),
  })
  const replay = useDoing(
    (body: { eventIds: string[] } | { failed: true }) =>
      ask(api.POST('/api/v1/agents/{agentId}/replay', { params: { path }, body: body as never })),
    ['agent-runs'],
    () => toast(t('replayed')),
  )
  return (
    <>
      <div className="toolbar-row">
        <CheckField label={t('onlyFailed')} checked={failed} onChange={(event) => setFailed(event.target.checked)} />
        <span className="grow" />
        <Button busy={replay.isPending} onClick={() => replay.mutate({ failed: true })}>
          {t('replayFailed')}
        </Button>
      </div>
      <Shown of={runs}>
        {({ data }) => (
          <Table
            name={t('runs')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              { title: t('topic'), cell: (run) => <code>{run.topic}</code> },
              {
                title: t('status'),
                cell: (run) => (
                  <span className={`badge ${STATES[run.status].badge}`}>{t(STATES[run.status].text)}</span>
                ),
              },
              { title: 'ms', cell: (run) => number(run.duration) },
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
      </Shown>
    </>
  )
}
