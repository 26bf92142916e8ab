import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, fetchBlob, saveBlob, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { type File, type ObjectPageProps, objectQuery, usePath } from '../data.ts'
import { DeleteButton, useAction } from '../parts/actions.tsx'
import { ResourceName } from '../parts/names.tsx'
import { Details, ObjectView, PageHeader, Section, ShowJson, TimeAgo } from '../parts/page.tsx'
import { usePages } from '../parts/paging.tsx'
import { FileState, JobsTable } from '../tables.tsx'

export default function FilePage({ id }: ObjectPageProps) {
  const { t } = useTranslation()
  const path = usePath()
  const file = useQuery(
    objectQuery(['file', id], () => unwrap(api.GET('/api/v1/files/{fileId}', { params: { path: { fileId: id } } }))),
  )
  const parent = { title: t('files'), href: path('files') }
  return (
    <ObjectView query={file} parent={parent}>
      {(found) => (
        <>
          <PageHeader title={found.name} parent={parent} badge={<FileState status={found.status} />}>
            <FileActions file={found} />
          </PageHeader>
          <FileDetails file={found} />
        </>
      )}
    </ObjectView>
  )
}

function FileActions({ file }: { file: File }) {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const download = useAction(async () => saveBlob(await fetchBlob(`/api/v1/files/${file.id}/download`), file.name), [])
  return (
    <>
      <DeleteButton
        name={file.name}
        kind="danger"
        text={t('deleteFile', { name: file.name })}
        onDelete={() => unwrap(api.DELETE('/api/v1/files/{fileId}', { params: { path: { fileId: file.id } } }))}
        onDone={() => navigate(path('files'))}
        invalidates={['files']}
      />
      <Button kind="primary" busy={download.isPending} onClick={() => download.mutate()}>
        {t('download')}
      </Button>
    </>
  )
}

function FileDetails({ file }: { file: File }) {
  const { t, bytes, translate } = useTranslation()
  const jobs = usePages(['jobs', file.environmentId, 'file', file.id], (page) =>
    unwrap(
      api.GET('/api/v1/jobs', {
        params: { query: { environmentId: file.environmentId, fileId: file.id, ...page } },
      }),
    ),
  )
  return (
    <>
      <Details
        items={[
          [t('space'), <ResourceName key="space" id={file.spaceId} />],
          [t('problem'), file.statusReason && translate(file.statusReason)],
          [t('size'), bytes(file.size)],
          [t('kind'), file.ext.toUpperCase()],
          [t('encoding'), file.encoding],
          [t('uploaded'), <TimeAgo key="created" time={file.createdAt} />],
          [t('changed'), <TimeAgo key="changed" time={file.updatedAt} />],
        ]}
      />
      <Section title={t('jobs')}>
        <JobsTable list={jobs} empty={t('noJobs')} hideSpace />
      </Section>
      <ShowJson value={file} />
    </>
  )
}
