/** The toolbar of a sheet. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useSession } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Menu } from '../../shared/ui/menu.tsx'
import { ActionButtons } from '../actions.tsx'
import { NewClip } from '../clips/new-clip.tsx'
import { JobDialog } from '../jobs.tsx'
import { isTargetWorkbook, type Sheet, type Space, type Workbook } from '../queries.ts'
import { setSheetView, useSheetView } from '../sheet-view-state.ts'
import { buildSubject, deleteRecords, exportSheet, type Format } from './changes.ts'
import type { Counts } from './counts.ts'
import { Filters, SearchFields } from './filters.tsx'
import { FindReplace } from './find-replace.tsx'
import type { GridHandle } from './grid.tsx'
import { History } from './history.tsx'
import type { Query } from './pages.ts'
import { Review } from './review.tsx'
import { Snapshots } from './snapshots.tsx'
import type { Undo } from './undo.ts'
import { ViewDrawer } from './view.tsx'

interface Props {
  space: Space
  workbook: Workbook
  sheet: Sheet
  query: Query
  overall: Counts | undefined
  errorsByField: Record<string, number>
  rows: number
  readonly: boolean
  selection: GridSelection
  handle: RefObject<GridHandle | null>
  undo: Undo
  onChange(query: Partial<Query>): void
  onRefresh(): void
}

type OpenPanel = 'review' | 'replace' | 'snapshots' | 'history' | 'delete' | 'view' | 'clip' | undefined

export function Toolbar(props: Props) {
  const { space, workbook, sheet, query, rows, readonly, selection, handle, undo } = props
  const { t } = useTranslation()
  const showError = useErrorToast()
  const [openPanel, setOpenPanel] = useState<OpenPanel>()
  const [job, setJob] = useState<{ id: string; title: string }>()
  const [recordId, setRecordId] = useState<string>()
  const { hidden, snapshotId, revision } = useSheetView(sheet.id)
  useEffect(() => {
    if (snapshotId) setOpenPanel('snapshots')
  }, [snapshotId])
  const selected = selection.rows.length
  const canCreateClip = useSession()?.kind === 'user' && isTargetWorkbook(workbook)
  const allSelected = selected > 0 && selected === rows
  const remove = useMutation({
    mutationFn: () => deleteRecords(sheet, query, allSelected ? 'all' : selection.rows.toArray(), handle.current!),
    onSuccess(jobId) {
      setOpenPanel(undefined)
      if (jobId) setJob({ id: jobId, title: t('delete') })
      props.onRefresh()
    },
    onError: showError,
  })
  const add = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId: sheet.id } }, body: [{}] })),
    onSuccess: props.onRefresh,
    onError: showError,
  })
  const startExport = async (format: Format, errors = false) => {
    const id = await exportSheet(sheet, query, format, errors)
    setJob({ id, title: errors ? t('errorReport') : t('download') })
  }
  const showHistory = async () => {
    const row = selection.current?.cell[1] ?? selection.rows.first()
    const [record] = row === undefined ? [] : await handle.current!.records([row])
    if (record) {
      setRecordId(record.id)
      setOpenPanel('history')
    }
  }
  return (
    <header className="toolbar">
      <div className="toolbar-row">
        <h1 dir="auto">{sheet.name}</h1>
        <Filters {...props} />
        <span className="grow" />
        <ActionButtons
          space={space}
          workbook={workbook}
          target={{ kind: 'sheet', id: sheet.id, sheet }}
          selected={selected}
          subject={() => buildSubject(props)}
        />
        {(props.overall?.error ?? 0) > 0 && (
          <Button kind="primary" onClick={() => setOpenPanel('review')}>
            {t('reviewErrors')}
          </Button>
        )}
        <Button disabled={undo.steps === 0 || readonly} busy={undo.busy} onClick={undo.run}>
          {t('undo')}
        </Button>
        <Button onClick={() => setOpenPanel('view')}>
          {t('view')}
          {hidden.length > 0 && <span className="count">{t('hiddenColumns', { count: hidden.length })}</span>}
        </Button>
        <Menu
          label={t('download')}
          entries={[
            ...(['csv', 'xlsx', 'json', 'jsonl'] as const).map((format) => ({
              id: format,
              label: t('downloadAs', { format: format.toUpperCase() }),
              run: () => void startExport(format).catch(showError),
            })),
            { id: 'errors', label: t('errorReport'), run: () => void startExport('xlsx', true).catch(showError) },
          ]}
        >
          {t('download')} ▾
        </Menu>
        <Menu
          label={t('more')}
          entries={[
            { id: 'replace', label: t('findReplace'), disabled: readonly, run: () => setOpenPanel('replace') },
            { id: 'add', label: t('addRecord'), disabled: readonly, run: () => add.mutate() },
            {
              id: 'history',
              label: t('history'),
              disabled: !selection.current && selected === 0,
              run: () => void showHistory().catch(showError),
            },
            { id: 'snapshots', label: t('snapshots'), run: () => setOpenPanel('snapshots') },
          ]}
        >
          {t('more')} ▾
        </Menu>
      </div>
      <SearchFields key={revision} {...props} />
      {selected > 0 && (
        <div className="toolbar-row selection" role="status">
          <span>{t('selected', { count: selected })}</span>
          {canCreateClip && <Button onClick={() => setOpenPanel('clip')}>{t('createClip')}</Button>}
          <Button kind="danger" disabled={readonly} onClick={() => setOpenPanel('delete')}>
            {t('delete')}
          </Button>
        </div>
      )}
      {openPanel === 'review' && (
        <Review
          sheet={sheet}
          readonly={readonly}
          onShow={(fieldKey) => {
            setOpenPanel(undefined)
            props.onChange({ filter: 'error', filterField: fieldKey })
          }}
          onChanged={props.onRefresh}
          onClose={() => setOpenPanel(undefined)}
        />
      )}
      {openPanel === 'replace' && (
        <FindReplace sheet={sheet} query={query} onClose={() => setOpenPanel(undefined)} onDone={props.onRefresh} />
      )}
      {openPanel === 'snapshots' && (
        <Snapshots
          sheet={sheet}
          compared={snapshotId}
          onClose={() => {
            setOpenPanel(undefined)
            setSheetView(sheet.id, { snapshotId: undefined }, true)
          }}
          onRestored={props.onRefresh}
        />
      )}
      {openPanel === 'view' && (
        <ViewDrawer
          space={space}
          workbook={workbook}
          sheet={sheet}
          selected={selected}
          subject={(columnKey) => buildSubject(props, columnKey)}
          onClose={() => setOpenPanel(undefined)}
        />
      )}
      {openPanel === 'history' && recordId && (
        <History sheet={sheet} recordId={recordId} onClose={() => setOpenPanel(undefined)} />
      )}
      {openPanel === 'clip' && (
        <NewClip
          space={space}
          sheet={sheet}
          selected={selected}
          subject={() => buildSubject(props)}
          onClose={() => setOpenPanel(undefined)}
        />
      )}
      {openPanel === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteRecords', { count: selected })}
          action={t('delete')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpenPanel(undefined)}
        />
      )}
      {job && (
        <JobDialog
          space={space}
          jobId={job.id}
          title={job.title}
          onClose={() => {
            setJob(undefined)
            props.onRefresh()
          }}
        />
      )}
    </header>
  )
}
