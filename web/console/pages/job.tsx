import { useQuery } from '@tanstack/react-query'
import { JobState, titleOf } from '../../portal/jobs.tsx'
import { describeJob, getOutcome } from '../../portal/outcome.tsx'
import { hasEnded } from '../../portal/queries.ts'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { type I18n, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { type Job, type ObjectPageProps, objectQuery, usePath } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { useAction } from '../parts/actions.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, Section, ShowJson, TimeAgo } from '../parts/page.tsx'
import { usePages } from '../parts/paging.tsx'
import { JobsTable } from '../tables.tsx'
import { RunsTable } from './runs.tsx'

export default function JobPage({ environment, id }: ObjectPageProps) {
  const i18n = useTranslation()
  const path = usePath()
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('job:') ? ['job', 'jobs'] : []))
  const job = useQuery(
    objectQuery(['job', id], () => unwrap(api.GET('/api/v1/jobs/{jobId}', { params: { path: { jobId: id } } }))),
  )
  const parent = { title: i18n.t('jobs'), href: path('jobs') }
  return (
    <ObjectView query={job} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={titleOf(found, i18n)} parent={parent} badge={<JobState job={found} />}>
            <JobActions job={found} />
          </PageHeader>
          <JobDetails job={found} />
          {found.operation === 'map' && <JobPlan job={found} />}
          <JobParts job={found} />
          <JobLogs job={found} />
          <ShowJson value={found} />
        </>
      )}
    </ObjectView>
  )
}

function JobActions({ job }: { job: Job }) {
  const { t } = useTranslation()
  const path = { params: { path: { jobId: job.id } } }
  const retry = useAction(() => unwrap(api.POST('/api/v1/jobs/{jobId}/retry', path)), ['job', 'jobs'])
  const cancel = useAction(
    () => unwrap(api.POST('/api/v1/jobs/{jobId}/cancel', { ...path, body: {} })),
    ['job', 'jobs'],
  )
  if (job.status === 'completed') return null
  return hasEnded(job) ? (
    <Button kind="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
      {t('tryAgain')}
    </Button>
  ) : (
    <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
      {t('cancelJob')}
    </Button>
  )
}

function JobDetails({ job }: { job: Job }) {
  const i18n = useTranslation()
  const { t, translate, duration } = i18n
  const { heading } = getOutcome(job)
  const { startedAt, finishedAt } = job
  return (
    <Details
      items={[
        [t('whatHappened'), [heading && translate(heading), describeJob(job, i18n)].filter(Boolean).join(': ')],
        [t('space'), <ResourceName key="space" id={job.spaceId} />],
        [t('file'), job.fileId && <ResourceName key="file" id={job.fileId} />],
        [t('fromSource'), job.source !== job.spaceId && <ResourceName key="source" id={job.source} withKind />],
        [t('toDestination'), job.destination && <ResourceName key="destination" id={job.destination} withKind />],
        [t('startedBy'), <ResourceName key="who" id={job.createdBy} />],
        [t('created'), <TimeAgo key="created" time={job.createdAt} />],
        [t('scheduledFor'), job.scheduledFor && <TimeAgo key="scheduled" time={job.scheduledFor} />],
        [t('duration'), startedAt && finishedAt && duration(Date.parse(finishedAt) - Date.parse(startedAt))],
        [t('timeSpent'), job.timings && describeTimings(job.timings, i18n)],
        [t('partOf'), job.parentId && <ResourceName key="parent" id={job.parentId} />],
      ].map(([title, value]) => [title as string, value || undefined])}
    />
  )
}

const TIMINGS = {
  waiting: 'timeWaiting',
  reading: 'timeReading',
  computing: 'timeComputing',
  writing: 'timeWriting',
  events: 'timeEvents',
} as const

const describeTimings = (timings: NonNullable<Job['timings']>, { t, duration }: Pick<I18n, 't' | 'duration'>): string =>
  Object.entries(TIMINGS)
    .map(([name, title]) => `${t(title)}: ${duration(timings[name as keyof typeof TIMINGS])}`)
    .join(' · ')

function JobPlan({ job }: { job: Job }) {
  const { t, percent } = useTranslation()
  const { data } = useQuery({
    queryKey: ['job-plan', job.id],
    retry: false,
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/jobs/{jobId}/plan', { params: { path: { jobId: job.id } } }))).data.plan,
  })
  if (!data) return null
  const nameOf = ({ key, label }: { key: string; label?: string | null }) => label || key
  return (
    <Section title={t('plan')}>
      <DataTable<Shape<'Edge'>>
        label={t('plan')}
        rows={data.fieldMapping}
        rowKey={({ sourceField, destinationField }) => `${sourceField.key} ${destinationField.key}`}
        empty={t('noMappedColumns')}
        columns={[
          {
            id: 'column',
            title: t('columnOfFile'),
            isMain: true,
            sortValue: ({ sourceField }) => nameOf(sourceField),
            render: ({ sourceField }) => <bdi>{nameOf(sourceField)}</bdi>,
          },
          {
            id: 'field',
            title: t('field'),
            sortValue: ({ destinationField }) => nameOf(destinationField),
            render: ({ destinationField }) => <bdi>{nameOf(destinationField)}</bdi>,
          },
          {
            id: 'certainty',
            title: t('confidence'),
            render: ({ metadata }) => (metadata?.confidence === undefined ? '' : percent(metadata.confidence)),
          },
        ]}
      />
      {data.unmappedSourceFields.length > 0 && (
        <p className="hint">
          {t('notImported')}: {data.unmappedSourceFields.map(({ sourceField }) => nameOf(sourceField)).join(', ')}
        </p>
      )}
    </Section>
  )
}

function JobParts({ job }: { job: Job }) {
  const { t } = useTranslation()
  const parts = usePages(['jobs', job.environmentId, 'parts', job.id], (page) =>
    unwrap(
      api.GET('/api/v1/jobs', {
        params: { query: { environmentId: job.environmentId, parentId: job.id, ...page } },
      }),
    ),
  )
  if (!parts.query.data?.length) return null
  return (
    <Section title={t('parts')}>
      <JobsTable list={parts} empty={t('nothingFound')} hideSpace />
    </Section>
  )
}

const MAX_RUNS = 1000

/** The runs of agents while the job was open that were about it. */
function JobLogs({ job }: { job: Job }) {
  const { t } = useTranslation()
  const { environmentId, spaceId, createdAt, finishedAt } = job
  const runs = useQuery({
    queryKey: ['job-runs', job.id, finishedAt],
    queryFn: async () => {
      const query = { environmentId, spaceId, since: createdAt, pageSize: MAX_RUNS }
      const { data } = await unwrap(api.GET('/api/v1/agents/logs', { params: { query } }))
      return data.filter(({ context }) => context.jobId === job.id)
    },
  })
  if (!runs.data?.length) return null
  const more = { hasMore: false, isLoading: false, load: () => undefined }
  return (
    <Section title={t('log')}>
      <RunsTable list={{ query: runs, total: undefined, more }} empty={t('nothingFound')} showAgent />
    </Section>
  )
}
