/** Reads the exported records as rows of values in field order. */
import { toSheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type ListQuery, streamRows } from '../../records/index.ts'

export type ExportField = StoredSheet['config']['fields'][number]

export interface ExportedSheet {
  sheet: StoredSheet
  fields: readonly ExportField[]
  query: ListQuery
}

export const MESSAGES_HEADER = 'Messages'

export type ExportRow = unknown[]

export async function* streamExportRows(
  { sheet, fields, query }: ExportedSheet,
  messages: boolean,
): AsyncGenerator<ExportRow[]> {
  let incompleteLine = ''
  const fieldQuery = { ...query, fields: fields.map(({ key }) => key) }
  for await (const bytes of streamRows(toSheetRef(sheet), fieldQuery, { messages })) {
    const lines = (incompleteLine + bytes.toString('utf8')).split('\n')
    incompleteLine = lines.pop()!
    yield lines.map((line) => JSON.parse(line))
  }
}
