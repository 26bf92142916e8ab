/** Above a sheet: which records are shown, and what is done with them or with those selected. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { Confirm } from '../../shared/ui/dialog.tsx'
import { Menu } from '../../shared/ui/menu.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { ActionButtons } from '../actions.tsx'
import type { Sheet, Space } from '../data.ts'
import { JobDialog } from '../jobs.tsx'
import { deleteRecords, exportSheet, type Format } from './changes.ts'
import type { Counts } from './counts.ts'
import { FindReplace } from './find-replace.tsx'
import type { GridHandle } from './grid.tsx'
import { History } from './history.tsx'
import type { Query } from './pages.ts'
import { Snapshots } from './snapshots.tsx'

interface Given {
  space: Space
  sheet: Sheet
  query: Query
  /** Of the whole sheet. */
  overall: Counts | undefined
  /** Shown by the query. */
  rows: number
  readonly: boolean
  selection: GridSelection
  handle: RefObject<GridHandle | null>
  onChange(query: Partial<Query>): void
  onRenew(): void
}

type Open = 'replace' | 'snapshots' | 'history' | 'delete' | undefined
const TYPING_MS = 300

export function Toolbar(given: Given) {
  const { space, sheet, query, rows, readonly, selection, handle } = given
  const { t, number } = useTexts()
  const [open, setOpen] = useState<Open>()
  const [job, setJob] = useState<{ id: string; title: string }>()
  const [recordId, setRecordId] = useState<string>()
  const selected = selection.rows.length
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
          actions={sheet.config.actions ? (sheet.config.actions as never) : []}
          type="sheet"
          source={sheet.id}
          selected={selected}
          subject={{ type: 'collection', resource: 'records', params: { sheetId: sheet.id }, query }}
        />
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
      <Searching {...given} />
      {selected > 0 && (
        <div className="toolbar-row selection" role="status">
          <span>{t('selected', { count: number(selected) })}</span>
          <Button kind="danger" disabled={readonly} onClick={() => setOpen('delete')}>
            {t('delete')}
          </Button>
        </div>
      )}
      {open === 'replace' && (
        <FindReplace sheet={sheet} query={query} onClose={() => setOpen(undefined)} onDone={given.onRenew} />
      )}
      {open === 'snapshots' && (
        <Snapshots sheet={sheet} onClose={() => setOpen(undefined)} onRestored={given.onRenew} />
      )}
      {open === 'history' && recordId && (
        <History sheet={sheet} recordId={recordId} onClose={() => setOpen(undefined)} />
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

function Filters({ sheet, query, overall, onChange }: Given) {
  const { t, number } = useTexts()
  const kinds = [
    { filter: undefined, text: t('all'), count: overall?.total },
    { filter: 'valid', text: t('valid'), count: overall?.valid },
    { filter: 'error', text: t('invalid'), count: overall?.error },
  ] as const
  const errors = overall?.errorsByField ?? {}
  const broken = sheet.config.fields.filter(({ key }) => errors[key])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div className="segments" role="group" aria-label={t('filter')}>
        {kinds.map(({ filter, text, count }) => (
          <button
            key={text}
            type="button"
            aria-pressed={query.filter === filter}
            onClick={() => onChange({ filter, filterField: undefined })}
          >
            {text} {count !== undefined && <span className="count">{number(count)}</span>}
          </button>
        ))}
      </div>
      {query.filter === 'error' && (
        <SelectField
          hideLabel
          label={t('errorsIn')}
          value={query.filterField ?? ''}
          options={[
            { value: '', label: t('errorsAnywhere') },
            ...broken.map(({ key, label }) => ({ value: key, label: `${label || key} (${number(errors[key]!)})` })),
          ]}
          onChange={(event) => onChange({ filterField: event.target.value || undefined })}
        />
      )}
    </>
  )
}

function Searching({ sheet, query, onChange }: Given) {
  const { t } = useTexts()
  const [text, setText] = useState('')
  const [expression, setExpression] = useState('')
  useEffect(() => {
    if ((query.searchValue ?? '') === text) return
    const timer = setTimeout(() => onChange({ searchValue: text || undefined }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, query.searchValue, onChange])
  return (
    <search className="toolbar-row">
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SelectField
        hideLabel
        label={t('searchIn')}
        value={query.searchField ?? ''}
        options={[
          { value: '', label: t('everyField') },
          ...sheet.config.fields.map(({ key, label }) => ({ value: key, label: label || key })),
        ]}
        onChange={(event) => onChange({ searchField: event.target.value || undefined })}
      />
      <form
        className="grow query"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ q: expression || undefined })
        }}
      >
        <input
          aria-label={t('query')}
          placeholder={t('queryExample')}
          value={expression}
          spellCheck={false}
          dir="ltr"
          onChange={(event) => setExpression(event.target.value)}
        />
        <Button type="submit">{t('apply')}</Button>
      </form>
    </search>
  )
}
