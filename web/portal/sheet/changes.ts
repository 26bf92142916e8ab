/** Bulk operations on records: by ids, or by a job for everything a query selects. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import type { RefObject } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import type { Sheet } from '../queries.ts'
import type { GridHandle } from './grid.tsx'
import { type Query, toSelection } from './pages.ts'

const MAX_IDS_PER_CALL = 100

/** Many records are deleted by a job. */
export interface Deletion {
  jobId?: string
  commitId?: string | undefined
}

export async function deleteRecords(
  sheet: Sheet,
  query: Query,
  rows: readonly number[] | 'all',
  handle: GridHandle,
): Promise<Deletion> {
  if (rows === 'all') {
    const config = { sheet: sheet.id, filter: 'all', ...removeUndefined(toSelection(query)) }
    return { jobId: await startJob(sheet, 'delete-records', config) }
  }
  const ids = (await handle.records(rows)).map(({ id }) => id)
  if (ids.length > MAX_IDS_PER_CALL)
    return { jobId: await startJob(sheet, 'delete-records', { sheet: sheet.id, filter: 'none', exceptions: ids }) }
  const { data } = await unwrap(
    api.DELETE('/api/v1/sheets/{sheetId}/records', { params: { path: { sheetId: sheet.id }, query: { ids } } }),
  )
  return { commitId: data.commitId }
}

const removeUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

const pickSort = ({ sortField, sortDirection }: Query) => ({ sortField, sortDirection })

interface SheetSelection {
  sheet: Sheet
  query: Query
  rows: number
  selection: GridSelection
  handle: RefObject<GridHandle | null>
}

export type RecordSelection =
  | { ids: string[] }
  | (Omit<Query, 'filter' | 'sortField' | 'sortDirection'> & { filter?: 'valid' | 'error' | 'all' })

export async function buildSubject({ sheet, query, rows, selection, handle }: SheetSelection, columnKey?: string) {
  const selectedCount = selection.rows.length
  const filters = removeUndefined(toSelection(query))
  const recordSelection: RecordSelection =
    selectedCount === 0
      ? filters
      : selectedCount === rows
        ? { ...filters, filter: filters.filter ?? 'all' }
        : { ids: (await handle.current!.records(selection.rows.toArray())).map(({ id }) => id) }
  const params = { sheetId: sheet.id, ...(columnKey === undefined ? {} : { columnKey }) }
  return { type: 'collection', resource: 'records', params, query: recordSelection }
}

async function startJob(sheet: Sheet, operation: string, config: object): Promise<string> {
  const body = {
    type: 'workbook' as const,
    operation,
    source: sheet.workbookId,
    trigger: 'immediate' as const,
    mode: 'foreground' as const,
    managed: true,
    config: config as Record<string, unknown>,
  }
  return (await unwrap(api.POST('/api/v1/jobs', { body }))).data.id
}

export const FORMATS = ['csv', 'xlsx', 'ods', 'json', 'jsonl', 'jsonl.gz', 'parquet'] as const
export type Format = (typeof FORMATS)[number]

export type ExportedMessages = 'report' | 'comments'

export async function exportSheet(
  sheet: Sheet,
  query: Query,
  format: Format,
  messages?: ExportedMessages,
): Promise<string> {
  const body = {
    type: 'sheet' as const,
    operation: 'export',
    source: sheet.id,
    trigger: 'immediate' as const,
    mode: 'foreground' as const,
    managed: true,
    config: {
      options: {
        ...toSelection(query),
        ...pickSort(query),
        format,
        ...(messages === 'report' ? { errors: true, filter: undefined } : {}),
        ...(messages === 'comments' ? { comments: true } : {}),
      },
    },
  }
  return (await unwrap(api.POST('/api/v1/jobs', { body }))).data.id
}
