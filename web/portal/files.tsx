/** Files that were brought: how far they are, and the way from them to a sheet. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask, bytes as bytesOf, save } from '../shared/api/client.ts'
import { useTexts } from '../shared/texts/texts.tsx'
import { Button, SelectField } from '../shared/ui/controls.tsx'
import { Confirm, Dialog } from '../shared/ui/dialog.tsx'
import { Empty, Failure, Shown } from '../shared/ui/states.tsx'
import { toast } from '../shared/ui/toast.tsx'
import { ActionButtons } from './actions.tsx'
import { type File, filesQuery, isTarget, jobsQuery, type Space, sheetsOf, workbooksQuery } from './data.ts'
import { Drop } from './drop.tsx'

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
  const [open, setOpen] = useState<'map' | 'delete'>()
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
      <Button kind="ghost" onClick={() => void download().catch((error: Error) => toast(error.message, 'error'))}>
        {t('download')}
      </Button>
      <Button kind="ghost" aria-label={`${t('delete')}: ${file.name}`} onClick={() => setOpen('delete')}>
        {t('delete')}
      </Button>
      {open === 'map' && <MapFile space={space} file={file} onClose={() => setOpen(undefined)} />}
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
  if (file.status === 'failed')
    return (
      <span className="badge bad wrap" title={String(outcome?.message ?? info ?? '')}>
        {String(outcome?.message ?? info ?? t('fileFailed'))}
      </span>
    )
  if (file.workbookId) return <span className="badge good">{t('fileReady')}</span>
  if (file.status === 'analyzing' || file.status === 'analyzed')
    return <progress aria-label={t('fileReading')} value={progress} max={100} />
  return <span className="badge">{file.status === 'partial' ? t('fileArriving') : t('fileWaiting')}</span>
}

/** Chooses which sheet of the file goes into which sheet of the space. */
function MapFile({ space, file, onClose }: { space: Space; file: File; onClose(): void }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const workbooks = useQuery(workbooksQuery(space.id))
  const all = workbooks.data ?? []
  const sources = sheetsOf(all.filter(({ id }) => id === file.workbookId))
  const targets = all.filter((each) => isTarget(each) && each.id !== file.workbookId)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const source = sources.find(({ id }) => id === from) ?? sources[0]
  const target = sheetsOf(targets).find(({ id }) => id === to) ?? sheetsOf(targets)[0]
  const map = useMutation({
    mutationFn: () =>
      ask(
        api.POST('/api/v1/jobs', {
          body: {
            type: 'workbook',
            operation: 'map',
            source: source!.workbookId,
            destination: target!.workbookId,
            fileId: file.id,
            managed: true,
            config: { sourceSheetId: source!.id, destinationSheetId: target!.id },
          },
        }),
      ),
    onSuccess: ({ data }) => go(`/s/${space.id}/map/${data.id}`),
  })
  const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return (
    <Dialog title={t('importData')} onClose={onClose}>
      {map.error && <Failure error={map.error} />}
      <Shown of={workbooks}>
        {() =>
          target && source ? (
            <>
              <SelectField
                label={t('fromSheet')}
                options={sources.map(option)}
                value={source.id}
                onChange={(event) => setFrom(event.target.value)}
              />
              <SelectField
                label={t('intoSheet')}
                options={sheetsOf(targets).map(option)}
                value={target.id}
                onChange={(event) => setTo(event.target.value)}
              />
            </>
          ) : (
            <Empty title={t('noSheets')} />
          )
        }
      </Shown>
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" disabled={!target || !source} busy={map.isPending} onClick={() => map.mutate()}>
          {t('continue')}
        </Button>
      </div>
    </Dialog>
  )
}
