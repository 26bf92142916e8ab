import type { GridSelection } from '@glideapps/glide-data-grid'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../shared/api/session.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { PHONE, useMedia } from '../../shared/ui/media.ts'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { ClipBar } from '../clips/bar.tsx'
import { onSheetChange } from '../follow-space.ts'
import { invalidate } from '../invalidate.ts'
import {
  getSheets,
  isTargetWorkbook,
  type Sheet,
  type SheetField,
  type Space,
  type Workbook,
  workbooksQuery,
} from '../queries.ts'
import { setSheetView, useSheetView } from '../sheet-view-state.ts'
import { useSheetQuery } from './address.ts'
import { Cards } from './cards.tsx'
import { CellMenu } from './cell-menu.tsx'
import { buildSubject } from './changes.ts'
import { ColumnMenu, type OpenColumn } from './column-menu.tsx'
import { useCommentedRecords } from './comments.tsx'
import { type Counts, useSheetCounts } from './counts.ts'
import { Grid, type GridHandle, NO_SELECTION, type OpenCell } from './grid.tsx'
import type { Query } from './pages.ts'
import { type OpenPanel, Panels } from './panels.tsx'
import { Toolbar } from './toolbar.tsx'
import { useUndo } from './undo.ts'
import { useWrites } from './writes.ts'
import './sheet.css'

export default function SheetPage({ space, sheetId }: { space: Space; sheetId: string }) {
  const { t } = useTranslation()
  const workbooks = useQuery(workbooksQuery(space.id))
  return (
    <QueryView query={workbooks}>
      {(all) => {
        const sheet = getSheets(all).find(({ id }) => id === sheetId)
        const workbook = all.find(({ id }) => id === sheet?.workbookId)
        if (!sheet || !workbook) return <Empty title={t('pageMissing')} />
        return <SheetView space={space} workbook={workbook} sheet={sheet} />
      }}
    </QueryView>
  )
}

/** Positions stay while rows are edited that the query no longer selects; `generation` ends that. */
function useHeldRows(queryKey: string, rows: number | undefined) {
  const [held, setHeld] = useState<{ queryKey: string; rows: number }>()
  const [generation, setGeneration] = useState(0)
  const latestRows = useRef(rows)
  latestRows.current = rows
  const current = held?.queryKey === queryKey ? held : undefined
  const hold = useCallback(
    () =>
      setHeld((previous) => (previous?.queryKey === queryKey ? previous : { queryKey, rows: latestRows.current ?? 0 })),
    [queryKey],
  )
  const isHeld = useRef(false)
  isHeld.current = current !== undefined
  const release = useCallback(() => {
    if (!isHeld.current) return
    setHeld(undefined)
    setGeneration((previous) => previous + 1)
  }, [])
  return { held: current, hold, release, generation }
}

function SheetView({ space, workbook, sheet }: { space: Space; workbook: Workbook; sheet: Sheet }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const isPhone = useMedia(PHONE)
  const canCreateClip = useSession()?.kind === 'user' && isTargetWorkbook(workbook)
  const { hidden, revision, freezesFirst } = useSheetView(sheet.id)
  const fieldKeys = useMemo(() => sheet.config.fields.map(({ key }) => key), [sheet.config.fields])
  const { query, setQuery } = useSheetQuery(fieldKeys)
  const queryKey = JSON.stringify(query)
  const [selection, setSelection] = useState<GridSelection>(NO_SELECTION)
  const [failure, setFailure] = useState<unknown>()
  const [column, setColumn] = useState<OpenColumn>()
  const [cell, setCell] = useState<OpenCell>()
  const [panel, setPanel] = useState<OpenPanel>()
  const [target, setTarget] = useState<{ fieldKey: string }>()
  const handle = useRef<GridHandle | null>(null)
  const { counts, overall, warnings, errors } = useSheetCounts(sheet.id, query)
  const { held, hold, release, generation } = useHeldRows(queryKey, counts.data && getRowCount(counts.data, query))
  const commented = useCommentedRecords(sheet.id)
  useEffect(
    () =>
      onSheetChange((changed) => {
        if (changed === sheet.id || changed === '') handle.current?.refresh()
      }),
    [sheet.id],
  )
  const latestQuery = useRef(query)
  latestQuery.current = query
  const changeQuery = useCallback(
    (next: Partial<Query>, replaces = false) => {
      release()
      const merged = removeEmpty({ ...latestQuery.current, ...next })
      const fieldKey = next.filterField ?? next.searchField
      if (fieldKey) setTarget({ fieldKey })
      if (JSON.stringify(merged) !== JSON.stringify(latestQuery.current)) setQuery(merged, replaces)
    },
    [release, setQuery],
  )
  const sort = useCallback(
    (sortField: string, direction?: 'asc' | 'desc') => {
      const { sortField: field, sortDirection: current } = latestQuery.current
      const next = direction ?? (field !== sortField ? 'asc' : current === 'asc' ? 'desc' : undefined)
      changeQuery(next ? { sortField, sortDirection: next } : { sortField: undefined, sortDirection: undefined })
    },
    [changeQuery],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected rows change position
  useEffect(() => {
    setFailure(undefined)
    setSelection(NO_SELECTION)
  }, [revision, hidden, queryKey])
  const staleField = query.filter === 'error' && !held && byFieldIsEmpty(errors, query) ? query.filterField : undefined
  useEffect(() => {
    if (staleField !== undefined) changeQuery({ filterField: undefined }, true)
  }, [staleField, changeQuery])
  const refresh = useCallback(() => {
    handle.current?.refresh()
    for (const name of ['counts', 'cards']) invalidate(client, [name, sheet.id])
  }, [client, sheet.id])
  const undo = useUndo(sheet.id, refresh)
  const { write, addRow, remove } = useWrites({ sheet, query, handle, track: undo.track, refresh })
  const refreshAndDeselect = useCallback(() => {
    setSelection(NO_SELECTION)
    release()
    refresh()
    invalidate(client, ['changes', sheet.id])
  }, [client, sheet.id, refresh, release])
  const fields = useMemo(() => {
    const visibleFields = sheet.config.fields.filter(({ key }) => !hidden.includes(key))
    return visibleFields.length > 0 ? visibleFields : sheet.config.fields
  }, [sheet.config.fields, hidden])
  const readonly = sheet.lockedBy !== undefined || (sheet.config as { readonly?: boolean }).readonly === true
  const rows = held?.rows ?? (counts.data ? getRowCount(counts.data, query) : 0)
  const isFiltered = Object.keys(query).some((name) => !name.startsWith('sort'))
  const currentField = selection.current && (fields[selection.current.cell[0]] as SheetField | undefined)
  const showField = (fieldKey: string) => {
    changeQuery({ filter: 'error', filterField: fieldKey, searchValue: undefined, q: undefined })
    setTarget({ fieldKey })
  }
  const subjectOf = (fieldKey?: string) => buildSubject({ sheet, query, rows, selection, handle }, fieldKey)
  return (
    <div className="sheet">
      <ClipBar space={space} sheet={sheet} />
      <Toolbar
        {...{ space, workbook, sheet, query, warnings, errors, readonly, undo }}
        overall={overall.data}
        selected={selection.rows.length}
        subject={subjectOf}
        onAdd={addRow}
        onPanel={setPanel}
        onHistory={async () => {
          const row = selection.current?.cell[1] ?? selection.rows.first()
          const [record] = row === undefined ? [] : await handle.current!.records([row])
          if (record) setPanel({ kind: 'history', recordId: record.id })
        }}
        canShowHistory={selection.current !== undefined || selection.rows.length > 0}
        currentField={currentField?.key}
        onChange={changeQuery}
      />
      {failure !== undefined && <ErrorNotice error={failure} />}
      {counts.error && failure === undefined && <ErrorNotice error={counts.error} />}
      {counts.data && rows === 0 && isFiltered && !counts.error ? (
        <Empty title={query.filter === 'error' && !query.searchValue ? t('everythingValid') : t('nothingFound')}>
          <Button onClick={() => setQuery({})}>{t('showAll')}</Button>
        </Empty>
      ) : counts.data && rows === 0 && readonly ? (
        <Empty title={t('noRecords')} />
      ) : isPhone ? (
        <Cards
          {...{ sheet, fields, query, readonly }}
          onEdit={(edits) => write({ edits, added: [] })}
          onComment={(recordId) => setPanel({ kind: 'comments', recordId })}
        />
      ) : (
        <Grid
          key={generation}
          sheetId={sheet.id}
          sheets={workbook.sheets ?? []}
          total={rows}
          onSelection={setSelection}
          onWrite={write}
          onHeld={hold}
          onSort={sort}
          onColumn={setColumn}
          onCell={setCell}
          onFailure={setFailure}
          bar={
            <>
              {rows === 0 && <span className="hint">{t('pasteHint')}</span>}
              {held && (
                <span className="held">
                  {t('listHeld')} <Button onClick={release}>{t('updateList')}</Button>
                </span>
              )}
              {selection.rows.length > 0 && (
                <SelectionBar
                  count={selection.rows.length}
                  readonly={readonly}
                  canCreateClip={canCreateClip}
                  onPanel={setPanel}
                />
              )}
            </>
          }
          {...{ fields, query, errors, commented, readonly, freezesFirst, target, selection, handle }}
        />
      )}
      <Panels
        {...{ space, workbook, sheet, query, readonly, panel, remove }}
        selection={selection}
        rows={rows}
        subject={subjectOf}
        onShow={showField}
        onQuery={setQuery}
        onPanel={setPanel}
        onRefresh={refreshAndDeselect}
      />
      {cell && (
        <CellMenu
          cell={cell}
          readonly={readonly}
          onComment={(recordId) => setPanel({ kind: 'comments', recordId })}
          onHistory={(recordId) => setPanel({ kind: 'history', recordId })}
          onFilter={changeQuery}
          onReplace={({ key }) => setPanel({ kind: 'replace', fieldKey: key })}
          onClear={({ record, field }) =>
            handle.current?.edit([{ recordId: record.id, fieldKey: field.key, value: null }])
          }
          onDelete={(row) => {
            setSelection({ ...NO_SELECTION, rows: NO_SELECTION.rows.add(row) })
            setPanel({ kind: 'delete' })
          }}
          onClose={() => {
            setCell(undefined)
            handle.current?.focus()
          }}
        />
      )}
      {column && (
        <ColumnMenu
          key={column.field.key}
          space={space}
          workbook={workbook}
          sheet={sheet}
          column={column}
          canHide={fields.length > 1}
          errors={errors[column.field.key]}
          selected={selection.rows.length}
          subject={() => subjectOf(column.field.key)}
          onSort={sort}
          onErrors={showField}
          onHide={(key) => setSheetView(sheet.id, { hidden: [...hidden, key] }, true)}
          onClose={() => setColumn(undefined)}
        />
      )}
    </div>
  )
}

function SelectionBar(props: {
  count: number
  readonly: boolean
  canCreateClip: boolean
  onPanel(panel: OpenPanel): void
}) {
  const { t } = useTranslation()
  return (
    <div className="selection-bar" role="status">
      <span>{t('selected', { count: props.count })}</span>
      {props.canCreateClip && <Button onClick={() => props.onPanel({ kind: 'clip' })}>{t('createClip')}</Button>}
      <Button kind="danger" disabled={props.readonly} onClick={() => props.onPanel({ kind: 'delete' })}>
        {t('delete')}
      </Button>
    </div>
  )
}

const byFieldIsEmpty = (errors: Readonly<Record<string, number>> | undefined, { filterField }: Query): boolean =>
  filterField !== undefined && errors !== undefined && Object.keys(errors).length > 0 && !errors[filterField]

const removeEmpty = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as Query

const getRowCount = (counts: Counts, { filter }: Query): number =>
  filter === 'error' ? counts.error : filter === 'valid' ? counts.valid : counts.total
