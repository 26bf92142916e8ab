import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import type { Space } from '../data.ts'
import { usePages } from '../parts/paging.tsx'
import { EventsTable, FilesTable, JobsTable } from '../tables.tsx'

export function SpaceFiles({ space: { id: spaceId, environmentId } }: { space: Space }) {
  const { t } = useTranslation()
  const list = usePages(['files', environmentId, 'space', spaceId], (page) =>
    unwrap(api.GET('/api/v1/files', { params: { query: { spaceId, ...page } } })),
  )
  return <FilesTable list={list} empty={t('noFilesAnywhere')} hideSpace />
}

export function SpaceJobs({ space: { id: spaceId, environmentId } }: { space: Space }) {
  const { t } = useTranslation()
  const list = usePages(['jobs', environmentId, 'space', spaceId], (page) =>
    unwrap(api.GET('/api/v1/jobs', { params: { query: { spaceId, excludeChildJobs: true, ...page } } })),
  )
  return <JobsTable list={list} empty={t('noJobs')} hideSpace />
}

export function SpaceActivity({ space: { id: spaceId, environmentId } }: { space: Space }) {
  const { t } = useTranslation()
  const list = usePages(['events', environmentId, 'space', spaceId], (page) => {
    const query = { spaceId, includeAcknowledged: true, sortDirection: 'desc', ...page } as const
    return unwrap(api.GET('/api/v1/events', { params: { query } }))
  })
  return <EventsTable list={list} empty={t('noEvents')} hideSpace />
}
