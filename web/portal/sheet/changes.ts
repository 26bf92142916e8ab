/** What is done to many records at once: by ids where they are few, by a job where they are many. */
import type { GridSelection } from '@glideapps/glide-data-grid'
import type { RefObject } from 'react'
import { api, ask } from '../../shared/api/client.ts'
import type { Sheet } from '../data.ts'
import type { GridHandle } from './grid.tsx'
import type { Query } from './pages.ts'

/** Ids one call takes. */
const IDS_PER_CALL = 100

const meantBy = ({ sortField: _field, sortDirection: _direction, ...meant }: Query) => meant

/** @returns the id of the job that does it, where one does */
export async function deleteRecords(
  sheet: Sheet,
  query: Query,
  rows: readonly number[] | 'all',
  handle: GridHandle,
): Promise<string | undefined> {
  if (rows === 'all') {
    const config = { sheet: sheet.id, filter: 'all', ...meantBy(query) }
    return start(sheet, 'delete-records', config)
  }
  const ids = (await handle.records(rows)).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += IDS_PER_CALL) {
    const params = { path: { sheetId: sheet.id }, query: { ids: ids.slice(at, at + IDS_PER_CALL) } }
    await ask(api.DELETE('/api/v1/sheets/{sheetId}/records', { params }))
  }
  return undefined
}

interface Shown {
  sheet: Sheet
  query: Query
  /** Shown by the query. */
  rows: number
  selection: GridSelection
  handle: RefObject<GridHandle | null>
}

/** Records by their ids, or all that a query means. */
export type Chosen =
  | { ids: string[] }
  | (Omit<Query, 'filter' | 'sortField' | 'sortDirection'> & { filter?: 'valid' | 'error' | 'all' })

/** What an action is called on: the records that are selected, or else those that are shown; of one column where it is a column's. */
export async function subjectOf({ sheet, query, rows, selection, handle }: Shown, columnKey?: string) {
  const selected = selection.rows.length
  const meant = meantBy(query)
  const chosen: Chosen =
    selected === 0
      ? meant
      : selected === rows
        ? { ...meant, filter: meant.filter ?? 'all' }
        : { ids: (await handle.current!.records(selection.rows.toArray())).map(({ id }) => id) }
  const params = { sheetId: sheet.id, ...(columnKey === undefined ? {} : { columnKey }) }
  return { type: 'collection', resource: 'records', params, query: chosen }
}

async function start(sheet: Sheet, operation: string, config: object): Promise<string> {
  const body = {
    type: 'workbook' as const,
    operation,
    source: sheet.workbookId,
    trigger: 'immediate' as const,
    mode: 'foreground' as const,
    managed: true,
    config: config as Record<string, unknown>,
  }
  return (await ask(api.POST('/api/v1/jobs', { body }))).data.id
}

export type Format = 'csv' | 'xlsx' | 'json' | 'jsonl'

/** Has what the query means written to a file; @returns the id of the job, whose outcome leads to it */
export async function exportSheet(sheet: Sheet, query: Query, format: Format, errors: boolean): Promise<string> {
  const body = {
    type: 'sheet' as const,
    operation: 'export',
    source: sheet.id,
    trigger: 'immediate' as const,
    mode: 'foreground' as const,
    managed: true,
    config: { options: { ...query, format, ...(errors ? { errors: true, filter: undefined } : {}) } },
  }
  return (await ask(api.POST('/api/v1/jobs', { body }))).data.id
}
