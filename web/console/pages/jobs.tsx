/** The jobs of an environment: how each went, tried again or stopped. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JobState } from '../../portal/jobs.tsx'
import { api, ask, type Shape } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Shown } from '../../shared/ui/states.tsx'
import type { Given } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { Head, Json, Table, useDoing } from '../parts.tsx'

type Job = Shape<'Job'>
const STATUSES = [
  'created',
  'planning',
  'scheduled',
  'ready',
  'executing',
  'completed',
  'failed',
  'canceled',
  'waiting',
] as const

export default function Jobs({ environment }: Given) {
  const { t, date } = useTexts()
  const [status, setStatus] = useState('')
  const [open, setOpen] = useState<Job>()
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('job:') ? ['console-jobs'] : []))
  const jobs = useQuery({
    queryKey: ['console-jobs', environment.id, status],
    queryFn: () =>
      ask(
        api.GET('/api/v1/jobs', {
          params: { query: { environmentId: environment.id, status: (status || undefined) as never, pageSize: 100 } },
        }),
      ),
  })
  const path = (jobId: string) => ({ params: { path: { jobId } } })
  const retry = useDoing((id: string) => ask(api.POST('/api/v1/jobs/{jobId}/retry', path(id))), ['console-jobs'])
  const cancel = useDoing(
    (id: string) => ask(api.POST('/api/v1/jobs/{jobId}/cancel', { ...path(id), body: {} })),
    ['console-jobs'],
  )
  return (
    <>
      <Head title={t('jobs')}>
        <SelectField
          hideLabel
          label={t('status')}
          value={status}
          options={[{ value: '', label: t('all') }, ...STATUSES.map((each) => ({ value: each, label: each }))]}
          onChange={(event) => setStatus(event.target.value)}
        />
      </Head>
      <Shown of={jobs}>
        {({ data }) => (
          <Table
            name={t('jobs')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              { title: t('operation'), cell: (job) => `${job.type}:${job.operation}` },
              { title: t('status'), cell: (job) => <JobState job={job} /> },
              {
                title: t('info'),
                wide: true,
                cell: (job) => String((job.outcome as { message?: string } | undefined)?.message ?? job.info ?? ''),
              },
              { title: t('created'), cell: (job) => date(job.createdAt) },
              {
                title: t('actions'),
                cell: (job) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('details')}: ${job.id}`} onClick={() => setOpen(job)}>
                      {t('details')}
                    </Button>
                    {job.finishedAt ? (
                      <Button kind="ghost" aria-label={`${t('again')}: ${job.id}`} onClick={() => retry.mutate(job.id)}>
                        {t('again')}
                      </Button>
                    ) : (
                      <Button
                        kind="ghost"
                        aria-label={`${t('cancelJob')}: ${job.id}`}
                        onClick={() => cancel.mutate(job.id)}
                      >
                        {t('cancelJob')}
                      </Button>
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {open && (
        <Dialog title={`${open.type}:${open.operation}`} drawer wide onClose={() => setOpen(undefined)}>
          <Json value={open} />
        </Dialog>
      )}
    </>
  )
}
