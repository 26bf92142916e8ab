/** A sheet: its records as a grid, which of them and in which order, and what can be done with them. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Empty, Failure, Shown } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { type Sheet, type Space, sheetsOf, workbooksQuery } from '../data.ts'
import { onSheetChange } from '../follow-space.ts'
import type { Counts } from './counts.ts'
import { type CellEdit, Grid, type GridHandle, NOTHING } from './grid.tsx'
import type { Query } from './pages.ts'
import { Toolbar } from './toolbar.tsx'

export default function SheetPage({ space, sheetId }: { space: Space; sheetId: string }) {
  const { t } = useTexts()
  const workbooks = useQuery(workbooksQuery(space.id))
  return (
    <Shown of={workbooks}>
      {(all) => {
        const sheet = sheetsOf(all).find(({ id }) => id === sheetId)
        const workbook = all.find(({ id }) => id === sheet?.workbookId)
        if (!sheet || !workbook) return <Empty title={t('pageMissing')} />
        return <SheetView space={space} sheet={sheet} />
      }}
    </Shown>
  )
}

/** How many records a query means; errors are counted by field. */
async function countsOf(sheetId: string, query: Query): Promise<Counts> {
  const { sortField: _field, sortDirection: _direction, ...meant } = query
  const path = { sheetId }
  const { data } = await ask(
    api.GET('/api/v1/sheets/{sheetId}/counts', { params: { path, query: { ...meant, byField: 'true' } } }),
  )
  return data.counts
}

function SheetView({ space, sheet }: { space: Space; sheet: Sheet }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const [query, setQuery] = useState<Query>({})
  const [selection, setSelection] = useState<GridSelection>(NOTHING)
  const [failure, setFailure] = useState<unknown>()
  const handle = useRef<GridHandle | null>(null)
  const key = ['counts', sheet.id, JSON.stringify({ ...query, sortField: undefined, sortDirection: undefined })]
  const counts = useQuery({
    queryKey: key,
    queryFn: () => countsOf(sheet.id, query),
    placeholderData: (before, asked) => (asked?.queryKey[1] === sheet.id ? before : undefined),
  })
  const overall = useQuery({ queryKey: ['counts', sheet.id, 'all'], queryFn: () => countsOf(sheet.id, {}) })
  useEffect(
    () =>
      onSheetChange((changed) => {
        if (changed === sheet.id || changed === '') handle.current?.renew()
      }),
    [sheet.id],
  )
  const change = useCallback((next: Partial<Query>) => {
    setFailure(undefined)
    setSelection(NOTHING)
    setQuery((before) => cleaned({ ...before, ...next }))
  }, [])
  const sort = useCallback(
    (sortField: string) =>
      setQuery(({ sortField: field, sortDirection, ...rest }) => {
        if (field !== sortField) return { ...rest, sortField, sortDirection: 'asc' }
        return sortDirection === 'asc' ? { ...rest, sortField, sortDirection: 'desc' } : rest
      }),
    [],
  )
  const edit = useCallback(
    async (edits: CellEdit[]) => {
      const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
      const body = [...byRecord].map(([id, cells]) => ({
        id,
        values: Object.fromEntries(cells.map(({ fieldKey, value }) => [fieldKey, { value }])),
      }))
      const params = { path: { sheetId: sheet.id } }
      await ask(api.PUT('/api/v1/sheets/{sheetId}/records', { params, body: body as never })).catch((error: Error) =>
        toast(error.message, 'error'),
      )
      void client.invalidateQueries({ queryKey: ['counts', sheet.id] })
    },
    [client, sheet.id],
  )
  const renew = useCallback(() => {
    setSelection(NOTHING)
    handle.current?.renew()
    void client.invalidateQueries({ queryKey: ['counts', sheet.id] })
  }, [client, sheet.id])
  const fields = useMemo(() => sheet.config.fields, [sheet.config.fields])
  const readonly = sheet.lockedBy !== undefined || (sheet.config as { readonly?: boolean }).readonly === true
  const rows = counts.data ? rowsOf(counts.data, query) : 0
  return (
    <div className="sheet">
      <Toolbar
        space={space}
        sheet={sheet}
        query={query}
        overall={overall.data}
        rows={rows}
        readonly={readonly}
        selection={selection}
        handle={handle}
        onChange={change}
        onRenew={renew}
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
          onFailure={setFailure}
          handle={handle}
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
