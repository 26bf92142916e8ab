import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JobState } from '../../portal/jobs.tsx'
import { describeJob } from '../../portal/outcome.tsx'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { QueryView } from '../../shared/ui/states.tsx'
import { DataTable, JsonView, PageHeader, useAction } from '../components.tsx'
import type { PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'

type Job = Shape<'Job'>
const STATUSES = {
  created: 'statusCreated',
  planning: 'statusPlanning',
  scheduled: 'statusScheduled',
  ready: 'statusReady',
  executing: 'jobRunning',
  completed: 'jobCompleted',
  failed: 'jobFailed',
  canceled: 'jobCanceled',
  waiting: 'jobWaiting',
} as const satisfies Partial<Record<Job['status'], TextKey>>

export default function Jobs({ environment }: PageProps) {
  const i18n = useTranslation()
  const { t, date } = i18n
  const [status, setStatus] = useState('')
  const [openJob, setOpenJob] = useState<Job>()
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('job:') ? ['console-jobs'] : []))
  const jobs = useQuery({
    queryKey: ['console-jobs', environment.id, status],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/jobs', {
          params: { query: { environmentId: environment.id, status: (status || undefined) as never, pageSize: 100 } },
        }),
      ),
  })
  const buildPath = (jobId: string) => ({ params: { path: { jobId } } })
  const retry = useAction(
    (id: string) => unwrap(api.POST('/api/v1/jobs/{jobId}/retry', buildPath(id))),
    ['console-jobs'],
  )
  const cancel = useAction(
    (id: string) => unwrap(api.POST('/api/v1/jobs/{jobId}/cancel', { ...buildPath(id), body: {} })),
    ['console-jobs'],
  )
  return (
    <>
      <PageHeader title={t('jobs')}>
        <SelectField
          hideLabel
          label={t('status')}
          value={status}
          options={[
            { value: '', label: t('all') },
            ...Object.entries(STATUSES).map(([value, key]) => ({ value, label: t(key) })),
          ]}
          onChange={(event) => setStatus(event.target.value)}
        />
      </PageHeader>
      <QueryView query={jobs}>
        {({ data }) => (
          <DataTable
            name={t('jobs')}
            rows={data}
            empty={t('nothingFound')}
            columns={[
              { title: t('operation'), cell: (job) => `${job.type}:${job.operation}` },
              { title: t('status'), cell: (job) => <JobState job={job} /> },
              {
                title: t('info'),
                wide: true,
                cell: (job) => <bdi>{describeJob(job, i18n)}</bdi>,
              },
              { title: t('created'), cell: (job) => date(job.createdAt) },
              {
                title: t('actions'),
                cell: (job) => (
                  <>
                    <Button kind="ghost" aria-label={`${t('details')}: ${job.id}`} onClick={() => setOpenJob(job)}>
                      {t('details')}
                    </Button>
                    {job.finishedAt ? (
                      <Button
                        kind="ghost"
                        aria-label={`${t('tryAgain')}: ${job.id}`}
                        onClick={() => retry.mutate(job.id)}
                      >
                        {t('tryAgain')}
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
      </QueryView>
      {openJob && (
        <Dialog title={`${openJob.type}:${openJob.operation}`} place="end" wide onClose={() => setOpenJob(undefined)}>
          <JsonView value={openJob} />
        </Dialog>
      )}
    </>
  )
}
