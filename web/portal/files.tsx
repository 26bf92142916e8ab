/** Files that were brought: how far they are, and the way from them to a sheet. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, bytes as bytesOf, save } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Confirm } from '../shared/ui/dialog.tsx'
import { Empty, Shown } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { ActionButtons } from './actions.tsx'
import { type File, filesQuery, jobsQuery, type Space } from './data.ts'
import { Drop } from './drop.tsx'
import { MapFile } from './mapping/begin.tsx'
import { hasRows } from './reading/choice.ts'
import { ReadingDialog } from './reading/dialog.tsx'

export function FilesPage({ space }: { space: Space }) {
  const { t } = useTexts()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('files')}</h1>
      </header>
      <Drop spaceId={space.id} />
      <FileList space={space} />
    </div>
  )
}

export function FileList({ space }: { space: Space }) {
  const { t } = useTexts()
  const files = useQuery(filesQuery(space.id))
  return (
    <Shown of={files}>
      {(all) =>
        all.length === 0 ? (
          <Empty title={t('noFiles')} />
        ) : (
          <ul className="rows">
            {all.map((file) => (
              <FileRow key={file.id} space={space} file={file} />
            ))}
          </ul>
        )
      }
    </Shown>
  )
}

function FileRow({ space, file }: { space: Space; file: File }) {
  const { t, bytes, date } = useTexts()
  const client = useQueryClient()
  const [open, setOpen] = useState<'map' | 'reading' | 'delete'>()
  const jobs = useQuery(jobsQuery(space.id))
  const extraction = (jobs.data ?? []).find((job) => job.source === file.id && job.operation === 'extract')
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE('/api/v1/files/{fileId}', { params: { path: { fileId: file.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['files', space.id] }),
    onError: (error) => toast(error.message, 'error'),
  })
  const download = async () => save(await bytesOf(`/api/v1/files/${file.id}/download`), file.name)
  return (
    <li className="file-row">
      <span className="clip grow" dir="auto">
        {file.name}
      </span>
      <span className="hint">{bytes(file.size)}</span>
      <span className="hint">{date(file.createdAt)}</span>
      <FileState file={file} progress={extraction?.progress} info={extraction?.info} outcome={extraction?.outcome} />
      <ActionButtons space={space} place={{ kind: 'file', id: file.id, actions: file.actions }} />
      {file.workbookId && (
        <Button kind="primary" onClick={() => setOpen('map')}>
          {t('importData')}
        </Button>
      )}
      {(file.status === 'complete' || file.status === 'failed') && hasRows(file) && (
        <Button kind="ghost" aria-label={`${t('howReadShort')}: ${file.name}`} onClick={() => setOpen('reading')}>
          {t('howReadShort')}
        </Button>
      )}
      <Button kind="ghost" onClick={() => void download().catch((error: Error) => toast(error.message, 'error'))}>
        {t('download')}
      </Button>
      <Button kind="ghost" aria-label={`${t('delete')}: ${file.name}`} onClick={() => setOpen('delete')}>
        {t('delete')}
      </Button>
      {open === 'map' && <MapFile space={space} file={file} onClose={() => setOpen(undefined)} />}
      {open === 'reading' && (
        <ReadingDialog
          space={space}
          file={file}
          last={extraction}
          onClose={() => setOpen(undefined)}
          onImport={() => setOpen('map')}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteFile', { name: file.name })}
          action={t('delete')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpen(undefined)}
        />
      )}
    </li>
  )
}

function FileState(given: { file: File; progress?: number; info?: string; outcome?: Record<string, unknown> }) {
  const { t } = useTexts()
  const { file, progress, info, outcome } = given
  if (file.status === 'failed') {
    const reason = String(file.statusReason ?? outcome?.message ?? info ?? t('fileFailed'))
    return (
      <span className="badge bad wrap" title={reason}>
        {reason}
      </span>
    )
  }
  // One that is read again has the workbook of before.
  if (file.status === 'analyzing') return <progress aria-label={t('fileReading')} value={progress} max={100} />
  if (file.workbookId) return <span className="badge good">{t('fileReady')}</span>
  if (file.status === 'analyzed') return <progress aria-label={t('fileReading')} value={progress} max={100} />
  return <span className="badge">{file.status === 'partial' ? t('fileArriving') : t('fileWaiting')}</span>
}
