/** A sheet: its records as a grid, which of them and in which order, and what can be done with them. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { ClipBar } from '../clips/bar.tsx'
import { type Sheet, type Space, sheetsOf, type Workbook, workbooksQuery } from '../data.ts'
import { onSheetChange } from '../follow-space.ts'
import { renew } from '../renew.ts'
import { show, showing, useShowing } from '../showing.ts'
import { subjectOf } from './changes.ts'
import { ColumnMenu, type OpenColumn } from './column-menu.tsx'
import type { Counts } from './counts.ts'
import { type CellEdit, Grid, type GridHandle, NOTHING } from './grid.tsx'
import type { Query } from './pages.ts'
import { Toolbar } from './toolbar.tsx'
import { useUndo } from './undo.ts'

export default function SheetPage({ space, sheetId }: { space: Space; sheetId: string }) {
  const { t } = useTexts()
  const workbooks = useQuery(workbooksQuery(space.id))
  return (
    <Shown of={workbooks}>
      {(all) => {
        const sheet = sheetsOf(all).find(({ id }) => id === sheetId)
        const workbook = all.find(({ id }) => id === sheet?.workbookId)
        if (!sheet || !workbook) return <Empty title={t('pageMissing')} />
        return <SheetView space={space} workbook={workbook} sheet={sheet} />
      }}
    </Shown>
  )
}

/** How many records a query means. By field only where that is shown: it reads columns, the rest stands in the log. */
function countsQuery(
  sheetId: string,
  { sortField: _field, sortDirection: _direction, ...meant }: Query,
  byField = false,
) {
  return {
    queryKey: ['counts', sheetId, JSON.stringify({ ...meant, byField })],
    async queryFn(): Promise<Counts> {
      const params = { path: { sheetId }, query: { ...meant, ...(byField ? { byField: true } : {}) } }
      return (await ask(api.GET('/api/v1/sheets/{sheetId}/counts', { params }))).data.counts
    },
  }
}

function SheetView({ space, workbook, sheet }: { space: Space; workbook: Workbook; sheet: Sheet }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const { query, hidden, revision } = useShowing(sheet.id)
  const [selection, setSelection] = useState<GridSelection>(NOTHING)
  const [failure, setFailure] = useState<unknown>()
  const [column, setColumn] = useState<OpenColumn>()
  const handle = useRef<GridHandle | null>(null)
  const counts = useQuery({
    ...countsQuery(sheet.id, query),
    placeholderData: (before, asked) => (asked?.queryKey[1] === sheet.id ? before : undefined),
  })
  const overall = useQuery(countsQuery(sheet.id, {}))
  const byField = useQuery({ ...countsQuery(sheet.id, {}, true), enabled: query.filter === 'error' })
  useEffect(
    () =>
      onSheetChange((changed) => {
        if (changed === sheet.id || changed === '') handle.current?.renew()
      }),
    [sheet.id],
  )
  const change = useCallback(
    (next: Partial<Query>) => {
      setFailure(undefined)
      setSelection(NOTHING)
      show(sheet.id, { query: cleaned({ ...showing(sheet.id).query, ...next }) }, true)
    },
    [sheet.id],
  )
  const sort = useCallback(
    (sortField: string, sortDirection?: 'asc' | 'desc') => {
      const { sortField: field, sortDirection: direction, ...rest } = showing(sheet.id).query
      const next = sortDirection ?? (field !== sortField ? 'asc' : direction === 'asc' ? 'desc' : undefined)
      show(sheet.id, { query: next ? { ...rest, sortField, sortDirection: next } : rest }, true)
    },
    [sheet.id],
  )
  // What was selected stood in other places.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what it answers to
  useEffect(() => {
    setFailure(undefined)
    setSelection(NOTHING)
  }, [revision, hidden])
  const renewed = useCallback(() => {
    handle.current?.renew()
    renew(client, ['counts', sheet.id])
  }, [client, sheet.id])
  const { remember, ...undo } = useUndo(sheet.id, renewed)
  const edit = useCallback(
    async (edits: CellEdit[]) => {
      const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
      const body = [...byRecord].map(([id, cells]) => ({
        id,
        values: Object.fromEntries(cells.map(({ fieldKey, value }) => [fieldKey, { value }])),
      }))
      const params = { path: { sheetId: sheet.id } }
      const commit = ask(api.PUT('/api/v1/sheets/{sheetId}/records', { params, body: body as never })).then(
        ({ data }) => data.commitId,
        (error: Error) => {
          toast(error.message, 'error')
          return undefined
        },
      )
      remember({ commit, cells: edits })
      await commit
      renew(client, ['counts', sheet.id])
    },
    [client, sheet.id, remember],
  )
  const renewAll = useCallback(() => {
    setSelection(NOTHING)
    renewed()
  }, [renewed])
  const fields = useMemo(() => {
    const shown = sheet.config.fields.filter(({ key }) => !hidden.includes(key))
    return shown.length > 0 ? shown : sheet.config.fields
  }, [sheet.config.fields, hidden])
  const readonly = sheet.lockedBy !== undefined || (sheet.config as { readonly?: boolean }).readonly === true
  const rows = counts.data ? rowsOf(counts.data, query) : 0
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
        onChange={change}
        onRenew={renewAll}
      />
      {failure !== undefined && <Failure error={failure} />}
      {counts.error && <Failure error={counts.error} />}
      {counts.data && rows === 0 && !counts.error ? (
        <Empty title={Object.keys(query).length > 0 ? t('nothingFound') : t('noRecords')} />
      ) : (
        <Grid
          sheetId={sheet.id}
          fields={fields}
          query={query}
          total={rows}
          readonly={readonly}
          selection={selection}
          onSelection={setSelection}
          onEdit={edit}
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
          subject={() => subjectOf({ sheet, query, rows, selection, handle }, column.field.key)}
          onSort={sort}
          onHide={(key) => show(sheet.id, { hidden: [...hidden, key] }, true)}
          onClose={() => setColumn(undefined)}
        />
      )}
    </div>
  )
}

const cleaned = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as Query

/** The counts are of what the query means: with a filter they are of what it leaves. */
const rowsOf = (counts: Counts, { filter }: Query): number =>
  filter === 'error' ? counts.error : filter === 'valid' ? counts.valid : counts.total
