/** Runs of agents with their logs. */
import { useState } from 'react'
import type { Shape } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import type { TableColumn } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Badge } from '../../shared/ui/states.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ShowJson, TimeAgo } from '../parts/page.tsx'
import { PagedTable, type Pages } from '../parts/paging.tsx'

export type Run = Shape<'AgentLog'>

const STATES = {
  running: { text: 'jobRunning', tone: 'neutral' },
  succeeded: { text: 'jobCompleted', tone: 'good' },
  failed: { text: 'jobFailed', tone: 'bad' },
} as const

interface Props {
  list: Pages<Run>
  empty: string
  showAgent?: boolean
  onRetry?(run: Run): void
}

export function RunsTable({ list, empty, showAgent = false, onRetry }: Props) {
  const { t, duration } = useTranslation()
  const [open, setOpen] = useState<Run>()
  const columns: (TableColumn<Run> | false)[] = [
    {
      id: 'topic',
      title: t('event'),
      isMain: true,
      render: (run) => (
        <button type="button" className="link-button" onClick={() => setOpen(run)}>
          <code>{run.topic}</code>
        </button>
      ),
    },
    {
      id: 'status',
      title: t('status'),
      render: ({ status }) => <Badge tone={STATES[status].tone}>{t(STATES[status].text)}</Badge>,
    },
    {
      id: 'error',
      title: t('whatHappened'),
      render: ({ error, log }) => <span className="hint two-lines">{error ?? removeTimes(log)}</span>,
    },
    showAgent && { id: 'agent', title: t('agent'), render: ({ agentId }) => <ResourceName id={agentId} /> },
    { id: 'space', title: t('space'), render: ({ context }) => <ResourceName id={context.spaceId} /> },
    { id: 'duration', title: t('duration'), render: (run) => duration(run.duration) },
    { id: 'when', title: t('when'), render: ({ createdAt }) => <TimeAgo time={createdAt} /> },
  ]
  return (
    <>
      <PagedTable
        label={t('runs')}
        list={list}
        columns={columns.filter((column) => column !== false)}
        rowKey={({ id }) => id}
        empty={empty}
      />
      {open && <RunDialog run={open} onRetry={onRetry} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const removeTimes = (log: string | undefined): string => (log ?? '').replaceAll(/^[\d-]+T[\d:.]+Z [A-Z]+ /gm, '')

function RunDialog({ run, onRetry, onClose }: { run: Run; onRetry: Props['onRetry']; onClose(): void }) {
  const { t, date, duration, number } = useTranslation()
  return (
    <Dialog title={run.topic} place="end" wide onClose={onClose}>
      <Details
        items={[
          [
            t('status'),
            <Badge key="status" tone={STATES[run.status].tone}>
              {t(STATES[run.status].text)}
            </Badge>,
          ],
          [t('agent'), <ResourceName key="agent" id={run.agentId} />],
          [t('space'), run.context.spaceId && <ResourceName key="space" id={run.context.spaceId} />],
          [t('when'), date(run.createdAt)],
          [t('duration'), duration(run.duration)],
          [t('attempts'), run.attempts && number(run.attempts)],
        ]}
      />
      {run.error && (
        <>
          <h3>{t('problem')}</h3>
          <LogText text={run.errorStack ?? run.error} />
        </>
      )}
      <h3>{t('log')}</h3>
      <LogText text={run.log || t('logEmpty')} />
      <ShowJson value={run} />
      {onRetry && run.status !== 'running' && (
        <div className="actions">
          <Button kind="primary" onClick={() => onRetry(run)}>
            {t('replay')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

const LogText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
  <pre className="log" tabIndex={0}>
    {text}
  </pre>
)
