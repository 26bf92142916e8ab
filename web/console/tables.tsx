/** The tables of jobs, files and events, which several pages show. */
import { JobState, titleOf } from '../portal/jobs.tsx'
import { describeJob } from '../portal/outcome.tsx'
import { type TextKey, useTranslation } from '../shared/texts/texts.tsx'
import type { TableColumn } from '../shared/ui/data-table.tsx'
import { Badge, type Tone } from '../shared/ui/states.tsx'
import { type Event, type File, type Job, usePath } from './data.ts'
import { ResourceName } from './parts/names.tsx'
import { TimeAgo } from './parts/page.tsx'
import { PagedTable, type Pages } from './parts/paging.tsx'

interface TableProps<Row> {
  list: Pages<Row>
  empty: string
  /** Hidden on the page of a space. */
  hideSpace?: boolean
}

const FILE_STATES: Record<File['status'], { text: TextKey; tone: Tone }> = {
  partial: { text: 'fileUploading', tone: 'neutral' },
  analyzing: { text: 'fileReading', tone: 'neutral' },
  analyzed: { text: 'fileWaiting', tone: 'neutral' },
  complete: { text: 'fileReady', tone: 'good' },
  archived: { text: 'archived', tone: 'neutral' },
  purged: { text: 'deleted', tone: 'neutral' },
  failed: { text: 'fileFailed', tone: 'bad' },
}

export function FileState({ status }: { status: File['status'] }) {
  const { t } = useTranslation()
  const { text, tone } = FILE_STATES[status]
  return <Badge tone={tone}>{t(text)}</Badge>
}

export function JobsTable({ list, empty, hideSpace = false }: TableProps<Job>) {
  const i18n = useTranslation()
  const { t } = i18n
  const path = usePath()
  const columns: (TableColumn<Job> | false)[] = [
    {
      id: 'title',
      title: t('job'),
      isMain: true,
      sortValue: (job) => titleOf(job, i18n),
      render: (job) => <bdi>{titleOf(job, i18n)}</bdi>,
    },
    { id: 'status', title: t('status'), sortValue: ({ status }) => status, render: (job) => <JobState job={job} /> },
    {
      id: 'info',
      title: t('whatHappened'),
      render: (job) => <bdi className="hint two-lines">{describeJob(job, i18n)}</bdi>,
    },
    !hideSpace && { id: 'space', title: t('space'), render: ({ spaceId }) => <ResourceName id={spaceId} /> },
    {
      id: 'created',
      title: t('created'),
      sortValue: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeAgo time={createdAt} />,
    },
  ]
  return (
    <PagedTable
      label={t('jobs')}
      list={list}
      columns={columns.filter((column) => column !== false)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => path('jobs', id)}
      empty={empty}
    />
  )
}

export function FilesTable({ list, empty, hideSpace = false }: TableProps<File>) {
  const { t, bytes } = useTranslation()
  const path = usePath()
  const columns: (TableColumn<File> | false)[] = [
    {
      id: 'name',
      title: t('name'),
      isMain: true,
      sortValue: ({ name }) => name,
      render: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      id: 'status',
      title: t('status'),
      sortValue: ({ status }) => status,
      render: ({ status }) => <FileState status={status} />,
    },
    { id: 'size', title: t('size'), sortValue: ({ size }) => size, render: ({ size }) => bytes(size) },
    !hideSpace && { id: 'space', title: t('space'), render: ({ spaceId }) => <ResourceName id={spaceId} /> },
    {
      id: 'created',
      title: t('uploaded'),
      sortValue: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeAgo time={createdAt} />,
    },
  ]
  return (
    <PagedTable
      label={t('files')}
      list={list}
      columns={columns.filter((column) => column !== false)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => path('files', id)}
      empty={empty}
    />
  )
}

const getResourceId = ({ topic, context }: Event): string | undefined => {
  const { spaceId, workbookId, sheetId, jobId, fileId, agentId } = context
  if (topic.startsWith('agent:')) return agentId
  return jobId || fileId || sheetId || workbookId || spaceId || undefined
}

export function EventsTable({ list, empty, hideSpace = false }: TableProps<Event>) {
  const { t } = useTranslation()
  const path = usePath()
  const columns: (TableColumn<Event> | false)[] = [
    {
      id: 'topic',
      title: t('event'),
      isMain: true,
      sortValue: ({ topic }) => topic,
      render: ({ topic }) => <code>{topic}</code>,
    },
    { id: 'about', title: t('about'), render: (event) => <ResourceName id={getResourceId(event)} withKind /> },
    !hideSpace && { id: 'space', title: t('space'), render: ({ context }) => <ResourceName id={context.spaceId} /> },
    { id: 'who', title: t('who'), render: ({ context }) => <ResourceName id={context.actorId} /> },
    {
      id: 'created',
      title: t('when'),
      sortValue: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeAgo time={createdAt} />,
    },
  ]
  return (
    <PagedTable
      label={t('events')}
      list={list}
      columns={columns.filter((column) => column !== false)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => path('events', id)}
      empty={empty}
    />
  )
}
