/** Writes of the sheet page. Each can be undone. */
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback } from 'react'
import { api, unwrap } from '../../shared/api/client.ts'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { invalidate } from '../invalidate.ts'
import type { Sheet } from '../queries.ts'
import { deleteRecords } from './changes.ts'
import type { CellEdit, GridHandle, Write } from './grid.tsx'
import type { Query } from './pages.ts'

const MAX_RECORDS_PER_CALL = 10_000

interface Options {
  sheet: Sheet
  query: Query
  handle: RefObject<GridHandle | null>
  track(writes: readonly Promise<string | undefined>[]): Promise<void>
  refresh(): void
}

export function useWrites({ sheet, query, handle, track, refresh }: Options) {
  const showError = useErrorToast()
  const client = useQueryClient()
  const write = useCallback(
    async ({ edits, added }: Write) => {
      const requests = [...updateRecords(sheet.id, edits), ...insertRecords(sheet.id, added)]
      await track(
        requests.map((request) =>
          request.catch((error: Error) => {
            showError(error)
            return undefined
          }),
        ),
      )
      invalidate(client, ['counts', sheet.id])
    },
    [client, sheet.id, track, showError],
  )
  const addRow = useCallback(async () => {
    await write({ edits: [], added: [{}] })
    refresh()
  }, [write, refresh])
  const remove = (rows: readonly number[] | 'all') => deleteRecords(sheet, query, rows, handle.current!)
  return { write, addRow, remove }
}

function updateRecords(sheetId: string, edits: readonly CellEdit[]): Promise<string | undefined>[] {
  const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
  const records = [...byRecord].map(([id, cells]) => ({
    id,
    values: Object.fromEntries(cells.map(({ fieldKey, value }) => [fieldKey, { value }])),
  }))
  const params = { path: { sheetId }, query: { interpret: true } }
  return toBatches(records).map(async (body) => {
    const { data } = await unwrap(api.PUT('/api/v1/sheets/{sheetId}/records', { params, body: body as never }))
    return data.commitId
  })
}

function insertRecords(sheetId: string, records: readonly Record<string, unknown>[]): Promise<string | undefined>[] {
  const params = { path: { sheetId }, query: { interpret: true } }
  const toCells = (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, { value: value === '' ? null : value }]))
  return toBatches(records.map((record) => ({ values: toCells(record) }))).map(async (body) => {
    const { data } = await unwrap(api.POST('/api/v1/sheets/{sheetId}/records', { params, body: body as never }))
    return data.commitId
  })
}

function toBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = []
  for (let from = 0; from < items.length; from += MAX_RECORDS_PER_CALL)
    batches.push(items.slice(from, from + MAX_RECORDS_PER_CALL))
  return batches
}
