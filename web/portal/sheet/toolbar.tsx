/** Above a sheet: which records are shown, and what is done with them or with those selected. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useSession } from '../../shared/api/session.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { Menu } from '../../shared/ui/menu.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { ActionButtons } from '../actions.tsx'
import { NewClip } from '../clips/new-clip.tsx'
import { isTarget, type Sheet, type Space, type Workbook } from '../data.ts'
import { JobDialog } from '../jobs.tsx'
import { show, useShowing } from '../showing.ts'
import { deleteRecords, exportSheet, type Format, subjectOf } from './changes.ts'
import type { Counts } from './counts.ts'
import { Filters, Searching } from './filters.tsx'
import { FindReplace } from './find-replace.tsx'
import type { GridHandle } from './grid.tsx'
import { History } from './history.tsx'
import type { Query } from './pages.ts'
import { Snapshots } from './snapshots.tsx'
import type { Undo } from './undo.ts'
import { View } from './view.tsx'

interface Given {
  space: Space
  workbook: Workbook
  sheet: Sheet
  query: Query
  /** Of the whole sheet. */
  overall: Counts | undefined
  errorsByField: Record<string, number>
  /** Shown by the query. */
  rows: number
  readonly: boolean
  selection: GridSelection
  handle: RefObject<GridHandle | null>
  undo: Undo
  onChange(query: Partial<Query>): void
  onRenew(): void
}

type Open = 'replace' | 'snapshots' | 'history' | 'delete' | 'view' | 'clip' | undefined

export function Toolbar(given: Given) {
  const { space, workbook, sheet, query, rows, readonly, selection, handle, undo } = given
  const { t, number } = useTexts()
  const [open, setOpen] = useState<Open>()
  const [job, setJob] = useState<{ id: string; title: string }>()
  const [recordId, setRecordId] = useState<string>()
  const { hidden, snapshotId, revision } = useShowing(sheet.id)
  // What follows a job may be to look at a snapshot.
  useEffect(() => {
    if (snapshotId) setOpen('snapshots')
  }, [snapshotId])
  const selected = selection.rows.length
  // Guests work on clips; who administers makes them.
  const mayClip = useSession()?.kind === 'user' && isTarget(workbook)
  const everything = selected > 0 && selected === rows
  const remove = useMutation({
    mutationFn: () => deleteRecords(sheet, query, everything ? 'all' : selection.rows.toArray(), handle.current!),
    onSuccess(jobId) {
      setOpen(undefined)
      if (jobId) setJob({ id: jobId, title: t('delete') })
      given.onRenew()
    },
    onError: (error) => toast(error.message, 'error'),
  })
  const add = useMutation({
    mutationFn: () =>
      ask(api.POST('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId: sheet.id } }, body: [{}] })),
    onSuccess: given.onRenew,
    onError: (error) => toast(error.message, 'error'),
  })
  const take = async (format: Format, errors = false) => {
    const id = await exportSheet(sheet, query, format, errors)
    setJob({ id, title: errors ? t('errorReport') : t('download') })
  }
  const told = (error: Error) => toast(error.message, 'error')
  const showHistory = async () => {
    const row = selection.current?.cell[1] ?? selection.rows.first()
    const [record] = row === undefined ? [] : await handle.current!.records([row])
    if (record) {
      setRecordId(record.id)
      setOpen('history')
    }
  }
  return (
    <header className="toolbar">
      <div className="toolbar-row">
        <h1 dir="auto">{sheet.name}</h1>
        <Filters {...given} />
        <span className="grow" />
        <ActionButtons
          space={space}
          workbook={workbook}
          place={{ kind: 'sheet', id: sheet.id, sheet }}
          selected={selected}
          subject={() => subjectOf(given)}
        />
        <Button disabled={undo.steps === 0 || readonly} busy={undo.busy} onClick={undo.run}>
          {t('undo')}
        </Button>
        <Button onClick={() => setOpen('view')}>
          {t('view')}
          {hidden.length > 0 && <span className="count">{t('hiddenColumns', { count: number(hidden.length) })}</span>}
        </Button>
        <Menu
          label={t('download')}
          entries={[
            ...(['csv', 'xlsx', 'json', 'jsonl'] as const).map((format) => ({
              id: format,
              label: t('downloadAs', { format: format.toUpperCase() }),
              run: () => void take(format).catch(told),
            })),
            { id: 'errors', label: t('errorReport'), run: () => void take('xlsx', true).catch(told) },
          ]}
        >
          {t('download')} ▾
        </Menu>
        <Menu
          label={t('more')}
          entries={[
            { id: 'replace', label: t('findReplace'), disabled: readonly, run: () => setOpen('replace') },
            { id: 'add', label: t('addRecord'), disabled: readonly, run: () => add.mutate() },
            {
              id: 'history',
              label: t('history'),
              disabled: !selection.current && selected === 0,
              run: () => void showHistory().catch(told),
            },
            { id: 'snapshots', label: t('snapshots'), run: () => setOpen('snapshots') },
          ]}
        >
          {t('more')} ▾
        </Menu>
      </div>
      <Searching key={revision} {...given} />
      {selected > 0 && (
        <div className="toolbar-row selection" role="status">
          <span>{t('selected', { count: number(selected) })}</span>
          {mayClip && <Button onClick={() => setOpen('clip')}>{t('makeClip')}</Button>}
          <Button kind="danger" disabled={readonly} onClick={() => setOpen('delete')}>
            {t('delete')}
          </Button>
        </div>
      )}
      {open === 'replace' && (
        <FindReplace sheet={sheet} query={query} onClose={() => setOpen(undefined)} onDone={given.onRenew} />
      )}
      {open === 'snapshots' && (
        <Snapshots
          sheet={sheet}
          compared={snapshotId}
          onClose={() => {
            setOpen(undefined)
            show(sheet.id, { snapshotId: undefined }, true)
          }}
          onRestored={given.onRenew}
        />
      )}
      {open === 'view' && (
        <View
          space={space}
          workbook={workbook}
          sheet={sheet}
          selected={selected}
          subject={(columnKey) => subjectOf(given, columnKey)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'history' && recordId && (
        <History sheet={sheet} recordId={recordId} onClose={() => setOpen(undefined)} />
      )}
      {open === 'clip' && (
        <NewClip
          space={space}
          sheet={sheet}
          selected={selected}
          subject={() => subjectOf(given)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={t('delete')}
          text={t('deleteRecords', { count: number(selected) })}
          action={t('delete')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpen(undefined)}
        />
      )}
      {job && (
        <JobDialog
          space={space}
          jobId={job.id}
          title={job.title}
          onClose={() => {
            setJob(undefined)
            given.onRenew()
          }}
        />
      )}
    </header>
  )
}
