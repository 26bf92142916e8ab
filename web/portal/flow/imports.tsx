/** The imports of a space: what each has brought, by whom, and how to take it back or repeat it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Repeat, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextField } from '../../shared/ui/controls.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ErrorNotice } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { canChangeJob, filesQuery, getSheets, type Job, type Space, workbooksQuery } from '../queries.ts'
import { isUndone } from './progress.ts'
import { usePersonName } from './use-person-name.ts'

interface ImportResult {
  commitId?: string
  counts?: { created: number; updated: number; deleted: number }
  recipe?: { name: string }
}

const getResult = ({ result }: Job): ImportResult => (result ?? {}) as ImportResult

export function Imports({ space, imports }: { space: Space; imports: readonly Job[] }) {
  const { t } = useTranslation()
  if (imports.length === 0) return null
  return (
    <section>
      <h2>{t('imports')}</h2>
      <ul className="rows">
        {imports.map((job) => (
          <ImportRow key={job.id} space={space} job={job} />
        ))}
      </ul>
    </section>
  )
}

function ImportRow({ space, job }: { space: Space; job: Job }) {
  const { t, date } = useTranslation()
  const [openDialog, setOpenDialog] = useState<'undo' | 'repeat'>()
  const [isKept, setIsKept] = useState(false)
  const files = useQuery(filesQuery(space.id))
  const workbooks = useQuery(workbooksQuery(space.id))
  const getName = usePersonName(space)
  const by = getName(job.createdBy)
  const { commitId, counts, recipe } = getResult(job)
  const file = files.data?.find(({ id, workbookId }) => id === job.fileId || workbookId === job.source)
  const { destinationSheetId } = (job.config ?? {}) as { destinationSheetId?: string }
  const sheet = getSheets(workbooks.data ?? []).find(({ id }) => id === destinationSheetId)
  const name = file?.name ?? t('deletedFile')
  const canChange = canChangeJob(job) && !isUndone(job)
  const facts = [
    ...(counts?.created ? [t('createdSince', { count: counts.created })] : []),
    ...(counts?.updated ? [t('updatedSince', { count: counts.updated })] : []),
    ...(counts?.deleted ? [t('deletedSince', { count: counts.deleted })] : []),
    ...(recipe ? [t('mappedAsLastTime', { name: recipe.name })] : []),
  ]
  return (
    <li className="import-row" aria-label={name}>
      <span className="grow">
        <bdi>{name}</bdi> → <bdi>{sheet?.name}</bdi> <span className="hint">{facts.join(' · ')}</span>
      </span>
      <span className="hint">
        {[...(by ? [t('byPerson', { name: by })] : []), date(job.finishedAt ?? job.createdAt)].join(' · ')}
      </span>
      {isUndone(job) && <span className="badge">{t('importUndone')}</span>}
      {isKept && <span className="badge good">{t('recipeKept')}</span>}
      {canChange && !isKept && !recipe && (
        <Button kind="ghost" aria-label={`${t('sameNextTime')}: ${name}`} onClick={() => setOpenDialog('repeat')}>
          <Repeat aria-hidden="true" /> {t('sameNextTime')}
        </Button>
      )}
      {canChange && commitId && (
        <Button kind="ghost" aria-label={`${t('undo')}: ${name}`} onClick={() => setOpenDialog('undo')}>
          <Undo2 aria-hidden="true" /> {t('undo')}
        </Button>
      )}
      {openDialog === 'undo' && <UndoImport job={job} name={name} onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'repeat' && (
        <KeepRecipe
          job={job}
          name={sheet?.name ?? name}
          onKept={() => setIsKept(true)}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </li>
  )
}

function UndoImport({ job, name, onClose }: { job: Job; name: string; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/jobs/{jobId}/import', { params: { path: { jobId: job.id } } })),
    onSuccess() {
      toast(t('importTakenBack', { name }))
      void client.invalidateQueries()
      onClose()
    },
  })
  return (
    <Dialog title={t('undoImport')} onClose={onClose}>
      {undo.error ? <ErrorNotice error={undo.error} /> : <p>{t('undoImportText', { name })}</p>}
      <div className="actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="danger" busy={undo.isPending} onClick={() => undo.mutate()}>
          {t(undo.error ? 'tryAgain' : 'undoImport')}
        </Button>
      </div>
    </Dialog>
  )
}

export function KeepRecipe(props: { job: Job; name: string; onKept(): void; onClose(): void }) {
  const { t } = useTranslation()
  const [name, setName] = useState(props.name)
  const [notKept, setNotKept] = useState<readonly string[]>()
  const { translate } = useTranslation()
  const keep = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/jobs/{jobId}/recipe', {
          params: { path: { jobId: props.job.id } },
          body: { name, automatic: true },
        }),
      ),
    onSuccess({ data }) {
      toast(t('recipeSaved', { name }))
      props.onKept()
      if (data.notKept.length === 0) props.onClose()
      else setNotKept(data.notKept)
    },
  })
  return (
    <Dialog title={t('sameNextTime')} onClose={props.onClose}>
      {keep.error && <ErrorNotice error={keep.error} />}
      {notKept ? (
        <>
          <p>{t('notRepeated')}</p>
          <ul className="bullets">
            {notKept.map((text) => (
              <li key={text} dir="auto">
                {translate(text)}
              </li>
            ))}
          </ul>
          <div className="actions">
            <Button kind="primary" onClick={props.onClose}>
              {t('close')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="form-text">{t('sameNextTimeText')}</p>
          <TextField label={t('name')} required value={name} onChange={(event) => setName(event.target.value)} />
          <div className="actions">
            <Button onClick={props.onClose}>{t('cancel')}</Button>
            <Button kind="primary" disabled={name.trim() === ''} busy={keep.isPending} onClick={() => keep.mutate()}>
              {t('save')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
