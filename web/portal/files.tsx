import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, fetchBlob, saveBlob, unwrap } from '../shared/api/client.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Button } from '../shared/ui/controls.tsx'
import { Confirm } from '../shared/ui/dialog.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { Empty, QueryView } from '../shared/ui/states.tsx'
import { ActionButtons } from './actions.tsx'
import { DropZone } from './drop-zone.tsx'
import { isRowBased } from './file-options/choice.ts'
import { FileOptionsDialog } from './file-options/dialog.tsx'
import { isMapping, isUndone } from './flow/progress.ts'
import { MapFile } from './mapping/map-file.tsx'
import { describeJob } from './outcome.tsx'
import { type File, filesQuery, type Job, jobsQuery, type Space } from './queries.ts'
import { UnlockDialog } from './unlock-dialog.tsx'

export function FilesPage({ space }: { space: Space }) {
  const { t } = useTranslation()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('files')}</h1>
      </header>
      <DropZone spaceId={space.id} />
      <FileList space={space} />
    </div>
  )
}

export function FileList({ space }: { space: Space }) {
  const { t } = useTranslation()
  const files = useQuery(filesQuery(space.id))
  return (
    <QueryView query={files}>
      {(fileList) =>
        fileList.length === 0 ? (
          <Empty title={t('noFiles')} />
        ) : (
          <ul className="rows">
            {fileList.map((file) => (
              <FileRow key={file.id} space={space} file={file} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function FileRow({ space, file }: { space: Space; file: File }) {
  const { t, bytes, date } = useTranslation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const [openDialog, setOpenDialog] = useState<'map' | 'reading' | 'unlock' | 'delete'>()
  const jobs = useQuery(jobsQuery(space.id))
  const isImported = (jobs.data ?? []).some(
    (job) => isMapping(job) && job.status === 'completed' && job.source === file.workbookId && !isUndone(job),
  )
  const extraction = (jobs.data ?? []).find((job) => job.source === file.id && job.operation === 'extract')
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/files/{fileId}', { params: { path: { fileId: file.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['files', space.id] }),
    onError: showError,
  })
  const download = async () => saveBlob(await fetchBlob(`/api/v1/files/${file.id}/download`), file.name)
  return (
    <li className="file-row">
      <span className="clip grow" dir="auto">
        {file.name}
      </span>
      <span className="hint">{bytes(file.size)}</span>
      <span className="hint">{date(file.createdAt)}</span>
      <FileState file={file} extraction={extraction} isImported={isImported} />
      <ActionButtons space={space} target={{ kind: 'file', id: file.id, actions: file.actions }} />
      {file.workbookId && (
        <Button kind={isImported ? 'ghost' : 'plain'} onClick={() => setOpenDialog('map')}>
          {t('importData')}
        </Button>
      )}
      {file.passwordRequired && (
        <Button aria-label={`${t('enterPassword')}: ${file.name}`} onClick={() => setOpenDialog('unlock')}>
          {t('enterPassword')}
        </Button>
      )}
      {(file.status === 'complete' || file.status === 'failed') && isRowBased(file) && !file.passwordRequired && (
        <Button kind="ghost" aria-label={`${t('fileOptions')}: ${file.name}`} onClick={() => setOpenDialog('reading')}>
          {t('fileOptions')}
        </Button>
      )}
      <Button kind="ghost" onClick={() => void download().catch(showError)}>
        {t('download')}
      </Button>
      <Button kind="ghost" aria-label={`${t('delete')}: ${file.name}`} onClick={() => setOpenDialog('delete')}>
        {t('delete')}
      </Button>
      {openDialog === 'map' && <MapFile space={space} file={file} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'reading' && (
        <FileOptionsDialog
          space={space}
          file={file}
          lastExtraction={extraction}
          onClose={() => setOpenDialog(undefined)}
          onImport={() => setOpenDialog('map')}
        />
      )}
      {openDialog === 'unlock' && <UnlockDialog file={file} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteFile', { name: file.name })}
          action={t('delete')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </li>
  )
}

interface StateProps {
  file: File
  extraction: Job | undefined
  isImported: boolean
}

function FileState({ file, extraction, isImported }: StateProps) {
  const i18n = useTranslation()
  const { t } = i18n
  if (file.status === 'failed') {
    const jobMessage = extraction && describeJob(extraction, i18n)
    const reason = file.statusReason ? i18n.translate(file.statusReason) : jobMessage || t('fileFailed')
    return (
      <span className="badge bad wrap" title={reason}>
        {reason}
      </span>
    )
  }
  if (file.status === 'analyzing')
    return <progress aria-label={t('fileReading')} value={extraction?.progress} max={100} />
  if (isImported) return <span className="badge">{t('fileImported')}</span>
  if (file.workbookId) return <span className="badge good">{t('fileReady')}</span>
  if (file.status === 'analyzed')
    return <progress aria-label={t('fileReading')} value={extraction?.progress} max={100} />
  return <span className="badge">{file.status === 'partial' ? t('fileUploading') : t('fileWaiting')}</span>
}
