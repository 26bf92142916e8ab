import { Redo2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Menu } from '../../shared/ui/menu.tsx'
import { ActionButtons } from '../actions.tsx'
import type { Sheet, Space, Workbook } from '../queries.ts'
import { useSheetView } from '../sheet-view-state.ts'
import { type ExportedMessages, exportSheet, FORMATS, type Format } from './changes.ts'
import type { Counts } from './counts.ts'
import { AdvancedToggle, Filters, QueryField, SearchFields } from './filters.tsx'
import type { Query } from './pages.ts'
import type { OpenPanel } from './panels.tsx'
import { Presence } from './presence.tsx'
import type { Undo } from './undo.ts'

interface Props {
  space: Space
  workbook: Workbook
  sheet: Sheet
  query: Query
  overall: Counts | undefined
  warnings: number | undefined
  errors: Readonly<Record<string, number>>
  readonly: boolean
  selected: number
  canShowHistory: boolean
  currentField: string | undefined
  undo: Undo
  subject(): Promise<Record<string, unknown>>
  onAdd(): Promise<void>
  onHistory(): Promise<void>
  onPanel(panel: OpenPanel): void
  onChange(query: Partial<Query>, replaces?: boolean): void
}

export function Toolbar(props: Props) {
  const { space, workbook, sheet, query, undo, onPanel } = props
  const { t } = useTranslation()
  const { hidden } = useSheetView(sheet.id)
  const [isAdvanced, setIsAdvanced] = useState(query.q !== undefined)
  const search = useRef<HTMLInputElement>(null)
  useFindKeys(
    () => search.current?.select(),
    () => onPanel({ kind: 'replace', fieldKey: props.currentField }),
  )
  return (
    <header className="toolbar">
      <div className="toolbar-row">
        <h1 dir="auto">{sheet.name}</h1>
        <Presence spaceId={space.id} sheetId={sheet.id} />
        <span className="grow" />
        <ActionButtons
          space={space}
          workbook={workbook}
          target={{ kind: 'sheet', id: sheet.id, sheet }}
          selected={props.selected}
          subject={props.subject}
        />
        {(props.overall?.error ?? 0) > 0 && (
          <Button kind="primary" onClick={() => onPanel({ kind: 'review' })}>
            {t('reviewErrors')}
          </Button>
        )}
      </div>
      <div className="toolbar-row">
        <Filters {...props} />
        <SearchFields {...props} input={search} />
        <AdvancedToggle isOpen={isAdvanced} onToggle={() => setIsAdvanced(!isAdvanced)} />
        <span className="grow" />
        <UndoButtons undo={undo} readonly={props.readonly} />
        <Button className="wide-only" onClick={() => onPanel({ kind: 'view' })}>
          {t('view')}
          {hidden.length > 0 && <span className="count">{t('hiddenColumns', { count: hidden.length })}</span>}
        </Button>
        <DownloadMenu {...props} />
        <MoreMenu {...props} />
      </div>
      {isAdvanced && <QueryField query={query} onChange={props.onChange} />}
    </header>
  )
}

function UndoButtons({ undo, readonly }: { undo: Undo; readonly: boolean }) {
  const { t } = useTranslation()
  const { undoText, redoText } = undo
  const undoLabel = undoText === undefined ? t('undo') : t('undoWhat', { what: undoText })
  const redoLabel = redoText === undefined ? t('redo') : t('redoWhat', { what: redoText })
  return (
    <>
      <Button
        kind="ghost"
        className="icon"
        aria-label={undoLabel}
        title={undoLabel}
        disabled={undoText === undefined || readonly}
        onClick={undo.undo}
      >
        <Undo2 aria-hidden="true" className="flip" />
      </Button>
      <Button
        kind="ghost"
        className="icon"
        aria-label={redoLabel}
        title={redoLabel}
        disabled={redoText === undefined || readonly}
        onClick={undo.redo}
      >
        <Redo2 aria-hidden="true" className="flip" />
      </Button>
    </>
  )
}

function DownloadMenu({ sheet, query, onPanel }: Props) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const startExport = async (format: Format, messages?: ExportedMessages) => {
    const jobId = await exportSheet(sheet, query, format, messages)
    onPanel({ kind: 'job', jobId, title: messages === 'report' ? t('errorReport') : t('download') })
  }
  return (
    <Menu
      label={t('download')}
      entries={[
        ...FORMATS.map((format) => ({
          id: format,
          label: t('downloadAs', { format: format.toUpperCase() }),
          run: () => void startExport(format).catch(showError),
        })),
        { id: 'comments', label: t('errorComments'), run: () => void startExport('xlsx', 'comments').catch(showError) },
        { id: 'errors', label: t('errorReport'), run: () => void startExport('xlsx', 'report').catch(showError) },
      ]}
    >
      {t('download')} ▾
    </Menu>
  )
}

function MoreMenu({ readonly, canShowHistory, currentField, onAdd, onHistory, onPanel }: Props) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  return (
    <Menu
      label={t('more')}
      entries={[
        {
          id: 'replace',
          label: t('findReplace'),
          disabled: readonly,
          run: () => onPanel({ kind: 'replace', fieldKey: currentField }),
        },
        { id: 'add', label: t('addRecord'), disabled: readonly, run: () => void onAdd().catch(showError) },
        {
          id: 'history',
          label: t('history'),
          disabled: !canShowHistory,
          run: () => void onHistory().catch(showError),
        },
        { id: 'snapshots', label: t('snapshots'), run: () => onPanel({ kind: 'snapshots' }) },
      ]}
    >
      {t('more')} ▾
    </Menu>
  )
}

function useFindKeys(find: () => void, replace: () => void): void {
  const latest = useRef({ find, replace })
  latest.current = { find, replace }
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !(key === 'f' || key === 'h')) return
      if (document.querySelector('[role=dialog]')) return
      event.preventDefault()
      if (key === 'f') latest.current.find()
      else latest.current.replace()
    }
    addEventListener('keydown', handleKeyDown, true)
    return () => removeEventListener('keydown', handleKeyDown, true)
  }, [])
}
