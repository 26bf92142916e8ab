/** The sheet page: toolbar, grid and column menu. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import { ClipBar } from '../clips/bar.tsx'
import { onSheetChange } from '../follow-space.ts'
import { invalidate } from '../invalidate.ts'
import { getSheets, type Sheet, type Space, type Workbook, workbooksQuery } from '../queries.ts'
import { setSheetView, sheetView, useSheetView } from '../sheet-view-state.ts'
import { buildSubject } from './changes.ts'
import { ColumnMenu, type OpenColumn } from './column-menu.tsx'
import type { Counts } from './counts.ts'
import { type CellEdit, Grid, type GridHandle, NO_SELECTION } from './grid.tsx'
import type { Query } from './pages.ts'
import { Toolbar } from './toolbar.tsx'
import { useUndo } from './undo.ts'
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

/** Counts by field are slow, so they are requested only while shown. */
function countsQuery(
  sheetId: string,
  { sortField: _field, sortDirection: _direction, ...filters }: Query,
  byField = false,
) {
  return {
    queryKey: ['counts', sheetId, JSON.stringify({ ...filters, byField })],
    async queryFn(): Promise<Counts> {
      const params = { path: { sheetId }, query: { ...filters, ...(byField ? { byField: true } : {}) } }
      return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/counts', { params }))).data.counts
    },
  }
}

function SheetView({ space, workbook, sheet }: { space: Space; workbook: Workbook; sheet: Sheet }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const client = useQueryClient()
  const { query, hidden, revision } = useSheetView(sheet.id)
  const [selection, setSelection] = useState<GridSelection>(NO_SELECTION)
  const [failure, setFailure] = useState<unknown>()
  const [column, setColumn] = useState<OpenColumn>()
  const handle = useRef<GridHandle | null>(null)
  const counts = useQuery({
    ...countsQuery(sheet.id, query),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === sheet.id ? previous : undefined),
  })
  const overall = useQuery(countsQuery(sheet.id, {}))
  const byField = useQuery({ ...countsQuery(sheet.id, {}, true), enabled: query.filter === 'error' })
  useEffect(
    () =>
      onSheetChange((changed) => {
        if (changed === sheet.id || changed === '') handle.current?.refresh()
      }),
    [sheet.id],
  )
  const changeQuery = useCallback(
    (next: Partial<Query>) => {
      setFailure(undefined)
      setSelection(NO_SELECTION)
      setSheetView(sheet.id, { query: removeEmpty({ ...sheetView(sheet.id).query, ...next }) }, true)
    },
    [sheet.id],
  )
  const sort = useCallback(
    (sortField: string, sortDirection?: 'asc' | 'desc') => {
      const { sortField: field, sortDirection: direction, ...unsortedQuery } = sheetView(sheet.id).query
      const next = sortDirection ?? (field !== sortField ? 'asc' : direction === 'asc' ? 'desc' : undefined)
      setSheetView(
        sheet.id,
        { query: next ? { ...unsortedQuery, sortField, sortDirection: next } : unsortedQuery },
        true,
      )
    },
    [sheet.id],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected rows change position
  useEffect(() => {
    setFailure(undefined)
    setSelection(NO_SELECTION)
  }, [revision, hidden])
  const refresh = useCallback(() => {
    handle.current?.refresh()
    invalidate(client, ['counts', sheet.id])
  }, [client, sheet.id])
  const { remember, ...undo } = useUndo(sheet.id, refresh)
  const saveEdits = useCallback(
    async (edits: CellEdit[]) => {
      const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
      const body = [...byRecord].map(([id, cells]) => ({
        id,
        values: Object.fromEntries(cells.map(({ fieldKey, value }) => [fieldKey, { value }])),
      }))
      const params = { path: { sheetId: sheet.id }, query: { interpret: true } }
      const commit = unwrap(api.PUT('/api/v1/sheets/{sheetId}/records', { params, body: body as never })).then(
        ({ data }) => data.commitId,
        (error: Error) => {
          showError(error)
          return undefined
        },
      )
      remember({ commit, cells: edits })
      await commit
      invalidate(client, ['counts', sheet.id])
    },
    [client, sheet.id, remember, showError],
  )
  const refreshAndDeselect = useCallback(() => {
    setSelection(NO_SELECTION)
    refresh()
  }, [refresh])
  const fields = useMemo(() => {
    const visibleFields = sheet.config.fields.filter(({ key }) => !hidden.includes(key))
    return visibleFields.length > 0 ? visibleFields : sheet.config.fields
  }, [sheet.config.fields, hidden])
  const readonly = sheet.lockedBy !== undefined || (sheet.config as { readonly?: boolean }).readonly === true
  const rows = counts.data ? getRowCount(counts.data, query) : 0
  return (
    <div className="sheet">
      <ClipBar space={space} sheet={sheet} />
      <Toolbar
        space={space}
        workbook={workbook}
        sheet={sheet}
        query={query}
        overall={overall.data}
        errorsByField={byField.data?.errorsByField ?? {}}
        rows={rows}
        readonly={readonly}
        selection={selection}
        handle={handle}
        undo={undo}
        onChange={changeQuery}
        onRefresh={refreshAndDeselect}
      />
      {failure !== undefined && <ErrorNotice error={failure} />}
      {counts.error && <ErrorNotice error={counts.error} />}
      {counts.data && rows === 0 && !counts.error ? (
        <Empty title={Object.keys(query).length > 0 ? t('nothingFound') : t('noRecords')} />
      ) : (
        <Grid
          sheetId={sheet.id}
          sheets={workbook.sheets ?? []}
          fields={fields}
          query={query}
          total={rows}
          readonly={readonly}
          selection={selection}
          onSelection={setSelection}
          onEdit={saveEdits}
          onSort={sort}
          onColumn={setColumn}
          onFailure={setFailure}
          handle={handle}
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
          selected={selection.rows.length}
          subject={() => buildSubject({ sheet, query, rows, selection, handle }, column.field.key)}
          onSort={sort}
          onHide={(key) => setSheetView(sheet.id, { hidden: [...hidden, key] }, true)}
          onClose={() => setColumn(undefined)}
        />
      )}
    </div>
  )
}

const removeEmpty = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as Query

const getRowCount = (counts: Counts, { filter }: Query): number =>
  filter === 'error' ? counts.error : filter === 'valid' ? counts.valid : counts.total
