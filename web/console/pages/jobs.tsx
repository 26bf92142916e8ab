import { api, unwrap } from '../../shared/api/client.ts'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import type { Job, PageProps } from '../data.ts'
import { useEnvironmentEvents } from '../follow.ts'
import { PageHeader } from '../parts/page.tsx'
import { useFilter, usePages } from '../parts/paging.tsx'
import { StatusFilter } from '../parts/status-filter.tsx'
import { JobsTable } from '../tables.tsx'

/** Groups of the API's states under the words of the screen. */
const FILTERS: Record<string, { text: TextKey; statuses: readonly Job['status'][] }> = {
  waiting: {
    text: 'jobWaiting',
    statuses: ['created', 'planning', 'scheduled', 'ready', 'waiting', 'parts-completed'],
  },
  running: { text: 'jobRunning', statuses: ['executing'] },
  completed: { text: 'jobCompleted', statuses: ['completed'] },
  failed: { text: 'jobFailed', statuses: ['failed'] },
  canceled: { text: 'jobCanceled', statuses: ['canceled'] },
}

export default function Jobs({ environment }: PageProps) {
  const { t } = useTranslation()
  const [status, setStatus] = useFilter('status')
  useEnvironmentEvents(environment.id, (topic) => (topic.startsWith('job:') ? ['jobs'] : []))
  const list = usePages(['jobs', environment.id, status], (page) =>
    unwrap(
      api.GET('/api/v1/jobs', {
        params: {
          query: { environmentId: environment.id, status: FILTERS[status]?.statuses as Job['status'][], ...page },
        },
      }),
    ),
  )
  return (
    <>
      <PageHeader title={t('jobs')} text={t('jobsText')}>
        <StatusFilter
          value={status}
          statuses={Object.entries(FILTERS).map(([value, { text }]) => ({ value, label: t(text) }))}
          onChange={setStatus}
        />
      </PageHeader>
      <JobsTable list={list} empty={t(status ? 'nothingFound' : 'noJobs')} />
    </>
  )
}
