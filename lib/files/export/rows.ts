/** The exported records, written by a format without objects for rows and cells. */
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type ListQuery, type RowFormat, streamRows } from '../../records/index.ts'

export type ExportField = StoredSheet['config']['fields'][number]

export interface ExportedSheet {
  sheet: StoredSheet
  fields: readonly ExportField[]
  query: ListQuery
}

export const selectsAllRecords = ({ asOf: _, filter, ...others }: ListQuery): boolean =>
  (filter === undefined || filter === 'all') && Object.values(others).every((value) => value === undefined)

export const MESSAGES_HEADER = 'Messages'

export interface RowsOptions {
  messages: boolean
  bufferBytes?: number | undefined
  /** Rows written since the last call, in the bytes that follow. Throws to stop. */
  onRows(count: number): Promise<void>
}

export async function* streamExportRows(
  { sheet, fields, query }: ExportedSheet,
  { writeRow }: RowFormat,
  { messages, bufferBytes, onRows }: RowsOptions,
): AsyncGenerator<Buffer> {
  let count = 0
  const format: RowFormat = {
    writeRow(out, cells, at, text, getCellMessages) {
      writeRow(out, cells, at, text, getCellMessages)
      count++
    },
  }
  const fieldQuery = { ...query, fields: fields.map(({ key }) => key) }
  for await (const bytes of streamRows(toSheetRef(sheet), fieldQuery, format, { messages, bufferBytes })) {
    await onRows(count)
    count = 0
    yield bytes
  }
}
